/**
 * What a trade does to the accounts on its two sides: money, fees, assets, histories, order states.
 * Invariants: 1. the buyer pays the listing's price, the seller gets its take, the difference is the fees. 2. a buyer who cannot pay
 * loses the order, never the market. 3. money and units that cross to or from the background are counted in the totals.
 */
import type { AssetId, ListingId } from "../domain/Ids.ts"
import { type Money, money } from "../domain/Money.ts"
import { accountAt, backgroundListing, changeAccount, type Draft, nextAsset, nextListing } from "./Draft.ts"
import {
  background,
  type BuyOrder,
  endedOrdersKept,
  type HistoryRow,
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

/** Units that the bid's owner can pay for now, at most those offered. */
const affordable = (draft: Draft, bid: Resting, price: number, units: number): number =>
  bid.account === background
    ? units
    : Math.min(units, Math.floor(accountAt(draft, bid.account).balance / price))

interface Unit {
  readonly listing: ListingId
  readonly purchase: string
  readonly soldAsset: AssetId
  readonly asset: AssetId
}

const row = (
  draft: Draft,
  item: number,
  kind: "Sold" | "Bought",
  ask: Resting,
  unit: Unit,
  other: number
): HistoryRow => ({
  kind,
  at: draft.now,
  item,
  listing: unit.listing,
  purchase: unit.purchase,
  asset: unit.soldAsset,
  newAsset: unit.asset,
  price: ask.price as Money,
  take: ask.take as Money,
  other
})

const receive = (
  draft: Draft,
  item: number,
  bid: Resting,
  ask: Resting,
  units: ReadonlyArray<Unit>
): void => {
  const buyer = accountAt(draft, bid.account)
  const order = buyer.orders.find(({ id }) => id === bid.ref)
  if (order === undefined) throw new Error(`bid without an order: ${bid.ref}`)
  const bought: ReadonlyArray<Purchase> = units.map((unit) => ({
    listing: unit.listing,
    purchase: unit.purchase,
    price: ask.price as Money,
    fee: money(ask.price - ask.take),
    soldAsset: unit.soldAsset,
    asset: unit.asset,
    seller: ask.account,
    at: draft.now
  }))
  const after: BuyOrder = {
    ...order,
    remaining: order.remaining - units.length,
    purchases: [...order.purchases, ...bought]
  }
  changeAccount(draft, bid.account, {
    balance: money(buyer.balance - ask.price * units.length),
    inventory: [...buyer.inventory, ...units.map(({ asset }) => ({ id: asset, item, since: draft.now }))],
    orders: buyer.orders.map((one) => (one.id === order.id ? after : one)),
    history: [...buyer.history, ...units.map((unit) => row(draft, item, "Bought", ask, unit, ask.account))]
  })
  if (after.remaining === 0) endOrder(draft, bid.account, after, "Filled")
}

const handOver = (draft: Draft, item: number, bid: Resting, ask: Resting, unit: Unit): void => {
  const seller = accountAt(draft, ask.account)
  changeAccount(draft, ask.account, {
    balance: money(seller.balance + ask.take),
    listings: seller.listings.filter(({ id }) => id !== unit.listing),
    history: [...seller.history, row(draft, item, "Sold", ask, unit, bid.account)]
  })
}

const count = (draft: Draft, bid: Resting, ask: Resting, units: number): void => {
  const { totals } = draft
  totals.fees += (ask.price - ask.take) * units
  if (bid.account === background) {
    totals.outside -= ask.price * units
    totals.retired += units
  }
  if (ask.account === background) {
    totals.outside += ask.take * units
    totals.minted += units
  }
}

/**
 * Carries out a trade of so many units at the ask's price; answers with the units that were traded. Fewer than asked for means that
 * the buyer ran out of funds and its order has ended.
 */
export const settle = (draft: Draft, item: number, bid: Resting, ask: Resting, wanted: number): number => {
  if (bid.account === background && ask.account === background) return wanted
  const units = affordable(draft, bid, ask.price, wanted)
  if (units > 0) {
    const parts = Array.from({ length: units }, (): Unit => {
      const mine = ask.account !== background
      const listing = mine ? (ask.ref as ListingId) : backgroundListing(item, ask.seq)
      const soldAsset = mine ? listedAsset(draft, ask) : nextAsset(draft)
      return { listing, purchase: nextListing(draft), soldAsset, asset: nextAsset(draft) }
    })
    for (const part of ask.account === background ? [] : parts) handOver(draft, item, bid, ask, part)
    if (bid.account !== background) receive(draft, item, bid, ask, parts)
    count(draft, bid, ask, units)
    const [fee, buyer, seller] = [ask.price - ask.take, bid.account, ask.account]
    draft.events.push({ _tag: "Traded", at: draft.now, item, price: ask.price, units, fee, buyer, seller })
  }
  if (units < wanted) {
    const order = accountAt(draft, bid.account).orders.find(({ id }) => id === bid.ref)
    if (order !== undefined) endOrder(draft, bid.account, order, "OutOfFunds")
  }
  return units
}

const listedAsset = (draft: Draft, ask: Resting): AssetId => {
  const listing = accountAt(draft, ask.account).listings.find(({ id }) => id === ask.ref)
  if (listing === undefined) throw new Error(`ask without a listing: ${ask.ref}`)
  return listing.asset
}
