/**
 * What we ask of the market on paper, answered as the market would: place, cancel, list, confirm, take back, buy outright.
 * Invariants: 1. one buy order per item. 2. an asset that is not in the inventory, or not yet tradable, is not listed. 3. a listing is seen by nobody before its
 * confirmation is allowed. 4. what comes back has a new asset id.
 */
import { buyerPays, type FeeSchedule, minimumBid } from "../domain/Fee.ts"
import type { AssetId, BuyOrderId, ConfirmationId, FillId, ListingId, Millis } from "../domain/Ids.ts"
import { itemKey } from "../domain/Item.ts"
import { add, type Money, subtract, times } from "../domain/Money.ts"
import { type Outcome, accepted, refused } from "../domain/Outcome.ts"
import type { ListAsset, PlaceBuyOrder, PurchaseListing } from "../market/Market.ts"
import { committedOf, type PaperRules } from "./PaperSee.ts"
import { historyKept, paperId, type PaperListing, type PaperOrder, type PaperState } from "./PaperState.ts"

/** The account after a request, and the answer. */
export type Answered<A> = readonly [state: PaperState, outcome: Outcome<A>]

/** All open orders together may cost so many times the balance. */
const ordersOverBalance = 10

const later = (at: Millis, millis: number): Millis => (at + millis) as Millis

export const placeOrder = (
  state: PaperState,
  { item, price, quantity }: PlaceBuyOrder,
  at: Millis,
  fees: FeeSchedule,
  rules: PaperRules
): Answered<BuyOrderId> => {
  const key = itemKey(item)
  if (state.orders.some((one) => itemKey(one.item) === key))
    return [state, refused("OrderExists", "You already have an active buy order for this item.", 29)]
  if (price < minimumBid(fees)) return [state, refused("InvalidParameter", "The price is too low.", 8)]
  const cost = times(price, quantity)
  if (cost > state.balance || add(committedOf(state), cost) > state.balance * ordersOverBalance)
    return [state, refused("LimitExceeded", "The wallet does not cover the open buy orders.", 25)]
  const id = paperId(state.next) as BuyOrderId
  const order: PaperOrder = {
    id,
    item,
    price,
    quantity,
    remaining: quantity,
    liveAt: later(at, rules.latencyMillis)
  }
  return [{ ...state, next: state.next + 1, orders: [...state.orders, order] }, accepted(id)]
}

export const cancelOrder = (state: PaperState, id: BuyOrderId): Answered<void> =>
  state.orders.some((one) => one.id === id)
    ? [{ ...state, orders: state.orders.filter((one) => one.id !== id) }, accepted(undefined)]
    : [state, refused("InvalidState", "There is no such buy order.", 40)]

/** A unit that was taken back has been tradable before. */
const isHeld = ({ fills }: PaperState, asset: AssetId, at: Millis, { holdMillis }: PaperRules): boolean =>
  holdMillis > 0 &&
  fills.some((fill) => fill.asset === asset && fill.side === "Buy" && at < fill.at + holdMillis)

export const stageListing = (
  state: PaperState,
  { asset, context, item, sellerReceives }: ListAsset,
  at: Millis,
  fees: FeeSchedule,
  rules: PaperRules
): Answered<{ readonly needsConfirmation: boolean }> => {
  if (state.inventory[asset] === undefined || isHeld(state, asset, at, rules))
    return [state, refused("NotInInventory", "The item specified is no longer in your inventory.")]
  const listing: PaperListing = {
    id: paperId(state.next) as ListingId,
    item,
    asset,
    context,
    sellerReceives,
    buyerPays: buyerPays(fees, sellerReceives),
    createdAt: at,
    confirmation: paperId(state.next + 1) as ConfirmationId
  }
  const { [asset]: _listed, ...inventory } = state.inventory
  const next = { ...state, next: state.next + 2, inventory, listings: [...state.listings, listing] }
  return [next, accepted({ needsConfirmation: true })]
}

export const allowListing = (
  state: PaperState,
  confirmation: ConfirmationId,
  at: Millis,
  rules: PaperRules
): Answered<void> => {
  const listing = state.listings.find((one) => one.confirmation === confirmation && one.liveAt === undefined)
  if (listing === undefined) return [state, refused("InvalidState", "There is no such confirmation.")]
  const live: PaperListing = { ...listing, liveAt: later(at, rules.listingDelayMillis) }
  const listings = state.listings.map((one) => (one.id === listing.id ? live : one))
  return [{ ...state, listings }, accepted(undefined)]
}

export const takeBack = (state: PaperState, id: ListingId, at: Millis): Answered<void> => {
  const listing = state.listings.find((one) => one.id === id)
  if (listing === undefined) return [state, refused("InvalidState", "There is no such listing.")]
  const returnedAs = paperId(state.next) as AssetId
  const { asset, item } = listing
  const next: PaperState = {
    ...state,
    next: state.next + 1,
    listings: state.listings.filter((one) => one.id !== id),
    inventory: { ...state.inventory, [returnedAs]: item },
    returned: [{ listing: id, item, asset, returnedAs, at }, ...state.returned].slice(0, historyKept)
  }
  return [next, accepted(undefined)]
}

/** Buys a listing of somebody that was seen to be there just now. */
export const buyListing = (
  state: PaperState,
  { atMost, offer, quantity = 1 }: PurchaseListing,
  at: Millis,
  rules: PaperRules
): Answered<{ readonly balance: Money | undefined }> => {
  const unit = add(offer.subtotal, offer.fee)
  const cost = times(unit, quantity)
  if (state.fills.some((fill) => fill.listing === offer.listing))
    return [state, refused("Unavailable", "You've already purchased this item.")]
  if (atMost !== undefined && unit > atMost)
    return [state, refused("NotSent", "The listing costs more than it may.")]
  if (cost > state.balance)
    return [state, refused("InsufficientFunds", "Your wallet does not have sufficient funds.")]
  const asset = paperId(state.next + 1) as AssetId
  const balance = subtract(state.balance, cost)
  const fill = {
    id: paperId(state.next) as FillId,
    side: "Buy" as const,
    item: offer.item,
    listing: offer.listing,
    asset,
    context: rules.context,
    units: quantity,
    amount: cost,
    fee: times(offer.fee, quantity),
    at
  }
  const next: PaperState = {
    ...state,
    next: state.next + 2,
    balance,
    fills: [fill, ...state.fills].slice(0, historyKept),
    inventory: { ...state.inventory, [asset]: offer.item }
  }
  return [next, accepted({ balance })]
}
