/**
 * Records by item of which only the newest count: what we last sent there, until reads have shown all that came of it.
 * Invariants: 1. the newest entry is the last. 2. never more than `recentKept`: those that were written longest ago go first.
 */
import { type ItemKey } from "./Item.ts"

/** Items; what comes of one shows within minutes, and a budget of requests does not let a day see so many. */
export const recentKept = 1_000

/** The record with this entry as its newest. */
export const withNewest = <A>(
  record: Readonly<Record<string, A>>,
  key: ItemKey,
  value: A
): Readonly<Record<string, A>> => {
  const { [key]: _, ...others } = record
  const keys = Object.keys(others)
  if (keys.length < recentKept) return { ...others, [key]: value }
  return {
    ...Object.fromEntries(keys.slice(1 - recentKept).map((one) => [one, others[one] as A])),
    [key]: value
  }
}
