/** The older envelope of listings: HTML rows with their data next to them (interface, Legacy listing envelope). */
import { Schema } from "effect"

import { expected, field, optional } from "./Field.ts"
import { Amount, AppData, Assets, Count, IntLike, mapOf, NotShown, NumberLike, Succeeded } from "./Wire.ts"

const LegacyAction = Schema.Struct({
  link: field(Schema.String, "Address with placeholders such as %listingid%."),
  name: field(Schema.String, "Its label.")
})

/** The asset of a listing; what it is stands in `assets`. */
const LegacyAsset = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  contextid: field(Schema.String, "Context of the application's inventory."),
  id: field(Schema.String, "Asset id."),
  amount: field(IntLike, "Units; 0 once it is sold."),
  currency: optional(Schema.Int, "0: an item, not a currency."),
  market_actions: optional(Schema.Array(LegacyAction), "Links such as Inspect in Game.")
}).annotate({
  identifier: "LegacyAsset",
  description: "The asset of a listing; what it is stands in assets."
})

/** A listing of anybody; `price` is what the seller gets, minor units of `currencyid` (2000 + id). */
export const LegacyListing = Schema.Struct({
  listingid: field(Schema.String, "Listing id."),
  price: field(Amount, "Seller's take, minor units of currencyid; 0 once it is sold."),
  fee: field(Amount, "Both fees, minor units."),
  platform_fee: expected(Amount, "Platform fee, minor units."),
  publisher_fee: expected(Amount, "Publisher fee, minor units."),
  currencyid: expected(IntLike, "Currency of the listing: 2000 + id, or the id."),
  asset: field(LegacyAsset, "What is sold."),
  publisher_fee_app: optional(Schema.Int, "Application whose publisher gets the fee."),
  publisher_fee_percent: optional(NumberLike, "The publisher's share as a fraction."),
  converted_price: optional(Amount, "Seller's take in the caller's currency."),
  converted_fee: optional(Amount, "Both fees in the caller's currency."),
  converted_currencyid: optional(IntLike, "The caller's currency: 2000 + id."),
  converted_platform_fee: optional(Amount, "Platform fee in the caller's currency."),
  converted_publisher_fee: optional(Amount, "Publisher fee in the caller's currency."),
  fee_per_unit: optional(Amount, "Both fees per unit."),
  price_per_unit: optional(Amount, "Seller's take per unit."),
  converted_price_per_unit: optional(
    Amount,
    "Seller's take per unit in the caller's currency; the subtotal of a purchase."
  ),
  converted_fee_per_unit: optional(
    Amount,
    "Both fees per unit in the caller's currency; the fee of a purchase."
  ),
  converted_platform_fee_per_unit: optional(Amount, "Platform fee per unit in the caller's currency."),
  converted_publisher_fee_per_unit: optional(Amount, "Publisher fee per unit in the caller's currency.")
}).annotate({
  identifier: "LegacyListing",
  description: "Legacy listing info; price is what the seller gets."
})
export type LegacyListing = typeof LegacyListing.Type

/** Fields of every legacy body; `assets` and `listinginfo` are `[]` when empty. */
const legacyFields = {
  success: field(Succeeded, "true."),
  results_html: field(Schema.String, "HTML rows."),
  listinginfo: field(mapOf(LegacyListing), "Listings by listing id; [] when there are none."),
  assets: field(Assets, "assets[appid][contextid][assetid]; [] when there are none."),
  currency: optional(Schema.Union([Schema.Array(NotShown), NotShown]), "Entries are not shown."),
  hovers: optional(
    Schema.NullOr(Schema.String),
    "Script lines that tie the ids of HTML rows to assets: CreateItemHoverFromContainer( g_rgAssets, 'row_name', appid, 'contextid', 'assetid', amount )."
  ),
  app_data: optional(mapOf(AppData), "Applications by id; [] when there are none.")
} as const

const purchaseInfo = optional(
  Schema.Union([Schema.Array(NotShown), NotShown]),
  "Purchases of completed listings; not shown."
)

/** `…/render/` of a listing page with JSON. */
export const ListingsRenderBody = Schema.Struct({
  ...legacyFields,
  start: field(IntLike, "Offset of the first row."),
  pagesize: field(IntLike, "Rows wanted; some markets write it as a string."),
  total_count: field(Count, "Rows there are.")
}).annotate({ identifier: "LegacyListings", description: "Legacy listing envelope." })
export type ListingsRenderBody = typeof ListingsRenderBody.Type

export const PopularBody = Schema.Struct({
  ...legacyFields,
  stop: expected(Schema.Boolean, "Whether the window ran past the end of the list."),
  start: optional(IntLike, "Offset of the first row."),
  pagesize: optional(IntLike, "Rows wanted."),
  total_count: optional(Count, "Rows there are."),
  purchaseinfo: purchaseInfo
}).annotate({ identifier: "PopularListings", description: "Popular listings." })
export type PopularBody = typeof PopularBody.Type

export const RecentBody = Schema.Struct({
  ...legacyFields,
  more: expected(Schema.Boolean, "Whether further listings are available."),
  purchaseinfo: purchaseInfo,
  last_time: optional(Schema.Int, "Unix seconds of the newest row."),
  last_listing: optional(Schema.String, "Listing id of the newest row.")
}).annotate({ identifier: "RecentListings", description: "Recent listings across all applications." })
export type RecentBody = typeof RecentBody.Type
