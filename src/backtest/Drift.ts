/**
 * How far a replay is from what really happened: units, prices and profit per item, and why single fills have no counterpart.
 * Invariants: 1. both sides are looked at in the same time and on the same items. 2. every unit of a fill is either matched with one of the
 * other side, within the time that is allowed for, or has exactly one cause. 3. nothing here decides which side is right.
 */
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { BacktestResult } from "./Result.ts"
import { matched, type TradedUnits } from "./RoundTrips.ts"

type TradeSide = TradedUnits["side"]

/** An order on the market: from when until when, at what the buyer pays per unit. */
export interface Standing {
  readonly item: ItemKey
  readonly side: TradeSide
  readonly at: Millis
  readonly until: Millis
  readonly price: number
}

interface Denied {
  readonly item: ItemKey
  readonly side: TradeSide
  readonly at: Millis
  readonly code: string
}

/** What one of the two did; lists ascend by time. */
export interface Deeds {
  readonly fills: ReadonlyArray<TradedUnits>
  readonly orders: ReadonlyArray<Standing>
  readonly refusals: ReadonlyArray<Denied>
  /** When the market was seen, by item; an item that is not here was seen all the time. */
  readonly seen: ReadonlyMap<ItemKey, { readonly from: Millis; readonly to: Millis }>
}

export const causes = {
  data: "the other side had no books of that moment",
  queue: "its order stood there at that price or better and was not served",
  price: "its order stood at a worse price",
  refused: "its guard refused the order",
  late: "its order came later",
  decided: "its rules wanted nothing there"
} as const
export type Cause = keyof typeof causes

/** Fills this far apart are still the same one: books are looked at now and then, histories even less often. */
const sameMillis = 3_600_000

interface Totals {
  readonly bought: number
  readonly sold: number
  /** Mean per unit, minor units; undefined without units. */
  readonly paid: number | undefined
  readonly received: number | undefined
  /** Of what was bought and sold within the time, minor units. */
  readonly profit: number
}

interface Unmatched {
  readonly fill: TradedUnits
  readonly units: number
  readonly cause: Cause
}

export interface Drift {
  readonly items: ReadonlyArray<{
    readonly item: ItemKey
    readonly run: Totals
    readonly replay: Totals
  }>
  readonly run: Totals
  readonly replay: Totals
  readonly matchedUnits: number
  /** What only one of them did, with what the other one did instead. */
  readonly onlyRun: ReadonlyArray<Unmatched>
  readonly onlyReplay: ReadonlyArray<Unmatched>
}

const totals = (fills: ReadonlyArray<TradedUnits>): Totals => {
  let [bought, sold, paid, received] = [0, 0, 0, 0]
  for (const { amount, side, units } of fills)
    if (side === "Buy") {
      bought += units
      paid += amount
    } else {
      sold += units
      received += amount
    }
  return {
    bought,
    sold,
    paid: bought === 0 ? undefined : paid / bought,
    received: sold === 0 ? undefined : received / sold,
    profit: matched(fills)
      .trips.filter(({ entry }) => entry !== undefined)
      .reduce((total, { profit }) => total + profit, 0)
  }
}

const sameSlot = (a: Pick<TradedUnits, "item" | "side">, b: Pick<TradedUnits, "item" | "side">): boolean =>
  a.item === b.item && a.side === b.side

/** What the buyer paid for one. */
const priceOf = ({ amount, fee, side, units }: TradedUnits): number =>
  (side === "Buy" ? amount : amount + fee) / Math.max(1, units)

const causeOf = (fill: TradedUnits, { orders, refusals, seen }: Deeds): Cause => {
  const span = seen.get(fill.item)
  if (span !== undefined && (fill.at < span.from || fill.at > span.to)) return "data"
  const own = orders.filter((order) => sameSlot(order, fill))
  const stood = own.filter(({ at, until }) => at <= fill.at && until >= fill.at - sameMillis)
  const better = (price: number) => (fill.side === "Buy" ? price >= priceOf(fill) : price <= priceOf(fill))
  if (stood.some(({ price }) => better(price))) return "queue"
  if (stood.length > 0) return "price"
  const near = (at: number) => Math.abs(at - fill.at) <= sameMillis
  if (refusals.some((one) => sameSlot(one, fill) && near(one.at))) return "refused"
  return own.some(({ at }) => at > fill.at && near(at)) ? "late" : "decided"
}

/** Units of each fill that have no counterpart; in the order of time, each with the nearest that is free before it. */
const pairUp = (
  fills: ReadonlyArray<TradedUnits>,
  others: ReadonlyArray<TradedUnits>
): { readonly left: ReadonlyArray<number>; readonly leftOfOthers: ReadonlyArray<number> } => {
  const left = fills.map(({ units }) => units)
  const leftOfOthers = others.map(({ units }) => units)
  for (const [index, fill] of fills.entries())
    for (const [other, candidate] of others.entries()) {
      if (!sameSlot(fill, candidate) || Math.abs(fill.at - candidate.at) > sameMillis) continue
      const units = Math.min(left[index] ?? 0, leftOfOthers[other] ?? 0)
      left[index] = (left[index] ?? 0) - units
      leftOfOthers[other] = (leftOfOthers[other] ?? 0) - units
    }
  return { left, leftOfOthers }
}

const alone = (
  fills: ReadonlyArray<TradedUnits>,
  left: ReadonlyArray<number>,
  other: Deeds
): ReadonlyArray<Unmatched> =>
  fills.flatMap((fill, index) => {
    const units = left[index] ?? 0
    return units === 0 ? [] : [{ fill, units, cause: causeOf(fill, other) }]
  })

export const driftOf = (run: Deeds, replay: Deeds): Drift => {
  const { left, leftOfOthers } = pairUp(run.fills, replay.fills)
  const total = run.fills.reduce((units, fill) => units + fill.units, 0)
  const items = [...new Set([...run.fills, ...replay.fills].map(({ item }) => item))].toSorted()
  const ofItem = (item: ItemKey, { fills }: Deeds) => totals(fills.filter((fill) => fill.item === item))
  return {
    items: items.map((item) => ({ item, run: ofItem(item, run), replay: ofItem(item, replay) })),
    run: totals(run.fills),
    replay: totals(replay.fills),
    matchedUnits: total - left.reduce((sum, units) => sum + units, 0),
    onlyRun: alone(run.fills, left, replay),
    onlyReplay: alone(replay.fills, leftOfOthers, run)
  }
}

/** What a replay did, as it was kept. */
export const deedsOf = (result: BacktestResult): Deeds => ({
  fills: result.trades,
  orders: result.orders
    .filter(({ end }) => end !== "Refused")
    .map(({ at, endedAt, item, kind, price }) => ({
      item,
      side: kind === "Listing" ? "Sell" : "Buy",
      at,
      until: endedAt ?? result.to,
      price
    })),
  refusals: result.refusals.map(({ at, code, item, side }) => ({
    item,
    side: side === "bid" ? "Buy" : "Sell",
    at,
    code
  })),
  seen: new Map(result.items.map(({ from, item, to }) => [item, { from, to }]))
})
