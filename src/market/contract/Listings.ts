/** Group Listings: the order book (interface, Order book and Listings). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { failure, success } from "./Shape.ts"
import { Failure, Succeeded } from "./Wire.ts"

/** Flattened pairs: price in minor units, units at that price; per level, best first. */
const CompactLevels = Schema.Array(Schema.Natural).check(
  Schema.makeFilter((pairs) => pairs.length % 2 === 0 || "expected pairs of price and quantity")
)

/** Prices are null and arrays empty on an empty side; a market may leave the arrays out. */
export const OrderBookData = Schema.Struct({
  amtMaxBuyOrder: Schema.NullOr(Schema.Natural),
  amtMinSellOrder: Schema.NullOr(Schema.Natural),
  eCurrency: Schema.Int,
  cBuyOrders: Schema.Natural,
  cSellOrders: Schema.Natural,
  rgCompactBuyOrders: Schema.optionalKey(CompactLevels),
  rgCompactSellOrders: Schema.optionalKey(CompactLevels)
})
export type OrderBookData = typeof OrderBookData.Type

const BareOrderBook = Schema.Struct({ success: Succeeded, data: OrderBookData })
const OrderBookBody = Schema.Struct({ data: BareOrderBook })

export const orderbookQuery = {
  q: Schema.Literal("Load"),
  /** Application id and hash name. */
  qp: Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.String]))
} as const

export const orderbookShapes = {
  success: success(OrderBookBody),
  bare: success(BareOrderBook),
  unknownItem: failure(Failure),
  wrappedFailure: failure(Schema.Struct({ data: Failure }))
} as const

export class ListingsGroup extends HttpApiGroup.make("listings").add(
  HttpApiEndpoint.get("orderbook", "/market/orderbook", {
    query: orderbookQuery,
    success: [
      orderbookShapes.success.schema,
      orderbookShapes.bare.schema,
      orderbookShapes.unknownItem.schema,
      orderbookShapes.wrappedFailure.schema,
      Schema.Null,
      HtmlPage
    ],
    error: commonErrors
  })
) {}
