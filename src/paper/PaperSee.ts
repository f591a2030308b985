/**
 * A look at an item's book, and what it means for our paper orders on it: they join the queue, are served, or trade at once.
 * Invariants: 1. an order that is not live yet, or was not while the time since the last look began, is not served for that time.
 * 2. a buyer without the money loses the order, as on the market. 3. the look before and this one are all that is looked at.
 */
import { buyerPays, type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { Fill } from "../domain/Fill.ts"
import type { AssetId, FillId, ListingId, Millis } from "../domain/Ids.ts"
import { type Item, type ItemKey, itemKey } from "../domain/Item.ts"
import { add, type Money, subtract, sum, times } from "../domain/Money.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import { type PriceHistory, volume } from "../domain/Sales.ts"
import { advance, type Advanced, type FillRules, join, type Queued } from "./FillModel.ts"
import {
  historyKept,
  type PaperListing,
  type PaperOrder,
  type PaperQuote,
  type PaperState
} from "./PaperState.ts"

export interface PaperRules extends FillRules {
  /** Between a request and its effect. */
  readonly latencyMillis: number
  /** Between the allowed confirmation and the moment when buyers see the listing. */
  readonly listingDelayMillis: number
  /** Context that bought assets have. */
  readonly context: string
}

export const defaultPaperRules: Omit<PaperRules, "pessimism"> = {
  latencyMillis: 500,
  listingDelayMillis: 2_000,
  context: "2"
}

const hourMillis = 3_600_000
/** Sales are averaged over this long: long enough for quiet items, short enough for the rhythm of weeks. */
const flowWindowMillis = 24 * hourMillis
/** A look after a longer pause says little of what happened meanwhile: the queue is served for this long at most. */
const longestPauseMillis = 6 * hourMillis

/** Takes in a price history: how much others trade. */
export const seeSales = (state: PaperState, item: Item, history: PriceHistory, at: Millis): PaperState => {
  const key = itemKey(item)
  const unitsPerHour = volume(history, at, flowWindowMillis) / (flowWindowMillis / hourMillis)
  const quote = state.quotes[key] ?? emptyQuote(at)
  return { ...state, quotes: { ...state.quotes, [key]: { ...quote, unitsPerHour } } }
}

const emptyQuote = (at: Millis): PaperQuote => ({ at, bids: [], asks: [], takenBids: [], takenAsks: [] })

/** The account after this look at an item's book; the same when nothing of ours is there. */
export const seeBook = (
  state: PaperState,
  item: Item,
  book: OrderBook,
  at: Millis,
  fees: FeeSchedule,
  rules: PaperRules
): PaperState => {
  const key = itemKey(item)
  const orders = state.orders.filter((one) => itemKey(one.item) === key && one.liveAt <= at)
  const listings = state.listings.filter((one) => itemKey(one.item) === key && (one.liveAt ?? Infinity) <= at)
  const known = state.quotes[key]
  if (orders.length === 0 && listings.length === 0) {
    // without anything of ours the next look has nothing to compare with
    return known === undefined || known.bids.length + known.asks.length === 0
      ? state
      : withQuote(state, key, { ...emptyQuote(at), ...flowOf(known) })
  }
  const quote = known ?? emptyQuote(at)
  const before: OrderBook = { ...book, bids: quote.bids, asks: quote.asks }
  const hours = Math.min(longestPauseMillis, Math.max(0, at - quote.at)) / hourMillis
  const flow = ((quote.unitsPerHour ?? 0) * hours) / 2
  const bids = serve(orders, "bids", (one) => one.remaining, book)
  const asks = serve(listings, "asks", () => 1, book)
  const bought = advance(bids, before, book, flow, new Map(quote.takenAsks), rules)
  const sold = advance(asks, before, book, flow, new Map(quote.takenBids), rules)
  let next = withQuote(state, key, {
    at,
    bids: book.bids,
    asks: book.asks,
    takenAsks: [...bought.taken],
    takenBids: [...sold.taken],
    ...flowOf(quote)
  })
  for (const [index, order] of orders.entries())
    next = buyUnits(next, order, bought.orders[index], at, fees, rules)
  for (const [index, listing] of listings.entries())
    next = sellUnit(next, listing, sold.orders[index], at, fees)
  return next
}

const flowOf = ({ unitsPerHour }: PaperQuote): Pick<PaperQuote, "unitsPerHour"> =>
  unitsPerHour === undefined ? {} : { unitsPerHour }

const withQuote = (state: PaperState, key: string, quote: PaperQuote): PaperState => ({
  ...state,
  quotes: { ...state.quotes, [key]: quote }
})

/** Whether a look at the item's book means more than the book: something of ours stood there at the look before. */
export const remembers = ({ quotes }: PaperState, item: ItemKey): boolean => {
  const quote = quotes[item]
  return quote !== undefined && quote.bids.length + quote.asks.length > 0
}

/** Orders as they stand in the queue; one that is new joins it behind this book. */
const serve = <A extends { readonly queued?: Queued | undefined }>(
  orders: ReadonlyArray<
    A & Pick<PaperOrder, "item"> & ({ readonly price: Money } | { readonly buyerPays: Money })
  >,
  side: Queued["side"],
  units: (order: A) => number,
  book: OrderBook
): ReadonlyArray<Queued> =>
  orders.map(
    (order) =>
      order.queued ??
      join({ side, price: "price" in order ? order.price : order.buyerPays, units: units(order) }, book)
  )

const idsPerFill = 3
const ids = (next: number) => ({
  id: `paper-${next}` as FillId,
  listing: `paper-${next + 1}` as ListingId,
  asset: `paper-${next + 2}` as AssetId
})

/** The newest first. */
const remember = (all: ReadonlyArray<Fill>, more: ReadonlyArray<Fill>): ReadonlyArray<Fill> =>
  more.length === 0 ? all : [...more.toReversed(), ...all].slice(0, historyKept)

/** What a seller lists for who wants to be bought by a bid of this price. */
const listedUnder = (fees: FeeSchedule, price: Money): Money => {
  const take = sellerReceives(fees, price)
  return take <= 0 ? price : buyerPays(fees, take)
}

const buyUnits = (
  state: PaperState,
  order: PaperOrder,
  advanced: Advanced | undefined,
  at: Millis,
  fees: FeeSchedule,
  rules: PaperRules
): PaperState => {
  if (advanced === undefined) return state
  const paid = advanced.fills.flatMap(({ price, units }) =>
    Array.from({ length: units }, () => (price === order.price ? listedUnder(fees, price) : price))
  )
  let { balance, next } = state
  const fills: Array<Fill> = []
  for (const amount of paid) {
    if (balance < amount) break
    const fee = subtract(amount, sellerReceives(fees, amount))
    const { context } = rules
    const { item } = order
    fills.push({ ...ids(next), side: "Buy", item, context, units: 1, amount, fee, at })
    balance = subtract(balance, amount)
    next += idsPerFill
  }
  const bought: PaperState = {
    ...state,
    balance,
    next,
    fills: remember(state.fills, fills),
    inventory:
      fills.length === 0
        ? state.inventory
        : { ...state.inventory, ...Object.fromEntries(fills.map(({ asset, item }) => [asset, item])) }
  }
  const remaining = order.remaining - fills.length
  if (remaining <= 0 || fills.length < paid.length) return dropOrder(bought, order)
  const left: PaperOrder = { ...order, remaining, queued: advanced.order }
  return { ...bought, orders: bought.orders.map((one) => (one.id === order.id ? left : one)) }
}

const dropOrder = (state: PaperState, order: PaperOrder): PaperState => ({
  ...state,
  orders: state.orders.filter(({ id }) => id !== order.id)
})

const sellUnit = (
  state: PaperState,
  listing: PaperListing,
  advanced: Advanced | undefined,
  at: Millis,
  fees: FeeSchedule
): PaperState => {
  if (advanced === undefined) return state
  if (advanced.fills.length === 0) {
    const left: PaperListing = { ...listing, queued: advanced.order }
    return { ...state, listings: state.listings.map((one) => (one.id === listing.id ? left : one)) }
  }
  const sold: Fill = {
    id: ids(state.next).id,
    side: "Sell",
    item: listing.item,
    listing: listing.id,
    asset: listing.asset,
    context: listing.context,
    units: 1,
    amount: listing.sellerReceives,
    fee: subtract(buyerPays(fees, listing.sellerReceives), listing.sellerReceives),
    at
  }
  return {
    ...state,
    next: state.next + 1,
    balance: add(state.balance, listing.sellerReceives),
    fills: remember(state.fills, [sold]),
    listings: state.listings.filter(({ id }) => id !== listing.id)
  }
}

/** What all open orders would cost, minor units. */
export const committedOf = ({ orders }: PaperState): Money =>
  sum(orders.map(({ price, remaining }) => times(price, remaining)))
