/** Group Listings: listing pages, rows, order depth and activity (interface, Listings). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, conditionalErrors, HtmlPage } from "./Answers.ts"
import { field, optional } from "./Field.ts"
import { ListingsRenderBody } from "./LegacyListing.ts"
import { ActivityBody, BareOrderBook, HistogramBody, OrderBookBody } from "./Orders.ts"
import * as Query from "./Query.ts"
import { ListingsBody, ListingsRequest } from "./Search.ts"
import { failure, success } from "./Shape.ts"
import { Failure } from "./Wire.ts"

export const listingPath = {
  appid: Query.appId,
  market_hash_name: field(Schema.String, "URL-encoded hash name, or a group name that begins with G.")
} as const

export const listingPageQuery = Query.withFilters({
  category_Type: Query.tagFilters.category_Type,
  category_Weapon: Query.tagFilters.category_Weapon,
  category_Quality: Query.tagFilters.category_Quality,
  category_Tournament: Query.tagFilters.category_Tournament,
  category_TournamentTeam: Query.tagFilters.category_TournamentTeam,
  appid: Schema.optionalKey(Query.appId)
})

export const listingsQuery = Query.withFilters({
  price_min: Query.priceMin,
  price_max: Query.priceMax,
  price_currency: optional(Schema.Int, "Currency id of the price bounds."),
  appid: Schema.optionalKey(Query.appId),
  category_Type: Query.tagFilters.category_Type,
  category_Exterior: Query.tagFilters.category_Exterior,
  category_Quality: Query.tagFilters.category_Quality,
  category_Weapon: Query.tagFilters.category_Weapon,
  category_Tournament: Query.tagFilters.category_Tournament,
  category_TournamentTeam: Query.tagFilters.category_TournamentTeam,
  ...Query.accessoryFilters,
  assetproperty: optional(Schema.String, "Encoded property filter; mirrored by propertyFilters of the body.")
})
export const listingsPayload = Schema.Tuple([ListingsRequest])

export const listingsRenderQuery = {
  query: optional(Schema.String, "Free text."),
  start: field(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)), "Offset of the first row, at least 0."),
  count: field(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)), "Rows wanted, at least 1."),
  country: Query.country,
  language: Query.language,
  currency: Query.currency
} as const

export const orderbookQuery = {
  q: field(Schema.Literal("Load"), "The constant Load."),
  qp: field(
    Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.String])),
    'Application id and hash name as JSON: [730,"Name"].'
  )
} as const

export const histogramQuery = {
  country: Query.country,
  language: Query.language,
  currency: Query.currency,
  item_nameid: Query.itemNameId,
  norender: Query.norender,
  two_factor: Query.twoFactor
} as const
export const activityQuery = {
  country: Query.country,
  language: Query.language,
  currency: Query.currency,
  item_nameid: Query.itemNameId,
  norender: optional(Query.Switch, "1: entries as data, otherwise as HTML."),
  two_factor: Query.twoFactor
} as const

export const pageShapes = { failed: failure(Failure) } as const
export const listingsShapes = { success: success(ListingsBody), failed: failure(Failure) } as const
export const listingsRenderShapes = {
  success: success(ListingsRenderBody),
  failed: failure(Failure)
} as const
export const orderbookShapes = {
  success: success(OrderBookBody),
  bare: success(BareOrderBook),
  unknownItem: failure(Failure),
  wrappedFailure: failure(Schema.Struct({ data: Failure }))
} as const
export const histogramShapes = { success: success(HistogramBody), failed: failure(Failure) } as const
export const activityShapes = { success: success(ActivityBody), failed: failure(Failure) } as const

const listingPage = "/market/listings/:appid/:market_hash_name"

export class ListingsGroup extends HttpApiGroup.make("listings").add(
  HttpApiEndpoint.get("listing-page", listingPage, {
    params: listingPath,
    query: listingPageQuery,
    success: [HtmlPage, Failure],
    error: commonErrors
  }),
  HttpApiEndpoint.post("listings", listingPage, {
    params: listingPath,
    query: listingsQuery,
    payload: listingsPayload,
    success: [ListingsBody, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("listings-render", `${listingPage}/render/`, {
    params: listingPath,
    query: listingsRenderQuery,
    headers: Query.conditionalHeaders,
    success: [ListingsRenderBody, Failure, Schema.Null, HtmlPage],
    error: conditionalErrors
  }),
  HttpApiEndpoint.get("orderbook", "/market/orderbook", {
    query: orderbookQuery,
    headers: Query.conditionalHeaders,
    success: [
      orderbookShapes.success.schema,
      orderbookShapes.bare.schema,
      orderbookShapes.unknownItem.schema,
      orderbookShapes.wrappedFailure.schema,
      Schema.Null,
      HtmlPage
    ],
    error: conditionalErrors
  }),
  HttpApiEndpoint.get("histogram", "/market/itemordershistogram", {
    query: histogramQuery,
    headers: Query.conditionalHeaders,
    success: [HistogramBody, Failure, Schema.Null, HtmlPage],
    error: conditionalErrors
  }),
  HttpApiEndpoint.get("activity", "/market/itemordersactivity", {
    query: activityQuery,
    headers: Query.conditionalHeaders,
    success: [ActivityBody, Failure, Schema.Null, HtmlPage],
    error: conditionalErrors
  })
) {}
