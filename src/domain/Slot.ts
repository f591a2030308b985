/**
 * The places on the market that we can work on: one bid slot per item, one ask slot per asset. In flight is a state of its own.
 * Invariants: 1. a slot that is not free takes no new intent but the one that its state allows. 2. Uncertain and Quarantined (uncertain
 * for so long that a person was told) are left only by a read of the market. 3. a slot that has closed stays `Settling` until the account was read after it, so that no unit is bought twice.
 */
import { Schema } from "effect"

import { BuyOrder } from "./BuyOrder.ts"
import { BuyOrderId, ConfirmationId, ListingId, Millis } from "./Ids.ts"
import { CancelBid, ListAsset, PlaceBid, RemoveListing } from "./Intent.ts"
import type { Item } from "./Item.ts"
import { Money } from "./Money.ts"

/** A buy order of ours that the market holds open. */
export const OpenBid = Schema.Struct({
  order: BuyOrderId,
  price: Money,
  quantity: Schema.Natural,
  remaining: Schema.Natural,
  placed: PlaceBid,
  openedAt: Millis
})
export type OpenBid = typeof OpenBid.Type

export const BidSlot = Schema.TaggedUnion({
  Placing: { intent: PlaceBid, sent: Schema.Boolean },
  /** `allowing` is the entry of the authenticator's list that was answered; it may not have arrived. */
  AwaitingConfirmation: {
    intent: PlaceBid,
    confirmation: ConfirmationId,
    allowing: Schema.optionalKey(ConfirmationId)
  },
  Open: { open: OpenBid },
  Cancelling: { open: OpenBid, intent: CancelBid },
  Settling: { order: BuyOrderId, placed: PlaceBid, closedAt: Millis },
  Uncertain: {
    intent: Schema.Union([PlaceBid, CancelBid]),
    open: Schema.optionalKey(OpenBid),
    reason: Schema.String,
    since: Millis
  },
  Quarantined: {
    intent: Schema.Union([PlaceBid, CancelBid]),
    open: Schema.optionalKey(OpenBid),
    since: Millis
  },
  Foreign: { order: BuyOrder }
})
export type BidSlot = typeof BidSlot.Type

/** A listing of ours, staged or live, and the intent that made it. */
export const OpenAsk = Schema.Struct({
  listing: Schema.optionalKey(ListingId),
  listed: ListAsset,
  openedAt: Millis
})
export type OpenAsk = typeof OpenAsk.Type

export const AskSlot = Schema.TaggedUnion({
  Listing: { intent: ListAsset, sent: Schema.Boolean },
  Staged: { ask: OpenAsk },
  Confirming: { ask: OpenAsk, confirmation: ConfirmationId },
  Live: { ask: OpenAsk },
  Removing: { ask: OpenAsk, intent: RemoveListing },
  Settling: { ask: OpenAsk, closedAt: Millis },
  Uncertain: {
    intent: Schema.Union([ListAsset, RemoveListing]),
    ask: Schema.optionalKey(OpenAsk),
    reason: Schema.String,
    since: Millis
  },
  Quarantined: {
    intent: Schema.Union([ListAsset, RemoveListing]),
    ask: Schema.optionalKey(OpenAsk),
    since: Millis
  }
})
export type AskSlot = typeof AskSlot.Type

/** Item of an ask slot, whatever its state. */
export const itemOfAsk = (slot: AskSlot): Item => ("intent" in slot ? slot.intent.item : slot.ask.listed.item)

/** The asset and its intent id that made the listing, for a slot whose listing was sent. */
export const listedOf = (slot: AskSlot): ListAsset | undefined =>
  "ask" in slot && slot.ask !== undefined
    ? slot.ask.listed
    : "intent" in slot && slot.intent._tag === "ListAsset"
      ? slot.intent
      : undefined

/** The place intent behind a bid slot that is ours. */
export const placedOf = (slot: BidSlot): PlaceBid | undefined => {
  switch (slot._tag) {
    case "Placing":
    case "AwaitingConfirmation":
      return slot.intent
    case "Open":
    case "Cancelling":
      return slot.open.placed
    case "Settling":
      return slot.placed
    case "Uncertain":
    case "Quarantined":
      return slot.intent._tag === "PlaceBid" ? slot.intent : "open" in slot ? slot.open?.placed : undefined
    case "Foreign":
      return undefined
  }
}

/** Units that this slot may still buy, and at what price. */
export const openUnits = (slot: BidSlot): { readonly price: Money; readonly units: number } | undefined => {
  switch (slot._tag) {
    case "Open":
    case "Cancelling":
      return { price: slot.open.price, units: slot.open.remaining }
    case "Settling":
      return undefined
    case "Foreign":
      return { price: slot.order.price, units: slot.order.remaining }
    default: {
      const placed = placedOf(slot)
      return placed === undefined ? undefined : { price: placed.price, units: placed.quantity }
    }
  }
}
