/**
 * How far a try (a replay, or a run on paper) is from what really happened: units, prices and profit per item, and why single fills have no
 * counterpart.
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

interface Span {
  readonly from: Millis
  readonly to: Millis
}

/** What one of the two did; lists ascend by time. */
export interface Deeds {
  readonly fills: ReadonlyArray<TradedUnits>
  readonly orders: ReadonlyArray<Standing>
  readonly refusals: ReadonlyArray<Denied>
  /** When the market was seen, by item; an item that is not here was seen all the time. */
  readonly seen: ReadonlyMap<ItemKey, Span>
  /** When it could not trade: it did not run, was paused, or the market did not let it. */
  readonly off?: ReadonlyArray<Span>
}

export const causes = {
  data: "the other side had no books of that moment",
  off: "it did not run, was paused, or the market did not let it",
  queue: "its order stood there at that price or better and was not served",
  price: "its order stood at a worse price",
  refused: "its guard or the market refused the order",
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

/** Units that both traded. */
interface Same {
  readonly units: number
  /** What the buyer paid per unit in the try, less what was paid in the run; minor units, undefined without units. */
  readonly paidMore: number | undefined
  readonly receivedMore: number | undefined
}

export interface Drift {
  readonly items: ReadonlyArray<{
    readonly item: ItemKey
    readonly run: Totals
    readonly replay: Totals
  }>
  readonly run: Totals
  readonly replay: Totals
  readonly same: Same
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

const causeOf = (fill: TradedUnits, { off = [], orders, refusals, seen }: Deeds): Cause => {
  const span = seen.get(fill.item)
  if (span !== undefined && (fill.at < span.from || fill.at > span.to)) return "data"
  if (off.some(({ from, to }) => from <= fill.at && fill.at <= to)) return "off"
  const own = orders.filter((order) => sameSlot(order, fill))
  const stood = own.filter(({ at, until }) => at <= fill.at && until >= fill.at - sameMillis)
  const better = (price: number) => (fill.side === "Buy" ? price >= priceOf(fill) : price <= priceOf(fill))
  if (stood.some(({ price }) => better(price))) return "queue"
  if (stood.length > 0) return "price"
  const near = (at: number) => Math.abs(at - fill.at) <= sameMillis
  if (refusals.some((one) => sameSlot(one, fill) && near(one.at))) return "refused"
  return own.some(({ at }) => at > fill.at && near(at)) ? "late" : "decided"
}

interface Pair {
  readonly fill: TradedUnits
  readonly other: TradedUnits
  readonly units: number
}

/** Each fill with the nearest of the other side that are free before it, in the order of time; and the units that are left of each. */
const pairUp = (
  fills: ReadonlyArray<TradedUnits>,
  others: ReadonlyArray<TradedUnits>
): {
  readonly pairs: ReadonlyArray<Pair>
  readonly left: ReadonlyArray<number>
  readonly leftOfOthers: ReadonlyArray<number>
} => {
  const pairs: Array<Pair> = []
  const left = fills.map(({ units }) => units)
  const leftOfOthers = others.map(({ units }) => units)
  let first = 0
  for (const [index, fill] of fills.entries()) {
    while (first < others.length && (others[first]?.at ?? 0) < fill.at - sameMillis) first++
    for (let at = first; at < others.length; at++) {
      const other = others[at]
      if (other === undefined || other.at > fill.at + sameMillis) break
      const units = sameSlot(fill, other) ? Math.min(left[index] ?? 0, leftOfOthers[at] ?? 0) : 0
      if (units === 0) continue
      left[index] = (left[index] ?? 0) - units
      leftOfOthers[at] = (leftOfOthers[at] ?? 0) - units
      pairs.push({ fill, other, units })
    }
  }
  return { pairs, left, leftOfOthers }
}

const sameOf = (pairs: ReadonlyArray<Pair>): Same => {
  const more = (side: TradeSide): number | undefined => {
    const own = pairs.filter(({ fill }) => fill.side === side)
    const units = own.reduce((sum, pair) => sum + pair.units, 0)
    const total = own.reduce((sum, pair) => sum + (priceOf(pair.other) - priceOf(pair.fill)) * pair.units, 0)
    return units === 0 ? undefined : total / units
  }
  return {
    units: pairs.reduce((sum, { units }) => sum + units, 0),
    paidMore: more("Buy"),
    receivedMore: more("Sell")
  }
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
  const { left, leftOfOthers, pairs } = pairUp(run.fills, replay.fills)
  const items = [...new Set([...run.fills, ...replay.fills].map(({ item }) => item))].toSorted()
  const ofItem = (item: ItemKey, { fills }: Deeds) => totals(fills.filter((fill) => fill.item === item))
  return {
    items: items.map((item) => ({ item, run: ofItem(item, run), replay: ofItem(item, replay) })),
    run: totals(run.fills),
    replay: totals(replay.fills),
    same: sameOf(pairs),
    onlyRun: alone(run.fills, left, replay),
    onlyReplay: alone(replay.fills, leftOfOthers, run)
  }
}

/** What was done within a time, on some items or on all. */
export const within = (
  { fills, orders, refusals, ...rest }: Deeds,
  { from, to }: Span,
  items: ReadonlySet<ItemKey> | undefined
): Deeds => {
  const isPlayed = ({ item }: { readonly item: ItemKey }) => items === undefined || items.has(item)
  const isIn = (one: { readonly item: ItemKey; readonly at: Millis }) =>
    one.at >= from && one.at <= to && isPlayed(one)
  return {
    ...rest,
    fills: fills.filter(isIn),
    orders: orders.filter((one) => one.at <= to && one.until >= from && isPlayed(one)),
    refusals: refusals.filter(isIn)
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
