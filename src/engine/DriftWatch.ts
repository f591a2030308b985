/**
 * Holds the journal's word on operations that are out of service against what the market's adapter says: told when one goes and when it is
 * back. Invariant: the guard lets through no intent that depends on one (Drift gate), neither to be sent nor to be followed afterwards.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import type { Intent } from "../domain/Intent.ts"
import type { Operation } from "../domain/Operation.ts"
import type { State } from "../domain/State.ts"
import { Market } from "../market/Market.ts"
import { Journal, marketNow } from "./Journal.ts"

export const tellDrift = Effect.fn("DriftWatch.tell")(function* () {
  const market = yield* Market
  const journal = yield* Journal
  const out = yield* market.drift.outOfService
  const { drifted } = yield* journal.state
  if (out.length === 0 && Object.keys(drifted).length === 0) return
  const at = yield* marketNow
  const gone = out
    .filter(({ operation }) => drifted[operation] === undefined)
    .map(({ operation, path }): Event => ({ _tag: "OperationDrifted", at, operation, path }))
  const back = Object.keys(drifted)
    .filter((operation) => out.every((one) => one.operation !== operation))
    .map((operation): Event => ({ _tag: "OperationRecovered", at, operation: operation as Operation }))
  yield* journal.append([...gone, ...back])
})

/** Without these no outcome can be followed. */
const always: ReadonlyArray<Operation> = ["mylistings", "myhistory", "billing", "orderbook"]
const needed: Readonly<Record<Intent["_tag"], ReadonlyArray<Operation>>> = {
  PlaceBid: ["create-buyorder", ...always],
  BuyListing: ["buylisting", "listings", ...always],
  ListAsset: ["sellitem", "confirmations", "confirmation-op", ...always],
  CancelBid: ["cancel-buyorder"],
  RemoveListing: ["removelisting"]
}

/** True when an operation that the intent hangs on is out of service. */
export const hangsOnDrifted = (kind: Intent["_tag"], { drifted }: State): boolean =>
  needed[kind].some((operation) => drifted[operation] !== undefined)
