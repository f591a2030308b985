/** Tables of the order histogram as they are rendered: price and quantity per level, the last row standing for the rest. */
import { Result } from "effect"

import { type Element, find, findAll, named, parsePage, textOf } from "./Page.ts"
import { pageError, type Read } from "./PageError.ts"

export interface OrderTableRow {
  /** Formatted; the last row says "or more" or "or less" with it. */
  readonly price: string
  readonly quantity: number
}

export const readOrderTable = (html: string): Read<ReadonlyArray<OrderTableRow>> =>
  Result.flatMap(parsePage(html), (page) =>
    find(page, named("table")) === undefined
      ? pageError("order table", "Missing")
      : Result.succeed(findAll(page, named("tr")).flatMap((row) => rowOf(row) ?? []))
  )

/** Undefined for the heading. */
const rowOf = (row: Element): OrderTableRow | undefined => {
  const [price, quantity] = findAll(row, named("td"))
  const digits = textOf(quantity).replaceAll(/\D/g, "")
  return price === undefined || digits === "" || digits.length > 12
    ? undefined
    : { price: textOf(price), quantity: Number(digits) }
}
