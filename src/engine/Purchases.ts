/**
 * Purchases that the market carries out only after the authenticator has allowed them (it answered 406): each is allowed and posted again.
 * Invariants: 1. a form is posted again only with the confirmation that was asked for it, and never while trading is halted. 2. a
 * confirmation that is gone after an answer that did not arrive was carried out. 3. one that never comes is given up: reads settle it.
 */
import { Effect } from "effect"

import type { Confirmation } from "../domain/Confirmation.ts"
import type { Event } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
import { allow, confirmed, pended, pendedBy, type PendedPurchase } from "./Confirm.ts"
import { mayConfirm } from "./ControlGate.ts"
import { forgetQuotes } from "./Decide.ts"
import type { Desk } from "./Desk.ts"
import { finishPurchase } from "./Execute.ts"
import { Journal, marketNow } from "./Journal.ts"

/** Each takes a second or two of the mutations' pace: books are decided on between two lots of them. */
const atOnce = 10
/** How long a purchase may wait for its confirmation: what it was decided on grows old. */
const waitMillis = 180_000

/** Allows and posts again what the list shows, the oldest first. */
export const finishPurchases = Effect.fn("Purchases.finish")(function* (
  desk: Desk,
  listed: ReadonlyArray<Confirmation>
) {
  const journal = yield* Journal
  const before = yield* journal.state
  const ownOf = new Map(listed.map((one) => [pendedBy(before, one)?.intent.id, one]))
  const ready = pended(before).flatMap((slot) => {
    const own = ownOf.get(slot.intent.id)
    return own === undefined && slot.allowing === undefined ? [] : [{ slot, own }]
  })
  for (const { own, slot } of ready.slice(0, atOnce)) yield* Effect.uninterruptible(finish(desk, slot, own))
})

const finish = Effect.fnUntraced(function* (
  desk: Desk,
  { allowing, confirmation, intent }: PendedPurchase,
  own: Confirmation | undefined
) {
  const journal = yield* Journal
  if (own !== undefined && (yield* allow(intent.id, own)) !== "Accepted") return
  if (own === undefined && allowing !== undefined) yield* confirmed(intent.id, allowing)
  // A halt does not finish what was begun.
  if (!mayConfirm((yield* journal.state).control)) return
  yield* finishPurchase(intent, confirmation)
  forgetQuotes(desk, itemKey(intent.item), yield* marketNow)
})

/** Events for purchases whose confirmation did not come in time, or that a halt left unfinished. */
export const givenUp = (state: State, at: Millis): ReadonlyArray<Event> => {
  const isHalted = !mayConfirm(state.control)
  return pended(state)
    .filter(({ intent }) => isHalted || at - intent.at >= waitMillis)
    .map(({ intent }) => ({
      _tag: "OutcomeUnknown",
      at,
      intent: intent.id,
      reason: "TimedOut",
      detail: isHalted ? "trading was halted meanwhile" : "its confirmation could not be allowed"
    }))
}
