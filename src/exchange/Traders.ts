/**
 * The background traders: Poisson streams of market buys and sells, limit orders and cancellations around the fair price.
 * Rates are constant between two events of an item and drawn anew after each, so the streams are exact whatever the book does.
 * Invariants: 1. one event at a time, at the item's own times: when the market is looked at changes nothing. 2. sellers and buyers
 * come more often to a good price and seldom to a bad one. 3. a background order never crosses another one.
 */
import { buyerPays, minimumBid, sellerReceives } from "../domain/Fee.ts"
import { type Money, money } from "../domain/Money.ts"
import { logActivity, nobody } from "./ActivityLog.ts"
import { below, exponential, lot, uniform } from "./Chance.ts"
import { type Draft, editItem, type ItemDraft, own } from "./Draft.ts"
import { restAsk, restBid, submitAsk, submitBid } from "./Matching.ts"
import { fairPrice, hourMillis } from "./Process.ts"
import { background, type MarketItem, type Resting } from "./World.ts"

/** Share of trades that are for more than one unit, and how many those have. */
const severalShare = 0.2
const severalUnits = 2.5
const meanTradeUnits = 1 + severalShare * (severalUnits - 1)
/** Share of new limit orders that improve on the usual quote, and how far inside they go (part of the half spread). */
const improvingShare = 0.18
const innermost = 0.6
/** Mean distance of the other limit orders behind the usual quote, in half spreads. */
const depthScale = 0.9
/** How strongly traders answer to a quote better or worse than usual, and the bounds of that answer. */
const eagerness = 1.1
const eagerMost = 3
const eagerLeast = 0.02

/** Events per hour of one item as it stands. */
interface Rates {
  readonly buy: number
  readonly sell: number
  readonly bid: number
  readonly ask: number
  readonly cancel: number
}

const eager = (advantage: number): number =>
  Math.min(eagerMost, Math.max(eagerLeast, Math.exp(eagerness * advantage)))

/** New orders per hour of a side: what is consumed and given up is replaced, faster the emptier the side is. */
const placing = (item: ItemDraft, consumed: number, count: number): number => {
  const { cancelsPerHour, depth } = item.of.character
  const usual = consumed + cancelsPerHour * depth
  return usual * Math.min(3, Math.max(0.05, 1 + (2 * (depth - count)) / depth))
}

const ratesOf = (item: ItemDraft): Rates => {
  const { character } = item.of
  const trades = item.flow / meanTradeUnits / 2
  const [bid, ask] = [item.bids[0], item.asks[0]]
  const { halfSpread } = character
  return {
    buy: ask === undefined ? 0 : trades * eager((1 + halfSpread - ask.price / item.price) / halfSpread),
    sell: bid === undefined ? 0 : trades * eager((bid.price / item.price - 1 + halfSpread) / halfSpread),
    bid: placing(item, item.flow / 2 / character.lot, item.bids.length),
    ask: placing(item, item.flow / 2 / askLot(item), item.asks.length),
    cancel: character.cancelsPerHour * (item.bids.length + item.asks.length)
  }
}

/** Sellers list single units mostly. */
const askLot = (item: ItemDraft): number => 1 + (item.of.character.lot - 1) / 3

/** Draws when the next order event comes, from the rates as they are now. */
export const scheduleOrder = (item: ItemDraft, from: number): void => {
  const { ask, bid, buy, cancel, sell } = ratesOf(item)
  item.nextOrderAt = from + exponential(item.chance, hourMillis / (buy + sell + bid + ask + cancel))
}

/** Distance of a new limit order from the fair price, as a fraction of it. */
const distance = (item: ItemDraft): number => {
  const { halfSpread } = item.of.character
  return uniform(item.chance) < improvingShare
    ? halfSpread * (innermost + (1 - innermost) * uniform(item.chance))
    : halfSpread * (1 + exponential(item.chance, depthScale))
}

const tradeUnits = (item: ItemDraft): number =>
  uniform(item.chance) < severalShare ? 1 + lot(item.chance, severalUnits - 1) : 1

const order = (item: ItemDraft, at: number, price: number, take: number, units: number): Resting => ({
  seq: item.seq++,
  price,
  take,
  units,
  account: background,
  ref: "",
  at
})

/** Highest price of a listing that a buyer with this limit takes, and the seller's part of it; none under the smallest price. */
const listingWithin = (
  item: ItemDraft,
  limit: number
): { readonly price: Money; readonly take: Money } | undefined => {
  if (limit < minimumBid(item.fees)) return undefined
  const take = sellerReceives(item.fees, money(Math.floor(limit)))
  return take <= 0 ? undefined : { price: buyerPays(item.fees, take), take }
}

const placeBid = (item: ItemDraft, at: number): void => {
  const { increment } = item.fees
  const ask = item.asks[0]
  let price = Math.floor((item.price * (1 - distance(item))) / increment) * increment
  const units = lot(item.chance, item.of.character.lot)
  if (ask !== undefined && price >= ask.price) price = ask.price - increment
  if (price < minimumBid(item.fees)) return
  restBid(item, order(item, at, price, 0, units))
  logActivity(item, [at, "BuyOrder", price, units, background, nobody])
}

const placeAsk = (item: ItemDraft, at: number): void => {
  const wanted = listingWithin(item, item.price * (1 + distance(item)))
  const drawn = lot(item.chance, askLot(item))
  // Units that differ are listed one by one.
  const units = item.of.commodity ? drawn : 1
  const bid = item.bids[0]
  if (wanted === undefined || (bid !== undefined && wanted.price <= bid.price)) return
  restAsk(item, order(item, at, wanted.price, wanted.take, units))
  logActivity(item, [at, "SellOrder", wanted.price, units, nobody, background])
}

/** Sellers into bids list at the highest price that the best bid meets, unit by unit. */
const marketSell = (draft: Draft, index: number, item: ItemDraft): void => {
  for (let left = tradeUnits(item); left > 0; left--) {
    const bid = item.bids[0]
    const offer = bid === undefined ? undefined : listingWithin(item, bid.price)
    if (offer === undefined) return
    submitAsk(draft, index, order(item, draft.now, offer.price, offer.take, 1), "immediate")
  }
}

const marketBuy = (draft: Draft, index: number, item: ItemDraft): void => {
  for (let left = tradeUnits(item); left > 0; left--) {
    const ask = item.asks[0]
    if (ask === undefined) return
    submitBid(draft, index, order(item, draft.now, ask.price, 0, 1), "immediate")
  }
}

const giveUp = (item: ItemDraft, at: number): void => {
  const place = below(item.chance, item.bids.length + item.asks.length)
  const isBid = place < item.bids.length
  const [side, index] = isBid ? [item.bids, place] : [item.asks, place - item.bids.length]
  const one = side[index]
  if (one?.account !== background) return
  side.splice(index, 1)
  const [buyer, seller] = isBid ? [background, nobody] : [nobody, background]
  logActivity(item, [at, isBid ? "BuyOrderCancel" : "SellOrderCancel", one.price, one.units, buyer, seller])
}

/** Carries out the order event that is due and draws the next one. */
export const trade = (draft: Draft, index: number): void => {
  const item = editItem(draft, index)
  const { ask, bid, buy, cancel, sell } = ratesOf(item)
  let drawn = uniform(item.chance) * (buy + sell + bid + ask + cancel)
  if ((drawn -= buy) < 0) marketBuy(draft, index, item)
  else if ((drawn -= sell) < 0) marketSell(draft, index, item)
  else if ((drawn -= bid) < 0) placeBid(item, draft.now)
  else if ((drawn -= ask) < 0) placeAsk(item, draft.now)
  else giveUp(item, draft.now)
  scheduleOrder(item, draft.now)
}

/** Background quotes this near to the fair price (part of the half spread) are taken back when the price has moved. */
const stale = 0.4

/** After a move of the fair price: quotes it has overtaken are taken back, and an empty side is filled to a third at once. */
export const requote = (item: ItemDraft, at: number): void => {
  const { depth, halfSpread } = item.of.character
  const [highest, lowest] = [item.price * (1 - stale * halfSpread), item.price * (1 + stale * halfSpread)]
  dropWhile(item.bids, (one) => one.price > highest)
  dropWhile(item.asks, (one) => one.price < lowest)
  stock(item, at, depth / 3)
}

/** Fills both sides up to so many orders. */
const stock = (item: ItemDraft, at: number, orders: number): void => {
  for (let count = item.bids.length; count < orders; count++) placeBid(item, at)
  for (let count = item.asks.length; count < orders; count++) placeAsk(item, at)
}

/** The item of a market that opens at this moment: with as many orders as it usually has, instead of after weeks. */
export const stockedAt = (item: MarketItem, at: number): MarketItem => {
  const draft = own(item)
  draft.price = Math.max(fairPrice(item.basePrice, item.fair), item.fees.floor * 4)
  stock(draft, at, item.of.character.depth)
  return draft
}

/** Takes out the background's orders that are best on a side while they are stale; accounts' orders stay where they are. */
const dropWhile = (side: Array<Resting>, isStale: (one: Resting) => boolean): void => {
  for (let index = 0; index < side.length;) {
    const one = side[index]
    if (one === undefined || !isStale(one)) return
    if (one.account === background) side.splice(index, 1)
    else index++
  }
}
