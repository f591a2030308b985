/** The older search and the autocomplete (interface, Legacy search render response and Search suggestions response). */
import { Schema } from "effect"

import { expected, field, optional } from "./Field.ts"
import { Amount, Count, Flag, IntLike, NotShown, Succeeded } from "./Wire.ts"

const page = {
  success: field(Succeeded, "true; an error may stand in the rows all the same."),
  start: field(IntLike, "Offset of the first row."),
  pagesize: field(IntLike, "Rows wanted; the market gives 10 at most."),
  total_count: field(Count, "Rows there are; drifts while paging.")
} as const

/** The document's answer: rows as HTML. */
export const SearchRenderedBody = Schema.Struct({
  ...page,
  tip: expected(Schema.NullOr(Schema.String), "A hint to show."),
  results_html: field(Schema.String, "Server-rendered HTML rows.")
}).annotate({ identifier: "SearchRender", description: "Legacy search render response." })
export type SearchRenderedBody = typeof SearchRenderedBody.Type

const SearchData = Schema.Struct({
  query: optional(Schema.NullOr(Schema.String), "Text of the query."),
  search_descriptions: optional(Flag, "Whether descriptions were searched."),
  total_count: optional(Count, "Rows there are."),
  pagesize: optional(IntLike, "Rows wanted."),
  prefix: optional(Schema.String, "Prefix of element ids."),
  class_prefix: optional(Schema.String, "Prefix of class names.")
}).annotate({ identifier: "SearchData", description: "The query as the market understood it." })

const RowDescription = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  classid: optional(Schema.String, "Class of the item."),
  instanceid: optional(Schema.String, "Instance inside the class."),
  market_hash_name: optional(Schema.String, "Locale-independent name."),
  market_name: optional(Schema.String, "Localized name on the market."),
  name: optional(Schema.String, "Localized name."),
  name_color: optional(Schema.String, "Colour of the name, six hex digits."),
  background_color: optional(Schema.String, "Colour behind the icon."),
  icon_url: optional(Schema.String, "Name of the icon."),
  type: optional(Schema.String, "Localized type."),
  commodity: optional(Flag, "Whether units are interchangeable."),
  marketable: optional(Flag, "Whether it may be listed."),
  tradable: optional(Flag, "Whether it may be traded.")
}).annotate({ identifier: "SearchRowDescription", description: "What an item of the older search is." })

/** A row of `norender=1`. Its key is (appid, hash_name): `name` is localized. */
export const SearchRow = Schema.Struct({
  hash_name: field(Schema.String, "Locale-independent name."),
  name: field(Schema.String, "Localized name."),
  sell_listings: field(Count, "Sell order count."),
  sell_price: field(Amount, "Best ask, minor units."),
  sell_price_text: optional(Schema.String, "The same, formatted."),
  sale_price_text: optional(Schema.String, "What a seller would get, formatted; never the ask."),
  app_icon: optional(Schema.String, "Address of the application's icon."),
  app_name: optional(Schema.String, "Application name."),
  asset_description: field(RowDescription, "What the item is.")
}).annotate({ identifier: "SearchRow", description: "A row of the older search." })
export type SearchRow = typeof SearchRow.Type

/** What `norender=1` gives in practice: rows as data. */
export const SearchRowsBody = Schema.Struct({
  ...page,
  searchdata: optional(SearchData, "The query as the market understood it."),
  tip: optional(Schema.NullOr(Schema.String), "A hint to show."),
  results_html: optional(Schema.String, "The same as HTML rows, where a market sends both."),
  results: field(Schema.Array(SearchRow), "Rows as data.")
}).annotate({ identifier: "SearchRows", description: "Legacy search answer with rows as data." })
export type SearchRowsBody = typeof SearchRowsBody.Type

const Suggestion = Schema.Struct({
  market_name: field(Schema.String, "Localized name."),
  market_hash_name: field(Schema.String, "Locale-independent name."),
  app_id: field(Schema.Int, "Application id."),
  app_name: expected(Schema.String, "Application name."),
  icon_url: expected(Schema.String, "Name of the icon."),
  market_type: expected(Schema.String, "Localized type."),
  listing_count: expected(IntLike, "Live sell-order count."),
  search_score: expected(Schema.Finite, "Ranking."),
  debug: optional(Schema.Union([NotShown, Schema.String]), "Scoring detail of debug=1; not shown.")
}).annotate({ identifier: "Suggestion", description: "A suggested item." })

const SuggestedApp = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  name: field(Schema.String, "Its name."),
  icon: expected(Schema.String, "Address of its icon.")
}).annotate({ identifier: "SuggestedApp", description: "A suggested application." })

export const SuggestionsBody = Schema.Struct({
  results: field(Schema.Array(Suggestion), "Suggested items."),
  apps: expected(Schema.Array(SuggestedApp), "Suggested applications; may be empty.")
}).annotate({ identifier: "Suggestions", description: "Search suggestions response." })
export type SuggestionsBody = typeof SuggestionsBody.Type
