/**
 * What a strategy wants for one item, and why: the output of the rules and the input of the planner.
 * Invariants: 1. a side without a matching rule has no wish; what stands there is left alone, or another strategy decides it. A side that
 * is held is left alone, too, and nobody of less precedence decides it. 2. an Unknown rule never acts.
 */
import { Schema } from "effect"

import type { Millis } from "./Ids.ts"
import type { Item } from "./Item.ts"
import type { Money } from "./Money.ts"
import type { Offer } from "./Offer.ts"

/** Which text decided: `strategy@revision#rule`; the revision is the hash of the file's content, 8 hex digits. */
export const Origin = Schema.Struct({ strategy: Schema.String, revision: Schema.String, rule: Schema.String })
export type Origin = typeof Origin.Type

export const showOrigin = (origin: Origin): string => `${origin.strategy}@${origin.revision}#${origin.rule}`

/**
 * One sub-expression that was looked at: its text, its value as a person reads it, the age of the oldest fact in it, and the names of the
 * entries that it is made of.
 */
export const TraceEntry = Schema.Struct({
  name: Schema.String,
  expression: Schema.String,
  value: Schema.String,
  ageMillis: Schema.optional(Schema.Finite),
  parts: Schema.Array(Schema.String)
})
export type TraceEntry = typeof TraceEntry.Type

export type Verdict =
  | { readonly _tag: "Match" }
  | { readonly _tag: "NoMatch" }
  /** Held, but not yet for as long as `for` asks. */
  | { readonly _tag: "Waiting"; readonly since: Millis; readonly untilAt: Millis }
  /** A fact is missing or stale, or an expression failed: the rule does nothing and says why. */
  | { readonly _tag: "Unknown"; readonly why: string }

export interface RuleVerdict {
  readonly rule: string
  readonly verdict: Verdict
}

/** Why a wish exists: carried on every intent and order. `saw` are the named values that the rule saw, rendered. */
export const Reason = Schema.Struct({
  origin: Origin,
  because: Schema.String,
  saw: Schema.Record(Schema.String, Schema.String)
})
export type Reason = typeof Reason.Type

/** The reason in other words. A reason may compute its words when they are read: it is copied by this and never by spreading. */
export const retold = ({ origin, saw }: Reason, because: string): Reason => ({ origin, because, saw })

/** When a price may follow its rule; undefined leaves it to the planner. */
export interface Churn {
  /** Price differences up to this fraction are not worth a new place in the queue. */
  readonly minStepFraction?: number | undefined
  /** What stands for less than this is not replaced for its price. */
  readonly minAgeMillis?: number | undefined
}

/** What stands on this side stays as it is. */
interface Hold {
  readonly _tag: "Hold"
  readonly reason: Reason
}

export type BidWish =
  | (Churn & {
      readonly _tag: "Bid"
      /** What the buyer pays per unit at most. */
      readonly price: Money
      /** Units that the order should still want. */
      readonly quantity: number
      readonly expireMillis: number | undefined
      readonly reason: Reason
    })
  | { readonly _tag: "NoBid"; readonly reason: Reason }
  | Hold

export type AskWish =
  | (Churn & {
      readonly _tag: "Ask"
      /** What the buyer pays. */
      readonly price: Money
      readonly reprice: Reprice | undefined
      /** The rule means to sell under cost if it must; otherwise that is refused. */
      readonly allowLoss?: boolean
      readonly reason: Reason
    })
  | { readonly _tag: "NoAsk"; readonly reason: Reason }
  | Hold

/** Buy this listing outright, one unit, at no more than `limit` (what the buyer pays). */
export interface BuyWish {
  readonly _tag: "Buy"
  readonly offer: Offer
  readonly limit: Money
  readonly reason: Reason
}

/** Lower a listing that has not sold: after this long, by this fraction (−0.02 is 2 % less), never under the floor (what the buyer pays). */
interface Reprice {
  readonly afterMillis: number
  readonly stepFraction: number
  readonly floor: Money | undefined
}

export type Signal =
  | { readonly _tag: "Notify"; readonly message: string; readonly reason: Reason }
  | { readonly _tag: "Halt"; readonly message: string; readonly reason: Reason }

/** Limits of one strategy; undefined means none. Amounts in minor units of the wallet's currency. */
export interface Limits {
  readonly spendPerDay: Money | undefined
  readonly exposure: Money | undefined
  readonly perItemUnits: number | undefined
  readonly openOrders: number | undefined
  readonly maxPrice: Money | undefined
  readonly minPrice: Money | undefined
}

export const noLimits: Limits = {
  spendPerDay: undefined,
  exposure: undefined,
  perItemUnits: undefined,
  openOrders: undefined,
  maxPrice: undefined,
  minPrice: undefined
}

/** The buying and the selling side of an item. */
export type Side = "bid" | "ask"

/** A side that a strategy of higher precedence decides; what this one wants there counts for nothing. */
export interface Yield {
  readonly side: Side
  readonly to: string
  readonly priority: number
}

/** A protection of the strategy that holds: nothing is bought until it is over. */
export interface Pausing {
  readonly kind: string
  readonly since: Millis
  readonly until: Millis
  readonly why: string
}

/** One strategy's answer for one item at one moment. */
export interface Decision {
  readonly strategy: string
  readonly revision: string
  readonly item: Item
  readonly at: Millis
  readonly verdicts: ReadonlyArray<RuleVerdict>
  /** What the rule looked at, every part with its value and age; computed when it is asked for. */
  readonly trace: (rule: string) => ReadonlyArray<TraceEntry>
  readonly bid: BidWish | undefined
  readonly ask: AskWish | undefined
  /** In ascending total, the first that can be had is bought; empty when nothing is to be bought outright. */
  readonly buys: ReadonlyArray<BuyWish>
  readonly signals: ReadonlyArray<Signal>
  readonly limits: Limits
  /** Filled in by the step that saw the other strategies. */
  readonly yields: ReadonlyArray<Yield>
  /** Filled in by the step, which knows what became of the strategy: pauses in force, and why it is halted. */
  readonly pauses?: ReadonlyArray<Pausing>
  readonly halted?: string
}
