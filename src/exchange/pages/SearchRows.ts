/** Found items as rendered rows. */
import { formatPrice } from "../../domain/Currency.ts"
import { type Viewer } from "../Offers.ts"
import { type Found } from "../Search.ts"
import { applicationOf } from "../Vocabulary.ts"
import { escapeHtml, listingLink, message } from "./Page.ts"

const rowHtml = ({ best, name, sellOrders }: Found, { currency }: Viewer, place: number): string => {
  const { app } = best.item.of
  const { price, take } = best.cost
  return `<a class="market_listing_row_link" href="${listingLink(app, name)}" id="resultlink_${place}">
<span class="market_listing_row market_recent_listing_row market_listing_searchresult" id="result_${place}" data-appid="${app}" data-hash-name="${escapeHtml(name)}">
<span class="market_listing_right_cell market_listing_their_price"><span class="market_table_value">Starting at: <span class="normal_price" data-price="${price}" data-currency="${currency}">${escapeHtml(formatPrice(price, currency))}</span> <span class="sale_price">${escapeHtml(formatPrice(take, currency))}</span></span></span>
<span class="market_listing_right_cell market_listing_num_listings"><span class="market_listing_num_listings_qty" data-qty="${sellOrders}">${sellOrders}</span></span>
<span class="market_listing_item_name_block"><span id="result_${place}_name" class="market_listing_item_name">${escapeHtml(name)}</span>
<br><span class="market_listing_game_name">${escapeHtml(applicationOf(app)?.name ?? "")}</span></span>
</span></a>`
}

export const searchRowsHtml = (viewer: Viewer, found: ReadonlyArray<Found>): string =>
  found.length === 0
    ? message("There were no items matching your search. Try again with different keywords.")
    : found.map((one, place) => rowHtml(one, viewer, place)).join("\n")
