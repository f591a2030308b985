/** Group Pricing: price overview and price history (interface, Pricing). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { failure, success } from "./Shape.ts"
import { Failure } from "./Wire.ts"

/** Formatted prices; `volume` with thousands separators, absent when nothing sold in 24 hours. */
export const PriceOverviewBody = Schema.Struct({
  success: Schema.Literal(true),
  lowest_price: Schema.optionalKey(Schema.String),
  median_price: Schema.optionalKey(Schema.String),
  volume: Schema.optionalKey(Schema.String)
})
export type PriceOverviewBody = typeof PriceOverviewBody.Type

/** Time label, median price in major units of the wallet's currency, units sold. */
const PricePoint = Schema.Tuple([Schema.String, Schema.Finite, Schema.String])
export const PriceHistoryBody = Schema.Struct({
  success: Schema.Literal(true),
  price_prefix: Schema.String,
  price_suffix: Schema.String,
  /** No array for an item that never sold. */
  prices: Schema.Union([Schema.Array(PricePoint), Schema.Literal(false), Schema.Null])
})
export type PriceHistoryBody = typeof PriceHistoryBody.Type

export const priceoverviewQuery = {
  country: Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/)),
  currency: Schema.Int,
  appid: Schema.Int,
  market_hash_name: Schema.String
} as const
export const pricehistoryQuery = { appid: Schema.Int, market_hash_name: Schema.String } as const

export const priceoverviewShapes = { success: success(PriceOverviewBody), failed: failure(Failure) } as const
export const pricehistoryShapes = { success: success(PriceHistoryBody), failed: failure(Failure) } as const

export class PricingGroup extends HttpApiGroup.make("pricing").add(
  HttpApiEndpoint.get("priceoverview", "/market/priceoverview/", {
    query: priceoverviewQuery,
    success: [priceoverviewShapes.success.schema, priceoverviewShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("pricehistory", "/market/pricehistory/", {
    query: pricehistoryQuery,
    success: [pricehistoryShapes.success.schema, pricehistoryShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
