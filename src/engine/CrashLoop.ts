/**
 * The breaker for a daemon that keeps dying: after so many ends without a last word it starts paused, and a person decides.
 * Invariant: an operator's `resume` starts the count anew.
 */
import { itself } from "../domain/Control.ts"
import type { Event } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Entry } from "../store/Store.ts"

export interface CrashLoopRules {
  /** So many crashes pause the next start; infinity never does. */
  readonly crashes: number
  readonly withinMillis: number
}

/** Enough for every accident that a supervisor's restarts cure, too few to hammer a market. */
export const defaultCrashLoopRules: CrashLoopRules = { crashes: 5, withinMillis: 600_000 }

/** Starts and ends that are looked at: more than the most crashes that a setting may ask for. */
export const livesLooked = 200

/** Kinds of events that tell of starts and ends. */
export const lifeKinds = ["RunStarted", "RunStopped", "Resumed"] as const

/** Starts within the window, of those events, that no orderly stop followed. */
const crashesIn = (events: ReadonlyArray<Event>, now: Millis, { withinMillis }: CrashLoopRules): number => {
  let crashes = 0
  for (const [index, event] of events.entries()) {
    if (event._tag === "Resumed") crashes = 0
    if (event._tag !== "RunStarted" || event.at < now - withinMillis) continue
    // a word in between ends no run
    const next = events.slice(index + 1).find(({ _tag }) => _tag !== "Resumed")
    if (next?._tag !== "RunStopped") crashes++
  }
  return crashes
}

/** The pause that a start begins with after too many crashes. */
export const breaker = (
  entries: ReadonlyArray<Entry>,
  now: Millis,
  rules: CrashLoopRules
): ReadonlyArray<Event> => {
  const crashes = crashesIn(
    entries.map(({ event }) => event),
    now,
    rules
  )
  const minutes = Math.round(rules.withinMillis / 60_000)
  return crashes < rules.crashes
    ? []
    : [
        {
          _tag: "Paused",
          at: now,
          who: itself,
          why: `${crashes} crashes within ${minutes} minutes; find the cause, then \`haggle resume\``
        }
      ]
}
