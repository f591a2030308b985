/**
 * Own listings, buy orders and history as rendered rows: of the home page, of mylistings and myhistory without `norender`.
 * Prices and dates stay the market's own text: currency and language are the session's, dates have no year.
 */
import { Result } from "effect"

import { type BuyOrderId, type ListingId } from "../../domain/Ids.ts"
import { type AssetRef, type Hovers, hoversOf, listingCalls } from "./Hovers.ts"
import {
  type Element,
  find,
  findAll,
  parsePage,
  scriptOf,
  scriptsOfAttributes,
  textOf,
  withClass
} from "./Page.ts"
import { pageError, type Read } from "./PageError.ts"
import { counterOf, messageOf, pricesOf, rowItem, type RowItem, rowsById } from "./RowText.ts"

interface OwnListingRow extends RowItem {
  readonly listing: ListingId
  readonly asset: AssetRef | undefined
  /** Formatted: what the buyer pays, and what we get where it is shown. */
  readonly buyerPays: string
  readonly sellerReceives: string | undefined
  /** Day and month, localized. */
  readonly listedOn: string
}

export interface OwnOrderRow extends RowItem {
  readonly order: BuyOrderId
  /** Formatted price per unit. */
  readonly price: string
  /** Units as the order was placed, where the row tells both; units still wanted. */
  readonly quantity: number
  readonly remaining: number
}

export interface HistoryRow extends RowItem {
  readonly listing: ListingId
  /** Undefined when nothing was bought or sold. */
  readonly purchase: string | undefined
  /** 1 created, 2 cancelled; undefined of a sale or purchase. */
  readonly event: number | undefined
  readonly asset: AssetRef | undefined
  /** `+` bought, `-` sold, empty otherwise. */
  readonly sign: "+" | "-" | ""
  /** Formatted; empty for entries without a price. */
  readonly price: string
  readonly isPending: boolean
  /** Days and months, localized. */
  readonly actedOn: string
  readonly listedOn: string
}

/** What a counter beside a heading says; undefined where the page has none. */
interface OwnCounts {
  readonly live: number | undefined
  readonly toConfirm: number | undefined
  readonly buyOrders: number | undefined
}

export interface OwnRows {
  readonly listings: ReadonlyArray<OwnListingRow>
  readonly orders: ReadonlyArray<OwnOrderRow>
  readonly counts: OwnCounts
}

/** Rows of `results_html` of mylistings with its `hovers`, or of a whole page, whose hovers stand in it. */
export const readOwnRows = (html: string, hovers = ""): Read<OwnRows> =>
  Result.flatMap(parsePage(html), (page) => ownRowsOf(page, hoversOf(`${hovers}\n${scriptOf(page)}`)))

export const ownRowsOf = (page: Element, hovers: Hovers): Read<OwnRows> => {
  const calls = listingCalls(scriptsOfAttributes(page).join("\n;\n"), "RemoveMarketListing")
  const listingOf = (id: string, row: Element): OwnListingRow => {
    const [buyerPays = "", sellerReceives] = pricesOf(row)
    return {
      ...rowItem(row),
      listing: id as ListingId,
      asset: hovers.get(`mylisting_${id}`) ?? calls.get(id),
      buyerPays,
      sellerReceives,
      listedOn: textOf(find(row, withClass("market_listing_listed_date")))
    }
  }
  const listings = rowsById(page, "mylisting_").map(([id, row]) => listingOf(id, row))
  const orders: Array<OwnOrderRow> = []
  for (const prefix of ["mybuyorder_", "mbuyorder_"]) {
    for (const [id, row] of rowsById(page, prefix)) {
      const order = orderOf(id, row)
      if (order === undefined) return pageError(`${prefix}row`, "Differs", "no quantity")
      orders.push(order)
    }
  }
  const counts = {
    live: counterOf(page, "my_market_selllistings_number"),
    toConfirm: counterOf(page, "my_market_listingstoconfirm_number"),
    buyOrders: counterOf(page, "my_market_buylistings_number")
  }
  return Result.succeed({ listings, orders, counts })
}

/** A row says `3 @ 0,05€` in one cell, or the price in one and the quantity in the next; some say both. */
const orderOf = (id: string, row: Element): OwnOrderRow | undefined => {
  const [cell, next] = findAll(row, withClass("market_listing_price"))
  if (cell === undefined) return undefined
  const inline = textOf(find(cell, withClass("market_listing_inline_buyorder_qty")))
  const remaining = unitsOf(inline) ?? unitsOf(textOf(next))
  if (remaining === undefined) return undefined
  return {
    ...rowItem(row),
    order: id as BuyOrderId,
    price: textOf(cell).slice(inline.length).trim(),
    quantity: unitsOf(textOf(next)) ?? remaining,
    remaining
  }
}

const unitsOf = (text: string): number | undefined => {
  const digits = text.replaceAll(/\D/g, "")
  return digits === "" || digits.length > 9 ? undefined : Number(digits)
}

/** Rows of `results_html` of myhistory with its `hovers`; a page without rows must say so by a message or an empty table. */
export const readHistoryRows = (html: string, hovers = ""): Read<ReadonlyArray<HistoryRow>> =>
  Result.flatMap(parsePage(html), (page) => {
    const refs = hoversOf(`${hovers}\n${scriptOf(page)}`)
    const rows = rowsById(page, "history_row_").flatMap(([id, row]) => historyRow(id, row, refs) ?? [])
    const isTable = find(page, withClass("market_home_listing_table")) !== undefined
    return rows.length === 0 && !isTable && messageOf(page) === ""
      ? pageError("history rows", "Missing")
      : Result.succeed(rows)
  })

const historyRow = (id: string, row: Element, hovers: Hovers): HistoryRow | undefined => {
  const [, listing, event, purchase] = /^(\d+)_(?:event_(\d{1,3})|(\d+))$/.exec(id) ?? []
  if (listing === undefined) return undefined
  const sign = textOf(find(row, withClass("market_listing_gainorloss")))
  const dates = findAll(row, withClass("market_listing_listed_date")).map(textOf)
  const cell = textOf(find(row, withClass("market_listing_their_price")))
  return {
    ...rowItem(row),
    listing: listing as ListingId,
    purchase,
    event: event === undefined ? undefined : Number(event),
    asset: hovers.get(`history_row_${id}`),
    sign: sign === "+" || sign === "-" ? sign : "",
    price: textOf(find(row, withClass("market_listing_price"))),
    isPending: cell.endsWith(")") && cell.includes("("),
    actedOn: dates[0] ?? "",
    listedOn: dates[1] ?? ""
  }
}
