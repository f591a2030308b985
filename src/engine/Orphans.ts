/**
 * What waits on the authenticator, or is staged, and is not ours: a person's own doing, or the rest of something that went wrong.
 * Invariants: 1. it is shown and never touched. 2. it is journaled when it changes, not at every look.
 */
import { Effect } from "effect"

import type { Confirmation } from "../domain/Confirmation.ts"
import type { ListingId } from "../domain/Ids.ts"
import type { State } from "../domain/State.ts"
import { Market, type OwnOpen } from "../market/Market.ts"
import { pendedBy, subjectsOf } from "./Confirm.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"

/** Details that one sweep asks for at most; the rest come with the next one. */
const detailsAtOnce = 10

interface Orphans {
  readonly confirmations: ReadonlyArray<Confirmation>
  readonly listings: ReadonlyArray<ListingId>
}

/** Reads the list when it is time, and journals what is not ours. A list that cannot be read is asked for the next time. */
export const sweep = Effect.fn("Orphans.sweep")(function* (desk: Desk, open: OwnOpen) {
  const journal = yield* Journal
  const market = yield* Market
  const now = yield* marketNow
  if (now - desk.lastSweepAt < desk.options.reconcileMillis) return
  desk.lastSweepAt = now
  const listed = yield* Effect.result(market.confirmations)
  if (listed._tag === "Failure") return
  const orphans = yield* orphansOf(desk, yield* journal.state, open, listed.success)
  const word = [...orphans.confirmations.map(({ id }) => id), ...orphans.listings].toSorted().join(" ")
  if (word === desk.orphans) return
  desk.orphans = word
  const confirmations = orphans.confirmations.map(({ headline, id, kind }) => ({ id, kind, headline }))
  yield* journal.append([
    { _tag: "OrphansSeen", at: yield* marketNow, confirmations, listings: orphans.listings }
  ])
})

const orphansOf = Effect.fnUntraced(function* (
  desk: Desk,
  state: State,
  open: OwnOpen,
  listed: ReadonlyArray<Confirmation>
) {
  const own = new Set<string>(Object.keys(state.asks))
  for (const slot of Object.values(state.asks))
    if ("ask" in slot && slot.ask?.listing !== undefined) own.add(slot.ask.listing)
  for (const { asset, id } of open.listings) if (own.has(asset)) own.add(id)
  const confirmations: Array<Confirmation> = []
  let asked = 0
  for (const confirmation of listed) {
    if (confirmation.kind === "Other" || own.has(confirmation.creator)) continue
    if (pendedBy(state, confirmation) !== undefined) continue
    if (confirmation.kind === "Listing" && own.size > 0) {
      if (!desk.subjects.has(confirmation.id) && ++asked > detailsAtOnce) continue
      const subjects = yield* subjectsOf(desk, confirmation)
      if (subjects.length === 0 || subjects.some((id) => own.has(id))) continue
    }
    confirmations.push(confirmation)
  }
  const listings = open.listings
    .filter(({ asset, stage }) => stage === "Staged" && !own.has(asset))
    .map(({ id }) => id)
  const orphans: Orphans = { confirmations, listings }
  return orphans
})
