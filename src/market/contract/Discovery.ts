/** Group Discovery: home page, search, autocomplete, filter vocabularies, popular and recent listings (interface, Discovery). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { AppAccessoriesBody, AppFacetsBody } from "./Facets.ts"
import { field, optional } from "./Field.ts"
import { PopularBody, RecentBody } from "./LegacyListing.ts"
import { SearchRenderedBody, SearchRowsBody, SuggestionsBody } from "./LegacySearch.ts"
import * as Query from "./Query.ts"
import { GroupedBody, ListingsBody, SearchRequest } from "./Search.ts"
import { failure, success } from "./Shape.ts"
import { Failure } from "./Wire.ts"

/** Of the page and of the structured search; cannot express price bounds, property ranges or paging. */
export const searchQuery = Query.withFilters({
  appid: Schema.optionalKey(Query.appId),
  q: optional(Schema.String, "Free text; matches hash names, and descriptions when descriptions=1."),
  descriptions: optional(Query.Switch, "1: search descriptions, too."),
  sort: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
    "0 and 4 popularity (ignores dir), 1 name, 2 quantity, 3 price. Default 0."
  ),
  dir: optional(Schema.String, "Sort direction: 1 ascending, 2 descending."),
  ...Query.tagFilters,
  ...Query.accessoryFilters
})
export const searchPayload = Schema.Tuple([SearchRequest])

export const searchRenderQuery = {
  query: field(Schema.String, "Text query; may be empty."),
  start: Query.start,
  count: optional(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
    "Rows wanted; the market gives 10 at most."
  ),
  norender: Query.norender,
  sort_column: optional(
    Schema.Literals(["popular", "price", "name", "quantity"]),
    "Order of rows. Default popular."
  ),
  sort_dir: optional(Schema.Literals(["asc", "desc"]), "Direction. Default desc."),
  search_descriptions: optional(Query.Switch, "1: search descriptions, too. Default 0."),
  price_min: Query.priceMin,
  price_max: Query.priceMax,
  appid: Schema.optionalKey(Query.appId)
} as const

export const suggestionsQuery = {
  q: field(Schema.String, "Text to complete."),
  appid: Schema.optionalKey(Query.appId),
  debug: optional(Query.Switch, "1: scoring detail is added.")
} as const

export const appPath = { appid: Query.appId } as const

export const recentQuery = {
  country: Query.country,
  language: Query.language,
  currency: Query.currency,
  norender: Query.norender
} as const
export const popularQuery = { ...recentQuery, start: Query.start, count: Query.count } as const

export const searchShapes = {
  grouped: success(GroupedBody),
  listings: success(ListingsBody),
  failed: failure(Failure)
} as const
export const searchRenderShapes = {
  rows: success(SearchRowsBody),
  rendered: success(SearchRenderedBody),
  failed: failure(Failure)
} as const
export const suggestionsShapes = { success: success(SuggestionsBody), failed: failure(Failure) } as const
export const appfacetsShapes = { success: success(AppFacetsBody), failed: failure(Failure) } as const
export const appaccessoriesShapes = {
  success: success(AppAccessoriesBody),
  failed: failure(Failure)
} as const
export const popularShapes = { success: success(PopularBody), failed: failure(Failure) } as const
export const recentShapes = { success: success(RecentBody), failed: failure(Failure) } as const

export class DiscoveryGroup extends HttpApiGroup.make("discovery").add(
  HttpApiEndpoint.get("home", "/market/", { success: [HtmlPage, Failure], error: commonErrors }),
  HttpApiEndpoint.get("search-page", "/market/search", {
    query: searchQuery,
    success: [HtmlPage, Failure],
    error: commonErrors
  }),
  HttpApiEndpoint.post("search", "/market/search", {
    query: searchQuery,
    payload: searchPayload,
    success: [GroupedBody, ListingsBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("search-render", "/market/search/render/", {
    query: searchRenderQuery,
    success: [SearchRowsBody, SearchRenderedBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("suggestions", "/market/searchsuggestionsresults", {
    query: suggestionsQuery,
    success: [SuggestionsBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("appfacets", "/market/appfacets/:appid", {
    params: appPath,
    success: [AppFacetsBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("appaccessories", "/market/appaccessories/:appid", {
    params: appPath,
    success: [AppAccessoriesBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("popular", "/market/popular", {
    query: popularQuery,
    success: [PopularBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("recent", "/market/recent", {
    query: recentQuery,
    success: [RecentBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
