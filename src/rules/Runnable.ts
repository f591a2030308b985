/**
 * A program's closures: what Evaluate runs for every book. Invariant: they belong to the program's expressions alone, so the same ones
 * serve any params.
 */
import type { RuleVerdict } from "../domain/Decision.ts"
import { type LetRun, letRun, memoised, type NumberRun, numberRun, type Test, test } from "./Closures.ts"
import type { Checked } from "./Expression.ts"
import type { Program, ProgramRule } from "./Program.ts"

export interface RunnableRule {
  readonly rule: ProgramRule
  readonly when: Test
  readonly at: NumberRun | undefined
  readonly qty: NumberRun | undefined
  readonly limit: NumberRun | undefined
  readonly floor: NumberRun | undefined
  /** Made once: most rules do not match most books. */
  readonly noMatch: RuleVerdict
  readonly match: RuleVerdict
}

const letsOf = ({ lets }: Program): ReadonlyArray<LetRun> => {
  const runs: Array<LetRun> = []
  for (const [index, { checked }] of lets.entries()) {
    const run = letRun(checked.expr, runs)
    // what is read for each listing is another value for the next one
    runs.push(checked.perListing ? run : memoised(index, run))
  }
  return runs
}

export const runnable = (program: Program): ReadonlyArray<RunnableRule> => {
  const lets = letsOf(program)
  const number = (checked: Checked | undefined) =>
    checked === undefined ? undefined : numberRun(checked.expr, lets)
  return program.rules.map((rule) => ({
    rule,
    when: test(rule.when.expr, lets),
    at: number(rule.at),
    qty: number(rule.qty),
    limit: number(rule.limit),
    floor: number(rule.reprice?.floor),
    noMatch: { rule: rule.id, verdict: { _tag: "NoMatch" } },
    match: { rule: rule.id, verdict: { _tag: "Match" } }
  }))
}
