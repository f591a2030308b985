/** 9. With faults gone the daemon comes up, reads the books that its rules need, and trades: a cheap order is wished and must stand. */
import { type Checker, nothingWrong } from "../Occasion.ts"

/** With faults gone, an order book is read at least this often. */
const idleAtMostMillis = 10 * 60_000
export const canary = "canary"
/** The account's own limits may leave no room for the last wish. */
const excuses: ReadonlySet<string> = new Set([
  "InsufficientFunds",
  "AccountOpenOrders",
  "AccountSpendPerDay",
  "AccountExposure"
])

export const liveness = (): Checker => {
  let quietSince: number | undefined
  let lastBookAt = Number.NEGATIVE_INFINITY
  let hasTraded = false
  let wasRefused = ""
  let isHaltedByRule = false
  let leftAloneUntil = 0
  return {
    promise: 9,
    see: (occasion) => {
      if (occasion._tag === "LeftAlone") leftAloneUntil = occasion.until
      if (occasion._tag === "Quiet") quietSince = occasion.now
      if (occasion._tag === "Answered" && occasion.operation === "orderbook" && occasion.status === 200)
        lastBookAt = occasion.now
      if (occasion._tag === "Journaled")
        for (const event of occasion.events) {
          if (event._tag === "IntentRecorded") hasTraded ||= event.intent.reason.origin.strategy === canary
          if (event._tag === "Halted") isHaltedByRule = event.who !== "operator"
          if (event._tag === "Resumed") isHaltedByRule = false
          if (event._tag === "GuardRefused" && event.origin.strategy === canary) wasRefused = event.code
        }
      if (occasion._tag !== "Ended" || quietSince === undefined) return nothingWrong
      const { now } = occasion.ending
      const idle = now - Math.max(lastBookAt, quietSince, leftAloneUntil)
      return [
        ...(idle > idleAtMostMillis
          ? [`no order book was read for ${Math.round((now - lastBookAt) / 1_000)} s`]
          : []),
        ...(hasTraded || excuses.has(wasRefused) || isHaltedByRule
          ? []
          : [`the last wish was not traded ${wasRefused}`])
      ]
    }
  }
}
