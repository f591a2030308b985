/**
 * What is remembered of an item's market between two looks: its book, how much others trade, what we took from the book and what we spared.
 * Invariants: 1. what we took is gone from the book that the engine gets. 2. what stands because we were served in its stead is in it, for a
 * while and until the other side comes to it.
 */
import type { Millis } from "../domain/Ids.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import { bestAsk, bestBid, type Level, type OrderBook, orderBook } from "../domain/OrderBook.ts"
import { type PriceHistory, volume, vwap } from "../domain/Sales.ts"
import { type Advanced, sparedOf, type Taken } from "./FillModel.ts"
import type { PaperQuote, PaperState, Spared } from "./PaperState.ts"

export const hourMillis = 3_600_000
/** Sales are averaged over this long: long enough for quiet items, short enough for the rhythm of weeks. */
const flowWindowMillis = 24 * hourMillis
/**
 * How long units that we have spared stand: for as long as others take to trade the best levels of that side once over. Then somebody would have
 * traded them, taken them back or put others in their place. Within bounds, because neither an hour without sales nor a level of
 * thousands says more; without any sales known half an hour. Without it profits on the embedded market are a quarter too high.
 */
const bestLevels = 3
const usualSparedMillis = 30 * 60_000
const [leastSparedMillis, mostSparedMillis] = [5 * 60_000, 6 * hourMillis]

const sparedMillis = (levels: ReadonlyArray<Level>, unitsPerHour = 0): number => {
  if (unitsPerHour === 0) return usualSparedMillis
  const millis = (unitsOf(levels.slice(0, bestLevels)) / (unitsPerHour / 2)) * hourMillis
  return Math.min(mostSparedMillis, Math.max(leastSparedMillis, millis))
}

const emptyQuote = (at: Millis): PaperQuote => ({
  at,
  bids: [],
  asks: [],
  takenBids: [],
  takenAsks: [],
  sparedBids: [],
  sparedAsks: []
})

/** The memory when something of ours comes to this book: how much others trade, and nothing else. */
export const quoteFrom = (
  known: PaperQuote | undefined,
  at: Millis,
  { asks, bids }: OrderBook
): PaperQuote => ({
  ...emptyQuote(at),
  bids,
  asks,
  ...flowOf(known)
})

const flowOf = (quote: PaperQuote | undefined): Pick<PaperQuote, "unitsPerHour" | "usual"> => ({
  ...(quote?.unitsPerHour === undefined ? {} : { unitsPerHour: quote.unitsPerHour }),
  ...(quote?.usual === undefined ? {} : { usual: quote.usual })
})

const isUntouched = (of: PaperQuote): boolean =>
  of.takenBids.length + of.takenAsks.length + of.sparedBids.length + of.sparedAsks.length === 0

/** Without anything of ours, and with nothing left of what we did, the next look has nothing to compare with. */
export const isIdle = (quote: PaperQuote | undefined): boolean =>
  quote === undefined || (quote.bids.length + quote.asks.length === 0 && isUntouched(quote))

/** Takes in a price history: how much others trade, and for how much. */
export const seeSales = (state: PaperState, item: Item, history: PriceHistory, at: Millis): PaperState => {
  const key = itemKey(item)
  const unitsPerHour = volume(history, at, flowWindowMillis) / (flowWindowMillis / hourMillis)
  const usual = vwap(history, at, flowWindowMillis)
  const known = usual === undefined ? { unitsPerHour } : { unitsPerHour, usual }
  const quote = { ...(state.quotes[key] ?? emptyQuote(at)), ...known }
  return { ...state, quotes: { ...state.quotes, [key]: quote } }
}

const less = (levels: ReadonlyArray<Level>, taken: PaperQuote["takenBids"]): ReadonlyArray<Level> => {
  const units = new Map(taken)
  return levels
    .map((level) => ({ price: level.price, units: level.units - (units.get(level.price) ?? 0) }))
    .filter((level) => level.units > 0)
}

const unitsOf = (levels: ReadonlyArray<Level>): number => levels.reduce((sum, { units }) => sum + units, 0)

/** The book as others would have left it if our orders on paper were real; without these orders themselves. */
export const bookOnPaper = (book: OrderBook, quote: PaperQuote | undefined): OrderBook => {
  if (quote === undefined || isUntouched(quote)) return book
  const bids = [...less(book.bids, quote.takenBids), ...quote.sparedBids]
  const asks = [...less(book.asks, quote.takenAsks), ...quote.sparedAsks]
  return orderBook({
    currency: book.currency,
    bids,
    asks,
    bidUnits: Math.max(0, book.bidUnits - unitsOf(book.bids) + unitsOf(bids)),
    askUnits: Math.max(0, book.askUnits - unitsOf(book.asks) + unitsOf(asks))
  })
}

/** What became of our orders of one side at a look, and what is taken from the other side since. */
interface Served {
  readonly orders: ReadonlyArray<Advanced>
  readonly taken: Taken
}

/** The memory after a look at this book; `ours` when something of ours is there. */
export const quoteAfter = (
  quote: PaperQuote,
  book: OrderBook,
  at: Millis,
  bought: Served,
  sold: Served,
  ours: boolean
): PaperQuote => {
  const [bid = -Infinity, ask = Infinity] = [bestBid(book), bestAsk(book)]
  const spared = (was: ReadonlyArray<Level>, is: ReadonlyArray<Level>, { orders }: Served): Spared => {
    const units = orders.reduce((sum, { queued }) => sum + queued, 0)
    const until = (at + sparedMillis(was, quote.unitsPerHour)) as Millis
    return sparedOf(was, is, units).map(({ price, units }) => ({ price, units, until }))
  }
  const next: PaperQuote = {
    ...quote,
    at,
    bids: book.bids,
    asks: book.asks,
    takenAsks: [...bought.taken],
    takenBids: [...sold.taken],
    sparedBids: [...quote.sparedBids, ...spared(quote.bids, book.bids, bought)].filter(
      ({ price, until }) => until > at && price < ask
    ),
    sparedAsks: [...quote.sparedAsks, ...spared(quote.asks, book.asks, sold)].filter(
      ({ price, until }) => until > at && price > bid
    )
  }
  return ours || !isUntouched(next) ? next : { ...emptyQuote(at), ...flowOf(quote) }
}
