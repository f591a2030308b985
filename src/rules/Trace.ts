/**
 * What a rule looked at, for people: every let, fact and condition with its value and age. Computed again from the scope on demand, so
 * that deciding stays fast. Invariant: nothing here changes what was decided.
 */
import type { TraceEntry } from "../domain/Decision.ts"
import type { Checked, Shown } from "./Expression.ts"
import type { Program, ProgramRule } from "./Program.ts"
import { oldestAge, type Scope } from "./Scope.ts"
import { showValue } from "./Value.ts"

const expressionsOf = (rule: ProgramRule): ReadonlyArray<Checked> =>
  [rule.when, rule.at, rule.qty, rule.reprice?.floor, rule.because, rule.message].filter(
    (one) => one !== undefined
  )

const entry = (name: string, of: Shown, scope: Scope): TraceEntry => ({
  name,
  expression: of.text,
  value: showValue(of.type, of.run(scope)),
  ageMillis: oldestAge(scope.facts, of.polled)
})

/** The lets that these expressions read, also through other lets, in file order. */
const letsOf = (
  program: Program,
  expressions: ReadonlyArray<Checked>
): ReadonlyArray<Program["lets"][number]> => {
  const wanted = new Set(expressions.flatMap(({ lets }) => [...lets]))
  for (const { checked, name } of program.lets.toReversed())
    if (wanted.has(name)) for (const inner of checked.lets) wanted.add(inner)
  return program.lets.filter(({ name }) => wanted.has(name))
}

const factsOf = (expressions: ReadonlyArray<Checked>): ReadonlyMap<string, Shown> =>
  new Map(expressions.flatMap(({ facts }) => [...facts]))

export const traceOf = (program: Program, rule: ProgramRule, scope: Scope): ReadonlyArray<TraceEntry> => {
  const expressions = expressionsOf(rule)
  const lets = letsOf(program, expressions)
  const facts = factsOf([...lets.map(({ checked }) => checked), ...expressions])
  const conditions = rule.when.conditions.filter(({ text }) => text !== rule.when.text)
  const named: ReadonlyArray<readonly [string, Shown | undefined]> = [
    ["when", rule.when],
    ["at", rule.at],
    ["qty", rule.qty],
    ["floor", rule.reprice?.floor]
  ]
  return [
    ...[...facts].map(([text, shown]) => entry(text, shown, scope)),
    ...lets.map(({ checked, name }) => entry(name, checked, scope)),
    ...conditions.map((shown) => entry(shown.text, shown, scope)),
    ...named.flatMap(([name, shown]) => (shown === undefined ? [] : [entry(name, shown, scope)]))
  ]
}

/** The let names and facts that the rule's own expressions read, rendered. */
export const sawOf = (
  program: Program,
  rule: ProgramRule,
  scope: Scope
): Readonly<Record<string, string>> => {
  const expressions = expressionsOf(rule)
  const direct = new Set(expressions.flatMap(({ lets }) => [...lets]))
  const lets = program.lets.filter(({ name }) => direct.has(name))
  return Object.fromEntries([
    ...lets.map(({ checked, name }) => [name, showValue(checked.type, checked.run(scope))]),
    ...[...factsOf(expressions)].map(([text, shown]) => [text, showValue(shown.type, shown.run(scope))])
  ])
}
