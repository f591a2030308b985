/**
 * A sliding window over the requests of one budget, and the cool-down after a refusal.
 * Invariant: with one request per permit, no stretch of time as long as the window holds more requests than the budget.
 */
import { type Budget } from "./Quotas.ts"

export interface Window {
  readonly budget: Budget
  /** Times of the last requests, at most as many as the budget has; a ring that begins at `next`. */
  readonly times: Array<number>
  next: number
}

/** One request may travel slowly and the next one fast; the market counts arrivals, so windows are kept a little longer. */
const travelMillis = 200

export const emptyWindow = (budget: Budget): Window => ({ budget, times: [], next: 0 })

/** How long until the window has room; zero or less when it has. */
export const waitMillis = ({ budget, next, times }: Window, now: number): number => {
  if (times.length < budget.requests) return 0
  return (times[next] ?? -Infinity) + budget.windowMillis + travelMillis - now
}

export const record = (window: Window, now: number): void => {
  if (window.times.length < window.budget.requests) {
    window.times.push(now)
    return
  }
  window.times[window.next] = now
  window.next = (window.next + 1) % window.budget.requests
}

/** The window after the requests at these times. */
export const recall = (window: Window, times: ReadonlyArray<number>): Window => {
  for (const time of times.toSorted((a, b) => a - b)) record(window, time)
  return window
}

/** Times that the window still counts, oldest first. */
export const recordedAt = ({ budget, times }: Window, now: number): ReadonlyArray<number> =>
  times.filter((time) => time > now - budget.windowMillis - travelMillis).toSorted((a, b) => a - b)

/** A minute was seen to be enough after a short burst; longer blocks are met by doubling up to this. */
const firstCoolDownMillis = 60_000
const longestCoolDownMillis = 3_600_000

/** Milliseconds to wait after the n-th refusal in a row. */
export const coolDown = (refusals: number): number =>
  Math.min(longestCoolDownMillis, firstCoolDownMillis * 2 ** Math.max(0, refusals - 1))
