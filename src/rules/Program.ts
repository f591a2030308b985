/**
 * A strategy after checking: plain data that the evaluators run. Invariant: every expression in here was accepted, so running it never
 * throws.
 */
import type { Churn, Limits } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Checked } from "./Expression.ts"
import type { Params } from "./Params.ts"
import type { Freshness } from "./Scope.ts"
import type { Action } from "./Strategy.ts"

/** Since when each rule's condition has held without a break, by rule id; the engine keeps it between two evaluations. */
export type Held = ReadonlyMap<string, Millis>

export interface ProgramRule {
  readonly id: string
  readonly action: Action
  readonly forMillis: number
  readonly when: Checked
  /** A bid's or ask's price; what the buyer pays. */
  readonly at: Checked | undefined
  readonly qty: Checked | undefined
  /** What a listing may cost at most that is bought outright. */
  readonly limit: Checked | undefined
  readonly expireMillis: number | undefined
  readonly reprice:
    | { readonly afterMillis: number; readonly stepFraction: number; readonly floor: Checked | undefined }
    | undefined
  readonly allowLoss: boolean
  readonly churn: Churn
  readonly because: Checked | undefined
  readonly message: Checked | undefined
}

export interface ProgramLet {
  readonly name: string
  readonly checked: Checked
}

export interface Program {
  readonly name: string
  readonly revision: string
  readonly freshness: Freshness
  readonly params: Params
  readonly lets: ReadonlyArray<ProgramLet>
  readonly rules: ReadonlyArray<ProgramRule>
  readonly limits: Limits
}

/** Every expression of a rule, in the order in which they are told. */
export const expressionsOf = (rule: ProgramRule): ReadonlyArray<Checked> =>
  [rule.when, rule.limit, rule.at, rule.qty, rule.reprice?.floor, rule.because, rule.message].filter(
    (one) => one !== undefined
  )
