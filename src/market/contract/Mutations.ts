/**
 * Group Mutations: place, watch and cancel buy orders; create and remove listings (interface, Mutations).
 * Every form field travels as a string; a market judges them, so their values are not narrowed here.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { failure, pending, success } from "./Shape.ts"
import { EmptyArray, Failure, Flag, IntLike, Succeeded } from "./Wire.ts"

const optionalString = Schema.optionalKey(Schema.String)

/** `price_total` is unit price × quantity in minor units, without tax. `confirmation` is "0" until one was allowed. */
export const createBuyOrderForm = {
  sessionid: Schema.String,
  currency: Schema.String,
  appid: Schema.String,
  market_hash_name: Schema.String,
  price_total: Schema.String,
  quantity: Schema.String,
  tradefee_tax: optionalString,
  first_name: optionalString,
  last_name: optionalString,
  billing_address: optionalString,
  billing_address_two: optionalString,
  billing_country: optionalString,
  billing_city: optionalString,
  billing_state: optionalString,
  billing_postal_code: optionalString,
  confirmation: optionalString,
  save_my_address: optionalString
} as const
const CreateBuyOrderForm = Schema.Struct(createBuyOrderForm)
export type CreateBuyOrderForm = typeof CreateBuyOrderForm.Type

/** `price` is what the seller gets per unit, minor units of the wallet's currency. */
export const sellItemForm = {
  sessionid: Schema.String,
  appid: Schema.String,
  contextid: Schema.String,
  assetid: Schema.String,
  amount: Schema.String,
  price: Schema.String
} as const
const SellItemForm = Schema.Struct(sellItemForm)

export const buyOrderForm = { sessionid: Schema.String, buy_orderid: Schema.String } as const
const CancelBuyOrderForm = Schema.Struct(buyOrderForm)

export const sessionForm = { sessionid: Schema.String } as const
const RemoveListingForm = Schema.Struct(sessionForm)

export const removelistingPath = { listingid: Schema.String } as const

/** HTTP 406: confirm this first, then post the same form again with its id. */
export const NeedConfirmation = Schema.Struct({
  need_confirmation: Schema.Literal(true),
  confirmation: Schema.Struct({ confirmation_id: Schema.String }),
  success: Schema.Int
}).pipe(HttpApiSchema.status(406))

/** A `message` next to success 1 tells that the order was not placed after all. */
const BuyOrderPlaced = Schema.Struct({
  success: Schema.Literal(1),
  buy_orderid: Schema.optionalKey(Schema.Union([Schema.NonEmptyString, Schema.Int])),
  message: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** One purchase of a buy order. */
const BuyOrderPurchase = Schema.Struct({
  listingid: Schema.String,
  price_subtotal: Schema.Int,
  price_fee: Schema.Int,
  price_total: Schema.Int,
  currency: Schema.Int,
  appid: Schema.Int,
  assetid: Schema.String,
  contextid: Schema.String,
  accountid_seller: Schema.optionalKey(Schema.Union([Schema.Int, Schema.String]))
})

/** Units bought are `quantity − quantity_remaining`; `purchased` may lag. */
export const BuyOrderStatusBody = Schema.Struct({
  success: Schema.Literal(1),
  active: Flag,
  purchased: IntLike,
  quantity: IntLike,
  quantity_remaining: IntLike,
  purchases: Schema.Array(BuyOrderPurchase),
  purchase_amount_text: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type BuyOrderStatusBody = typeof BuyOrderStatusBody.Type

const BuyOrderCancelled = Schema.Struct({ success: Schema.Literal(1) })

const SellItemBody = Schema.Struct({
  success: Succeeded,
  requires_confirmation: Schema.optionalKey(Schema.Int),
  needs_mobile_confirmation: Schema.optionalKey(Schema.Boolean),
  needs_email_confirmation: Schema.optionalKey(Schema.Boolean),
  email_domain: optionalString
})

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

export class MutationsGroup extends HttpApiGroup.make("mutations").add(
  HttpApiEndpoint.post("create-buyorder", "/market/createbuyorder/", {
    payload: [
      CreateBuyOrderForm.pipe(HttpApiSchema.asFormUrlEncoded()),
      CreateBuyOrderForm.pipe(HttpApiSchema.asMultipart())
    ],
    success: [BuyOrderPlaced, NeedConfirmation, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("buyorder-status", "/market/getbuyorderstatus", {
    query: buyOrderForm,
    success: [BuyOrderStatusBody, NeedConfirmation, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.post("cancel-buyorder", "/market/cancelbuyorder/", {
    payload: [
      CancelBuyOrderForm.pipe(HttpApiSchema.asFormUrlEncoded()),
      CancelBuyOrderForm.pipe(HttpApiSchema.asMultipart())
    ],
    success: [BuyOrderCancelled, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.post("sellitem", "/market/sellitem/", {
    payload: SellItemForm.pipe(HttpApiSchema.asFormUrlEncoded()),
    success: [SellItemBody, Failure, EmptyArray, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.post("removelisting", "/market/removelisting/:listingid", {
    params: removelistingPath,
    payload: [
      RemoveListingForm.pipe(HttpApiSchema.asFormUrlEncoded()),
      RemoveListingForm.pipe(HttpApiSchema.asMultipart())
    ],
    success: [EmptyArray, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
