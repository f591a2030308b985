/**
 * The book of one item: price-time priority on both sides.
 * Invariants: 1. bids: highest first, then oldest; asks: lowest first, then oldest. 2. a trade executes at the listing's price, also
 * when the buyer would have paid more. 3. an account never trades with itself; its own orders are passed over. 4. with the orders
 * of any one account left out, the best bid is below the best ask.
 */
import { countBefore } from "../domain/Ordered.ts"
import { logActivity } from "./ActivityLog.ts"
import { type Draft, editItem, type ItemDraft } from "./Draft.ts"
import { recordSale } from "./SalesLog.ts"
import { settle } from "./Settle.ts"
import { background, type Resting } from "./World.ts"

/** Index at which an order keeps the side sorted: after all of its own price. */
const place = (side: ReadonlyArray<Resting>, price: number, direction: 1 | -1): number =>
  countBefore(side.length, (index) => ((side[index]?.price ?? 0) - price) * direction <= 0)

export const restBid = (item: ItemDraft, order: Resting): void => {
  item.bids.splice(place(item.bids, order.price, -1), 0, order)
}
export const restAsk = (item: ItemDraft, order: Resting): void => {
  item.asks.splice(place(item.asks, order.price, 1), 0, order)
}

/** First order of the side that this account may trade with. */
const firstFor = (side: ReadonlyArray<Resting>, account: number): number => {
  if (account === background) return side.length > 0 ? 0 : -1
  return side.findIndex((order) => order.account !== account)
}

const reduce = (side: Array<Resting>, index: number, order: Resting, units: number): void => {
  if (order.units === units) {
    if (index === 0) side.shift()
    else side.splice(index, 1)
  } else side[index] = { ...order, units: order.units - units }
}

/** What is told of a trade to everybody. */
const record = (draft: Draft, item: ItemDraft, bid: Resting, ask: Resting, units: number): void => {
  recordSale(item, draft.now, ask.price, units)
  logActivity(item, [draft.now, "Purchase", ask.price, units, bid.account, ask.account])
}

/** Trades an arriving bid against the asks; what is left rests unless it was `immediate`. Answers with the units traded. */
export const submitBid = (
  draft: Draft,
  index: number,
  arriving: Resting,
  rest: "rest" | "immediate"
): number => {
  const item = editItem(draft, index)
  let left = arriving.units
  while (left > 0) {
    const at = firstFor(item.asks, arriving.account)
    const ask = item.asks[at]
    if (ask === undefined || ask.price > arriving.price) break
    const wanted = Math.min(left, ask.units)
    const traded = settle(draft, index, arriving, ask, wanted)
    if (traded > 0) {
      reduce(item.asks, at, ask, traded)
      record(draft, item, arriving, ask, traded)
      left -= traded
    }
    // Out of funds: the order has ended, nothing of it may rest.
    if (traded < wanted) return arriving.units - left
  }
  if (left > 0 && rest === "rest")
    restBid(item, left === arriving.units ? arriving : { ...arriving, units: left })
  return arriving.units - left
}

/** Trades an arriving ask against the bids at its own price; what is left rests unless it was `immediate`. */
export const submitAsk = (
  draft: Draft,
  index: number,
  arriving: Resting,
  rest: "rest" | "immediate"
): number => {
  const item = editItem(draft, index)
  let left = arriving.units
  while (left > 0) {
    const at = firstFor(item.bids, arriving.account)
    const bid = item.bids[at]
    if (bid === undefined || bid.price < arriving.price) break
    const wanted = Math.min(left, bid.units)
    const traded = settle(draft, index, bid, arriving, wanted)
    if (traded > 0) record(draft, item, bid, arriving, traded)
    left -= traded
    // A buyer who ran out of funds leaves the book with all the order's units.
    reduce(item.bids, at, bid, traded < wanted ? bid.units : traded)
  }
  if (left > 0 && rest === "rest")
    restAsk(item, left === arriving.units ? arriving : { ...arriving, units: left })
  return arriving.units - left
}

/** Takes an account's order out of the book. */
export const withdraw = (
  draft: Draft,
  index: number,
  side: "bids" | "asks",
  ref: string
): Resting | undefined => {
  const orders = editItem(draft, index)[side]
  const at = orders.findIndex((order) => order.ref === ref)
  return at < 0 ? undefined : orders.splice(at, 1)[0]
}

/** Sells units of one waiting ask, wherever it stands in the book; answers with the units traded. */
export const takeAsk = (draft: Draft, index: number, bid: Resting, ask: Resting): number => {
  const item = editItem(draft, index)
  const at = item.asks.indexOf(ask)
  const traded = at < 0 ? 0 : settle(draft, index, bid, ask, bid.units)
  if (traded > 0) {
    reduce(item.asks, at, ask, traded)
    record(draft, item, bid, ask, traded)
  }
  return traded
}
