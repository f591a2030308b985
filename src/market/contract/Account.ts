/**
 * Group Account: eligibility, billing and wallet, own listings and orders, own history (interface, Account).
 * Own lists are read as JSON rows (`norender=1`); the rendered page next to them is optional here, html/ reads it.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { BillingBody, WalletInfo } from "./Billing.ts"
import { expected, field, optional } from "./Field.ts"
import * as Query from "./Query.ts"
import { failure, success } from "./Shape.ts"
import {
  Amount,
  Asset,
  Assets,
  Failure,
  Flag,
  IntLike,
  mapOf,
  NotShown,
  NumberLike,
  Price,
  Succeeded
} from "./Wire.ts"

/** A listing of ours. `price` is what the seller gets and `fee` both fees, minor units, for all units. */
export const ListingRow = Schema.Struct({
  listingid: field(Schema.String, "Listing id."),
  price: field(Price, "Seller's take for all units, minor units."),
  fee: field(Price, "Both fees for all units, minor units."),
  asset: field(Asset, "What is sold."),
  currencyid: optional(IntLike, "2000 + currency id."),
  platform_fee: optional(Amount, "Platform fee, minor units."),
  publisher_fee: optional(Amount, "Publisher fee, minor units."),
  publisher_fee_app: optional(Schema.Int, "Application whose publisher gets the fee."),
  publisher_fee_percent: optional(NumberLike, "The publisher's share as a fraction."),
  original_price: optional(Amount, "Seller's take when it was listed."),
  converted_price: optional(Amount, "Seller's take in the caller's currency."),
  converted_fee: optional(Amount, "Both fees in the caller's currency."),
  time_created: optional(Schema.Int, "Unix seconds."),
  time_finish_hold: optional(Schema.Int, "Unix seconds at which a listing on hold goes live."),
  status: optional(Schema.Int, "1 active, 17 needs its confirmation."),
  active: optional(Flag, "Whether it is live."),
  cancel_reason: optional(Schema.String, "Why it ended."),
  cancel_reason_short: optional(Schema.String, "The same in a word.")
}).annotate({ identifier: "OwnListing", description: "A listing of the caller's." })
export type ListingRow = typeof ListingRow.Type

/** A buy order of ours; `price` is per unit, minor units. */
export const BuyOrderRow = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  hash_name: field(Schema.String, "Locale-independent name."),
  wallet_currency: optional(Schema.Int, "Currency id."),
  price: field(IntLike, "Price per unit, minor units, as a string."),
  quantity: field(IntLike, "Units wanted, as a string."),
  quantity_remaining: field(IntLike, "Units still wanted, as a string."),
  buy_orderid: field(Schema.String, "Id of the order."),
  description: optional(NotShown, "What the item is; not shown.")
}).annotate({ identifier: "OwnBuyOrder", description: "A buy order of the caller's." })
export type BuyOrderRow = typeof BuyOrderRow.Type

const page = {
  success: field(Succeeded, "true."),
  pagesize: field(Schema.Int, "Rows wanted."),
  total_count: field(Schema.NullOr(Schema.Int), "Rows there are."),
  start: field(Schema.Int, "Offset of the first row."),
  assets: field(Assets, "assets[appid][contextid][assetid]; [] when empty."),
  hovers: optional(Schema.NullOr(Schema.String), "Script lines that tie the ids of HTML rows to assets."),
  results_html: optional(Schema.NullOr(Schema.String), "HTML rows; absent with norender=1.")
} as const

export const MyListingsBody = Schema.Struct({
  ...page,
  num_active_listings: expected(Schema.Int, "Live listings there are."),
  listings: optional(Schema.Array(ListingRow), "Live listings of this page (norender=1)."),
  listings_on_hold: optional(Schema.Array(ListingRow), "Listings that wait for a hold to end (norender=1)."),
  listings_to_confirm: optional(
    Schema.Array(ListingRow),
    "Staged listings, whole on every page (norender=1)."
  ),
  buy_orders: optional(Schema.Array(BuyOrderRow), "Active buy orders, whole on every page (norender=1).")
}).annotate({ identifier: "MyListings", description: "Own active listings and buy orders." })
export type MyListingsBody = typeof MyListingsBody.Type

/** `event_type`: 1 listing created, 2 cancelled, 3 sold, 4 bought. Times are Unix seconds and nanoseconds. */
export const HistoryEvent = Schema.Struct({
  listingid: field(Schema.String, "Listing id."),
  purchaseid: optional(Schema.String, "Purchase id of a sale or purchase."),
  event_type: field(Schema.Int, "1 listing created, 2 cancelled, 3 sold, 4 bought."),
  time_event: field(Schema.Int, "Unix seconds."),
  time_event_fraction: optional(Schema.Int, "Nanoseconds of that second."),
  accountid_actor: optional(Schema.String, "Who did it."),
  date_event: optional(Schema.String, "Day without a year, localized.")
}).annotate({ identifier: "HistoryEvent", description: "Something that happened to a listing." })
export type HistoryEvent = typeof HistoryEvent.Type

/** Keyed `listingid_purchaseid`. Amounts are minor units of the payer's or the receiver's currency (2000 + id). */
export const Purchase = Schema.Struct({
  listingid: field(Schema.String, "Listing id."),
  purchaseid: field(Schema.String, "Purchase id."),
  time_sold: optional(Schema.Int, "Unix seconds."),
  accountid_purchaser: optional(Schema.String, "Who bought."),
  needs_rollback: optional(Flag, "Whether it will be undone."),
  failed: optional(Flag, "Whether it failed."),
  asset: field(Asset, "What was sold."),
  paid_amount: field(Price, "Paid to the seller, minor units of the payer's currency."),
  paid_fee: field(Price, "Paid fees, minor units of the payer's currency."),
  currencyid: optional(IntLike, "The payer's currency: 2000 + id."),
  platform_fee: optional(Amount, "Platform fee."),
  publisher_fee: optional(Amount, "Publisher fee."),
  publisher_fee_percent: optional(NumberLike, "The publisher's share as a fraction."),
  publisher_fee_app: optional(Schema.Int, "Application whose publisher gets the fee."),
  received_amount: field(Price, "What the seller received, minor units of the receiver's currency."),
  received_currencyid: optional(IntLike, "The receiver's currency: 2000 + id."),
  funds_held: optional(Flag, "Whether the money is held back."),
  time_funds_held_until: optional(Schema.Int, "Unix seconds until when."),
  funds_revoked: optional(Flag, "Whether the money was taken back."),
  funds_returned: optional(Flag, "Whether the buyer got the money back."),
  avatar_actor: optional(Schema.NullOr(Schema.String), "Address of the other party's picture."),
  persona_actor: optional(Schema.NullOr(Schema.String), "The other party's name.")
}).annotate({ identifier: "Purchase", description: "A purchase of a listing." })
export type Purchase = typeof Purchase.Type

export const MyHistoryBody = Schema.Struct({
  ...page,
  events: optional(Schema.Array(HistoryEvent), "What happened, newest first (norender=1)."),
  purchases: optional(mapOf(Purchase), "By listing id, underscore, purchase id (norender=1)."),
  listings: optional(mapOf(ListingRow), "By listing id (norender=1).")
}).annotate({ identifier: "MyHistory", description: "Own history." })
export type MyHistoryBody = typeof MyHistoryBody.Type

export const eligibilityQuery = { goto: field(Schema.String, "Destination path.") } as const
export const pageQuery = Query.pageQuery

export const eligibilityShapes = { failed: failure(Failure) } as const
export const billingShapes = {
  success: success(BillingBody),
  walletInfo: success(WalletInfo),
  failed: failure(Failure)
} as const
export const mylistingsShapes = { success: success(MyListingsBody), failed: failure(Failure) } as const
export const myhistoryShapes = { success: success(MyHistoryBody), failed: failure(Failure) } as const

export class AccountGroup extends HttpApiGroup.make("account").add(
  /** Answers HTTP 302 and sets the cookie `webTradeEligibility`, URL-encoded JSON (Eligibility.ts). */
  HttpApiEndpoint.get("eligibility", "/market/eligibilitycheck/", {
    query: eligibilityQuery,
    success: [Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
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
    query: Query.pageQuery,
    success: [mylistingsShapes.success.schema, mylistingsShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("myhistory", "/market/myhistory", {
    query: Query.pageQuery,
    success: [myhistoryShapes.success.schema, myhistoryShapes.failed.schema, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
