/**
 * What every loop of the daemon owes: a sign of progress within its bound. A loop that goes silent ends the process, so that its
 * supervisor starts it again: alive but idle is the worst of states.
 * Invariants: 1. waiting for a request budget is no silence: its end is known. 2. what is too late is journaled before the end.
 */
import { Duration, Effect, Schema } from "effect"

import { Millis } from "../domain/Ids.ts"
import { type Operation, operations } from "../domain/Operation.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import { Journal, marketNow } from "./Journal.ts"
import { Supervisor } from "./Supervisor.ts"

/** A loop made no progress within its bound. */
export class Stalled extends Schema.TaggedError<Stalled>()("Stalled", {
  loop: Schema.String,
  since: Millis,
  silentMillis: Schema.Finite
}) {
  override get message(): string {
    const minutes = Math.round(this.silentMillis / 60_000)
    return `the loop "${this.loop}" made no progress for ${minutes} minutes; the process ends so that its supervisor can start it again`
  }
}

interface Watched {
  /** Market time of its last sign, and of the end of the rest that it told of then. */
  at: Millis
  restsUntil: number
  readonly boundMillis: number
  /** Operations whose budgets it may have to wait for. */
  readonly waitsFor: ReadonlyArray<Operation>
}

/** By the loop's name. */
export type Progress = Map<string, Watched>

/** Longest silence of a loop between two turns: far more than any step, poll or look takes on a market that stumbles. */
const silenceMillis = 900_000

/** Begins to watch: loops of the account with the milliseconds that they rest by themselves, and the polling of these facts. */
export const watchLoops = Effect.fnUntraced(function* (
  progress: Progress,
  resting: Readonly<Record<string, number>>,
  facts: ReadonlyArray<string>
) {
  const at = yield* marketNow
  const fresh = { at, restsUntil: at }
  progress.set(searching, { ...fresh, boundMillis: silenceMillis, waitsFor: searchOperations })
  for (const [loop, restMillis] of Object.entries(resting))
    progress.set(loop, { ...fresh, boundMillis: restMillis + silenceMillis, waitsFor: ownOperations })
  for (const fact of facts)
    progress.set(`polling ${fact}`, { ...fresh, boundMillis: silenceMillis, waitsFor: operations })
})

/** What the deciding fiber asks for. */
const ownOperations: ReadonlyArray<Operation> = [
  "home",
  "mylistings",
  "myhistory",
  "buyorder-status",
  "buylisting",
  "create-buyorder",
  "cancel-buyorder",
  "sellitem",
  "removelisting",
  "confirmations",
  "confirmation-details",
  "confirmation-op"
]

/** The loop that asks what universes search for, and what it asks for. */
export const searching = "searching"
const searchOperations: ReadonlyArray<Operation> = ["search", "search-render", "appfacets"]

/** A sign of progress of a loop that rests for so long now; a loop that nobody watches has none to give. */
export const progressed = (progress: Progress, loop: string, restMillis = 0): Effect.Effect<void> =>
  Effect.map(marketNow, (at) => {
    const watched = progress.get(loop)
    if (watched === undefined) return
    watched.at = at
    watched.restsUntil = at + restMillis
  })

/** Between two looks at the loops. */
const lookMillis = 30_000
/** A budget that makes wait for longer than this explains a silence; shorter waits are part of every bound. */
const longWaitMillis = 60_000
/** A journal that takes longer to write to is part of what is wrong. */
const lastWordMillis = 5_000

/** Looks at the loops for ever; fails with the first that is silent for too long. */
export const watchdog = Effect.fn("Progress.watchdog")(function* (progress: Progress) {
  const limiter = yield* RateLimiter
  const { alive } = yield* Supervisor
  const waits = ({ waitsFor }: Watched, now: number): boolean =>
    waitsFor.some((operation) => limiter.waitMillis(operation, now) > longWaitMillis)
  for (;;) {
    yield* Effect.sleep(Duration.millis(lookMillis))
    const now = yield* marketNow
    for (const [loop, watched] of progress) {
      const silentMillis = now - Math.max(watched.at, watched.restsUntil)
      if (silentMillis <= watched.boundMillis) continue
      if (waits(watched, now)) watched.at = now
      else return yield* ended(loop, watched.at, silentMillis)
    }
    yield* alive
  }
})

const ended = Effect.fnUntraced(function* (loop: string, since: Millis, silentMillis: number) {
  const journal = yield* Journal
  yield* journal
    .append([{ _tag: "Stalled", at: yield* marketNow, loop, since }])
    .pipe(Effect.timeout(Duration.millis(lastWordMillis)), Effect.ignore)
  return yield* new Stalled({ loop, since, silentMillis })
})
