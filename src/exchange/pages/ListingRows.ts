/** Anybody's listings as rendered rows, with the form behind their buttons for those who are logged in. */
import { type CurrencyId, formatPrice } from "../../domain/Currency.ts"
import { contextOf } from "../Catalogue.ts"
import { type Offer } from "../Offers.ts"
import { applicationOf } from "../Vocabulary.ts"
import { escapeHtml, hidden, listingLink, message } from "./Page.ts"

/** Who may press the buttons. */
export interface Buyer {
  readonly currency: CurrencyId
  readonly sessionid?: string
}

const detailsHtml = ({ details }: Offer): string => {
  const values = details.properties.map(
    (one) => `${one.name}: ${"int_value" in one ? one.int_value : one.float_value}`
  )
  const all = [...values, ...details.accessories.map(({ name }) => name)]
  return all.length === 0
    ? ""
    : `<br><span class="market_listing_game_name">${escapeHtml(all.join(", "))}</span>`
}

const buttonHtml = (offer: Offer, { currency, sessionid }: Buyer, kind: string): string => {
  if (sessionid === undefined || offer.mine) return ""
  const { asset, cost, item, listing } = offer
  const call = `BuyMarketListing('${kind}', '${listing}', ${item.of.app}, '${contextOf(item.of.app)}', '${asset}')`
  const fields = hidden({
    sessionid,
    currency: String(currency),
    subtotal: String(cost.take),
    fee: String(cost.price - cost.take),
    total: String(cost.price),
    quantity: "1"
  })
  return `<form id="buy_${listing}" method="post" action="/market/buylisting/${listing}">${fields}</form>
<a class="item_market_action_button" href="javascript:${escapeHtml(call)}">Buy now</a>`
}

const rowHtml = (offer: Offer, buyer: Buyer, prefix: string): string => {
  const { ask, cost, item, listing } = offer
  const { app, name } = item.of
  const id = `${prefix}${listing}`
  const several = ask.units === 1 ? "" : ` × ${ask.units}`
  return `<div class="market_listing_row market_recent_listing_row listing_${listing}" id="${id}">
<div class="market_listing_right_cell market_listing_their_price"><span class="market_table_value"><span class="market_listing_price market_listing_price_with_fee">${escapeHtml(formatPrice(cost.price, buyer.currency))}</span> <span class="market_listing_price market_listing_price_without_fee" title="What the seller gets">${escapeHtml(formatPrice(cost.take, buyer.currency))}</span></span></div>
<div class="market_listing_right_cell market_listing_action_buttons">${buttonHtml(offer, buyer, prefix.replace(/_$/, ""))}</div>
<div class="market_listing_item_name_block"><span id="${id}_name" class="market_listing_item_name"><a class="market_listing_item_name_link" href="${listingLink(app, name)}">${escapeHtml(name)}</a></span>${several}
<br><span class="market_listing_game_name">${escapeHtml(applicationOf(app)?.name ?? "")}</span>${detailsHtml(offer)}</div>
</div>`
}

export const offerRows = (buyer: Buyer, offers: ReadonlyArray<Offer>, prefix: string): string =>
  offers.length === 0
    ? message("There are no listings for this item.")
    : offers.map((offer) => rowHtml(offer, buyer, prefix)).join("\n")
