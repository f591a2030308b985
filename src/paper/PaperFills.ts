/**
 * What a fill on paper does to the account: units, money, what is left of the order, the history.
 * Invariant: a buyer without the money loses the order, as on the market.
 */
import { buyerPays, type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { Fill } from "../domain/Fill.ts"
import type { AssetId, FillId, ListingId, Millis } from "../domain/Ids.ts"
import { add, type Money, subtract } from "../domain/Money.ts"
import type { Advanced } from "./FillModel.ts"
import { historyKept, paperId, type PaperListing, type PaperOrder, type PaperState } from "./PaperState.ts"

const idsPerFill = 3
const ids = (next: number) => ({
  id: paperId(next) as FillId,
  listing: paperId(next + 1) as ListingId,
  asset: paperId(next + 2) as AssetId
})

/** The newest first. */
const remember = (all: ReadonlyArray<Fill>, more: ReadonlyArray<Fill>): ReadonlyArray<Fill> =>
  more.length === 0 ? all : [...more.toReversed(), ...all].slice(0, historyKept)

/** What a seller lists for who wants to be bought by a bid of this price. */
const listedUnder = (fees: FeeSchedule, price: Money): Money => {
  const take = sellerReceives(fees, price)
  return take <= 0 ? price : buyerPays(fees, take)
}

export const buyUnits = (
  state: PaperState,
  order: PaperOrder,
  advanced: Advanced | undefined,
  at: Millis,
  fees: FeeSchedule,
  context: string
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

export const sellUnit = (
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
