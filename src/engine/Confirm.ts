/**
 * Allows the confirmations of our own journaled intents, and no others.
 * Invariants: 1. a confirmation is allowed only when its creator or details name an asset or listing of a staged slot, or the pending id
 * of a purchase that we sent, and never while trading is halted. 2. one that is still listed after an unclear answer was not carried out, so it may be allowed again.
 */
import { Effect } from "effect"

import type { Confirmation } from "../domain/Confirmation.ts"
import type { ConfirmationId, IntentId } from "../domain/Ids.ts"
import type { OpenAsk } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { Market } from "../market/Market.ts"
import { mayConfirm } from "./ControlGate.ts"
import { Journal, marketNow } from "./Journal.ts"

/** How often the list is read for a purchase before it is given up; the budget spaces the reads. */
const purchaseTries = 6

/** Staged listings of ours that wait for their confirmation. */
export const awaiting = (state: State): ReadonlyArray<OpenAsk> =>
  Object.values(state.asks).flatMap((slot) =>
    slot._tag === "Staged" || slot._tag === "Confirming" ? [slot.ask] : []
  )

/** Reads the list once and allows what is ours; returns how many listings still wait. */
export const confirmListings = Effect.fn("Confirm.confirmListings")(function* () {
  const journal = yield* Journal
  const market = yield* Market
  const before = yield* journal.state
  if (awaiting(before).length === 0 || !mayConfirm(before.control)) return awaiting(before).length
  const listed = yield* market.confirmations
  for (const confirmation of listed) {
    if (confirmation.kind !== "Listing" || !mayConfirm((yield* journal.state).control)) continue
    const ask = yield* ownerOf(confirmation, awaiting(yield* journal.state))
    if (ask !== undefined) yield* Effect.uninterruptible(allow(ask.listed.id, confirmation))
  }
  return awaiting(yield* journal.state).length
})

/** The staged ask that a confirmation belongs to: by its creator, else by what its details name. */
const ownerOf = Effect.fnUntraced(function* (confirmation: Confirmation, waiting: ReadonlyArray<OpenAsk>) {
  const named = (id: string) => waiting.find((ask) => ask.listed.asset === id || ask.listing === id)
  const direct = named(confirmation.creator)
  if (direct !== undefined || waiting.length === 0) return direct
  const market = yield* Market
  const subjects = yield* market.confirmationSubjects(confirmation)
  return subjects.map(named).find((ask) => ask !== undefined)
})

const allow = Effect.fnUntraced(function* (intent: IntentId, confirmation: Confirmation) {
  const journal = yield* Journal
  const market = yield* Market
  yield* journal.append([{ _tag: "Confirming", at: yield* marketNow, intent, confirmation: confirmation.id }])
  const outcome = yield* market.allowConfirmation(confirmation)
  if (outcome._tag !== "Accepted") {
    yield* Effect.logWarning(
      `confirmation ${confirmation.id} of intent ${intent} was not allowed: ${outcome._tag}`
    )
    return false
  }
  yield* journal.append([{ _tag: "Confirmed", at: yield* marketNow, intent, confirmation: confirmation.id }])
  return true
})

/** Finds the pending purchase in the list and allows it; false when it never came. */
export const allowPurchase = Effect.fn("Confirm.allowPurchase")(function* (
  intent: IntentId,
  pending: ConfirmationId
) {
  const journal = yield* Journal
  const market = yield* Market
  for (let attempt = 0; attempt < purchaseTries; attempt++) {
    if (!mayConfirm((yield* journal.state).control)) return false
    const listed = yield* Effect.catch(market.confirmations, (error) =>
      Effect.as(Effect.logWarning(`the confirmation list could not be read: ${error.reason._tag}`), [])
    )
    const own = listed.find(
      (one) => one.kind === "Purchase" && (one.creator === pending || one.id === pending)
    )
    if (own !== undefined) return yield* allow(intent, own)
  }
  return false
})
