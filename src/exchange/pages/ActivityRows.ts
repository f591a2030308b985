/** What happened to an item, one sentence of HTML for each. */
import { type ActivityEntry } from "../../market/contract/Orders.ts"
import { escapeHtml } from "./Page.ts"

const who = (name: string | null | undefined): string =>
  `<span class="market_ticker_name">${escapeHtml(name ?? "")}</span>`

const sentenceOf = ({ persona_buyer, persona_seller, price, quantity, type }: ActivityEntry): string => {
  const [buyer, seller] = [who(persona_buyer), who(persona_seller)]
  const at = `<span class="market_activity_price">${escapeHtml(price)}</span>`
  if (type === "BuyOrderCancel") return `${buyer} cancelled their buy order at ${at}`
  if (type === "SellOrderCancel") return `${seller} removed their listing at ${at}`
  if (type === "SellOrder") return `${seller} listed this item for sale for ${at}`
  if (type === "BuyOrder" && persona_seller !== null)
    return `${buyer} purchased this item from ${seller} for ${at}`
  return `${buyer} requested to buy ${escapeHtml(String(quantity))} at ${at}`
}

export const activityRowHtml = (entry: ActivityEntry): string =>
  `<div class="market_activity_line_item">${sentenceOf(entry)}</div>`
