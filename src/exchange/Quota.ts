/**
 * How many requests a client may make (interface, Limits). Counted in sliding windows of the market's time, per client and operation.
 * Invariants: 1. a refused request does not count. 2. an operation without a row is unlimited.
 */
import { type Operation } from "../domain/Operation.ts"

interface Limit {
  readonly requests: number
  readonly windowMillis: number
}

const minute = 60_000
const day = 86_400_000

/** The document's limits. */
const quotas: ReadonlyMap<Operation, ReadonlyArray<Limit>> = new Map<Operation, ReadonlyArray<Limit>>([
  [
    "priceoverview",
    [
      { requests: 20, windowMillis: minute },
      { requests: 1000, windowMillis: day }
    ]
  ],
  ["search-render", [{ requests: 20, windowMillis: minute }]]
])

/** Times of the counted requests by client and operation, ascending. */
export type Counted = Map<string, Array<number>>

/** Whether the request fits; if it does, it is counted. */
export const admit = (counted: Counted, client: string, operation: Operation, now: number): boolean => {
  const limits = quotas.get(operation)
  if (limits === undefined) return true
  const key = `${client} ${operation}`
  const widest = Math.max(...limits.map(({ windowMillis }) => windowMillis))
  const times = (counted.get(key) ?? []).filter((at) => at > now - widest)
  const fits = limits.every(
    ({ requests, windowMillis }) => times.filter((at) => at > now - windowMillis).length < requests
  )
  if (fits) times.push(now)
  counted.set(key, times)
  return fits
}
