/** The same failure with less: takes deaths, faults, edits, acts and strategies out of a plan, and time, for as long as it still fails. */
import { Effect } from "effect"

import { endedAfter, type WorldPlan } from "./Plan.ts"

type Fails = (plan: WorldPlan) => Effect.Effect<boolean>

interface Part {
  readonly of: (plan: WorldPlan) => ReadonlyArray<unknown>
  readonly put: (plan: WorldPlan, list: ReadonlyArray<unknown>) => WorldPlan
  readonly least: number
}

const part = <A>(
  of: (plan: WorldPlan) => ReadonlyArray<A>,
  put: (plan: WorldPlan, list: ReadonlyArray<A>) => WorldPlan,
  least = 0
): Part => ({ of, put: (plan, list) => put(plan, list as ReadonlyArray<A>), least })

const parts: ReadonlyArray<Part> = [
  part(
    ({ acts }) => acts,
    (plan, acts) => ({ ...plan, acts })
  ),
  part(
    ({ words }) => words,
    (plan, words) => ({ ...plan, words })
  ),
  part(
    ({ edits }) => edits,
    (plan, edits) => ({ ...plan, edits })
  ),
  part(
    ({ faults }) => faults.faults,
    (plan, faults) => ({ ...plan, faults: { ...plan.faults, faults } })
  ),
  part(
    ({ deaths }) => deaths,
    (plan, deaths) => ({ ...plan, deaths })
  ),
  part(
    ({ strategies }) => strategies,
    (plan, strategies) => ({ ...plan, strategies }),
    1
  )
]

/** Worlds that are played at most to make one plan smaller. */
const mostTries = 120

export const shrink = Effect.fn("Shrink.shrink")(function* (plan: WorldPlan, fails: Fails) {
  let best = plan
  let tries = 0
  const attempt = Effect.fnUntraced(function* (smaller: WorldPlan) {
    if (tries++ >= mostTries || !(yield* fails(smaller))) return false
    best = smaller
    return true
  })
  for (let minutes = Math.floor(best.minutes / 2); minutes >= 5; minutes = Math.floor(best.minutes / 2))
    if (!(yield* attempt({ ...best, minutes, faults: endedAfter(minutes, best.faults) }))) break
  for (const { least, of, put } of parts) {
    for (let size = of(best).length; size >= 1; size = Math.floor(size / 2))
      for (let from = 0; from < of(best).length;) {
        const list = of(best)
        const rest = [...list.slice(0, from), ...list.slice(from + size)]
        if (rest.length < least || !(yield* attempt(put(best, rest)))) from += size
      }
  }
  return best
})
