/** Rows of own listings, orders and history as the account operations send them. Amounts are minor units of the account's currency. */
import { type CurrencyId } from "../../domain/Currency.ts"
import { type FeeParts, feeParts } from "../../domain/Fee.ts"
import { type Money } from "../../domain/Money.ts"
import {
  type BuyOrderRow,
  type HistoryEvent,
  type ListingRow,
  type Purchase
} from "../../market/contract/Account.ts"
import { type Asset } from "../../market/contract/Wire.ts"
import { contextOf } from "../Catalogue.ts"
import { itemAt } from "../Offers.ts"
import { feesIn } from "../Rates.ts"
import {
  type Account,
  background,
  type BuyOrder,
  type HistoryRow,
  type Listing,
  type World
} from "../World.ts"

/** `currencyid` in old rows is this plus the currency's id. */
const currencyOffset = 2000
/** States of an asset: waiting in a listing, gone to its buyer, given back. */
export const assetStatus = { listed: 2, sold: 4, returned: 8 } as const
const listingStatus = { active: 1, needsConfirmation: 17 } as const
/** How the market names the background's traders, none of which is an account. */
const somebody = "76561197960265729"
const eventType = { Created: 1, Returned: 2, Sold: 3, Bought: 4 } as const

export { itemAt } from "../Offers.ts"

export const seconds = (millis: number): number => Math.floor(millis / 1000)
export const currencyIdOf = (currency: CurrencyId): number => currencyOffset + currency

/** Both fees of what a seller takes, in a currency. */
export const feesOf = (world: World, index: number, currency: CurrencyId, take: Money): FeeParts =>
  feeParts(feesIn(itemAt(world, index).of.publisherRate, currency), take)

export const classOf = (index: number): string => String(310_000_000 + index * 7919)

/** What the market says of an item. */
const itemRow = (world: World, index: number) => {
  const { of } = itemAt(world, index)
  return {
    appid: of.app,
    classid: classOf(index),
    instanceid: "0",
    currency: 0,
    name: of.name,
    market_name: of.name,
    market_hash_name: of.name,
    market_fee: String(of.publisherRate),
    commodity: of.commodity ? 1 : 0,
    marketable: 1,
    tradable: 1
  } as const
}

/** An asset with what the market says of its item. */
export const assetRow = (world: World, index: number, id: string, status: number, amount: string): Asset => {
  const { of } = itemAt(world, index)
  const context = contextOf(of.app)
  return {
    contextid: context,
    id,
    amount,
    status,
    original_amount: "1",
    unowned_id: id,
    unowned_contextid: context,
    ...itemRow(world, index)
  }
}

export const listingRow = (world: World, { currency }: Account, listing: Listing): ListingRow => {
  const { fees, of } = itemAt(world, listing.item)
  const { platform, publisher } = feesOf(world, listing.item, currency, listing.take)
  return {
    listingid: listing.id,
    time_created: seconds(listing.createdAt),
    asset: assetRow(world, listing.item, listing.asset, assetStatus.listed, "1"),
    price: listing.take,
    original_price: listing.take,
    fee: platform + publisher,
    currencyid: String(currencyIdOf(currency)),
    converted_price: listing.take,
    converted_fee: platform + publisher,
    platform_fee: platform,
    publisher_fee: publisher,
    publisher_fee_percent: String(fees.publisherRate),
    publisher_fee_app: of.app,
    status: listing.live ? listingStatus.active : listingStatus.needsConfirmation,
    active: listing.live ? 1 : 0
  }
}

export const buyOrderRow = (world: World, { currency }: Account, order: BuyOrder): BuyOrderRow => {
  const { of } = itemAt(world, order.item)
  return {
    appid: of.app,
    hash_name: of.name,
    wallet_currency: currency,
    price: String(order.price),
    quantity: String(order.quantity),
    quantity_remaining: String(order.remaining),
    buy_orderid: order.id,
    description: { ...itemRow(world, order.item), type: of.type }
  }
}

const actorOf = (world: World, index: number): string =>
  index === background ? somebody : (world.accounts[index]?.id ?? somebody)

export const historyEvent = (
  world: World,
  account: Account,
  row: HistoryRow,
  date: string
): HistoryEvent => ({
  listingid: row.listing,
  ...(row.purchase === "" ? {} : { purchaseid: row.purchase }),
  event_type: eventType[row.kind],
  time_event: seconds(row.at),
  time_event_fraction: Math.floor(row.at % 1000) * 1_000_000,
  accountid_actor: row.purchase === "" ? account.id : actorOf(world, row.other),
  date_event: date
})

/** The asset of a history row: as listed, with its new id where it went. */
export const historyAsset = (world: World, row: HistoryRow): Asset => {
  const context = contextOf(itemAt(world, row.item).of.app)
  if (row.kind === "Created") return assetRow(world, row.item, row.asset, assetStatus.listed, "1")
  if (row.kind === "Returned") {
    const returned = { rollback_new_id: row.newAsset, rollback_new_contextid: context }
    return { ...assetRow(world, row.item, row.asset, assetStatus.returned, "1"), ...returned }
  }
  // A listed asset that was sold has left; its place keeps no units.
  return {
    ...assetRow(world, row.item, row.asset, assetStatus.sold, "0"),
    new_id: row.newAsset,
    new_contextid: context
  }
}

export const historyListing = (world: World, { currency }: Account, row: HistoryRow): ListingRow => {
  const { fees, of } = itemAt(world, row.item)
  const { id, ...asset } = historyAsset(world, row)
  const open = row.kind === "Created"
  return {
    listingid: row.listing,
    price: row.kind === "Sold" || row.kind === "Bought" ? 0 : row.take,
    fee: open ? row.price - row.take : 0,
    publisher_fee_app: of.app,
    publisher_fee_percent: String(fees.publisherRate),
    currencyid: currencyIdOf(currency),
    asset: { ...asset, id },
    original_price: row.take,
    ...(row.kind === "Returned" ? { cancel_reason: "Listing canceled", cancel_reason_short: "Canceled" } : {})
  }
}

export const purchaseRow = (world: World, account: Account, row: HistoryRow): Purchase => {
  const { fees, of } = itemAt(world, row.item)
  const { platform, publisher } = feesOf(world, row.item, account.currency, row.take)
  return {
    listingid: row.listing,
    purchaseid: row.purchase,
    time_sold: seconds(row.at),
    accountid_purchaser: row.kind === "Bought" ? account.id : actorOf(world, row.other),
    needs_rollback: 0,
    failed: 0,
    asset: { ...historyAsset(world, row), amount: "1" },
    paid_amount: row.take,
    paid_fee: row.price - row.take,
    currencyid: String(currencyIdOf(account.currency)),
    platform_fee: platform,
    publisher_fee: publisher,
    publisher_fee_percent: String(fees.publisherRate),
    publisher_fee_app: of.app,
    received_amount: row.take,
    received_currencyid: String(currencyIdOf(account.currency)),
    funds_held: 0,
    time_funds_held_until: 0,
    funds_revoked: 0,
    funds_returned: 0
  }
}
