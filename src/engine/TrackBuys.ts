/**
 * Purchases outright against the market's history: what settles them, and when they are over.
 * Invariants: 1. a unit in the history closes its purchase, whatever the answer to it was. 2. that nothing was bought is believed only
 * when the history has not shown it for long enough and the money is still in the wallet.
 */
import { type BuySlot, costOf } from "../domain/BuySlot.ts"
import type { Event } from "../domain/Event.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Millis } from "../domain/Ids.ts"
import type { BuyListing } from "../domain/Intent.ts"
import { itemKey } from "../domain/Item.ts"
import { type State } from "../domain/State.ts"

/** How long the history may take to show what the market said it sold us; beyond it the market has taken it back. */
const shownWithinMillis = 1_800_000

/** The purchase outright that a fill belongs to: the one on its way, or the last one of the item if the history was late. */
export const buyBehind = (fill: Fill, state: State, slackMillis: number): BuyListing | undefined => {
  const key = itemKey(fill.item)
  const intent = state.buys[key]?.intent ?? state.lastBuys[key]
  return intent?.listing === fill.listing && fill.at >= intent.at - slackMillis ? intent : undefined
}

export interface BuysInput {
  readonly buys: State["buys"]
  readonly now: Millis
  /** What the ledger has more than the wallet, minor units: money that left without a trade that explains it; undefined when not known. */
  readonly unexplained: number | undefined
  /** Units by intent that this look at the history has booked. */
  readonly bought: ReadonlyMap<string, number>
  /** Remembers that something is missing; true once it has been for long enough. */
  readonly longGone: (id: string, since: Millis) => boolean
}

export const buyEvents = (input: BuysInput): ReadonlyArray<Event> =>
  Object.values(input.buys).flatMap((slot) => eventsOf(slot, input))

const eventsOf = (slot: BuySlot, input: BuysInput): ReadonlyArray<Event> => {
  const { intent } = slot
  const isBooked = (input.bought.get(intent.id) ?? 0) >= intent.units
  switch (slot._tag) {
    case "Settling":
      if (isBooked) return [closed(intent, "Bought", input.now)]
      return input.now - slot.since >= shownWithinMillis ? [closed(intent, "Gone", input.now)] : []
    case "Uncertain":
    case "Quarantined": {
      const settled = { _tag: "Settled", at: input.now, intent: intent.id } as const
      if (isBooked) return [{ ...settled, happened: true }, closed(intent, "Bought", input.now)]
      const gone = input.longGone(intent.id, slot.since)
      const isPaid = input.unexplained === undefined || input.unexplained >= costOf(intent)
      return gone && !isPaid ? [{ ...settled, happened: false }] : []
    }
    case "Buying":
    case "AwaitingConfirmation":
      return []
  }
}

const closed = ({ id, item, listing }: BuyListing, as: "Bought" | "Gone", at: Millis): Event => ({
  _tag: "BuyClosed",
  at,
  item,
  listing,
  intent: id,
  as
})
