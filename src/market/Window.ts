/**
 * Sliding windows over what one budget counts: requests, or the distinct items that were asked for.
 * Invariants: 1. with one request per permit, no stretch of time as long as the window holds more than the budget. 2. an item that is
 * counted may be asked for again at no cost until its place is given back; asking again does not prolong its stay.
 */
import { type Budget } from "./Quotas.ts"

/**
 * One request may travel slowly and the next one fast; the market counts arrivals, so windows are kept a little longer. What was under way
 * for longer than this is counted twice: when it left, and when it was over.
 */
export const travelMillis = 500

interface Requests {
  readonly _tag: "Requests"
  readonly budget: Budget
  /** Times of the last requests, at most as many as the budget has; a ring that begins at `next`. */
  readonly times: Array<number>
  next: number
}
interface Items {
  readonly _tag: "Items"
  readonly budget: Budget
  /** When each item took its place, oldest first. */
  readonly places: Map<string, number>
  /** Requests that named no item count as items of their own. */
  nameless: number
}
export type Window = Requests | Items

export const emptyWindow = (budget: Budget): Window =>
  budget.distinct === true
    ? { _tag: "Items", budget, places: new Map(), nameless: 0 }
    : { _tag: "Requests", budget, times: [], next: 0 }

/** How long until the window has room; zero or less when it has. `reserved` requests are left to others. */
export const waitMillis = (window: Window, now: number, item?: string, reserved = 0): number =>
  window._tag === "Requests" ? waitForRequest(window, now, reserved) : waitForItem(window, now, item)

const waitForRequest = ({ budget, next, times }: Requests, now: number, reserved: number): number => {
  const room = Math.max(1, budget.requests - reserved)
  if (times.length < room) return 0
  const index = times.length < budget.requests ? times.length - room : (next + reserved) % budget.requests
  return (times[index] ?? -Infinity) + budget.windowMillis + travelMillis - now
}

const waitForItem = (window: Items, now: number, item: string | undefined): number => {
  const { budget, places } = window
  dropExpired(window, now)
  const since = item === undefined ? undefined : places.get(item)
  if (since !== undefined) {
    const leavesAt = since + budget.windowMillis
    // Around the moment at which its place is given back it might be counted a second time.
    return now < leavesAt - travelMillis ? 0 : leavesAt + travelMillis - now
  }
  const [oldest] = places.values()
  return places.size < budget.requests || oldest === undefined
    ? 0
    : oldest + budget.windowMillis + travelMillis - now
}

const dropExpired = ({ budget, places }: Items, now: number): void => {
  for (const [item, since] of places) {
    if (since + budget.windowMillis + travelMillis > now) return
    places.delete(item)
  }
}

export const record = (window: Window, now: number, item?: string): void => {
  if (window._tag === "Requests") {
    recordRequest(window, now)
    return
  }
  dropExpired(window, now)
  const place = item ?? `#${++window.nameless}`
  if (!window.places.has(place)) window.places.set(place, now)
}

const recordRequest = (window: Requests, now: number): void => {
  if (window.times.length < window.budget.requests) {
    window.times.push(now)
    return
  }
  window.times[window.next] = now
  window.next = (window.next + 1) % window.budget.requests
}

/** How much of the budget is used. */
export const used = (window: Window, now: number): number => {
  if (window._tag === "Items") {
    dropExpired(window, now)
    return window.places.size
  }
  const since = now - window.budget.windowMillis - travelMillis
  return window.times.filter((time) => time > since).length
}
