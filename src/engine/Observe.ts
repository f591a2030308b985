/**
 * What was last seen of the market, and the facts about one item that follow from it and from the state.
 * Invariants: 1. our own units are not in the book that rules see. 2. a book older than our last own change on its item is not shown:
 * it could still hold what we took away.
 */
import { costOf } from "../domain/BuySlot.ts"
import type { Facts, Observed, OrderFacts, Overview, PositionFacts } from "../domain/Facts.ts"
import { seen, unseen } from "../domain/Facts.ts"
import { isHeld } from "../domain/Holds.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Item, ItemKey } from "../domain/Item.ts"
import { itemKey } from "../domain/Item.ts"
import { type Money, money, sum, times } from "../domain/Money.ts"
import type { Description, Offer } from "../domain/Offer.ts"
import { type Level, type OrderBook, without } from "../domain/OrderBook.ts"
import { avgCost, lotsCost, type Position, units } from "../domain/Position.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import { type AskSlot, itemOfAsk, listedOf, openUnits } from "../domain/Slot.ts"
import { positionOf, type State } from "../domain/State.ts"
import type { Wallet } from "../domain/Wallet.ts"

/** The latest answers of the market; entries are replaced, never changed. */
export interface View {
  readonly books: Map<ItemKey, Observed<OrderBook>>
  readonly histories: Map<ItemKey, Observed<PriceHistory>>
  readonly overviews: Map<ItemKey, Observed<Overview>>
  readonly offers: Map<ItemKey, Observed<ReadonlyArray<Offer>>>
  readonly descriptions: Map<ItemKey, Observed<Description>>
  wallet: Observed<Wallet>
}

export const emptyView = (): View => ({
  books: new Map(),
  histories: new Map(),
  overviews: new Map(),
  offers: new Map(),
  descriptions: new Map(),
  wallet: unseen
})

/** Ask slots of one item. */
export const asksOf = (state: State, key: ItemKey): ReadonlyArray<AskSlot> =>
  Object.values(state.asks).filter((slot) => itemKey(itemOfAsk(slot)) === key)

/** What all our open bids would cost and what purchases outright cost until they are booked, minor units. */
export const committed = (state: State): Money =>
  sum([
    ...Object.values(state.bids).map((slot) => {
      const open = openUnits(slot)
      return open === undefined ? (0 as Money) : times(open.price, open.units)
    }),
    ...Object.values(state.buys).map(({ intent }) => costOf(intent))
  ])

/**
 * All that rules may know about the item now; undefined before the wallet was read once, because fees hang on it. Recorded books are without
 * us already: `booksHaveUs` is false for them.
 */
export const factsOf = (
  view: View,
  state: State,
  item: Item,
  now: Millis,
  booksHaveUs = true
): Facts | undefined => {
  if (view.wallet._tag === "Unseen") return undefined
  const key = itemKey(item)
  const wallet = view.wallet.value
  const book = view.books.get(key) ?? unseen
  const description = view.descriptions.get(key) ?? unseen
  return {
    now,
    item,
    currency: wallet.currency,
    fees: wallet.fees,
    // prices of another currency are no prices
    book:
      book._tag === "Unseen" || book.value.currency !== wallet.currency
        ? unseen
        : booksHaveUs
          ? seen(withoutOwn(book.value, state, key), book.at)
          : book,
    history: view.histories.get(key) ?? unseen,
    overview: view.overviews.get(key) ?? unseen,
    offers: ofOthers(view.offers.get(key) ?? unseen),
    description,
    wallet: seen({ balance: wallet.balance, committed: committed(state) }, view.wallet.at),
    position: positionFacts(state, key, now, description),
    orders: orderFacts(state, key)
  }
}

const ofOthers = (offers: View["offers"] extends Map<ItemKey, infer A> ? A : never) =>
  offers._tag === "Unseen"
    ? offers
    : seen(
        offers.value.filter(({ isMine }) => !isMine),
        offers.at
      )

/** Our own orders as the book shows them. */
export const ownIn = (state: State, key: ItemKey): Record<"bids" | "asks", ReadonlyArray<Level>> => {
  const bid = state.bids[key]
  const own = bid === undefined ? undefined : openUnits(bid)
  const asks = asksOf(state, key).flatMap((slot) => {
    const listed = slot._tag === "Live" || slot._tag === "Removing" ? listedOf(slot) : undefined
    return listed === undefined ? [] : [{ price: listed.buyerPays, units: 1 }]
  })
  return { bids: own === undefined ? [] : [own], asks }
}

/** The book as it would be without us. */
const withoutOwn = (book: OrderBook, state: State, key: ItemKey): OrderBook => {
  const own = ownIn(state, key)
  return own.bids.length + own.asks.length === 0 ? book : without(book, own)
}

/** Units of ours that can be listed now. */
export const listable = (state: State, key: ItemKey, now: Millis): Position["holdings"] =>
  positionOf(state, key).holdings.filter(
    ({ asset }) => state.asks[asset] === undefined && !isHeld(state, asset, now)
  )

const positionFacts = (
  state: State,
  key: ItemKey,
  now: Millis,
  description: Facts["description"]
): PositionFacts => {
  const position = positionOf(state, key)
  const isMarketable = description._tag === "Unseen" || description.value.marketable !== false
  const unlisted = position.holdings.filter(({ asset }) => state.asks[asset] === undefined).length
  const sellable = isMarketable ? listable(state, key, now).length : 0
  return {
    units: units(position),
    sellable,
    listed: asksOf(state, key).length,
    held: unlisted - sellable,
    cost: lotsCost(position),
    avgCost: avgCost(position),
    oldestAt: position.lots[0]?.at,
    realised: position.realised
  }
}

const orderFacts = (state: State, key: ItemKey): OrderFacts => {
  const slot = state.bids[key]
  const bid =
    slot?._tag === "Open" || slot?._tag === "Cancelling"
      ? { id: slot.open.order, price: slot.open.price, units: slot.open.remaining, at: slot.open.openedAt }
      : undefined
  const live = asksOf(state, key).flatMap((one) => ("ask" in one && one.ask !== undefined ? [one.ask] : []))
  const prices = live.map((ask) => ask.listed.buyerPays)
  const ask =
    live.length === 0
      ? undefined
      : {
          price: money(Math.min(...prices)),
          units: live.length,
          at: Math.min(...live.map((one) => one.openedAt)) as Millis
        }
  return { bid, ask }
}
