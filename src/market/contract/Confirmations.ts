/** Group Confirmations: the mobile authenticator's list, details and decision (interface, Confirmations). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

import { commonErrors, HtmlPage } from "./Answers.ts"
import { field, optional } from "./Field.ts"
import { failure, success } from "./Shape.ts"
import { Failure, signatureFields } from "./Wire.ts"

const Text = Schema.NullOr(Schema.String)

/** `id` goes back as `cid`, `nonce` as `ck`. Type 3 is a market listing, 12 a market purchase. */
export const ConfirmationRow = Schema.Struct({
  type: field(Schema.Int, "2 trade, 3 market listing, 12 market purchase; others exist."),
  id: field(Schema.String, "Confirmation id, sent back as cid."),
  creator_id: field(
    Schema.String,
    "Asset id or listing id of a listing; trade offer id; pending id of a purchase."
  ),
  nonce: field(Schema.String, "Sent back as ck."),
  headline: field(Text, "What it is about."),
  type_name: optional(Text, "The type in words."),
  creation_time: optional(Schema.Int, "Unix seconds."),
  cancel: optional(Text, "Label of the button that cancels."),
  accept: optional(Text, "Label of the button that allows."),
  icon: optional(Text, "Address of a picture."),
  multi: optional(Schema.Boolean, "Whether it may be decided together with others."),
  summary: optional(Schema.NullOr(Schema.Array(Schema.String)), "Lines of text."),
  warn: optional(
    Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
    "A warning to show."
  )
}).annotate({ identifier: "Confirmation", description: "What waits for the mobile authenticator." })
export type ConfirmationRow = typeof ConfirmationRow.Type

const ConfirmationList = Schema.Struct({
  success: field(Schema.Literal(true), "true."),
  conf: optional(Schema.Array(ConfirmationRow), "What waits; absent when nothing does.")
}).annotate({ identifier: "ConfirmationList", description: "What waits for confirmation." })
const ConfirmationDetails = Schema.Struct({
  success: field(Schema.Literal(true), "true."),
  html: field(Schema.String, "Opaque HTML fragment; names the asset or the trade.")
}).annotate({ identifier: "ConfirmationDetails", description: "Details of one confirmation." })
const ConfirmationDone = Schema.Struct({
  success: field(Schema.Literal(true), "true."),
  message: optional(Text, "A remark.")
}).annotate({ identifier: "ConfirmationDone", description: "The decision was taken." })

export const detailsPath = { confirmationid: field(Schema.String, "Confirmation id.") } as const
export const operationQuery = {
  ...signatureFields,
  op: field(Schema.Literals(["allow", "cancel"]), "The decision; equal to the tag."),
  cid: field(Schema.String, "Confirmation id of the list."),
  ck: field(Schema.String, "Nonce of the list.")
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
