/**
 * Carries out one approved intent: journal first, send once, journal the answer.
 * Invariants: 1. nothing is sent whose intent is not on disk. 2. from the journal entry to the recorded answer nothing can interrupt.
 * 3. the only form that is ever posted again is a purchase's, with the id of the confirmation that was allowed for it.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import type { BuyOrderId, ConfirmationId, IntentId, Millis } from "../domain/Ids.ts"
import type { BuyListing, PlaceBid } from "../domain/Intent.ts"
import type { Outcome } from "../domain/Outcome.ts"
import { Market } from "../market/Market.ts"
import type { Approved } from "./Guard.ts"
import { Journal, marketNow } from "./Journal.ts"

/** What the market said, without its values: enough to decide on a cool-down. */
type Result = Outcome<unknown>["_tag"]

export const execute = Effect.fn("Execute.execute")(function* (intent: Approved) {
  const journal = yield* Journal
  const at = yield* marketNow
  yield* journal.append([
    { _tag: "IntentRecorded", at, intent },
    { _tag: "Sent", at, intent: intent.id }
  ])
  const outcome = yield* send(intent)
  yield* journal.append([answer(intent.id, outcome, yield* marketNow)])
  const result: Result = outcome._tag
  return result
}, Effect.uninterruptible)

type Sent = Effect.Effect<Outcome<BuyOrderId | undefined>, never, Market>

const send = (intent: Approved): Sent =>
  Effect.flatMap(Market, (market): Sent => {
    switch (intent._tag) {
      case "PlaceBid":
      case "BuyListing":
        return purchase(intent)
      case "CancelBid":
        return withoutValue(market.cancelBuyOrder(intent.order))
      case "ListAsset":
        return withoutValue(
          market.listAsset({
            item: intent.item,
            asset: intent.asset,
            context: intent.context,
            sellerReceives: intent.sellerReceives
          })
        )
      case "RemoveListing":
        return withoutValue(market.removeListing(intent.listing))
    }
  })

/** Posts a purchase's form; the second time with the confirmation that was allowed for it. */
const purchase = (intent: PlaceBid | BuyListing, confirmation?: ConfirmationId): Sent =>
  Effect.flatMap(Market, (market): Sent => {
    const again = confirmation === undefined ? {} : { confirmation }
    if (intent._tag === "PlaceBid") {
      const { item, price, quantity } = intent
      return market.placeBuyOrder({ item, price, quantity, ...again })
    }
    const { limit: atMost, units: quantity } = intent
    return withoutValue(market.purchase({ offer: { ...intent, isMine: false }, quantity, atMost, ...again }))
  })

const withoutValue = <A>(self: Effect.Effect<Outcome<A>>): Effect.Effect<Outcome<undefined>> =>
  Effect.map(self, (outcome) =>
    outcome._tag === "Accepted" ? { _tag: "Accepted", value: undefined } : outcome
  )

const answer = (intent: IntentId, outcome: Outcome<BuyOrderId | undefined>, at: Millis): Event => {
  switch (outcome._tag) {
    case "Accepted":
      return {
        _tag: "Accepted",
        at,
        intent,
        ...(outcome.value === undefined ? {} : { order: outcome.value })
      }
    case "Refused":
      return {
        _tag: "Refused",
        at,
        intent,
        code: outcome.code,
        message: outcome.message,
        ...(outcome.marketCode === undefined ? {} : { marketCode: outcome.marketCode })
      }
    case "Pending":
      return { _tag: "Pended", at, intent, confirmation: outcome.confirmation }
    case "Unknown":
      return { _tag: "OutcomeUnknown", at, intent, reason: outcome.reason, detail: outcome.detail }
  }
}

/** Posts the form of a purchase again, once its confirmation has been allowed. */
export const finishPurchase = Effect.fn("Execute.finishPurchase")(function* (
  intent: PlaceBid | BuyListing,
  confirmation: ConfirmationId
) {
  const journal = yield* Journal
  const outcome = yield* purchase(intent, confirmation)
  const settled: Outcome<BuyOrderId | undefined> =
    outcome._tag === "Pending"
      ? { _tag: "Unknown", reason: "TimedOut", detail: "it asks for its confirmation again" }
      : outcome
  yield* journal.append([answer(intent.id, settled, yield* marketNow)])
}, Effect.uninterruptible)
