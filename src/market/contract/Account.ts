/**
 * Group Account: billing and wallet, own listings and orders, own history (interface, Account).
 * Lists are read as JSON rows (`norender=1`); the rendered page next to them is optional and never parsed here.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { BillingBody, WalletInfo } from "./Billing.ts"
import { failure, success } from "./Shape.ts"
import { Asset, Assets, Failure, Flag, IntLike, mapOf, NumberLike } from "./Wire.ts"

const optionalInt = Schema.optionalKey(Schema.Int)
const optionalString = Schema.optionalKey(Schema.String)

/** A listing of ours. `price` is what the seller gets and `fee` both fees, minor units, for all units. */
export const ListingRow = Schema.Struct({
  listingid: Schema.String,
  price: Schema.Int,
  fee: Schema.Int,
  asset: Asset,
  /** 2000 + currency id. */
  currencyid: Schema.optionalKey(IntLike),
  platform_fee: optionalInt,
  publisher_fee: optionalInt,
  publisher_fee_app: optionalInt,
  publisher_fee_percent: Schema.optionalKey(NumberLike),
  original_price: optionalInt,
  converted_price: optionalInt,
  converted_fee: optionalInt,
  time_created: optionalInt,
  time_finish_hold: optionalInt,
  /** 1 active, 17 needs its confirmation. */
  status: optionalInt,
  active: Schema.optionalKey(Flag),
  cancel_reason: optionalString,
  cancel_reason_short: optionalString
})
export type ListingRow = typeof ListingRow.Type

/** A buy order of ours; `price` is per unit, minor units. */
export const BuyOrderRow = Schema.Struct({
  appid: Schema.Int,
  hash_name: Schema.String,
  wallet_currency: optionalInt,
  price: IntLike,
  quantity: IntLike,
  quantity_remaining: IntLike,
  buy_orderid: Schema.String
})
export type BuyOrderRow = typeof BuyOrderRow.Type

const page = {
  success: Schema.Literals([true, 1]),
  pagesize: Schema.Int,
  total_count: Schema.NullOr(Schema.Int),
  start: Schema.Int,
  assets: Assets,
  hovers: Schema.optionalKey(Schema.NullOr(Schema.String)),
  results_html: Schema.optionalKey(Schema.NullOr(Schema.String))
} as const

export const MyListingsBody = Schema.Struct({
  ...page,
  num_active_listings: optionalInt,
  listings: Schema.optionalKey(Schema.Array(ListingRow)),
  listings_on_hold: Schema.optionalKey(Schema.Array(ListingRow)),
  listings_to_confirm: Schema.optionalKey(Schema.Array(ListingRow)),
  buy_orders: Schema.optionalKey(Schema.Array(BuyOrderRow))
})
export type MyListingsBody = typeof MyListingsBody.Type

/** `event_type`: 1 listing created, 2 cancelled, 3 sold, 4 bought. Times are Unix seconds and nanoseconds. */
export const HistoryEvent = Schema.Struct({
  listingid: Schema.String,
  purchaseid: optionalString,
  event_type: Schema.Int,
  time_event: Schema.Int,
  time_event_fraction: optionalInt,
  accountid_actor: optionalString,
  date_event: optionalString
})
export type HistoryEvent = typeof HistoryEvent.Type

/** Keyed `listingid_purchaseid`. Amounts are minor units of the payer's or the receiver's currency (2000 + id). */
export const Purchase = Schema.Struct({
  listingid: Schema.String,
  purchaseid: Schema.String,
  time_sold: optionalInt,
  accountid_purchaser: optionalString,
  needs_rollback: Schema.optionalKey(Flag),
  failed: Schema.optionalKey(Flag),
  asset: Asset,
  paid_amount: Schema.Int,
  paid_fee: Schema.Int,
  currencyid: Schema.optionalKey(IntLike),
  platform_fee: optionalInt,
  publisher_fee: optionalInt,
  publisher_fee_percent: Schema.optionalKey(NumberLike),
  publisher_fee_app: optionalInt,
  received_amount: Schema.Int,
  received_currencyid: Schema.optionalKey(IntLike),
  funds_held: Schema.optionalKey(Flag),
  time_funds_held_until: optionalInt,
  funds_revoked: Schema.optionalKey(Flag),
  funds_returned: Schema.optionalKey(Flag)
})
export type Purchase = typeof Purchase.Type

export const MyHistoryBody = Schema.Struct({
  ...page,
  events: Schema.optionalKey(Schema.Array(HistoryEvent)),
  purchases: Schema.optionalKey(mapOf(Purchase)),
  listings: Schema.optionalKey(mapOf(ListingRow))
})
export type MyHistoryBody = typeof MyHistoryBody.Type

export const pageQuery = {
  norender: Schema.optionalKey(Schema.Literals([0, 1])),
  start: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  count: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
} as const

export const billingShapes = {
  success: success(BillingBody),
  walletInfo: success(WalletInfo),
  failed: failure(Failure)
} as const
export const mylistingsShapes = { success: success(MyListingsBody), failed: failure(Failure) } as const
export const myhistoryShapes = { success: success(MyHistoryBody), failed: failure(Failure) } as const

export class AccountGroup extends HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("billing", "/market/userbillinginfo", {
    success: [
      billingShapes.success.schema,
      billingShapes.walletInfo.schema,
      billingShapes.failed.schema,
      Schema.Null,
      HtmlPage
    ],
    error: commonErrors
  }),
  HttpApiEndpoint.get("mylistings", "/market/mylistings", {
    query: pageQuery,
    success: [mylistingsShapes.success.schema, mylistingsShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("myhistory", "/market/myhistory", {
    query: pageQuery,
    success: [myhistoryShapes.success.schema, myhistoryShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
