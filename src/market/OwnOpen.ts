/**
 * Everything of ours that is open: buy orders and listings of all pages (interface, Own listings and history).
 * Invariants: 1. a page without its JSON rows is an error, never an empty list: orders must not vanish unseen. 2. wholly empty lists
 * count only while the session is known to live, because a market answers them to a stranger, too.
 */
import { Clock, Effect } from "effect"

import { type BuyOrder } from "../domain/BuyOrder.ts"
import { type AssetId, type BuyOrderId, type ListingId, type Millis } from "../domain/Ids.ts"
import { item } from "../domain/Item.ts"
import { money } from "../domain/Money.ts"
import { type ListingStage, type SellListing } from "../domain/SellListing.ts"
import { Ask } from "./Ask.ts"
import {
  type BuyOrderRow,
  type ListingRow,
  type MyListingsBody,
  mylistingsShapes
} from "./contract/Account.ts"
import { reader } from "./contract/Reading.ts"
import { assetOf, type Assets, numberOf } from "./contract/Wire.ts"
import { MarketError, type OwnOpen, Undecodable } from "./Market.ts"

const readPage = reader(mylistingsShapes)

/** The most that a market gives per page. */
const pageSize = 100
/** Ten thousand live listings; nobody has more. */
const maximumPages = 100

/** `confirmSession` fails when the session is gone. */
export const makeOwnOpen = (confirmSession: Effect.Effect<void, MarketError>) =>
  Effect.gen(function* () {
    const ask = yield* Ask
    const page = Effect.fnUntraced(function* (start: number) {
      const call = ask.client.account.mylistings({
        query: { norender: 1, start, count: pageSize },
        responseMode: "response-only"
      })
      const { value } = yield* ask.read("mylistings", readPage, call)
      const now = (yield* Clock.currentTimeMillis) as Millis
      const open = openOf(value, now)
      return typeof open === "string"
        ? yield* new MarketError({
            operation: "mylistings",
            reason: new Undecodable({ path: open, detail: "Missing key" })
          })
        : {
            open,
            live: value.listings?.length ?? 0,
            total: value.total_count ?? value.num_active_listings ?? 0
          }
    })

    const all = Effect.fn("Market.ownOpen")(function* () {
      const orders = new Map<BuyOrderId, BuyOrder>()
      const listings = new Map<ListingId, SellListing>()
      let start = 0
      for (let pages = 0; pages < maximumPages; pages += 1) {
        const { live, open, total } = yield* page(start)
        for (const order of open.buyOrders) orders.set(order.id, order)
        for (const listing of open.listings) listings.set(listing.id, listing)
        start += live
        if (live === 0 || start >= total) break
      }
      if (orders.size === 0 && listings.size === 0) yield* confirmSession
      return { buyOrders: [...orders.values()], listings: [...listings.values()] }
    })
    return { ownOpen: all() }
  })

/** The rows of a page in domain types, or the path of what is missing. */
const openOf = (body: MyListingsBody, now: Millis): OwnOpen | string => {
  const { assets, buy_orders, listings, listings_on_hold = [], listings_to_confirm = [] } = body
  if (buy_orders === undefined) return "buy_orders"
  if (listings === undefined) return "listings"
  const rows: ReadonlyArray<readonly [ReadonlyArray<ListingRow>, ListingStage, string]> = [
    [listings, "Live", "listings"],
    [listings_to_confirm, "Staged", "listings_to_confirm"],
    [listings_on_hold, "OnHold", "listings_on_hold"]
  ]
  const own: Array<SellListing> = []
  for (const [list, stage, name] of rows) {
    for (const [index, row] of list.entries()) {
      const listing = listingOf(row, stage, assets, now)
      if (listing === undefined) return `${name}[${index}].asset.market_hash_name`
      own.push(listing)
    }
  }
  return { buyOrders: buy_orders.map(orderOf), listings: own }
}

const orderOf = (row: BuyOrderRow): BuyOrder => ({
  id: row.buy_orderid as BuyOrderId,
  item: item(row.appid, row.hash_name),
  price: money(numberOf(row.price)),
  quantity: numberOf(row.quantity),
  remaining: numberOf(row.quantity_remaining)
})

const listingOf = (
  row: ListingRow,
  stage: ListingStage,
  assets: Assets,
  now: Millis
): SellListing | undefined => {
  const { appid, contextid, id } = row.asset
  const name = row.asset.market_hash_name ?? assetOf(assets, appid, contextid, id)?.market_hash_name
  if (name === undefined || name === "") return undefined
  return {
    id: row.listingid as ListingId,
    asset: id as AssetId,
    context: contextid,
    item: item(appid, name),
    stage,
    sellerReceives: money(row.price),
    buyerPays: money(row.price + row.fee),
    createdAt: row.time_created === undefined ? now : ((row.time_created * 1000) as Millis)
  }
}
