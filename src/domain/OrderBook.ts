/**
 * The order book of one item: bids and asks per level, best first.
 * Invariants: 1. bids descend and asks ascend strictly by price. 2. every level has at least one unit.
 * 3. compact pairs are per level, histogram graphs are cumulative; both end up here per level.
 */
import { Schema } from "effect"

import { CurrencyId } from "./Currency.ts"
import { Money, money } from "./Money.ts"

/** Price in minor units (what the buyer pays per unit) and the units that wait there. */
export const Level = Schema.Struct({ price: Money, units: Schema.Natural })
export type Level = typeof Level.Type

export const OrderBook = Schema.Struct({
  currency: CurrencyId,
  bids: Schema.Array(Level),
  asks: Schema.Array(Level),
  /** Units wanted in the whole book, also beyond the levels that were sent. */
  bidUnits: Schema.Natural,
  /** Units offered in the whole book, also beyond the levels that were sent. */
  askUnits: Schema.Natural
})
export type OrderBook = typeof OrderBook.Type

export const bestBid = (book: OrderBook): Money | undefined => book.bids[0]?.price
export const bestAsk = (book: OrderBook): Money | undefined => book.asks[0]?.price

const merge = (levels: ReadonlyArray<Level>, order: 1 | -1): ReadonlyArray<Level> => {
  if (isInOrder(levels, order)) return levels
  const byPrice = new Map<Money, number>()
  for (const { price, units } of levels) if (units > 0) byPrice.set(price, (byPrice.get(price) ?? 0) + units)
  return [...byPrice]
    .map(([price, units]) => ({ price, units }))
    .toSorted((a, b) => order * (a.price - b.price))
}

/** As a market sends them: each once, with units, in their order. */
const isInOrder = (levels: ReadonlyArray<Level>, order: 1 | -1): boolean => {
  let before = -Infinity
  for (const { price, units } of levels) {
    if (order * price <= before || !(units > 0)) return false
    before = order * price
  }
  return true
}

/** Levels of a flattened `price, quantity, …` array (orderbook envelope); quantities are per level. */
export const levelsOfCompact = (pairs: ReadonlyArray<number>): ReadonlyArray<Level> => {
  // growing it costs as much as all the rest
  // oxlint-disable-next-line unicorn/no-new-array
  const levels = new Array<Level>(Math.ceil(pairs.length / 2))
  for (let level = 0; level < levels.length; level++)
    levels[level] = { price: money(pairs[2 * level] as number), units: pairs[2 * level + 1] ?? 0 }
  return levels
}

/** Levels of `[price in major units, cumulative quantity]` points (histogram graphs): differences of the cumulation. */
export const levelsOfCumulative = (
  points: ReadonlyArray<readonly [number, number]>
): ReadonlyArray<Level> => {
  let before = 0
  return points.map(([price, cumulative]) => {
    const units = Math.max(0, cumulative - before)
    before = Math.max(before, cumulative)
    return { price: money(Math.round(price * 100)), units }
  })
}

/** A book from levels in any order; totals may count units beyond the levels that were sent. */
export const orderBook = (of: {
  readonly currency: CurrencyId
  readonly bids: ReadonlyArray<Level>
  readonly asks: ReadonlyArray<Level>
  readonly bidUnits?: number
  readonly askUnits?: number
}): OrderBook => {
  const bids = merge(of.bids, -1)
  const asks = merge(of.asks, 1)
  return {
    currency: of.currency,
    bids,
    asks,
    bidUnits: of.bidUnits ?? unitsOf(bids),
    askUnits: of.askUnits ?? unitsOf(asks)
  }
}

const unitsOf = (levels: ReadonlyArray<Level>): number =>
  levels.reduce((units, level) => units + level.units, 0)

/** Ask minus bid, or undefined when a side is empty. */
export const spread = (book: OrderBook): Money | undefined => {
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  return bid === undefined || ask === undefined ? undefined : money(ask - bid)
}

/** Units that bid at this price or more. */
export const bidDepth = (book: OrderBook, price: Money): number =>
  unitsOf(book.bids.filter((level) => level.price >= price))
/** Units that are asked for this price or less. */
export const askDepth = (book: OrderBook, price: Money): number =>
  unitsOf(book.asks.filter((level) => level.price <= price))

/** The book without units of our own, so that a rule does not outbid or undercut itself. */
export const without = (
  book: OrderBook,
  own: { readonly bids: ReadonlyArray<Level>; readonly asks: ReadonlyArray<Level> }
): OrderBook => ({
  ...book,
  ...subtractLevels(book, own)
})

const subtractLevels = (
  book: OrderBook,
  own: { readonly bids: ReadonlyArray<Level>; readonly asks: ReadonlyArray<Level> }
) => {
  const less = (levels: ReadonlyArray<Level>, mine: ReadonlyArray<Level>): ReadonlyArray<Level> =>
    mine.length === 0
      ? levels
      : levels
          .map((level) => ({
            price: level.price,
            units: level.units - unitsOf(mine.filter((one) => one.price === level.price))
          }))
          .filter((level) => level.units > 0)
  return {
    bids: less(book.bids, own.bids),
    asks: less(book.asks, own.asks),
    bidUnits: Math.max(0, book.bidUnits - unitsOf(own.bids)),
    askUnits: Math.max(0, book.askUnits - unitsOf(own.asks))
  }
}

/** Middle of bid and ask in minor units, rounded down, or undefined when a side is empty. */
export const mid = (book: OrderBook): Money | undefined => {
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  return bid === undefined || ask === undefined ? undefined : money(Math.floor((bid + ask) / 2))
}
