/**
 * What a client can ask the market to change, and what it answers. Commands are plain JSON: the journal keeps them as they are.
 * Invariant: a command names accounts by index and everything else by the market's ids, so that it replays on the same world only.
 */
import { Schema } from "effect"

import { type AssetId, type BuyOrderId, type ListingId } from "../domain/Ids.ts"
import { type Refusal } from "./Refusal.ts"

const account = Schema.Natural

export const Command = Schema.Union([
  Schema.TaggedStruct("CreateBuyOrder", {
    account,
    app: Schema.Int,
    name: Schema.String,
    currency: Schema.Int,
    /** Unit price × quantity, minor units. */
    total: Schema.Int,
    quantity: Schema.Int,
    /** "0" until a confirmation was asked for. */
    confirmation: Schema.String
  }),
  Schema.TaggedStruct("BuyListing", {
    account,
    listing: Schema.String,
    currency: Schema.Int,
    /** The seller's part, both fees, and their sum, per unit or for all; minor units of the currency. */
    subtotal: Schema.Int,
    fee: Schema.Int,
    total: Schema.Int,
    quantity: Schema.Int,
    /** "0" until a confirmation was asked for. */
    confirmation: Schema.String
  }),
  Schema.TaggedStruct("CancelBuyOrder", { account, order: Schema.String }),
  Schema.TaggedStruct("SellItem", {
    account,
    app: Schema.Int,
    context: Schema.String,
    asset: Schema.String,
    amount: Schema.Int,
    /** What the seller gets, minor units. */
    take: Schema.Int
  }),
  Schema.TaggedStruct("RemoveListing", { account, listing: Schema.String }),
  Schema.TaggedStruct("SettleConfirmation", {
    account,
    id: Schema.String,
    nonce: Schema.String,
    op: Schema.Literals(["allow", "cancel"])
  })
])
export type Command = typeof Command.Type

export type CommandOf<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>

export type Reply =
  | { readonly _tag: "OrderPlaced"; readonly order: BuyOrderId }
  | { readonly _tag: "NeedsConfirmation"; readonly pending: string }
  | { readonly _tag: "Staged"; readonly listing: ListingId; readonly asset: AssetId }
  | { readonly _tag: "Done" }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }

export const done: Reply = { _tag: "Done" }
export const refuse = (refusal: Refusal): Reply => ({ _tag: "Refused", refusal })
