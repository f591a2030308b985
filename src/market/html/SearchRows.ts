/** Rows of a search, and of the popular items of the home page, as they are rendered. */
import { Result } from "effect"

import { type Item } from "../../domain/Item.ts"
import { type Element, find, findAll, idOf, parsePage, textOf, withClass } from "./Page.ts"
import { type Read } from "./PageError.ts"
import { itemOfLink, messageOf, rowItem } from "./RowText.ts"

export interface SearchRowHtml {
  readonly item: Item
  readonly title: string
  readonly game: string
  /** Formatted lowest ask. */
  readonly price: string
  readonly listings: number
}

export interface SearchRows {
  readonly rows: ReadonlyArray<SearchRowHtml>
  /** What stands in place of rows; an error comes with `success: true` (LegacySearch). */
  readonly message: string
}

export const readSearchRows = (html: string): Read<SearchRows> => Result.map(parsePage(html), searchRowsOf)

export const searchRowsOf = (page: Element): SearchRows => ({
  rows: findAll(page, (element) => /^resultlink_\d+$/.test(idOf(element))).flatMap(
    (link) => rowOf(link) ?? []
  ),
  message: messageOf(page)
})

const rowOf = (link: Element): SearchRowHtml | undefined => {
  const item = itemOfLink(link.attributes.get("href") ?? "")
  if (item === undefined) return undefined
  const { game, title } = rowItem(link)
  const cell = find(link, withClass("market_listing_their_price"))
  const count = textOf(find(link, withClass("market_listing_num_listings_qty"))).replaceAll(/\D/g, "")
  return { item, title, game, price: priceOf(cell), listings: count.length > 12 ? 0 : Number(count) }
}

/** The price has its own element behind "Starting at:". */
const priceOf = (cell: Element | undefined): string => {
  if (cell === undefined) return ""
  const marked = find(
    cell,
    (element) => element.attributes.has("data-price") || withClass("normal_price")(element)
  )
  const white = find(cell, (element) => /color:\s*white/.test(element.attributes.get("style") ?? ""))
  return textOf(white ?? marked ?? cell)
}
