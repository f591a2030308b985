/**
 * What a strategy's protections remember of it: its last trades, how its profit went, and which pauses are in force. A part of the state,
 * so that a restart forgets none of it. Invariants: 1. a sale counts for the strategy that bought the unit. 2. nothing here grows without
 * bound: sales and points by the constants below, deals and pauses by the items traded within the longest window.
 */
import { Schema, Struct } from "effect"

import type { EventOf } from "./Event.ts"
import { Millis } from "./Ids.ts"
import { itemKey, type ItemKey } from "./Item.ts"
import { add, max, Money, subtract, zero } from "./Money.ts"

/** The longest time that a protection may look back or last. */
export const longestWindowMillis = 30 * 86_400_000
/** More sales in a row than any losing streak asks for. */
export const salesKept = 100
/** A month of hourly points and some to spare. */
const pointsKept = 800

const Deal = Schema.Struct({
  boughtAt: Schema.optionalKey(Millis),
  soldAt: Schema.optionalKey(Millis),
  lostAt: Schema.optionalKey(Millis)
})
type Deal = typeof Deal.Type

/** Profit of everything so far, what is held included, and the most that was invested since the point before; minor units. */
const EquityPoint = Schema.Struct({ at: Millis, profit: Money, invested: Money })
export type EquityPoint = typeof EquityPoint.Type

const Pause = Schema.Struct({
  kind: Schema.String,
  item: Schema.optionalKey(Schema.String),
  since: Millis,
  until: Millis,
  why: Schema.String
})
type Pause = typeof Pause.Type

export const Trail = Schema.Struct({
  /** Received minus cost of all sales, minor units. */
  realised: Money,
  /** Cost of what is held now, and the most that it was since the last point of `equity`, minor units. */
  invested: Money,
  peak: Money,
  /** The last trades of each item, by item key. */
  deals: Schema.Record(Schema.String, Deal),
  /** Oldest first. */
  sales: Schema.Array(Schema.Struct({ at: Millis, item: Schema.String, profit: Money })),
  /** Oldest first. */
  equity: Schema.Array(EquityPoint),
  /** By kind and item. */
  pauses: Schema.Record(Schema.String, Pause),
  /** Why it is halted, until `resume`. */
  halted: Schema.optionalKey(Schema.String)
})
export type Trail = typeof Trail.Type
/** By strategy. */
export type Trails = Readonly<Record<string, Trail>>

const emptyTrail: Trail = {
  realised: zero,
  invested: zero,
  peak: zero,
  deals: {},
  sales: [],
  equity: [],
  pauses: {}
}

export const trailOf = (trails: Trails, strategy: string): Trail => trails[strategy] ?? emptyTrail

/** Which pause replaces which: one per kind and item. */
export const pauseKey = (kind: string, item: ItemKey | undefined): string =>
  item === undefined ? kind : `${kind} ${item}`

const recent = (deals: Trail["deals"], now: Millis): Trail["deals"] =>
  Object.fromEntries(
    Object.entries(deals).filter(
      ([, { boughtAt = 0, soldAt = 0 }]) => Math.max(boughtAt, soldAt) > now - longestWindowMillis
    )
  )

interface Trade {
  readonly item: ItemKey
  readonly at: Millis
  /** What we paid or received, minor units. */
  readonly amount: Money
}

/** The trails after we bought. */
export const afterBuy = (
  trails: Trails,
  strategy: string | undefined,
  { amount, at, item }: Trade
): Trails => {
  if (strategy === undefined) return trails
  const trail = trailOf(trails, strategy)
  const deals = { ...recent(trail.deals, at), [item]: { ...trail.deals[item], boughtAt: at } }
  const invested = add(trail.invested, amount)
  return { ...trails, [strategy]: { ...trail, deals, invested, peak: max(trail.peak, invested) } }
}

/** The trails after we sold with this profit. */
export const afterSale = (
  trails: Trails,
  strategy: string | undefined,
  { amount, at, item, profit }: Trade & { readonly profit: Money }
): Trails => {
  if (strategy === undefined) return trails
  const trail = trailOf(trails, strategy)
  const deal = { ...trail.deals[item], soldAt: at, ...(profit < 0 ? { lostAt: at } : {}) }
  return {
    ...trails,
    [strategy]: {
      ...trail,
      realised: add(trail.realised, profit),
      invested: subtract(trail.invested, subtract(amount, profit)),
      deals: { ...recent(trail.deals, at), [item]: deal },
      sales: [...trail.sales, { at, item, profit }].slice(-salesKept)
    }
  }
}

export const afterProtected = (trails: Trails, event: EventOf<"Protected">): Trails => {
  const trail = trailOf(trails, event.strategy)
  const item = event.item === undefined ? undefined : itemKey(event.item)
  const { kind, since, until, why } = event
  const inForce = Object.entries(trail.pauses).filter(([, pause]) => pause.until > event.at)
  const pause: Pause = { kind, since, until, why, ...(item === undefined ? {} : { item }) }
  return {
    ...trails,
    [event.strategy]: {
      ...trail,
      pauses: { ...Object.fromEntries(inForce), [pauseKey(kind, item)]: pause }
    }
  }
}

export const afterEquity = (
  trails: Trails,
  { at, invested, profit, strategy }: EventOf<"EquityMarked">
): Trails => {
  const trail = trailOf(trails, strategy)
  const kept = trail.equity.filter((point) => point.at > at - longestWindowMillis).slice(1 - pointsKept)
  return {
    ...trails,
    [strategy]: { ...trail, peak: trail.invested, equity: [...kept, { at, profit, invested }] }
  }
}

export const afterHalt = (trails: Trails, { strategy, why }: EventOf<"StrategyHalted">): Trails => ({
  ...trails,
  [strategy]: { ...trailOf(trails, strategy), halted: why }
})

/** Nothing is halted any more, and what was lost before does not count again. */
export const afterResume = (trails: Trails): Trails =>
  Object.fromEntries(
    Object.entries(trails).map(([strategy, trail]) => [
      strategy,
      Struct.assign(Struct.omit(trail, ["halted"]), { equity: [], peak: trail.invested })
    ])
  )

/** Strategies that only `resume` lets go on, with the reason of each. */
export const haltedStrategies = (trails: Trails): ReadonlyArray<readonly [string, string]> =>
  Object.entries(trails).flatMap(([strategy, { halted }]) =>
    halted === undefined ? [] : [[strategy, halted] as const]
  )
