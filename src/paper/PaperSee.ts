/**
 * A look at an item's book, and what it means for our paper orders on it: they join the queue, are served, or trade at once.
 * Invariants: 1. an order that is not live yet is not served, and one that became live between two looks only for its share of the time.
 * 2. the look before and this one are all that is looked at.
 */
import type { FeeSchedule } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Item, type ItemKey, itemKey } from "../domain/Item.ts"
import { type Money, sum, times } from "../domain/Money.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import { demandFor } from "./Demand.ts"
import { advance, type FillRules, join, type Live, type Queued } from "./FillModel.ts"
import { type Known, tradesBetween } from "./Known.ts"
import { buyUnits, sellUnit } from "./PaperFills.ts"
import { bookOnPaper, hourMillis, isIdle, quoteAfter, quoteFrom } from "./PaperQuote.ts"
import { numberOf, type PaperState } from "./PaperState.ts"

export interface PaperRules extends FillRules {
  /** Between a request and its effect. */
  readonly latencyMillis: number
  /** Between the allowed confirmation and the moment when buyers see the listing. */
  readonly listingDelayMillis: number
  /** A unit that was bought cannot be listed for so long. */
  readonly holdMillis: number
  /** Context that bought assets have. */
  readonly context: string
}

export const defaultPaperRules: Omit<PaperRules, "pessimism"> = {
  latencyMillis: 500,
  listingDelayMillis: 2_000,
  holdMillis: 0,
  context: "2"
}

/** A look after a longer pause says little of what happened meanwhile: the queue is served for this long at most. */
const longestPauseMillis = 6 * hourMillis

interface Resting {
  readonly id: string
  readonly liveAt?: Millis | undefined
  readonly queued?: Queued | undefined
}

const cameAt = (all: ReadonlyArray<Resting>, at: Millis): Millis =>
  all.reduce((first, { liveAt = at }) => (liveAt < first ? liveAt : first), at)

/** What a market showed of an item; `known` when orders of ours really stood there. */
interface Look {
  readonly at: Millis
  readonly book: OrderBook
  readonly known?: Known | undefined
}

const bestOf = (side: Queued["side"], ours: ReadonlyArray<Live>): number => {
  const prices = ours.map(({ order }) => order.price)
  return side === "bids" ? Math.max(...prices) : Math.min(...prices)
}

/** The account after this look at an item's book; the same when nothing of ours is there. */
export const seeBook = (
  state: PaperState,
  item: Item,
  { at, book, known: really }: Look,
  fees: FeeSchedule,
  rules: PaperRules
): PaperState => {
  const key = itemKey(item)
  const orders = state.orders.filter((one) => itemKey(one.item) === key && one.liveAt <= at)
  const listings = state.listings.filter((one) => itemKey(one.item) === key && (one.liveAt ?? Infinity) <= at)
  const last = state.quotes[key]
  const ours = orders.length + listings.length > 0
  if (!ours && isIdle(last)) return state
  // what came alone joins this book, as if it had been so since then
  const quote =
    last === undefined || isIdle(last) ? quoteFrom(last, cameAt([...orders, ...listings], at), book) : last
  const before: OrderBook = { ...book, bids: quote.bids, asks: quote.asks }
  const pause = Math.max(0, at - quote.at)
  const hours = Math.min(longestPauseMillis, pause) / hourMillis
  const flow = quote.unitsPerHour === undefined ? undefined : (quote.unitsPerHour * hours) / 2
  const live = (
    { id, liveAt = at, queued }: Resting,
    fresh: { readonly side: Queued["side"]; readonly price: Money; readonly units: number }
  ): Live => ({
    // it came just after the look that made us ask for it
    order: queued ?? join({ ...fresh, number: numberOf(id) }, bookOnPaper(before, quote)),
    share: pause === 0 ? 0 : Math.min(1, (at - liveAt) / pause)
  })
  const bids = orders.map((one) => live(one, { side: "bids", price: one.price, units: one.remaining }))
  const asks = listings.map((one) => live(one, { side: "asks", price: one.buyerPays, units: 1 }))
  const known = really && { ...really, trades: tradesBetween(really, quote.at, at) }
  const meanwhile = { before, after: book, known }
  // half of what is sold is sold to bids, half bought from asks, and more to who offers more
  const flowTo = (side: Queued["side"], ours: ReadonlyArray<Live>) =>
    flow === undefined || ours.length === 0
      ? flow
      : flow * demandFor(side, bestOf(side, ours), before, quote.usual)
  const bought = advance(
    bids,
    {
      ...meanwhile,
      flow: flowTo("bids", bids),
      side: "bids",
      spared: quote.sparedBids,
      taken: new Map(quote.takenAsks)
    },
    rules
  )
  const sold = advance(
    asks,
    {
      ...meanwhile,
      flow: flowTo("asks", asks),
      side: "asks",
      spared: quote.sparedAsks,
      taken: new Map(quote.takenBids)
    },
    rules
  )
  let next: PaperState = {
    ...state,
    quotes: { ...state.quotes, [key]: quoteAfter(quote, book, at, bought, sold, ours) }
  }
  for (const [index, order] of orders.entries())
    next = buyUnits(next, order, bought.orders[index], at, fees, rules.context)
  for (const [index, listing] of listings.entries())
    next = sellUnit(next, listing, sold.orders[index], at, fees)
  return next
}

/** Whether a look at the item's book means more than the book: something of ours stood there at the look before, or left its mark. */
export const remembers = ({ quotes }: PaperState, item: ItemKey): boolean => !isIdle(quotes[item])

/** What all open orders would cost, minor units. */
export const committedOf = ({ orders }: PaperState): Money =>
  sum(orders.map(({ price, remaining }) => times(price, remaining)))
