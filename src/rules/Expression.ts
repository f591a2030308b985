/**
 * One CEL expression: parsed by the library, checked here to a typed tree that is plain data.
 * Invariants: 1. an expression that was accepted never throws when it is run. 2. all its errors are told at once, a sub-expression at most once.
 * 3. text length, nodes and depth are bounded; there is no eval and no pattern matching.
 */
import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js"
import { Result } from "effect"

import type { PolledFact } from "../domain/Facts.ts"
import { elaborate } from "./Elaborate.ts"
import { type Expr, nodesOf } from "./Expr.ts"
import type { ExpressionError, Names } from "./Names.ts"
import type { Type } from "./Value.ts"
import { factAt } from "./Vocabulary.ts"

/** An expression that was accepted. */
export interface Checked {
  readonly text: string
  readonly type: Type
  readonly expr: Expr
  /** How many nodes the tree has. */
  readonly size: number
  /** What it needs to be polled, also through lets and below a branch that is not taken. */
  readonly polled: ReadonlySet<PolledFact>
  /** It reads the listing that is looked at. */
  readonly perListing: boolean
}

const longestText = 2000
/** Deeper than a rule is readable, far below what a stack takes. */
const limits = { maxDepth: 24, maxAstNodes: 300, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 8 }

// only its parser is used: its checker stops at the first error and knows neither Money nor Unknown
const parser = new Environment({ limits })

const syntaxRemedy = (text: string, start: number): string | undefined => {
  const near = text.slice(Math.max(0, start - 4), start + 4)
  const rest = text.slice(start)
  if (/(?:^|[^=!<>])=(?!=)/.test(near)) return "compare with `==`"
  if (/\b(?:and|or|not)\b/i.test(text.slice(Math.max(0, start - 4)))) return "write `&&`, `||` and `!`"
  if (/\d\s*%/.test(text)) return "write a percentage as a fraction: 12 % is 0.12"
  if (/^(?:ms|s|m|h|d|w)\b/.test(rest)) return 'write a time as duration("90s")'
  if (/[€$£¥]/.test(near)) return 'an amount is written money("5.00"), in the wallet\'s currency'
  return undefined
}

const summaries: Readonly<Record<string, string>> = {
  maxDepth: `nested deeper than ${limits.maxDepth} levels`,
  maxAstNodes: `more than ${limits.maxAstNodes} parts`
}

const parse = (text: string): Result.Result<ASTNode, ExpressionError> =>
  Result.try({
    try: () => parser.parse(text).ast,
    catch: (cause) => {
      const failed = cause instanceof ParseError ? cause : undefined
      const limited = Object.entries(summaries).find(([key]) => failed?.summary.includes(key))?.[1]
      const start = Math.min(failed?.range?.start ?? 0, text.length)
      if (limited !== undefined)
        return {
          code: "limit",
          message: `this expression is too large: ${limited}`,
          remedy: "name parts of it under `let`",
          start,
          end: start + 1
        }
      const found = text.slice(start, Math.max(start + 1, failed?.range?.end ?? 0)).trim()
      const message =
        found === "" ? "the expression ends too early" : `the expression cannot go on with \`${found}\``
      return {
        code: "syntax",
        message,
        remedy: syntaxRemedy(text, start),
        start,
        end: Math.max(start + 1, failed?.range?.end ?? 0)
      }
    }
  })

/** Checks the text against the vocabulary and these names; fails with every error at its place in the text. */
export const check = (text: string, names: Names): Result.Result<Checked, ReadonlyArray<ExpressionError>> => {
  if (text.length > longestText)
    return Result.fail([
      {
        code: "limit",
        message: `an expression has at most ${longestText} characters`,
        remedy: "name parts of it under `let`",
        start: 0,
        end: 1
      }
    ])
  if (text.trim() === "")
    return Result.fail([
      { code: "syntax", message: "the expression is empty", remedy: undefined, start: 0, end: 1 }
    ])
  const parsed = parse(text)
  if (Result.isFailure(parsed)) return Result.fail([parsed.failure])
  return Result.map(elaborate(parsed.success, text, names), ({ expr, size }) => ({
    text,
    type: expr.type,
    expr,
    size,
    ...needsOf(expr, names)
  }))
}

const needsOf = (expr: Expr, { lets }: Names): Pick<Checked, "perListing" | "polled"> => {
  const byIndex = new Map([...lets.values()].map((one) => [one.index, one]))
  const polled = new Set<PolledFact>()
  let perListing = false
  for (const node of nodesOf(expr)) {
    const [fact, named] = [
      node.op === "Fact" ? factAt(node.fact) : undefined,
      node.op === "Let" ? byIndex.get(node.index) : undefined
    ]
    for (const poll of fact?.polls ?? named?.polled ?? []) polled.add(poll)
    perListing ||= fact?.group === "listing" || named?.perListing === true
  }
  return { polled, perListing }
}
