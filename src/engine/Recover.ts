/** What a dead process left in flight: nothing of it is sent again, reads of the market settle it. */
import type { Event } from "../domain/Event.ts"
import type { IntentId, Millis } from "../domain/Ids.ts"
import type { State } from "../domain/State.ts"

/** Events that turn every slot in flight into one that `track` can settle. */
export const afterDeath = (state: State, at: Millis): ReadonlyArray<Event> => {
  const died = (intent: IntentId): Event => ({
    _tag: "OutcomeUnknown",
    at,
    intent,
    reason: "ProcessDied",
    detail: "the process ended between sending and the answer"
  })
  const neverSent = (intent: IntentId): Event => ({
    _tag: "Refused",
    at,
    intent,
    code: "NotSent",
    message: "the process ended before it was sent"
  })
  const bids = Object.values(state.bids).flatMap((slot): ReadonlyArray<Event> => {
    if (slot._tag === "Placing") return [slot.sent ? died(slot.intent.id) : neverSent(slot.intent.id)]
    return slot._tag === "Cancelling" || slot._tag === "AwaitingConfirmation" ? [died(slot.intent.id)] : []
  })
  const asks = Object.values(state.asks).flatMap((slot): ReadonlyArray<Event> => {
    if (slot._tag === "Listing") return [slot.sent ? died(slot.intent.id) : neverSent(slot.intent.id)]
    return slot._tag === "Removing" ? [died(slot.intent.id)] : []
  })
  return [...bids, ...asks]
}

/** Slots whose outcome is still open: the run must not end quietly with one. */
export const unsettled = (state: State): number =>
  [...Object.values(state.bids), ...Object.values(state.asks)].filter(
    (slot) =>
      slot._tag === "Uncertain" ||
      slot._tag === "Placing" ||
      slot._tag === "AwaitingConfirmation" ||
      slot._tag === "Cancelling" ||
      slot._tag === "Listing" ||
      slot._tag === "Removing"
  ).length
