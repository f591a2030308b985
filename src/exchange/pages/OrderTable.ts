/** Price levels of a book as a table and as a sentence. */
import { escapeHtml } from "./Page.ts"

export interface OrderTableRow {
  readonly price: string
  readonly quantity: string
}

export const orderTable = (rows: ReadonlyArray<OrderTableRow>): string =>
  rows.length === 0
    ? ""
    : `<table class="market_commodity_orders_table"><tr><th>Price</th><th>Quantity</th></tr>${rows
        .map(
          ({ price, quantity }) => `<tr><td>${escapeHtml(price)}</td><td>${escapeHtml(quantity)}</td></tr>`
        )
        .join("")}</table>`

const promoted = (text: string): string =>
  `<span class="market_commodity_orders_header_promote">${escapeHtml(text)}</span>`

export const orderSummary = (side: "buy" | "sell", units: number, best: string | undefined): string => {
  if (best === undefined)
    return side === "buy"
      ? "There are no active buy orders for this item."
      : "There are no active listings for this item."
  return side === "buy"
    ? `${promoted(String(units))} requests to buy at ${promoted(best)} or lower`
    : `${promoted(String(units))} for sale starting at ${promoted(best)}`
}
