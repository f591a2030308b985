/**
 * Structured search and sell listings: request objects and answers (interface, Structured search response, Catalog entry, Sell
 * listing, POST /market/search and POST /market/listings/…).
 * Invariants: 1. a request body is an array of exactly one object. 2. an answer is an object or the literal `null`.
 */
import { Schema } from "effect"

import { AccessoryFacet, Facet } from "./Facets.ts"
import { expected, field, optional } from "./Field.ts"
import { Amount, Count, Flag, IntLike, NotShown, NumberLike, Price } from "./Wire.ts"

const Names = Schema.Record(Schema.String, Schema.Array(Schema.String))

/** A numeric property within inclusive bounds: `int_…` of whole properties, `float_…` of continuous ones. */
export const PropertyRange = Schema.Struct({
  property_id: field(Schema.Int, "Property id, application-specific."),
  int_min: optional(Schema.String, "Lowest value of an integer property, inclusive."),
  int_max: optional(Schema.String, "Highest value of an integer property, inclusive."),
  float_min: optional(Schema.Union([Schema.String, Schema.Finite]), "Lowest value of a continuous property."),
  float_max: optional(Schema.Union([Schema.String, Schema.Finite]), "Highest value of a continuous property.")
}).annotate({ identifier: "PropertyRange", description: "Bounds of a numeric asset property, inclusive." })
export type PropertyRange = typeof PropertyRange.Type

export const PriceBounds = Schema.Struct({
  eCurrency: field(Schema.Int, "Currency id of the bounds."),
  unMin: optional(Price, "Lowest price, minor units, inclusive; left out: open."),
  unMax: optional(Price, "Highest price, minor units, inclusive; left out: open.")
}).annotate({ identifier: "PriceBounds", description: "Price bounds, inclusive." })
export type PriceBounds = typeof PriceBounds.Type

const filters = "Category (without prefix) to tag internal names; values of one are ORed, categories ANDed."
const accessoryFilters =
  "Full accessory_ name to display names or the sentinels $any$ and $none$; values of one are ORed."
const propertyFilters = "Property id to its bounds; only here, not in the query."
const Properties = Schema.Record(Schema.String, PropertyRange)
const Start = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** What `POST /market/search` asks for. Which fields are required is not shown, so none is. */
export const SearchRequest = Schema.Struct({
  appid: optional(Schema.Int, "Application id."),
  filters: optional(Names, filters),
  accessoryFilters: optional(Names, accessoryFilters),
  propertyFilters: optional(Properties, propertyFilters),
  price: optional(PriceBounds, "Price bounds."),
  strQuery: optional(Schema.String, "Text query."),
  bSearchDescriptions: optional(Schema.Boolean, "Whether descriptions are searched, too."),
  sort: optional(
    Schema.Int,
    "0 and 4 popularity (ignores direction), 1 name, 2 quantity, 3 price. Default 0."
  ),
  direction: optional(Schema.Int, "1 ascending; other values are not shown, 2 is used for descending."),
  start: optional(Start, "Offset; pages step by 10 for grouped results and by 30 for listing rows."),
  disableGrouping: optional(Schema.Boolean, "Whether rows are listings instead of catalog entries.")
}).annotate({ identifier: "SearchRequest", description: "The one object of a search body." })
export type SearchRequest = typeof SearchRequest.Type

/** What `POST /market/listings/…` asks for. */
export const ListingsRequest = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  strItemName: field(Schema.String, "Hash name, or a group name that begins with G."),
  filters: field(Names, filters),
  accessoryFilters: field(Names, accessoryFilters),
  propertyFilters: field(Properties, propertyFilters),
  price: optional(PriceBounds, "Price bounds."),
  start: field(Start, "Offset of the first row."),
  sort: optional(Schema.Int, "Order of rows where a market takes one: 0 price, 1 newest."),
  direction: optional(Schema.Int, "0 ascending, 1 descending.")
}).annotate({ identifier: "ListingsRequest", description: "The one object of a listings body." })
export type ListingsRequest = typeof ListingsRequest.Type

const description = {
  appid: field(Schema.Int, "Application id."),
  classid: field(Schema.String, "Class of the item."),
  market_hash_name: field(Schema.String, "Locale-independent name."),
  marketable: expected(Flag, "Whether it may be listed."),
  instanceid: optional(Schema.String, "Instance inside the class."),
  name: optional(Schema.String, "Localized name."),
  market_name: optional(Schema.String, "Localized name on the market."),
  type: optional(Schema.String, "Localized type."),
  name_color: optional(Schema.String, "Colour of the name, six hex digits."),
  background_color: optional(Schema.String, "Colour behind the icon."),
  icon_url: optional(Schema.String, "Name of the icon."),
  commodity: optional(Flag, "Whether units are interchangeable and sold by price alone."),
  tradable: optional(Flag, "Whether it may be traded."),
  market_fee_app: optional(Schema.Int, "Application whose publisher gets the fee."),
  market_bucket_id: optional(Schema.String, "Name that forms use; for ordinary items the hash name."),
  market_bucket_group_id: optional(Schema.String, "Structured group name; begins with G."),
  market_bucket_group_name: optional(Schema.String, "Localized name of the group.")
} as const

export const Description = Schema.Struct(description).annotate({
  identifier: "Description",
  description: "What an item is; other fields are not shown."
})
export type Description = typeof Description.Type

/** A row of grouped results; `strHash` is its key. */
export const CatalogEntry = Schema.Struct({
  strHash: field(Schema.String, "The market hash name; the row key."),
  cSellOrders: field(Count, "Sell order count."),
  cBuyOrders: expected(Count, "Buy order count."),
  unPlatformFee: expected(Amount, "Platform fee, minor units."),
  unPublisherFee: expected(Amount, "Publisher fee, minor units."),
  eCurrency: expected(Schema.Int, "Currency id."),
  strMinSellSubtotal: expected(Schema.NullOr(Schema.String), "Formatted lowest sell subtotal."),
  asset_description: field(Description, "What the item is.")
}).annotate({ identifier: "CatalogEntry", description: "An item of the catalogue (element of results)." })
export type CatalogEntry = typeof CatalogEntry.Type

const AssetProperty = Schema.Struct({
  propertyid: field(Schema.Int, "Property id, application-specific."),
  int_value: optional(IntLike, "Value of an integer property."),
  float_value: optional(NumberLike, "Value of a continuous property."),
  string_value: optional(Schema.String, "Value of a text property."),
  name: optional(Schema.String, "Localized name of the property.")
}).annotate({ identifier: "AssetProperty", description: "A numeric or text property of an asset." })

const AssetAccessory = Schema.Struct({
  classid: optional(Schema.String, "Class of the accessory."),
  name: optional(Schema.String, "Display name, as accessory filters take it."),
  parent_relationship_properties: optional(
    Schema.Array(AssetProperty),
    "Properties of how it is applied, e.g. its wear."
  ),
  standalone_properties: optional(Schema.Array(AssetProperty), "Properties of its own.")
}).annotate({ identifier: "AssetAccessory", description: "An applied sticker or charm." })

const ListingAsset = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  contextid: field(Schema.String, "Context of the application's inventory."),
  assetid: field(Schema.String, "Asset id."),
  amount: field(IntLike, "Units."),
  classid: expected(Schema.String, "Class of the item."),
  instanceid: expected(Schema.String, "Instance inside the class."),
  id: optional(Schema.String, "The asset id once more."),
  asset_properties: optional(Schema.Array(AssetProperty), "Numeric and text properties such as wear."),
  asset_accessories: optional(Schema.Array(AssetAccessory), "Applied stickers and charms.")
}).annotate({ identifier: "ListingAsset", description: "The asset of a sell listing." })

/** A sell listing of anybody. `unPrice` is what the seller gets; the buyer pays `unPrice + unFee`. */
export const SellListingRow = Schema.Struct({
  listingid: field(Schema.String, "Listing id."),
  unPrice: field(Price, "Seller's take, minor units."),
  unFee: field(Price, "Combined fee, minor units."),
  unPlatformFee: optional(Price, "Platform fee; in listing-page answers."),
  unPublisherFee: optional(Price, "Publisher fee; in listing-page answers."),
  unPricePerUnit: optional(Price, "Seller's take per unit; the subtotal of a purchase."),
  unFeePerUnit: optional(Price, "Combined fee per unit; the fee of a purchase."),
  unPlatformFeePerUnit: optional(Price, "Platform fee per unit."),
  unPublisherFeePerUnit: optional(Price, "Publisher fee per unit."),
  eCurrency: field(Schema.Int, "Currency id."),
  strSubtotal: expected(Schema.String, "Formatted total that the buyer pays."),
  bMine: optional(Schema.Boolean, "Whether the listing is the caller's."),
  publisherFeeApp: optional(Schema.Int, "Application whose publisher gets the fee."),
  publisherFeePct: optional(NumberLike, "The publisher's share as a fraction."),
  asset: field(ListingAsset, "What is sold."),
  description: optional(Description, "What the item is.")
}).annotate({ identifier: "SellListing", description: "A sell listing (element of listings)." })
export type SellListingRow = typeof SellListingRow.Type

/** A matched facet: of tags, of accessories, or as it came. */
const facets = expected(Schema.Array(Schema.Union([Facet, AccessoryFacet, NotShown])), "Matched facets.")
const start = field(Count, "Offset of the first row.")
const total = field(Count, "Total matches; bounds start.")

/** Catalog entries. */
export const GroupedBody = Schema.Struct({
  start,
  total_count: total,
  facets,
  grouping: expected(Schema.Int, "1: rows are catalog entries."),
  results: field(Schema.Array(CatalogEntry), "Catalog entries.")
}).annotate({ identifier: "GroupedResults", description: "Structured search answer in grouped form." })
export type GroupedBody = typeof GroupedBody.Type

/** Direct listing rows, of a search or of one item. */
export const ListingsBody = Schema.Struct({
  start,
  total_count: total,
  facets,
  more: expected(Schema.Boolean, "Whether more rows exist."),
  listings: field(Schema.Array(SellListingRow), "Sell listings.")
}).annotate({ identifier: "ListingRows", description: "Structured answer in listing form." })
export type ListingsBody = typeof ListingsBody.Type
