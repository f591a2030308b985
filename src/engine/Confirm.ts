/**
 * Allows the confirmations of our own journaled intents, and no others.
 * Invariants: 1. a confirmation is allowed only when its creator or details name an asset or listing of a staged slot, or the pending id
 * of a purchase that we sent, and never while trading is halted. 2. one that is still listed after an unclear answer was not carried out,
 * so it may be allowed again; one that is gone after it was. 3. one that cannot be read or allowed keeps none of the others waiting.
 */
import { Duration, Effect } from "effect"

import type { BuySlot } from "../domain/BuySlot.ts"
import type { Confirmation } from "../domain/Confirmation.ts"
import type { ConfirmationId, IntentId } from "../domain/Ids.ts"
import type { BidSlot, OpenAsk } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { Market, type MarketError } from "../market/Market.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import { mayConfirm } from "./ControlGate.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"

/** Confirmations whose details are remembered; a market lists some hundreds at most. */
const subjectsKept = 1_000

/** Staged listings of ours that wait for their confirmation, also those of which a person was told that they wait for too long. */
export const awaiting = (state: State): ReadonlyArray<OpenAsk> =>
  Object.values(state.asks).flatMap((slot) => {
    if (slot._tag === "Staged" || slot._tag === "Confirming") return [slot.ask]
    const isOverdue = slot._tag === "Quarantined" && slot.intent._tag === "ListAsset"
    return isOverdue && slot.ask !== undefined ? [slot.ask] : []
  })

/** Purchases of ours that the market carries out once their confirmation was allowed. */
export const pended = (state: State): ReadonlyArray<PendedPurchase> =>
  [...Object.values(state.bids), ...Object.values(state.buys)].filter(
    (slot) => slot._tag === "AwaitingConfirmation"
  )
export type PendedPurchase = Extract<BidSlot | BuySlot, { readonly _tag: "AwaitingConfirmation" }>

/** The purchase of ours that a confirmation is asked for. */
export const pendedBy = (
  state: State,
  { creator, id, kind }: Pick<Confirmation, "creator" | "id" | "kind">
): PendedPurchase | undefined =>
  kind === "Purchase"
    ? pended(state).find(({ confirmation }) => confirmation === creator || confirmation === id)
    : undefined

/** Whether something of ours waits for the authenticator. */
export const wantsList = (state: State): boolean => awaiting(state).length > 0 || pended(state).length > 0

/** Until the list of confirmations may be read; nobody waits for it who has other things to decide. */
export const listWaitMillis = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  return limiter.waitMillis("confirmations", yield* marketNow)
})

/** Does this whenever somebody had to leave the list unread and it may be read again. */
export const whenListed = <A, E, R>({ confirms }: Desk, due: Effect.Effect<A, E, R>) =>
  Effect.forever(
    Effect.gen(function* () {
      yield* confirms.await
      yield* confirms.close
      yield* Effect.sleep(Duration.millis(yield* listWaitMillis))
      yield* due
    })
  )

/** Allows the staged listings of ours that the list shows. */
export const confirmListings = Effect.fn("Confirm.confirmListings")(function* (
  desk: Desk,
  listed: ReadonlyArray<Confirmation>
) {
  const journal = yield* Journal
  for (const confirmation of listed) {
    if (confirmation.kind !== "Listing" || !mayConfirm((yield* journal.state).control)) continue
    const ask = yield* ownerOf(desk, confirmation, awaiting(yield* journal.state))
    if (ask !== undefined) yield* Effect.uninterruptible(allow(ask.listed.id, confirmation))
  }
})

/** The staged ask that a confirmation belongs to: by its creator, else by what its details name. */
const ownerOf = Effect.fnUntraced(function* (
  desk: Desk,
  confirmation: Confirmation,
  waiting: ReadonlyArray<OpenAsk>
) {
  const named = (id: string) => waiting.find((ask) => ask.listed.asset === id || ask.listing === id)
  const direct = named(confirmation.creator)
  if (direct !== undefined || waiting.length === 0) return direct
  const subjects = yield* subjectsOf(desk, confirmation)
  return subjects.map(named).find((ask) => ask !== undefined)
})

/** What a confirmation is about; asked once, it does not change. Nothing when it cannot be told now. */
export const subjectsOf = Effect.fn("Confirm.subjectsOf")(function* (desk: Desk, confirmation: Confirmation) {
  const known = desk.subjects.get(confirmation.id)
  if (known !== undefined) return known
  const market = yield* Market
  const read = yield* Effect.result(market.confirmationSubjects(confirmation))
  if (read._tag === "Failure") {
    yield* unread(`confirmation ${confirmation.id}`)(read.failure)
    return []
  }
  const [oldest] = desk.subjects.keys()
  if (desk.subjects.size >= subjectsKept && oldest !== undefined) desk.subjects.delete(oldest)
  desk.subjects.set(confirmation.id, read.success)
  return read.success
})

const unread = (what: string) => (error: MarketError) =>
  Effect.logWarning(`${what} could not be read: ${error.reason._tag}`)

/** Says yes to one confirmation of this intent, and what became of that; `Held` while trading is halted. */
export const allow = Effect.fnUntraced(function* (intent: IntentId, confirmation: Confirmation) {
  const journal = yield* Journal
  const market = yield* Market
  // A halt may have come while the list or the details were read.
  if (!mayConfirm((yield* journal.state).control)) return "Held" as const
  yield* journal.append([{ _tag: "Confirming", at: yield* marketNow, intent, confirmation: confirmation.id }])
  const outcome = yield* market.allowConfirmation(confirmation)
  if (outcome._tag !== "Accepted")
    yield* Effect.logWarning(
      `confirmation ${confirmation.id} of intent ${intent} was not allowed: ${outcome._tag}`
    )
  else yield* confirmed(intent, confirmation.id)
  return outcome._tag
})

export const confirmed = Effect.fnUntraced(function* (intent: IntentId, confirmation: ConfirmationId) {
  const journal = yield* Journal
  yield* journal.append([{ _tag: "Confirmed", at: yield* marketNow, intent, confirmation }])
})
