import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import type { Millis } from "../../src/domain/Ids.ts"
import * as Indicators from "../../src/domain/Indicators.ts"
import * as Sales from "../../src/domain/Sales.ts"
import * as Naive from "./Naive.ts"

const hour = 3_600_000
const start = 1_767_960_000_000
const at = (hours: number): Millis => (start + hours * hour) as Millis

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Points = Schema.Array(
  Schema.Struct({ hours: between(0, 120), median: between(1, 40), units: between(0, 9) })
)
/** Moments in the order in which they are asked for: mostly on, now and then back or far away. */
const Moments = Schema.Array(between(-5, 15))
const Span = between(0, 60)
const Count = between(1, 12)

const historyOf = (points: typeof Points.Type) =>
  Sales.priceHistory(
    points.map(({ hours, median, units }) => ({ at: at(hours), median: median / 10, units }))
  )

const walk = (steps: ReadonlyArray<number>): ReadonlyArray<number> => {
  let hours = 0
  return steps.map((step) => (hours = step < -3 ? 0 : Math.max(0, hours + step / 2)))
}

const near = (ours: number | undefined, theirs: number | undefined, what: string): void => {
  if (ours === undefined || theirs === undefined) assert.strictEqual(ours, theirs, what)
  else assert.closeTo(ours, theirs, 1e-6, what)
}

describe("a window that slides", () => {
  it.prop(
    "says at every moment what a count of all its points says",
    { points: Points, steps: Moments, span: Span, p: between(0, 20) },
    ({ p, points, span, steps }) => {
      const history = historyOf(points)
      for (const hours of walk(steps)) {
        const window = [history, at(hours), span * hour] as const
        const inside = Naive.inside(...window)
        assert.strictEqual(Sales.volume(...window), Naive.volume(inside))
        assert.strictEqual(Sales.low(...window), Naive.low(inside))
        assert.strictEqual(Sales.high(...window), Naive.high(inside))
        assert.strictEqual(Sales.median(...window), Naive.quantile(inside, 0.5))
        assert.strictEqual(Sales.quantile(...window, p / 20), Naive.quantile(inside, p / 20))
        assert.strictEqual(Sales.change(...window), Naive.change(inside))
        near(Sales.mean(...window), Naive.mean(inside), "mean")
        near(Sales.vwap(...window), Naive.vwap(inside), "vwap")
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it("keeps an average inside of its window to the last bit", () => {
    const flat = Sales.priceHistory(
      Array.from({ length: 30 }, (_, index) => ({ at: at(index), median: 0.3, units: 7 }))
    )
    const averages = Array.from({ length: 40 }, (_, hours) =>
      [Sales.mean, Sales.vwap].map((of) => of(flat, at(hours), 12 * hour) ?? 0.3)
    )
    assert.deepStrictEqual([...new Set(averages.flat())], [0.3])
  })
})

/** What a look shows next: hours behind the last point (0: in its place, less: before it), how many points, and which look it follows. */
const Looks = Schema.Array(
  Schema.Struct({
    behind: between(-1, 3),
    points: between(0, 3),
    median: between(1, 300),
    units: between(0, 9),
    back: between(0, 12)
  })
)

describe("a history that grows", () => {
  it.prop(
    "is told by windows and indicators as one that was always there, and so are those that it grew out of",
    { first: Points, looks: Looks, span: Span, n: Count },
    ({ first, looks, n, span }) => {
      const grown = [historyOf(first)]
      for (const { back, behind, median, points, units } of looks) {
        // mostly the newest grows, now and then one that has grown already
        const from = grown.at(back > 2 ? -1 : -1 - back) ?? historyOf(first)
        const last = from.points.at(-1)?.at ?? at(0)
        const more = Array.from({ length: points }, (_, index) => ({
          at: (last + (behind + index) * hour) as Millis,
          median: (median + index) / 10,
          units
        }))
        grown.push(from.with(more))
        for (const history of [grown.at(-1), from, grown.at(back - 12)]) {
          if (history === undefined) continue
          const anew = Sales.priceHistory(history.points)
          const now = (history.points.at(-1)?.at ?? last) as Millis
          const window = [history, now, span * hour] as const
          const inside = Naive.inside(anew, now, span * hour)
          assert.strictEqual(history.length, anew.length)
          assert.strictEqual(Sales.volume(...window), Naive.volume(inside))
          assert.strictEqual(Sales.median(...window), Naive.quantile(inside, 0.5))
          assert.strictEqual(Sales.mean(...window), Sales.mean(anew, now, span * hour))
          for (const { of } of Object.values(Indicators.indicators))
            assert.strictEqual(of(history, now, n), of(anew, now, n))
        }
        assert.deepStrictEqual(grown.at(-1)?.points, Sales.priceHistory([...from.points, ...more]).points)
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it("keeps what an earlier look showed", () => {
    const before = historyOf([{ hours: 0, median: 10, units: 1 }])
    const [one, other] = [20, 30].map((median) => before.with([{ at: at(1), median, units: 1 }]))
    const later = one?.with([{ at: at(2), median: 40, units: 2 }])
    const mediansOf = (history: typeof before | undefined) => history?.points.map(({ median }) => median)
    assert.deepStrictEqual(mediansOf(before), [1])
    assert.deepStrictEqual(mediansOf(one), [1, 20])
    assert.deepStrictEqual(mediansOf(other), [1, 30])
    assert.deepStrictEqual(mediansOf(later), [1, 20, 40])
    assert.strictEqual(before.median(1), undefined)
    assert.strictEqual(before.firstAfter(at(5)), 1)
  })
})

describe("indicators of the last n points", () => {
  it.prop(
    "say at every moment what a count of all their points says",
    { points: Points, steps: Moments, n: Count },
    ({ n, points, steps }) => {
      const history = historyOf(points)
      for (const hours of walk(steps)) {
        const medians = Naive.medians(history, at(hours))
        near(Indicators.sma(history, at(hours), n), Naive.sma(medians, n), "sma")
        near(Indicators.stdev(history, at(hours), n), Naive.stdev(medians, n), "stdev")
        near(Indicators.ema(history, at(hours), n), Naive.ema(medians, n), "ema")
        near(Indicators.rsi(history, at(hours), n + 1), Naive.rsi(medians, n + 1), "rsi")
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it("are undefined while there are fewer points than they need", () => {
    const three = historyOf([
      { hours: 0, median: 10, units: 1 },
      { hours: 1, median: 20, units: 1 },
      { hours: 2, median: 30, units: 1 }
    ])
    const now = at(2)
    assert.strictEqual(Indicators.sma(three, now, 3), 2)
    assert.strictEqual(Indicators.rsi(three, now, 2), 100)
    assert.strictEqual(Indicators.rsi(three, now, 3), undefined)
    for (const { of } of Object.values(Indicators.indicators))
      for (const n of [4, 0, -1, 1.5, Number.NaN]) assert.strictEqual(of(three, now, n), undefined)
  })
})
