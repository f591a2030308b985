/** An entry of the mobile authenticator's list (interface, Confirmations). */
import { Schema } from "effect"

import { ConfirmationId } from "./Ids.ts"

/** 3 is a market listing, 12 a market purchase; every other type is never touched by us. */
export const ConfirmationKind = Schema.Literals(["Listing", "Purchase", "Other"])
export type ConfirmationKind = typeof ConfirmationKind.Type

export const Confirmation = Schema.Struct({
  id: ConfirmationId,
  /** Sent back as `ck`. */
  nonce: Schema.String,
  kind: ConfirmationKind,
  /** The asset id or listing id of a listing, the pending id of a purchase. */
  creator: Schema.String,
  headline: Schema.String
})
export type Confirmation = typeof Confirmation.Type
