/** Group Confirmations: the mobile authenticator's list, details and decision (interface, Confirmations). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { failure, success } from "./Shape.ts"
import { Failure, signatureFields } from "./Wire.ts"

const optionalString = Schema.optionalKey(Schema.NullOr(Schema.String))

/** `id` goes back as `cid`, `nonce` as `ck`. Type 3 is a market listing, 12 a market purchase. */
export const ConfirmationRow = Schema.Struct({
  type: Schema.Int,
  id: Schema.String,
  /** The asset id or the listing id of a listing; the pending id of a purchase. */
  creator_id: Schema.String,
  nonce: Schema.String,
  headline: Schema.NullOr(Schema.String),
  type_name: optionalString,
  creation_time: Schema.optionalKey(Schema.Int),
  cancel: optionalString,
  accept: optionalString,
  icon: optionalString,
  multi: Schema.optionalKey(Schema.Boolean),
  summary: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  warn: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)])))
})
export type ConfirmationRow = typeof ConfirmationRow.Type

const ConfirmationList = Schema.Struct({
  success: Schema.Literal(true),
  conf: Schema.optionalKey(Schema.Array(ConfirmationRow))
})
/** `html` names the asset in a script call; see market/Subjects. */
const ConfirmationDetails = Schema.Struct({ success: Schema.Literal(true), html: Schema.String })
const ConfirmationDone = Schema.Struct({ success: Schema.Literal(true) })

export const detailsPath = { confirmationid: Schema.String } as const
export const operationQuery = {
  ...signatureFields,
  op: Schema.Literals(["allow", "cancel"]),
  cid: Schema.String,
  ck: Schema.String
} as const

export const confirmationsShapes = { success: success(ConfirmationList), failed: failure(Failure) } as const
export const confirmationDetailsShapes = {
  success: success(ConfirmationDetails),
  failed: failure(Failure)
} as const
export const confirmationOpShapes = { done: success(ConfirmationDone), failed: failure(Failure) } as const

export class ConfirmationsGroup extends HttpApiGroup.make("confirmations").add(
  HttpApiEndpoint.get("confirmations", "/mobileconf/getlist", {
    query: signatureFields,
    success: [ConfirmationList, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("confirmation-details", "/mobileconf/details/:confirmationid", {
    params: detailsPath,
    query: signatureFields,
    success: [ConfirmationDetails, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  }),
  HttpApiEndpoint.get("confirmation-op", "/mobileconf/ajaxop", {
    query: operationQuery,
    success: [ConfirmationDone, Failure, Schema.Null, HtmlPage],
    error: commonErrors
  })
) {}
