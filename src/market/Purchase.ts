/**
 * A purchase to its end: when the market wants it confirmed, the confirmation that carries its id is allowed and the same form is posted
 * again with that id. Invariants: 1. only the confirmation that the market named is touched. 2. the form is posted twice at most, and
 * the second time only after the market said that it waits for the first.
 */
import { Effect } from "effect"

import { type Confirmation } from "../domain/Confirmation.ts"
import { type ConfirmationId } from "../domain/Ids.ts"
import { type Outcome, pending } from "../domain/Outcome.ts"
import { Market, type Purchased, type PurchaseListing } from "./Market.ts"

/** The list lags behind the purchase by a moment; every look costs its budget's ten seconds. */
const looks = 3

export const purchaseToEnd = Effect.fn("Purchase.purchaseToEnd")(function* (
  form: PurchaseListing
): Effect.fn.Return<Outcome<Purchased>, never, Market> {
  const market = yield* Market
  const first = yield* market.purchase(form)
  if (first._tag !== "Pending") return first
  const found = yield* confirmationOf(first.confirmation)
  if (found === undefined) return first
  const allowed = yield* market.allowConfirmation(found)
  if (allowed._tag !== "Accepted") return pending(first.confirmation)
  return yield* market.purchase({ ...form, confirmation: first.confirmation })
})

/** Undefined when it is not listed; the purchase then still waits for it. */
const confirmationOf = Effect.fnUntraced(function* (
  id: ConfirmationId
): Effect.fn.Return<Confirmation | undefined, never, Market> {
  const market = yield* Market
  for (let look = 0; look < looks; look += 1) {
    const listed = yield* Effect.result(market.confirmations)
    if (listed._tag === "Failure") continue
    const found = listed.success.find(
      (one) => one.kind === "Purchase" && (one.creator === id || one.id === id)
    )
    if (found !== undefined) return found
  }
  return undefined
})
