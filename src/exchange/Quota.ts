/**
 * How many requests a client may make (interface, Limits). Counted in sliding windows of the market's time, per client and operation.
 * Invariants: 1. a refused request does not count. 2. an operation without a row is unlimited. 3. where items are counted, an item that
 * was asked for inside the window is no new one, but its polls have a limit of their own.
 */
import { type Operation } from "../domain/Operation.ts"

interface Limit {
  readonly requests: number
  readonly windowMillis: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The document's limits; the histogram's per minute is what polling one item may cost. */
const quotas: ReadonlyMap<Operation, ReadonlyArray<Limit>> = new Map<Operation, ReadonlyArray<Limit>>([
  [
    "priceoverview",
    [
      { requests: 20, windowMillis: minute },
      { requests: 1000, windowMillis: day }
    ]
  ],
  ["search-render", [{ requests: 20, windowMillis: minute }]],
  ["histogram", [{ requests: 20, windowMillis: minute }]]
])

/** Distinct items inside a window. */
const itemQuotas: ReadonlyMap<Operation, Limit> = new Map([
  ["histogram", { requests: 10, windowMillis: hour }]
])

/** Times of the counted requests by client and operation, ascending. */
export type Counted = Map<string, Array<number>>

const inside = (counted: Counted, key: string, windowMillis: number, now: number): Array<number> =>
  (counted.get(key) ?? []).filter((at) => at > now - windowMillis)

/** Whether the request fits; if it does, it is counted. */
export const admit = (counted: Counted, client: string, operation: Operation, now: number): boolean => {
  const limits = quotas.get(operation)
  if (limits === undefined) return true
  const key = `${client} ${operation}`
  const widest = Math.max(...limits.map(({ windowMillis }) => windowMillis))
  const times = inside(counted, key, widest, now)
  const fits = limits.every(
    ({ requests, windowMillis }) => times.filter((at) => at > now - windowMillis).length < requests
  )
  if (fits) times.push(now)
  counted.set(key, times)
  return fits
}

/** Last polls of items by client and operation. */
export type CountedItems = Map<string, Map<string, number>>

/** Whether the client may ask for this item; one more than so many distinct ones may not be asked for inside the window. */
export const admitItem = (
  counted: CountedItems,
  client: string,
  operation: Operation,
  item: string,
  now: number
): boolean => {
  const limit = itemQuotas.get(operation)
  if (limit === undefined) return true
  const key = `${client} ${operation}`
  const polled = new Map([...(counted.get(key) ?? [])].filter(([, at]) => at > now - limit.windowMillis))
  const fits = polled.has(item) || polled.size < limit.requests
  // A window begins with the first poll of an item: polling on does not make room later.
  if (fits && !polled.has(item)) polled.set(item, now)
  counted.set(key, polled)
  return fits
}
