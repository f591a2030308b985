/**
 * How purchases outright move through the state: one transition per event kind.
 * Invariant: an event that does not fit its slot changes nothing; it stays visible in the journal.
 */
import type { BuySlot } from "./BuySlot.ts"
import type { Event } from "./Event.ts"
import { type BuyListing, epochKey, sideOf } from "./Intent.ts"
import { type ItemKey, itemKey } from "./Item.ts"
import { withNewest } from "./Recent.ts"
import { count } from "./SlotEdits.ts"
import type { State } from "./State.ts"

/** The state after an event about a purchase outright; undefined for every other event. */
export const applyBuys = (state: State, event: Event): State | undefined => {
  if (event._tag === "IntentRecorded")
    return event.intent._tag === "BuyListing" ? recorded(state, event.intent) : undefined
  if (!("intent" in event) || event.intent === undefined || event._tag === "Filled") return undefined
  const slot = Object.values(state.buys).find(({ intent }) => intent.id === event.intent)
  return slot === undefined ? undefined : moved(state, slot, event)
}

const recorded = (state: State, intent: BuyListing): State => {
  const key = itemKey(intent.item)
  const epoch = epochKey(key, sideOf(intent))
  const counted = count(
    { ...state, epochs: { ...state.epochs, [epoch]: (state.epochs[epoch] ?? 0) + 1 } },
    "recorded"
  )
  const last = { ...counted, lastBuys: withNewest(counted.lastBuys, key, intent) }
  return setBuy(last, key, { _tag: "Buying", intent, sent: false })
}

const moved = (state: State, slot: BuySlot, event: Event): State => {
  const { intent } = slot
  const key = itemKey(intent.item)
  switch (event._tag) {
    case "Sent":
      return slot._tag === "Buying" ? setBuy(state, key, { ...slot, sent: true }) : state
    case "Accepted":
      return accepted(state, key, intent, event.at)
    case "Settled":
      return event.happened ? accepted(state, key, intent, event.at) : setBuy(state, key, undefined)
    case "Refused":
      return count(forgotten(setBuy(state, key, undefined), key), "refused")
    case "Pended":
      return setBuy(state, key, { _tag: "AwaitingConfirmation", intent, confirmation: event.confirmation })
    case "Confirming":
      return slot._tag === "AwaitingConfirmation"
        ? setBuy(state, key, { ...slot, allowing: event.confirmation })
        : state
    case "OutcomeUnknown":
      return setBuy(count(state, "unknown"), key, {
        _tag: "Uncertain",
        intent,
        reason: event.reason,
        since: event.at
      })
    case "Quarantined":
      return setBuy(state, key, { _tag: "Quarantined", intent, since: event.at })
    case "BuyClosed":
      return setBuy(state, key, undefined)
    case "Released":
      return slot._tag === "Quarantined" ? setBuy(state, key, undefined) : state
    default:
      return state
  }
}

const accepted = (state: State, key: ItemKey, intent: BuyListing, since: Event["at"]): State =>
  setBuy(count(count(state, "accepted"), "boughtOutright"), key, { _tag: "Settling", intent, since })

/** A purchase that the market refused made no fill: what comes from that listing later is not its. */
const forgotten = (state: State, key: ItemKey): State => {
  const { [key]: _, ...lastBuys } = state.lastBuys
  return { ...state, lastBuys }
}

const setBuy = (state: State, key: ItemKey, slot: BuySlot | undefined): State => {
  const { [key]: _, ...rest } = state.buys
  return { ...state, buys: slot === undefined ? rest : { ...state.buys, [key]: slot } }
}
