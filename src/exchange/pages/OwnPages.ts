/**
 * Own listings, orders and history as a person reads them: the answer without `norender=1`, the rendered part of the answer with it, and
 * the same sections on the home page.
 */
import { formatPrice } from "../../domain/Currency.ts"
import { type Millis } from "../../domain/Ids.ts"
import { formatLabel } from "../../domain/SalesLabel.ts"
import { contextOf } from "../Catalogue.ts"
import { applicationOf } from "../Vocabulary.ts"
import { type Account, type BuyOrder, type HistoryRow, type Listing, type World } from "../World.ts"
import { escapeHtml, hidden, listingLink, message } from "./Page.ts"

/** `15 Oct`: rows show a day without its year. */
export const shortDate = (at: number): string => {
  const [month = "", day = ""] = formatLabel(at as Millis).split(" ")
  return `${Number(day)} ${month}`
}

const itemHtml = (world: World, index: number, id: string): string => {
  const { app = 0, name = "" } = world.items[index]?.of ?? {}
  return `<span class="market_listing_item_name_block"><span id="${id}_name" class="market_listing_item_name"><a class="market_listing_item_name_link" href="${listingLink(app, name)}">${escapeHtml(name)}</a></span>
<br><span class="market_listing_game_name">${escapeHtml(applicationOf(app)?.name ?? "")}</span></span>`
}

/** A button in a row with the form behind it. */
const button = (
  id: string,
  action: string,
  fields: Readonly<Record<string, string>>,
  call: string,
  text: string
) =>
  `<form id="${id}" method="post" action="${action}">${hidden(fields)}</form><a class="item_market_action_button" href="javascript:${escapeHtml(call)}">${text}</a>`

const listingHtml = (world: World, account: Account, sessionid: string, listing: Listing): string => {
  const { app = 0 } = world.items[listing.item]?.of ?? {}
  const { asset, id } = listing
  const remove = `RemoveMarketListing('mylisting', '${id}', ${app}, '${contextOf(app)}', '${asset}')`
  const price = escapeHtml(formatPrice(listing.price, account.currency))
  const take = escapeHtml(formatPrice(listing.take, account.currency))
  return `<div class="market_listing_row market_recent_listing_row listing_${id}" id="mylisting_${id}">
<span class="market_listing_right_cell market_listing_my_price"><span class="market_table_value"><span class="market_listing_price"><span title="This is the price the buyer pays.">${price}</span><br><span title="This is how much you will receive.">(${take})</span></span></span></span>
<span class="market_listing_right_cell market_listing_listed_date">${shortDate(listing.createdAt)}</span>
${itemHtml(world, listing.item, `mylisting_${id}`)}
<div class="market_listing_right_cell">${button(`remove_${id}`, `/market/removelisting/${id}`, { sessionid }, remove, "Remove")}</div>
</div>`
}

export const orderHtml = (
  world: World,
  account: Account,
  sessionid: string,
  order: BuyOrder,
  prefix = "mybuyorder_"
): string => {
  const { id, price, quantity, remaining } = order
  const cancel = button(
    `cancel_${id}`,
    "/market/cancelbuyorder/",
    { sessionid, buy_orderid: id },
    `CancelMarketBuyOrder('${id}')`,
    "Cancel"
  )
  return `<div class="market_listing_row market_recent_listing_row" id="${prefix}${id}">
<span class="market_listing_right_cell market_listing_my_price"><span class="market_table_value"><span class="market_listing_price"><span class="market_listing_inline_buyorder_qty">${remaining} @ </span>${escapeHtml(formatPrice(price, account.currency))}</span></span></span>
<span class="market_listing_right_cell market_listing_my_price market_listing_buyorder_qty"><span class="market_table_value"><span class="market_listing_price">${quantity}</span></span></span>
${itemHtml(world, order.item, `${prefix}${id}`)}
<div class="market_listing_right_cell">${cancel}</div>
</div>`
}

const section = (title: string, id: string, count: number, rows: ReadonlyArray<string>): string =>
  `<h2>${title} (<span id="${id}">${count}</span>)</h2>\n${rows.join("\n")}`

export const myListingsHtml = (
  world: World,
  account: Account,
  sessionid: string,
  shown: ReadonlyArray<Listing>
): string => {
  const live = account.listings.filter((listing) => listing.live)
  const staged = account.listings.filter((listing) => !listing.live).toReversed()
  const rows = (listings: ReadonlyArray<Listing>) =>
    listings.map((listing) => listingHtml(world, account, sessionid, listing))
  const orders = account.orders.map((order) => orderHtml(world, account, sessionid, order))
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

const eventNumbers = { Created: "event_1", Returned: "event_2" } as const
const signs = { Created: "", Returned: "", Sold: "-", Bought: "+" } as const

/** Id of a history row: listing and purchase, or listing and kind of event. */
export const historyRowId = ({ kind, listing, purchase }: HistoryRow): string =>
  `history_row_${listing}_${kind === "Created" || kind === "Returned" ? eventNumbers[kind] : purchase}`

export const myHistoryHtml = (world: World, account: Account, rows: ReadonlyArray<HistoryRow>): string => {
  const html = rows.map((row) => {
    const id = historyRowId(row)
    const amount = row.kind === "Bought" ? row.price : row.take
    const price =
      row.kind === "Created" || row.kind === "Returned" ? "" : formatPrice(amount, account.currency)
    const acted = row.kind === "Created" ? "" : shortDate(row.at)
    return `<div class="market_listing_row market_recent_listing_row" id="${id}">
<span class="market_listing_left_cell market_listing_gainorloss">${signs[row.kind]}</span>
<span class="market_listing_right_cell market_listing_their_price"><span class="market_table_value"><span class="market_listing_price">${escapeHtml(price)}</span></span></span>
<span class="market_listing_right_cell market_listing_whoactedwith">${verbs[row.kind]}</span>
<span class="market_listing_right_cell market_listing_listed_date can_combine">${acted}</span>
<span class="market_listing_right_cell market_listing_listed_date can_combine">${shortDate(row.at)}</span>
${itemHtml(world, row.item, id)}
</div>`
  })
  const shown = rows.length === 0 ? message("You have not bought or sold anything yet.") : html.join("\n")
  return `<div class="market_home_listing_table">\n${shown}\n</div>`
}

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
