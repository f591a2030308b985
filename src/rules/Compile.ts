/**
 * Checks a decoded strategy file as a whole and makes it runnable. Invariants: 1. a file with any error gives no strategy. 2. all errors
 * are told at once, each at its place. 3. the reads are those of every expression of every rule, also through let names.
 */
import { Result } from "effect"

import type { Limits } from "../domain/Decision.ts"
import type { PolledFact } from "../domain/Facts.ts"
import { meaningHash } from "../domain/Ids.ts"
import type { Protection } from "../domain/Protection.ts"
import { checkProtections } from "./CompileProtections.ts"
import { checkLets, checkRules, checkWhere, type Checking } from "./CompileRules.ts"
import { describeUniverse } from "./CompileUniverse.ts"
import { evaluator } from "./Evaluate.ts"
import { runInlineTests } from "./InlineTests.ts"
import { type Params, readParams, rebound } from "./Params.ts"
import { expressionsOf, type Program, type ProgramRule } from "./Program.ts"
import type { Freshness } from "./Scope.ts"
import { decodeYaml, type SourceError } from "./Source.ts"
import { steadyOf } from "./Steady.ts"
import type { CompiledStrategy, Target } from "./Strategies.ts"
import { defaultFreshness, StrategyFile } from "./Strategy.ts"
import { whereOf } from "./Where.ts"

/** First 8 hex digits of the content's hash. */
export const revisionOf = (text: string): string => meaningHash(text).slice(0, 8)

const nameOf = (file: string): string => (file.split(/[/\\]/).at(-1) ?? file).replace(/\.ya?ml$/, "")

/** Reads, checks and tests one strategy file's text. */
export const compileStrategy = (
  file: string,
  text: string,
  target: Target
): Result.Result<CompiledStrategy, ReadonlyArray<SourceError>> => {
  const decoded = decodeYaml(file, text, StrategyFile)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const source = decoded.success
  const errors: Array<SourceError> = []
  const entries = describeUniverse(source, errors)
  const checking: Checking = { source, errors, lets: new Map(), later: new Set(), params: new Map() }
  const params = readParams(source, entries, errors)
  for (const [name, named] of params.names) checking.params.set(name, named)
  const lets = checkLets(checking)
  const rules = checkRules(checking)
  const protections = checkProtections(source, errors)
  const where = checkWhere(checking)
  if (errors.length > 0) return Result.fail(errors)
  const { freshness, limits, ...value } = source.value
  const program: Program = {
    name: value.name ?? nameOf(file),
    revision: revisionOf(text),
    freshness: { ...defaultFreshness, ...freshness },
    params,
    lets,
    rules,
    limits: limitsOf(limits)
  }
  const about = {
    name: program.name,
    file,
    revision: program.revision,
    description: value.description ?? "",
    mode: value.shadowOf !== undefined && value.mode !== "off" ? "shadow" : (value.mode ?? "inherit"),
    shadowOf: value.shadowOf,
    onRemove: value.onRemove ?? "cancel",
    priority: value.priority ?? 0,
    reads: readsOf(rules, protections, program.freshness),
    rules: rules.map(({ action, id }) => ({ id, does: action })),
    limits: program.limits,
    protections
  } as const
  const boundTo = (params: Params): CompiledStrategy => {
    const bound = { ...program, params }
    return {
      ...about,
      universe: {
        entries,
        where: where === undefined ? undefined : whereOf(bound, where, entries),
        overridden: Object.keys(value.overrides ?? {})
      },
      params: params.declared,
      withParams: (values) => Result.map(rebound(params, values), boundTo),
      evaluate: evaluator(bound),
      steady: remembering(() => steadyOf(bound))
    }
  }
  const strategy = boundTo(params)
  const failures = runInlineTests(source, strategy, rules, target)
  return failures.length > 0 ? Result.fail(failures) : Result.succeed(strategy)
}

const limitsOf = (of: StrategyFile["limits"]): Limits => ({
  spendPerDay: of?.spendPerDay,
  exposure: of?.exposure,
  perItemUnits: of?.perItemUnits,
  openOrders: of?.openOrders,
  maxPrice: of?.maxPrice,
  minPrice: of?.minPrice
})

const readsOf = (
  rules: ReadonlyArray<ProgramRule>,
  protections: ReadonlyArray<Protection>,
  freshness: Freshness
): ReadonlyMap<PolledFact, number> => {
  const reads = new Map<PolledFact, number>()
  for (const protection of protections)
    if (protection.kind === "price-jump") reads.set(protection.against, freshness[protection.against])
  for (const rule of rules) {
    if (rule.action === "buy") reads.set("offers", freshness.offers)
    for (const { polled } of expressionsOf(rule)) for (const poll of polled) reads.set(poll, freshness[poll])
  }
  return reads
}

/** Columns take room that only a replay needs. */
const remembering = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
