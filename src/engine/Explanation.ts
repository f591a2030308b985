/**
 * What a strategy makes of one item right now, as data: every rule with all that it looked at, and for each thing it wants what becomes of
 * it and what is in the way. Amounts are minor units of the wallet's currency, times milliseconds of the market's clock.
 */
import { Schema } from "effect"

import { TraceEntry } from "../domain/Decision.ts"
import { Millis } from "../domain/Ids.ts"
import { Money } from "../domain/Money.ts"

const FactSeen = Schema.Struct({
  fact: Schema.String,
  /** Missing when it was never seen. */
  ageMillis: Schema.optionalKey(Schema.Finite),
  /** Older than this it counts as unknown. */
  mayBeMillis: Schema.Finite
})

const RuleSeen = Schema.Struct({
  rule: Schema.String,
  does: Schema.String,
  verdict: Schema.Literals(["Match", "NoMatch", "Waiting", "Unknown"]),
  /** Why it decides nothing though it matched, or why it is not known whether it does. */
  why: Schema.optionalKey(Schema.String),
  trace: Schema.Array(TraceEntry)
})
export type RuleSeen = typeof RuleSeen.Type

/**
 * One thing that is decided: the buying side, the selling side, a purchase outright, a signal. `acts` would be sent at the next step,
 * `stands` is as wished already, `blocked` is wished and held back, `nothing` is wished by no rule, `wished` was not held against an account.
 */
export const Outcome = Schema.Struct({
  side: Schema.Literals(["bid", "ask", "buy", "notify", "halt"]),
  rule: Schema.optionalKey(Schema.String),
  wish: Schema.optionalKey(Schema.String),
  because: Schema.optionalKey(Schema.String),
  price: Schema.optionalKey(Money),
  quantity: Schema.optionalKey(Schema.Finite),
  is: Schema.Literals(["acts", "stands", "blocked", "nothing", "wished"]),
  /** What holds it back: a code of the guard's refusals, or one of the planner's and the step's own. */
  code: Schema.optionalKey(Schema.String),
  why: Schema.String,
  remedy: Schema.optionalKey(Schema.String)
})
export type Outcome = typeof Outcome.Type

export const Explanation = Schema.Struct({
  strategy: Schema.String,
  revision: Schema.String,
  file: Schema.String,
  mode: Schema.String,
  /** Application and name. */
  item: Schema.String,
  at: Millis,
  /** How the item belongs to the strategy. */
  universe: Schema.String,
  /** What matters for the whole strategy: a pause, a halt, an edit that was refused. */
  notes: Schema.Array(Schema.String),
  facts: Schema.Array(FactSeen),
  rules: Schema.Array(RuleSeen),
  outcomes: Schema.Array(Outcome)
})
export type Explanation = typeof Explanation.Type
