/** Own listings and history as a person reads them: the answer without `norender=1`, and the rendered part of the answer with it. */
import { formatPrice } from "../../domain/Currency.ts"
import { type Millis } from "../../domain/Ids.ts"
import { formatLabel } from "../../domain/SalesLabel.ts"
import { contextOf } from "../Catalogue.ts"
import { type Account, type BuyOrder, type HistoryRow, type Listing, type World } from "../World.ts"
import { escapeHtml } from "./Page.ts"

const nameOf = (world: World, index: number): string => escapeHtml(world.items[index]?.of.name ?? "")

const listingHtml = (world: World, listing: Listing): string => {
  const { app = 0 } = world.items[listing.item]?.of ?? {}
  const remove = `RemoveMarketListing('mylisting', '${listing.id}', ${app}, '${contextOf(app)}', '${listing.asset}')`
  return `<div class="market_listing_row" id="mylisting_${listing.id}">
<span class="market_listing_price"><span title="This is the price the buyer pays.">${formatPrice(listing.price, world.currency)}</span> <span title="This is how much you will receive.">(${formatPrice(listing.take, world.currency)})</span></span>
<span id="mylisting_${listing.id}_name" class="market_listing_item_name">${nameOf(world, listing.item)}</span>
<a href="javascript:${escapeHtml(remove)}">Remove</a>
</div>`
}

const orderHtml = (
  world: World,
  order: BuyOrder
): string => `<div class="market_listing_row" id="mybuyorder_${order.id}">
<span class="market_listing_price">${order.remaining} @ ${formatPrice(order.price, world.currency)}</span>
<span class="market_listing_item_name">${nameOf(world, order.item)}</span>
</div>`

const section = (title: string, id: string, count: number, rows: ReadonlyArray<string>): string =>
  `<h3>${title} (<span id="${id}">${count}</span>)</h3>\n${rows.join("\n")}`

export const myListingsHtml = (world: World, account: Account, shown: ReadonlyArray<Listing>): string => {
  const live = account.listings.filter((listing) => listing.live)
  const staged = account.listings.filter((listing) => !listing.live)
  const rows = (listings: ReadonlyArray<Listing>) => listings.map((listing) => listingHtml(world, listing))
  const orders = account.orders.map((order) => orderHtml(world, order))
  return [
    section("My sell listings", "my_market_selllistings_number", live.length, rows(shown)),
    section(
      "My listings awaiting confirmation",
      "my_market_listingstoconfirm_number",
      staged.length,
      rows(staged)
    ),
    section("My buy orders", "my_market_buylistings_number", orders.length, orders)
  ].join("\n")
}

const verbs = {
  Created: "Listing created",
  Returned: "Listing canceled",
  Sold: "Sold",
  Bought: "Bought"
} as const

export const myHistoryHtml = (world: World, rows: ReadonlyArray<HistoryRow>): string =>
  rows
    .map((row) => {
      const id = `history_row_${row.listing}_${row.purchase === "" ? `event_${row.kind}` : row.purchase}`
      const amount = row.kind === "Bought" ? row.price : row.take
      return `<div class="market_listing_row market_recent_listing_row" id="${id}">
<span class="market_listing_price">${formatPrice(amount, world.currency)}</span>
<span id="${id}_name" class="market_listing_item_name">${nameOf(world, row.item)}</span>
<span class="market_listing_listed_date">${verbs[row.kind]}, ${formatLabel(row.at as Millis).slice(0, 6)}</span>
</div>`
    })
    .join("\n")

/** The script lines that tie rendered rows to assets. */
export const hoversOf = (
  rows: ReadonlyArray<{ readonly element: string; readonly app: number; readonly asset: string }>
): string =>
  rows
    .map(
      ({ app, asset, element }) =>
        `CreateItemHoverFromContainer( g_rgAssets, '${element}', ${app}, '${contextOf(app)}', '${asset}', 0 );`
    )
    .join("\r\n")
