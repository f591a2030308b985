/** The statistics of a long price history from one hour to the next, against counting the window anew. */
import { Effect } from "effect"

import type { Millis } from "../../src/domain/Ids.ts"
import * as Indicators from "../../src/domain/Indicators.ts"
import * as Sales from "../../src/domain/Sales.ts"
import * as Naive from "../domain/Naive.ts"
import { nanosEach, row } from "./Measure.ts"

const hourMillis = 3_600_000
const windowHours = 30 * 24
/** Long enough that the window slides for a while before it has to begin again. */
const hours = 20_000

const history = Sales.priceHistory(
  Array.from({ length: hours }, (_, index) => ({
    at: (index * hourMillis) as Millis,
    median: 1_000 + Math.round(300 * Math.sin(index / 50)) + ((index * 7_919) % 97),
    units: 1 + ((index * 31) % 40)
  }))
)

const ticking = (): (() => Millis) => {
  let hour = windowHours
  return () => ((hour = hour + 1 < hours ? hour + 1 : windowHours) * hourMillis) as Millis
}

const sliding = Effect.sync(() => {
  const [mine, theirs] = [ticking(), ticking()]
  const duration = windowHours * hourMillis
  const slid = (): number => {
    const window = [history, mine(), duration] as const
    return (
      (Sales.median(...window) ?? 0) +
      (Sales.mean(...window) ?? 0) +
      (Sales.low(...window) ?? 0) +
      (Indicators.stdev(history, window[1], windowHours) ?? 0)
    )
  }
  const counted = (): number => {
    const now = theirs()
    const end = now / hourMillis + 1
    const points = history.points.slice(end - windowHours, end)
    const medians = points.map(({ median }) => median)
    return (
      (Naive.quantile(points, 0.5) ?? 0) +
      (Naive.mean(points) ?? 0) +
      (Naive.low(points) ?? 0) +
      (Naive.stdev(medians, windowHours) ?? 0)
    )
  }
  if (Math.abs(slid() - counted()) > 1e-6) throw new Error("the window does not slide as it should")
  const [ours = 0, anew = 0] = nanosEach(slid, counted)
  return row({
    name: "sliding window",
    value: ours / anew,
    unit: `of a full count's time, for an hour more in 30 days of hours (${(ours / 1_000).toFixed(2)} µs: median, mean, low, stdev)`,
    against: { "a full count, time": ours / anew },
    bar: 0.1
  })
})

export const slidingRows = { "sliding window": sliding }
