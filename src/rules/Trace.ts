/**
 * What a rule looked at, for people: every let and every part of its expressions with its value and age. The interpreter computes it when
 * somebody asks, so that deciding stays fast. Invariants: 1. nothing here changes what was decided. 2. a part that stands in
 * several places is told once, before what it is part of.
 */
import type { RuleVerdict, TraceEntry } from "../domain/Decision.ts"
import type { PolledFact } from "../domain/Facts.ts"
import { type Expr, nodesOf, partsOf } from "./Expr.ts"
import type { Checked } from "./Expression.ts"
import { interpret, type Interpretation } from "./Interpret.ts"
import { expressionsOf, type Program, type ProgramLet, type ProgramRule } from "./Program.ts"
import { oldestAge } from "./Scope.ts"
import { showDuration } from "./StrategyValues.ts"
import { showValue, type Value } from "./Value.ts"
import { factAt } from "./Vocabulary.ts"

/** The lets that these expressions read directly, in file order. */
const directLets = (program: Program, expressions: ReadonlyArray<Checked>): ReadonlyArray<ProgramLet> => {
  const read = new Set(
    expressions.flatMap(({ expr }) =>
      nodesOf(expr).flatMap((node) => (node.op === "Let" ? [node.index] : []))
    )
  )
  return program.lets.filter((_, index) => read.has(index))
}

/** The lets that these expressions read, also through other lets, in file order. */
const letsOf = (program: Program, expressions: ReadonlyArray<Checked>): ReadonlyArray<ProgramLet> => {
  const found = directLets(program, expressions)
  const through = directLets(program, [...expressions, ...found.map(({ checked }) => checked)])
  return through.length === found.length
    ? found
    : letsOf(program, [...expressions, ...through.map(({ checked }) => checked)])
}

/** The part's own text; the parser leaves a bracket out that a part begins or ends with. */
const textOf = ({ text }: Checked, { end, start }: Expr): string => {
  let [from, to] = [start, end]
  let [open, least] = [0, 0]
  for (const sign of text.slice(from, to)) {
    if (sign === "(") open++
    if (sign === ")") open--
    least = Math.min(least, open)
  }
  for (let missing = open - least; missing > 0 && text[to] === ")"; missing--) to++
  for (let missing = -least; missing > 0 && text[from - 1] === "("; missing--) from--
  return text.slice(from, to)
}

const ageOf = (expr: Expr, program: Program, { scope }: Interpretation): number | undefined => {
  const polls: Array<PolledFact> = []
  for (const node of nodesOf(expr)) {
    if (node.op === "Fact") polls.push(...factAt(node.fact).polls)
    if (node.op === "Let") polls.push(...(program.lets[node.index]?.checked.polled ?? []))
  }
  return oldestAge(scope.facts, polls)
}

const shown = ({ type }: Expr, value: Value | undefined): string =>
  value === undefined ? "not looked at" : showValue(type, value)

/** Collects entries, each text once. */
const telling = (program: Program, looking: Interpretation) => {
  const entries: Array<TraceEntry> = []
  const told = new Set<string>()
  const add = (name: string, checked: Checked, expr: Expr, value: Value | undefined): void => {
    if (told.has(name)) return
    told.add(name)
    const made = expr.op === "Let" ? [expr] : partsOf(expr)
    const parts = made.filter(({ op }) => op !== "Literal").map((part) => textOf(checked, part))
    entries.push({
      name,
      expression: expr === checked.expr ? checked.text : textOf(checked, expr),
      value: shown(expr, value),
      ageMillis: ageOf(expr, program, looking),
      // a whole that is one fact is told by the fact's own name before
      parts: [
        ...new Set(expr.op === "Fact" && name !== textOf(checked, expr) ? [textOf(checked, expr)] : parts)
      ]
    })
  }
  /** The parts of the expression and, under its name, the whole. */
  const tell = (name: string, checked: Checked): void => {
    const seen: Array<Value | undefined> = []
    const whole = interpret(checked.expr, looking, seen)
    for (const part of nodesOf(checked.expr))
      if (part !== checked.expr && part.op !== "Literal" && part.op !== "Let")
        add(textOf(checked, part), checked, part, seen[part.id])
    if (checked.expr.op === "Fact") add(textOf(checked, checked.expr), checked, checked.expr, whole)
    add(name, checked, checked.expr, whole)
  }
  const tellFacts = (checked: Checked): void => {
    const seen: Array<Value | undefined> = []
    interpret(checked.expr, looking, seen)
    for (const part of nodesOf(checked.expr))
      if (part.op === "Fact") add(textOf(checked, part), checked, part, seen[part.id])
  }
  return { entries, tell, tellFacts }
}

export const traceOf = (
  program: Program,
  rule: ProgramRule,
  looking: Interpretation
): ReadonlyArray<TraceEntry> => {
  const { entries, tell, tellFacts } = telling(program, looking)
  for (const { checked, name } of letsOf(program, expressionsOf(rule))) tell(name, checked)
  const named: ReadonlyArray<readonly [string, Checked | undefined]> = [
    ["when", rule.when],
    ["limit", rule.limit],
    ["at", rule.at],
    ["qty", rule.qty],
    ["floor", rule.reprice?.floor]
  ]
  for (const [name, checked] of named) if (checked !== undefined) tell(name, checked)
  for (const checked of [rule.because, rule.message]) if (checked !== undefined) tellFacts(checked)
  return entries
}

/** The let names and facts that the rule's own expressions read, rendered. */
export const sawOf = (
  program: Program,
  rule: ProgramRule,
  looking: Interpretation
): Readonly<Record<string, string>> => {
  const expressions = expressionsOf(rule)
  const lets = directLets(program, expressions).map(({ checked, name }) => [
    name,
    showValue(checked.type, interpret(checked.expr, looking, []))
  ])
  const facts = expressions.flatMap((checked) =>
    nodesOf(checked.expr).flatMap((node) =>
      node.op === "Fact" ? [[textOf(checked, node), showValue(node.type, interpret(node, looking, []))]] : []
    )
  )
  return Object.fromEntries([...lets, ...facts])
}

/** A rule and what it came to, in a few words. */
export const verdictText = ({ rule, verdict }: RuleVerdict): string => {
  switch (verdict._tag) {
    case "Match":
      return `${rule} yes`
    case "NoMatch":
      return `${rule} no`
    case "Waiting":
      return `${rule} holds, acts in ${showDuration(verdict.untilAt - verdict.since)}`
    case "Unknown":
      return `${rule} unknown (${verdict.why})`
  }
}
