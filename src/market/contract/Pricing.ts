/** Group Pricing: price overview and price history (interface, Pricing). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, conditionalErrors, HtmlPage } from "./Answers.ts"
import { field, optional } from "./Field.ts"
import * as Query from "./Query.ts"
import { failure, success } from "./Shape.ts"
import { Failure, MajorUnits } from "./Wire.ts"

/** Formatted prices; `volume` with thousands separators, absent when nothing sold in 24 hours. */
export const PriceOverviewBody = Schema.Struct({
  success: field(Schema.Literal(true), "true."),
  lowest_price: optional(Schema.String, "Localized formatted price of the lowest ask; absent without any."),
  median_price: optional(
    Schema.String,
    "Localized formatted median of the last 24 hours; absent without sales."
  ),
  volume: optional(
    Schema.String,
    "Sales in the last 24 hours with thousands separators; omitted entirely when zero."
  )
}).annotate({ identifier: "PriceOverview", description: "Current prices of an item." })
export type PriceOverviewBody = typeof PriceOverviewBody.Type

/** Time label, median price in major units of the wallet's currency, units sold. */
export const PricePoint = Schema.Tuple([Schema.String, MajorUnits, Schema.String]).annotate({
  identifier: "PricePoint",
  description: "Time label, median price, volume."
})
export type PricePoint = typeof PricePoint.Type

export const PriceHistoryBody = Schema.Struct({
  success: field(Schema.Literal(true), "true."),
  price_prefix: field(Schema.String, "Currency sign before the number."),
  price_suffix: field(Schema.String, "Currency sign after the number."),
  prices: field(
    Schema.Union([Schema.Array(PricePoint), Schema.Literal(false), Schema.Null]),
    "Tuples of time label, price and volume; no array for an item that never sold."
  )
}).annotate({ identifier: "PriceHistory", description: "Median price and volume over time." })
export type PriceHistoryBody = typeof PriceHistoryBody.Type

export const priceoverviewQuery = {
  country: Query.country,
  currency: Query.currency,
  appid: Query.appId,
  market_hash_name: Query.hashName
} as const
export const pricehistoryQuery = { appid: Query.appId, market_hash_name: Query.hashName } as const

export const priceoverviewShapes = { success: success(PriceOverviewBody), failed: failure(Failure) } as const
export const pricehistoryShapes = { success: success(PriceHistoryBody), failed: failure(Failure) } as const

export class PricingGroup extends HttpApiGroup.make("pricing").add(
  HttpApiEndpoint.get("priceoverview", "/market/priceoverview/", {
    query: priceoverviewQuery,
    headers: Query.conditionalHeaders,
    success: [priceoverviewShapes.success.schema, priceoverviewShapes.failed.schema, Schema.Null, HtmlPage],
    error: conditionalErrors
  }),
  HttpApiEndpoint.get("pricehistory", "/market/pricehistory/", {
    query: pricehistoryQuery,
    success: [pricehistoryShapes.success.schema, pricehistoryShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
