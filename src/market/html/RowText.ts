/** What rows of the market's pages have in common: the item they link to, their prices, their dates. */
import { Option } from "effect"

import { type Item, item } from "../../domain/Item.ts"
import { type Element, find, findAll, idOf, textOf, withClass } from "./Page.ts"

/** An item as a row names it: `item` where a link tells its hash name, `title` as it is shown. */
export interface RowItem {
  readonly item: Item | undefined
  readonly title: string
  readonly game: string
}

/** `/market/listings/730/Glove%20Case`, absolute or not. */
const listingLink = /\/market\/listings\/(\d{1,9})\/([^/?#]{1,1000})/

/** The item that an address leads to. */
export const itemOfLink = (href: string): Item | undefined => {
  const [, app, encoded] = listingLink.exec(href) ?? []
  const name = encoded === undefined ? Option.none() : decodeName(encoded)
  return app === undefined || Option.isNone(name) || name.value === ""
    ? undefined
    : item(Number(app), name.value)
}

const decodeName = Option.liftThrowable((encoded: string): string => decodeURIComponent(encoded))

export const rowItem = (row: Element): RowItem => {
  const link = find(row, (element) => itemOfLink(element.attributes.get("href") ?? "") !== undefined)
  return {
    item: itemOfLink(link?.attributes.get("href") ?? ""),
    title: textOf(find(row, withClass("market_listing_item_name"))),
    game: textOf(find(row, withClass("market_listing_game_name")))
  }
}

/** Rows whose element id begins so and goes on with an id: `5`, `5_6`, `5_event_1`. */
export const rowsById = (root: Element, prefix: string): ReadonlyArray<readonly [id: string, row: Element]> =>
  findAll(root, (element) => idOf(element).startsWith(prefix)).flatMap((row) => {
    const rest = idOf(row).slice(prefix.length)
    return /^\d+(?:_(?:event_)?\d+)?$/.test(rest) ? [[rest, row] as const] : []
  })

/** Formatted prices of a cell's spans with a title, or of the whole cell. */
export const pricesOf = (row: Element): ReadonlyArray<string> => {
  const cell = find(row, withClass("market_listing_price"))
  if (cell === undefined) return []
  const titled = findAll(cell, (element) => element.name === "span" && element.attributes.has("title"))
  const texts = titled.length > 0 ? titled.map(textOf) : [textOf(cell)]
  return texts.map((text) => text.replace(/^\((.*)\)$/, "$1").trim()).filter((text) => text !== "")
}

/** Number of a counter such as `(15)`; undefined when the page has no such element. */
export const counterOf = (root: Element, id: string): number | undefined => {
  const element = find(root, (one) => idOf(one) === id)
  const digits = textOf(element).replaceAll(/\D/g, "")
  return element === undefined || digits === "" || digits.length > 12 ? undefined : Number(digits)
}

/** The message that stands in place of rows, such as "There was an error processing your request". */
export const messageOf = (root: Element): string =>
  textOf(find(root, withClass("market_listing_table_message")))
