/**
 * For how many books a strategy comes to the same: which rules hold and what they would do. Whoever replays looks at whole books only where
 * that changes. Invariants: 1. between the first book and the one that is told, each rule holds or not as at the first, with the same
 * price, quantity and floor, and no `for` runs out. 2. rules about single listings are left out: they are looked at with listings only.
 */
import type { Facts } from "../domain/Facts.ts"
import { type ColumnLets, letRuns, numbersOf, type TestColumn, testsOf } from "./Columns.ts"
import { type BookStretch, type NumberColumn, type Stretch } from "./ColumnsFacts.ts"
import { paramsFor } from "./Params.ts"
import type { Held, Program, ProgramRule } from "./Program.ts"
import { look, type Scope, scopeOf } from "./Scope.ts"
import { yes } from "./Value.ts"

interface RuleColumns {
  readonly rule: ProgramRule
  readonly when: TestColumn
  readonly values: ReadonlyArray<NumberColumn>
}

/**
 * For how many of these books, the first of which is the one of the facts, the rules come to the same while nothing else changes; at least 1.
 */
export type Steady = (facts: Facts, held: Held, books: BookStretch) => number

const columnsOf = (rule: ProgramRule, lets: ColumnLets): RuleColumns | undefined => {
  const when = testsOf(rule.when.expr, lets)
  const values: Array<NumberColumn> = []
  for (const checked of [rule.at, rule.qty, rule.reprice?.floor]) {
    const column = checked === undefined ? undefined : numbersOf(checked.expr, lets)
    if (column !== undefined) values.push(column)
    else if (checked !== undefined) return undefined
  }
  return when === undefined ? undefined : { rule, when, values }
}

/** Undefined when one of its rules has no columns. */
export const steadyOf = (program: Program): Steady | undefined => {
  const lets: ColumnLets = { lets: program.lets, runs: letRuns(program.lets) }
  const rules: Array<RuleColumns> = []
  for (const rule of program.rules) {
    if (rule.action === "buy") continue
    const columns = columnsOf(rule, lets)
    if (columns === undefined) return undefined
    rules.push(columns)
  }
  let scope: Scope | undefined
  return (facts, held, books) => {
    const params = paramsFor(program.params, facts.item)
    const turned = { ...facts }
    if (scope === undefined) scope = scopeOf(turned, program.freshness, params, program.lets.length)
    else look(scope, turned, params)
    const stretch: Stretch = { ...books, scope, clock: turned }
    for (const columns of rules) {
      stretch.count = sameUntil(columns, held, stretch)
      if (stretch.count <= 1) break
    }
    return stretch.count
  }
}

const sameUntil = ({ rule, values, when }: RuleColumns, held: Held, stretch: Stretch): number => {
  const matches = when(stretch)
  const first = typeof matches === "number" ? matches : matches[0]
  let end = stretch.count
  if (typeof matches !== "number") {
    const holds = first === yes
    for (let index = 1; index < end; index++) if ((matches[index] === yes) !== holds) end = index
  }
  if (first !== yes) return end
  const since = rule.forMillis > 0 ? held.get(rule.id) : undefined
  if (since !== undefined) end = beforeTime(stretch, since + rule.forMillis, end)
  for (const column of values) {
    stretch.count = end
    const numbers = column(stretch)
    if (typeof numbers === "number") continue
    const value = numbers[0] as number
    for (let index = 1; index < end; index++) if (!Object.is(numbers[index], value)) end = index
  }
  return end
}

/** A time that is still to come ends the stretch before it. */
const beforeTime = ({ at }: Stretch, time: number, end: number): number => {
  if ((at[0] as number) >= time) return end
  for (let index = 1; index < end; index++) if ((at[index] as number) >= time) return index
  return end
}
