/**
 * What is known of a shadow and of the strategy beside it: plain data that is kept in a file beside the database and shown by `haggle shadow`.
 * Invariants: 1. amounts are minor units, times market time in milliseconds. 2. lists are bounded: the newest stay.
 */
import { Schema } from "effect"

import { TraceEntry } from "../domain/Decision.ts"
import { Millis } from "../domain/Ids.ts"
import { Money } from "../domain/Money.ts"

/** Differences and trades that are remembered, each. */
export const kept = 200

/** What one of the two wanted on a side of an item, and what its rule saw; without a wish, why its rules wanted nothing. */
const Wanted = Schema.Struct({
  rule: Schema.optionalKey(Schema.String),
  wish: Schema.String,
  because: Schema.String,
  trace: Schema.Array(TraceEntry)
})
export type Wanted = typeof Wanted.Type

export const kinds = ["only-shadow", "only-current", "price", "quantity", "other"] as const

/** A while in which the two wanted different things on the same facts. */
export const Difference = Schema.Struct({
  item: Schema.String,
  side: Schema.Literals(["bid", "ask", "buy", "halt"]),
  kind: Schema.Literals(kinds),
  from: Millis,
  /** The last step in which they differed. */
  to: Millis,
  steps: Schema.Natural,
  current: Wanted,
  shadow: Wanted
})
export type Difference = typeof Difference.Type

const ItemSteps = Schema.Struct({ item: Schema.String, steps: Schema.Natural, agreed: Schema.Natural })

/** How often the two agreed. */
export const Compared = Schema.Struct({
  steps: Schema.Natural,
  agreed: Schema.Natural,
  items: Schema.Array(ItemSteps),
  /** Whiles by kind, also those that are forgotten. */
  counts: Schema.Record(Schema.Literals(kinds), Schema.Natural),
  /** By their beginning. */
  differences: Schema.Array(Difference)
})
export type Compared = typeof Compared.Type

export const PaperTrade = Schema.Struct({
  at: Millis,
  item: Schema.String,
  side: Schema.Literals(["Buy", "Sell"]),
  units: Schema.Natural,
  amount: Money
})
export type PaperTrade = typeof PaperTrade.Type

const ItemFigures = Schema.Struct({
  item: Schema.String,
  bought: Schema.Natural,
  sold: Schema.Natural,
  /** Realised and what is held would bring, less what was taken over. */
  profit: Money
})

/** How a strategy did on paper, alone. */
export const Figures = Schema.Struct({
  profit: Money,
  realised: Money,
  bought: Schema.Natural,
  sold: Schema.Natural,
  held: Schema.Natural,
  orders: Schema.Natural,
  refused: Schema.Natural,
  items: Schema.Array(ItemFigures),
  trades: Schema.Array(PaperTrade)
})
export type Figures = typeof Figures.Type

const Who = Schema.Struct({ name: Schema.String, revision: Schema.String })

export const ShadowReport = Schema.Struct({
  shadow: Who,
  /** Without a revision: no strategy of that name trades. */
  current: Schema.Struct({ name: Schema.String, revision: Schema.optionalKey(Schema.String) }),
  since: Millis,
  at: Millis,
  compared: Compared,
  /** Both on paper, by the same rules of filling. */
  onPaper: Schema.Struct({ current: Schema.optionalKey(Figures), shadow: Figures }),
  /** What the strategy in force has really realised since. */
  really: Schema.optionalKey(Money)
})
export type ShadowReport = typeof ShadowReport.Type
