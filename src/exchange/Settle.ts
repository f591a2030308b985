/**
 * What a trade does to the accounts on its two sides: money, fees, assets, histories, order states.
 * Invariants: 1. the buyer pays the listing's price in its own currency, never more than its limit; the seller gets the listing's take
 * in its own; the difference is fees and what conversion rounds. 2. a buyer who cannot pay loses the order, never the market.
 * 3. whatever crosses to or from the background, or between currencies, is counted in the totals.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import { sellerReceives } from "../domain/Fee.ts"
import type { AssetId, ListingId } from "../domain/Ids.ts"
import { type Money, money } from "../domain/Money.ts"
import {
  accountAt,
  addFunds,
  backgroundAsset,
  backgroundListing,
  changeAccount,
  type Draft,
  nextAsset,
  nextListing
} from "./Draft.ts"
import { feesIn, type Price, priceIn } from "./Rates.ts"
import {
  type Account,
  background,
  type BuyOrder,
  endedOrdersKept,
  type HistoryRow,
  type Listing,
  type MarketItem,
  type Purchase,
  type Resting
} from "./World.ts"

/** Takes a finished order out of the active ones. */
export const endOrder = (
  draft: Draft,
  account: number,
  order: BuyOrder,
  state: "Filled" | "Cancelled" | "OutOfFunds"
): void => {
  const owner = accountAt(draft, account)
  changeAccount(draft, account, {
    orders: owner.orders.filter(({ id }) => id !== order.id),
    ended: [...owner.ended.slice(-(endedOrdersKept - 1)), { ...order, state }]
  })
  draft.events.push({ _tag: "OrderEnded", at: draft.now, account, order: order.id, state })
}

/** What a buyer with this currency pays for a unit of an ask, whoever owns it. */
export const askPrice = (
  market: { readonly accounts: ReadonlyArray<Account>; readonly currency: CurrencyId },
  item: MarketItem,
  ask: Resting,
  currency: CurrencyId
): Price => {
  if (currency === market.currency) return { price: ask.price as Money, take: ask.take as Money }
  return ask.own !== undefined && market.accounts[ask.account]?.currency === currency
    ? ask.own
    : priceIn(ask.take, item.of.publisherRate, market.currency, currency)
}

/** What the bid's account pays per unit: a conversion never takes it above the order's limit. */
const costOf = (draft: Draft, index: number, bid: Resting, ask: Resting): Price => {
  const item = draft.items[index]
  if (item === undefined) throw new RangeError(`no item ${index}`)
  const { currency, orders } = accountAt(draft, bid.account)
  const market = { accounts: draft.accounts, currency: draft.world.currency }
  const cost = askPrice(market, item, ask, currency)
  const limit = orders.find(({ id }) => id === bid.ref)?.price
  if (limit === undefined || cost.price <= limit) return cost
  return { price: limit, take: sellerReceives(feesIn(item.of.publisherRate, currency), limit) }
}

interface Unit {
  readonly listing: ListingId
  readonly purchase: string
  readonly soldAsset: AssetId
  readonly asset: AssetId
  readonly origin: string
}

const row = (draft: Draft, item: number, unit: Unit, price: Price) => ({
  at: draft.now,
  item,
  listing: unit.listing,
  purchase: unit.purchase,
  asset: unit.soldAsset,
  newAsset: unit.asset,
  origin: unit.origin,
  price: price.price,
  take: price.take
})

const receive = (
  draft: Draft,
  item: number,
  bid: Resting,
  ask: Resting,
  units: ReadonlyArray<Unit>,
  cost: Price
): void => {
  const buyer = accountAt(draft, bid.account)
  const bought = units.map((unit): HistoryRow => ({
    ...row(draft, item, unit, cost),
    kind: "Bought",
    other: ask.account
  }))
  changeAccount(draft, bid.account, {
    balance: money(buyer.balance - cost.price * units.length),
    inventory: [
      ...buyer.inventory,
      ...units.map(({ asset, origin }) => ({ id: asset, item, since: draft.now, origin }))
    ],
    history: [...buyer.history, ...bought]
  })
  // Bought outright: there is no order to fill.
  if (bid.ref !== "") fill(draft, bid, ask, units, cost)
}

const fill = (draft: Draft, bid: Resting, ask: Resting, units: ReadonlyArray<Unit>, cost: Price): void => {
  const buyer = accountAt(draft, bid.account)
  const order = buyer.orders.find(({ id }) => id === bid.ref)
  if (order === undefined) throw new Error(`bid without an order: ${bid.ref}`)
  const purchases = units.map((unit): Purchase => ({
    listing: unit.listing,
    purchase: unit.purchase,
    price: cost.price,
    fee: money(cost.price - cost.take),
    soldAsset: unit.soldAsset,
    asset: unit.asset,
    seller: ask.account,
    at: draft.now
  }))
  const after: BuyOrder = {
    ...order,
    remaining: order.remaining - units.length,
    purchases: [...order.purchases, ...purchases]
  }
  changeAccount(draft, bid.account, {
    orders: buyer.orders.map((one) => (one.id === order.id ? after : one))
  })
  if (after.remaining === 0) endOrder(draft, bid.account, after, "Filled")
}

const handOver = (
  draft: Draft,
  item: number,
  bid: Resting,
  listing: Listing,
  unit: Unit,
  of: number
): void => {
  const seller = accountAt(draft, of)
  const sold: HistoryRow = { ...row(draft, item, unit, listing), kind: "Sold", other: bid.account }
  changeAccount(draft, of, {
    balance: money(seller.balance + listing.take),
    listings: seller.listings.filter(({ id }) => id !== unit.listing),
    history: [...seller.history, sold]
  })
}

/** The buyer's payment, less fees, goes in; what the seller gets goes out. */
const count = (
  draft: Draft,
  bid: Resting,
  ask: Resting,
  units: number,
  cost: Price,
  listing: Listing | undefined
): void => {
  const { accounts, totals, world } = draft
  const from = accounts[bid.account]?.currency ?? world.currency
  const to = accounts[ask.account]?.currency ?? world.currency
  const take = listing === undefined ? ask.take : listing.take
  addFunds(draft, from, "fees", (cost.price - cost.take) * units)
  if (from !== to || cost.take !== take) {
    addFunds(draft, from, "exchanged", cost.take * units)
    addFunds(draft, to, "exchanged", -take * units)
  }
  if (bid.account === background) {
    addFunds(draft, from, "outside", -cost.price * units)
    totals.retired += units
  }
  if (ask.account === background) {
    addFunds(draft, to, "outside", take * units)
    totals.minted += units
  }
}

const unitOf = (draft: Draft, index: number, ask: Resting, listing: Listing | undefined): Unit => {
  const unique = draft.items[index]?.of.commodity === false
  const own = unique ? backgroundAsset(index, ask.seq) : nextAsset(draft)
  return {
    listing: listing?.id ?? backgroundListing(index, ask.seq),
    purchase: nextListing(draft),
    soldAsset: listing?.asset ?? own,
    asset: nextAsset(draft),
    origin: listing?.origin ?? (unique ? own : "")
  }
}

/**
 * Carries out a trade of so many units at the ask's price; answers with the units that were traded. Fewer than asked for means that
 * the buyer ran out of funds and its order has ended.
 */
export const settle = (draft: Draft, item: number, bid: Resting, ask: Resting, wanted: number): number => {
  if (bid.account === background && ask.account === background) return wanted
  const cost =
    bid.account === background
      ? { price: ask.price as Money, take: ask.take as Money }
      : costOf(draft, item, bid, ask)
  const units =
    bid.account === background
      ? wanted
      : Math.min(wanted, Math.floor(accountAt(draft, bid.account).balance / cost.price))
  if (units > 0) {
    const listing = ask.account === background ? undefined : listingOf(draft, ask)
    const parts = Array.from({ length: units }, () => unitOf(draft, item, ask, listing))
    if (listing !== undefined)
      for (const part of parts) handOver(draft, item, bid, listing, part, ask.account)
    if (bid.account !== background) receive(draft, item, bid, ask, parts, cost)
    count(draft, bid, ask, units, cost, listing)
    const [fee, buyer, seller] = [ask.price - ask.take, bid.account, ask.account]
    draft.events.push({ _tag: "Traded", at: draft.now, item, price: ask.price, units, fee, buyer, seller })
  }
  if (units < wanted) {
    const order = accountAt(draft, bid.account).orders.find(({ id }) => id === bid.ref)
    if (order !== undefined) endOrder(draft, bid.account, order, "OutOfFunds")
  }
  return units
}

const listingOf = (draft: Draft, ask: Resting): Listing => {
  const listing = accountAt(draft, ask.account).listings.find(({ id }) => id === ask.ref)
  if (listing === undefined) throw new Error(`ask without a listing: ${ask.ref}`)
  return listing
}
