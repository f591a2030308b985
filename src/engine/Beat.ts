/** What a daemon writes down every few minutes: the numbers of its run, how its budgets stand and what it watches. */
import { Effect } from "effect"

import { RateLimiter } from "../market/RateLimiter.ts"
import { Store } from "../store/Store.ts"
import type { Desk } from "./Desk.ts"
import { marketNow } from "./Journal.ts"
import { progressed } from "./Progress.ts"
import { rateNotes } from "./RateNotes.ts"
import { universeNotes } from "./Universe.ts"

/** Between two beats; the numbers of a run go back to the last one after a crash. */
export const beatMillis = 300_000

/** Writes the numbers of the run, how the budgets stand and how many items the universes hold. */
export const beat = Effect.fn("Beat.beat")(function* (desk: Desk, last: boolean) {
  yield* progressed(desk.progress, "beat")
  const store = yield* Store
  const notes = { ...(yield* rateNotes), ...universeNotes(desk.universes) }
  const at = yield* marketNow
  yield* store.beat({ at, numbers: yield* numbers(desk), notes, last })
})

/** Numbers of the run so far, those of a process before a crash included as of its last beat. */
export const numbers = Effect.fnUntraced(function* (desk: Desk) {
  const limiter = yield* RateLimiter
  const usage = [...(yield* limiter.usage).values()]
  const total = (field: "requests" | "rateLimited") => usage.reduce((sum, one) => sum + one[field], 0)
  const own = { requests: total("requests"), rateLimited: total("rateLimited"), ...desk.metrics }
  const withBefore = Object.entries(own).map(([name, value]) => [name, value + (desk.before[name] ?? 0)])
  return Object.fromEntries(withBefore) as typeof own
})
