/** Group Mutations: buy a listing, place, watch and cancel buy orders, create and remove listings (interface, Mutations). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { expected, field, optional } from "./Field.ts"
import * as Forms from "./Forms.ts"
import { failure, pending, success } from "./Shape.ts"
import { Amount, EmptyArray, Failure, Flag, IntLike, NumberLike, Succeeded } from "./Wire.ts"

export {
  buyListingForm,
  buyOrderForm,
  createBuyOrderForm,
  removelistingPath,
  sellItemForm,
  sessionForm
} from "./Forms.ts"

const BuyListingForm = Schema.Struct(Forms.buyListingForm)
export type BuyListingForm = typeof BuyListingForm.Type
const CreateBuyOrderForm = Schema.Struct(Forms.createBuyOrderForm)
export type CreateBuyOrderForm = typeof CreateBuyOrderForm.Type
const SellItemForm = Schema.Struct(Forms.sellItemForm)
const CancelBuyOrderForm = Schema.Struct(Forms.buyOrderForm)
const RemoveListingForm = Schema.Struct(Forms.sessionForm)

/** HTTP 406: confirm this first, then post the same form again with its id. */
export const NeedConfirmation = Schema.Struct({
  need_confirmation: field(Schema.Literal(true), "true."),
  confirmation: field(
    Schema.Struct({ confirmation_id: field(Schema.String, "creator_id of the confirmation to allow.") }),
    "What to confirm."
  ),
  success: field(Schema.Int, "22: pending.")
})
  .annotate({
    identifier: "NeedConfirmation",
    description: "HTTP 406: allow this confirmation, then post the same form again with its id."
  })
  .pipe(HttpApiSchema.status(406))

/** The wallet after a purchase; numbers or strings. */
const walletAfter = {
  wallet_currency: expected(IntLike, "Currency id."),
  wallet_country: expected(Schema.String, "Two letters."),
  wallet_balance: expected(IntLike, "Spendable minor units, as a string."),
  wallet_delayed_balance: expected(IntLike, "Minor units on hold, as a string."),
  wallet_max_balance: expected(IntLike, "The most that the wallet holds, as a string."),
  wallet_trade_max_balance: expected(IntLike, "The most that a listing may ask, as a string."),
  wallet_state: optional(Schema.String, "State of the country, empty for most."),
  wallet_fee: optional(IntLike, "Whether a fee is taken."),
  wallet_fee_minimum: optional(IntLike, "Least fee, minor units."),
  wallet_fee_percent: optional(NumberLike, "Platform fee as a fraction."),
  wallet_publisher_fee_percent_default: optional(NumberLike, "Publisher fee as a fraction."),
  wallet_fee_base: optional(IntLike, "Part of the fee that does not depend on the price, minor units."),
  wallet_market_minimum: optional(IntLike, "Least price of a seller, minor units."),
  wallet_currency_increment: optional(IntLike, "Step of prices, minor units."),
  rwgrsn: optional(Schema.Int, "Not shown.")
} as const

/** Completed: `wallet_info.success` is 1; a top-level `success` is absent. A message next to it is a contradiction. */
const ListingBought = Schema.Struct({
  wallet_info: field(
    Schema.Struct({ success: field(Schema.Literal(1), "1: completed."), ...walletAfter }).annotate({
      identifier: "WalletAfterPurchase",
      description: "The wallet after a purchase."
    }),
    "The wallet after the purchase."
  ),
  message: optional(Schema.NullOr(Schema.String), "Absent or empty; anything else contradicts the success.")
}).annotate({ identifier: "PurchaseDone", description: "Purchase result of a completed purchase." })

/** Failed: a message, usually with HTTP 502, and no completed `wallet_info`. */
export const BuyListingFailed = Schema.Struct({
  message: field(Schema.NonEmptyString, "Why; a stale price and a listing bought meanwhile fail alike."),
  success: optional(
    Schema.Union([Schema.Int, Schema.Boolean]),
    "A result code, if there is one; 1 contradicts."
  ),
  wallet_info: optional(
    Schema.Struct({
      success: optional(Schema.Int.check(Schema.makeFilter((code) => code !== 1 || "completed")), "Not 1.")
    }),
    "A wallet that was not charged."
  )
}).annotate({ identifier: "PurchaseFailed", description: "Purchase result of a purchase that failed." })
export type BuyListingFailed = typeof BuyListingFailed.Type

/** A `message` next to success 1 tells that the order was not placed after all. */
const BuyOrderPlaced = Schema.Struct({
  success: field(Schema.Literal(1), "1."),
  buy_orderid: expected(Schema.Union([Schema.NonEmptyString, Schema.Int]), "Id of the order."),
  message: optional(
    Schema.NullOr(Schema.String),
    "A message next to success 1 means that nothing was placed."
  )
}).annotate({ identifier: "BuyOrderPlaced", description: "The order is active." })

/** One purchase of a buy order. */
const BuyOrderPurchase = Schema.Struct({
  listingid: field(Schema.String, "Listing id."),
  price_subtotal: field(Amount, "Seller's take, minor units."),
  price_fee: field(Amount, "Both fees, minor units."),
  price_total: field(Amount, "What was paid, minor units."),
  currency: field(Schema.Int, "Currency id."),
  appid: field(Schema.Int, "Application id."),
  assetid: field(Schema.String, "Asset id."),
  contextid: field(Schema.String, "Context of the application's inventory."),
  accountid_seller: optional(Schema.Union([Schema.Int, Schema.String]), "Who sold.")
}).annotate({ identifier: "BuyOrderPurchase", description: "A fill of a buy order." })

/** Units bought are `quantity − quantity_remaining`; `purchased` may lag. */
export const BuyOrderStatusBody = Schema.Struct({
  success: field(Schema.Literal(1), "1."),
  active: field(Flag, "1 while open."),
  purchased: field(IntLike, "Units bought so far; may lag behind quantity − quantity_remaining."),
  quantity: field(IntLike, "Units requested; some markets send a string."),
  quantity_remaining: field(IntLike, "Units still wanted; some markets send a string."),
  purchases: field(Schema.Array(BuyOrderPurchase), "Fills; empty until filling starts."),
  purchase_amount_text: optional(Schema.NullOr(Schema.String), "What was paid, formatted.")
}).annotate({ identifier: "BuyOrderStatus", description: "How far a buy order is filled." })
export type BuyOrderStatusBody = typeof BuyOrderStatusBody.Type

const BuyOrderCancelled = Schema.Struct({ success: field(Schema.Literal(1), "1.") }).annotate({
  identifier: "BuyOrderCancelled",
  description: "The order is cancelled."
})

const SellItemBody = Schema.Struct({
  success: field(Succeeded, "true; the listing may still need its confirmation."),
  requires_confirmation: expected(Schema.Int, "1 when a confirmation is due."),
  needs_mobile_confirmation: expected(Schema.Boolean, "By the mobile authenticator."),
  needs_email_confirmation: expected(Schema.Boolean, "By e-mail."),
  email_domain: expected(Schema.String, "Domain of that e-mail address.")
}).annotate({ identifier: "ListingStaged", description: "Sell listing creation result." })

export const buyListingShapes = {
  needConfirmation: pending(NeedConfirmation),
  bought: success(ListingBought),
  failed: failure(BuyListingFailed),
  refused: failure(Failure)
} as const
export const createBuyOrderShapes = {
  placed: success(BuyOrderPlaced),
  needConfirmation: pending(NeedConfirmation),
  failed: failure(Failure)
} as const
export const buyOrderStatusShapes = {
  success: success(BuyOrderStatusBody),
  needConfirmation: pending(NeedConfirmation),
  failed: failure(Failure)
} as const
export const cancelBuyOrderShapes = {
  cancelled: success(BuyOrderCancelled),
  failed: failure(Failure)
} as const
export const sellItemShapes = { staged: success(SellItemBody), failed: failure(Failure) } as const
export const removeListingShapes = { removed: success(EmptyArray), failed: failure(Failure) } as const

/** HTTP 502 with a message: how a purchase fails in practice. */
const BuyListingRefused = BuyListingFailed.pipe(HttpApiSchema.status(502))

/** Forms are urlencoded or multipart; both are taken everywhere. */
const either = <S extends Schema.Top>(form: S) =>
  [form.pipe(HttpApiSchema.asFormUrlEncoded()), form.pipe(HttpApiSchema.asMultipart())] as const

export class MutationsGroup extends HttpApiGroup.make("mutations").add(
  HttpApiEndpoint.post("buylisting", "/market/buylisting/:listingid", {
    params: Forms.removelistingPath,
    payload: either(BuyListingForm),
    success: [ListingBought, BuyListingFailed, NeedConfirmation, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: [...commonErrors, BuyListingRefused]
  }),
  HttpApiEndpoint.post("create-buyorder", "/market/createbuyorder/", {
    payload: either(CreateBuyOrderForm),
    success: [BuyOrderPlaced, NeedConfirmation, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("buyorder-status", "/market/getbuyorderstatus", {
    query: Forms.buyOrderForm,
    success: [BuyOrderStatusBody, NeedConfirmation, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.post("cancel-buyorder", "/market/cancelbuyorder/", {
    payload: either(CancelBuyOrderForm),
    success: [BuyOrderCancelled, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.post("sellitem", "/market/sellitem/", {
    payload: either(SellItemForm),
    success: [SellItemBody, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.post("removelisting", "/market/removelisting/:listingid", {
    params: Forms.removelistingPath,
    payload: either(RemoveListingForm),
    success: [EmptyArray, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
