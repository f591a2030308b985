/**
 * The condition of a universe as the engine asks it. It selects slowly: its facts are asked for once per refresh, so they may be older
 * here than in a rule. Invariant: judging has no effect and never throws.
 */
import type { PolledFact } from "../domain/Facts.ts"
import type { Checked } from "./Expression.ts"
import { valueAt } from "./Look.ts"
import { paramsFor } from "./Params.ts"
import type { Program } from "./Program.ts"
import type { UniverseEntry, Where } from "./Universe.ts"
import { isUnknown } from "./Value.ts"

/** How often items are judged again when no entry has a refresh. */
const defaultEveryMillis = 3_600_000
/** A fact is asked for at half the age that it may have. */
const agesPerRefresh = 2

export const whereOf = (program: Program, checked: Checked, entries: ReadonlyArray<UniverseEntry>): Where => {
  const refreshes = entries.flatMap((entry) => (entry._tag === "Search" ? [entry.refreshMillis] : []))
  const everyMillis = refreshes.length === 0 ? defaultEveryMillis : Math.min(...refreshes)
  const reads = new Map<PolledFact, number>()
  for (const fact of checked.polled)
    reads.set(fact, Math.max(program.freshness[fact], everyMillis * agesPerRefresh))
  const patient = { ...program, freshness: { ...program.freshness, ...Object.fromEntries(reads) } }
  return {
    text: checked.text,
    reads,
    everyMillis,
    judge: (facts) => {
      const params = paramsFor(program.params, facts.item)
      const value = valueAt({ program: patient, facts, params, listing: undefined }, checked)
      if (isUnknown(value)) return { _tag: "Unknown", why: value.why() }
      return { _tag: value === true ? "Holds" : "Fails" }
    }
  }
}
