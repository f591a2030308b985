/** What a dead process left in flight: nothing of it is sent again, reads of the market settle it. */
import type { BuySlot } from "../domain/BuySlot.ts"
import type { Event } from "../domain/Event.ts"
import type { IntentId, Millis } from "../domain/Ids.ts"
import type { AskSlot, BidSlot } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { mayConfirm } from "./ControlGate.ts"

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
  const buys = Object.values(state.buys).flatMap((slot): ReadonlyArray<Event> => {
    if (slot._tag === "Buying") return [slot.sent ? died(slot.intent.id) : neverSent(slot.intent.id)]
    return slot._tag === "AwaitingConfirmation" ? [died(slot.intent.id)] : []
  })
  return [...bids, ...asks, ...buys]
}

/** Everything of ours that is, or may be, on the market. */
export const slotsOf = (state: State): ReadonlyArray<BidSlot | AskSlot | BuySlot> => [
  ...Object.values(state.bids),
  ...Object.values(state.asks),
  ...Object.values(state.buys)
]

/** Whether only a look at the account can tell how something of ours goes on. */
export const wantsLook = (state: State): boolean =>
  slotsOf(state).some(
    ({ _tag }) =>
      _tag === "Settling" || _tag === "Uncertain" || _tag === "Staged" || _tag === "AwaitingConfirmation"
  )

/** Whether that is the list of confirmations alone. */
export const wantsListOnly = (state: State): boolean =>
  slotsOf(state).every(({ _tag }) => _tag !== "Settling" && _tag !== "Uncertain")

/** How long an outcome may stay unknown before a person is told; reads settle it in a minute or two when they work at all. */
const quarantineMillis = 1_800_000

/** How long a staged listing may wait for its confirmation; the authenticator lists it within seconds when all is well. */
const confirmMillis = 900_000

/** Events for what could not be settled, and for listings that were not confirmed, within their bounds. */
export const overdue = (state: State, at: Millis, passes: number): ReadonlyArray<Event> =>
  slotsOf(state).flatMap((slot): ReadonlyArray<Event> => {
    if (slot._tag === "Uncertain" && at - slot.since >= quarantineMillis)
      return [{ _tag: "Quarantined", at, intent: slot.intent.id, tries: passes }]
    const waits = slot._tag === "Staged" || slot._tag === "Confirming"
    const mayWait = !mayConfirm(state.control) || state.sessionLostAt !== undefined
    return waits && !mayWait && at - slot.ask.openedAt >= confirmMillis
      ? [{ _tag: "Quarantined", at, intent: slot.ask.listed.id, tries: passes }]
      : []
  })

/** Slots whose outcome is still open: the run must not end quietly with one. */
export const unsettled = (state: State): number =>
  slotsOf(state).filter(
    (slot) =>
      slot._tag === "Buying" ||
      slot._tag === "Uncertain" ||
      slot._tag === "Quarantined" ||
      slot._tag === "Placing" ||
      slot._tag === "AwaitingConfirmation" ||
      slot._tag === "Cancelling" ||
      slot._tag === "Listing" ||
      slot._tag === "Removing"
  ).length
