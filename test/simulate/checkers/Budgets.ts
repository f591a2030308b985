/** 5. The published budgets, counted over all lives of the daemon from what leaves, and every refusal that the exchange meant. */
import type { Operation } from "../../../src/domain/Operation.ts"
import { type Checker, nothingWrong } from "../Occasion.ts"

const minute = 60_000
const published: ReadonlyArray<readonly [Operation, requests: number, windowMillis: number]> = [
  ["search-render", 20, minute],
  ["priceoverview", 20, minute],
  ["priceoverview", 1_000, 1_440 * minute]
]
/** So many distinct items an hour. */
const distinct = { operation: "histogram", items: 10, windowMillis: 60 * minute } as const

export const budgets = (): Checker => {
  const asked = new Map<string, Array<number>>()
  const items = new Map<string, number>()

  const over = (operation: Operation, now: number): ReadonlyArray<string> =>
    published.flatMap(([of, requests, windowMillis]) => {
      if (of !== operation) return []
      const key = `${of} ${windowMillis}`
      const times = (asked.get(key) ?? []).filter((at) => at > now - windowMillis)
      times.push(now)
      asked.set(key, times)
      return times.length > requests
        ? [`more than ${requests} of ${of} within ${windowMillis / minute} min`]
        : []
    })

  return {
    promise: 5,
    see: (occasion) => {
      if (occasion._tag === "Answered" && occasion.status === 429 && !occasion.isFault)
        return [`the exchange refused ${occasion.operation ?? "a request"} as too many`]
      if (occasion._tag !== "Asked" || occasion.operation === undefined) return nothingWrong
      const { item, now, operation } = occasion
      if (operation !== distinct.operation) return over(operation, now)
      for (const [name, at] of items) if (at <= now - distinct.windowMillis) items.delete(name)
      if (!items.has(item)) items.set(item, now)
      return items.size > distinct.items
        ? [`more than ${distinct.items} items of ${operation} within an hour`]
        : nothingWrong
    }
  }
}
