/**
 * A person's own word on a confirmation, by its explicit id.
 * Invariants: 1. nothing is allowed or cancelled that was not named, and nothing is allowed while trading is halted. 2. what was said and
 * what the market answered is journaled.
 */
import { Effect, Schema } from "effect"

import type { Confirmation } from "../domain/Confirmation.ts"
import { Market } from "../market/Market.ts"
import { pendedBy } from "./Confirm.ts"
import { mayConfirm } from "./ControlGate.ts"
import { Journal, marketNow } from "./Journal.ts"

class CannotSettle extends Schema.TaggedError<CannotSettle>()("CannotSettle", {
  message: Schema.String
}) {}

/** Allows or cancels the confirmation; the market's word on it. */
export const settleByHand = Effect.fn("ByHand.settle")(function* (
  id: string,
  op: "allow" | "cancel",
  who: string
) {
  const market = yield* Market
  const journal = yield* Journal
  if (op === "allow" && !mayConfirm((yield* journal.state).control))
    return yield* new CannotSettle({ message: "trading is halted: nothing is allowed until `haggle resume`" })
  const listed = yield* market.confirmations
  const found: Confirmation | undefined = listed.find((one) => one.id === id)
  if (found === undefined)
    return yield* new CannotSettle({ message: `no confirmation ${id} waits on the authenticator` })
  // A purchase of ours goes on once its confirmation is gone from the list.
  const own = pendedBy(yield* journal.state, found)
  if (op === "allow" && own !== undefined)
    yield* journal.append([
      { _tag: "Confirming", at: yield* marketNow, intent: own.intent.id, confirmation: found.id }
    ])
  const outcome = yield* op === "allow" ? market.allowConfirmation(found) : market.cancelConfirmation(found)
  const { headline, kind } = found
  const said = outcome._tag === "Refused" ? `Refused: ${outcome.code}` : outcome._tag
  yield* journal.append([
    {
      _tag: "ConfirmedByHand",
      at: yield* marketNow,
      confirmation: found.id,
      op,
      kind,
      headline,
      who,
      outcome: said
    }
  ])
  return said
})
