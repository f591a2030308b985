/** Listings of anybody as rendered rows: of a listing page, of `…/render/`, of recent and of popular listings. */
import { Result } from "effect"

import { type ListingId } from "../../domain/Ids.ts"
import { type AssetRef, hoversOf, listingCalls } from "./Hovers.ts"
import { type Element, find, parsePage, scriptOf, scriptsOfAttributes, textOf, withClass } from "./Page.ts"
import { type Read } from "./PageError.ts"
import { messageOf, rowItem, type RowItem, rowsById } from "./RowText.ts"

export interface ListingRowHtml extends RowItem {
  readonly listing: ListingId
  readonly asset: AssetRef | undefined
  /** Formatted: what the buyer pays and what the seller gets; a sold listing shows a word instead. */
  readonly withFee: string
  readonly withoutFee: string
}

export interface ListingRows {
  readonly rows: ReadonlyArray<ListingRowHtml>
  /** What stands in place of rows, such as an error. */
  readonly message: string
}

/** Prefixes of row ids: of an item, of new listings, of completed ones. */
const prefixes = ["listing_", "listing_sell_new_", "listing_sell_sold_"] as const

export const readListingRows = (html: string, hovers = ""): Read<ListingRows> =>
  Result.map(parsePage(html), (page) => listingRowsOf(page, hovers))

export const listingRowsOf = (page: Element, hovers = ""): ListingRows => {
  const refs = hoversOf(`${hovers}\n${scriptOf(page)}`)
  const calls = listingCalls(scriptsOfAttributes(page).join("\n;\n"), "BuyMarketListing")
  const rowOf = (prefix: string, id: string, row: Element): ListingRowHtml => ({
    ...rowItem(row),
    listing: id as ListingId,
    asset: refs.get(`${prefix}${id}`) ?? calls.get(id),
    withFee: textOf(find(row, withClass("market_listing_price_with_fee"))),
    withoutFee: textOf(find(row, withClass("market_listing_price_without_fee")))
  })
  const rows = prefixes.flatMap((prefix) => rowsById(page, prefix).map(([id, row]) => rowOf(prefix, id, row)))
  return { rows, message: messageOf(page) }
}
