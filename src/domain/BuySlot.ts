/**
 * The place on the market where a purchase outright is on its way: one per item, from the journal entry until the history shows the unit.
 * Invariants: 1. while it stands nothing else is sent on the item's bid side, so no unit is bought twice. 2. Uncertain and Quarantined
 * are left only by a read of the market. 3. its whole price counts as spent until the history has booked it.
 */
import { Schema } from "effect"

import { ConfirmationId, Millis } from "./Ids.ts"
import { BuyListing } from "./Intent.ts"
import { type Money, times } from "./Money.ts"
import { totalOf } from "./Offer.ts"

export const BuySlot = Schema.TaggedUnion({
  Buying: { intent: BuyListing, sent: Schema.Boolean },
  /** `allowing` is the entry of the authenticator's list that was answered; it may not have arrived. */
  AwaitingConfirmation: {
    intent: BuyListing,
    confirmation: ConfirmationId,
    allowing: Schema.optionalKey(ConfirmationId)
  },
  /** The market said yes; the history does not show the unit yet. */
  Settling: { intent: BuyListing, since: Millis },
  Uncertain: { intent: BuyListing, reason: Schema.String, since: Millis },
  Quarantined: { intent: BuyListing, since: Millis }
})
export type BuySlot = typeof BuySlot.Type

/** What the purchase costs as far as its row tells, minor units. */
export const costOf = (intent: Pick<BuyListing, "fee" | "subtotal" | "units">): Money =>
  times(totalOf(intent), intent.units)
