import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"

import { type Millis } from "../../src/domain/Ids.ts"
import * as Sales from "../../src/domain/Sales.ts"

const hour = 3_600_000
const day = 24 * hour
const millis = (value: number): Millis => value as Millis
/** 2018-12-06T01:00:00Z. */
const start = millis(1_544_058_000_000)
const after = (hours: number): Millis => millis(start + hours * hour)
const point = (hours: number, median: number, units: number): Sales.SalesPoint => ({
  at: after(hours),
  median,
  units
})

/** Four hours; the third one is dear and sells little. */
const four = Sales.priceHistory([point(0, 100, 10), point(1, 110, 30), point(2, 400, 1), point(3, 120, 9)])
const now = after(3.5)

const Points = Schema.Array(
  Schema.Struct({
    hours: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })),
    median: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })),
    units: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
  })
)
const Hours = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 70 }))
const typed = (points: typeof Points.Type) =>
  Sales.priceHistory(points.map(({ hours, median, units }) => point(hours, median / 10, units)))

describe("Sales labels", () => {
  const read = (label: string) => Option.getOrUndefined(Sales.parseLabel(label))

  it("reads the label of an hour and its older form", () => {
    assert.strictEqual(read("Dec 06 2018 01: +0"), start)
    assert.strictEqual(read("Wed, 12 Dec 2012 01:00:00 +0000"), 1_355_274_000_000)
    assert.strictEqual(read("Jan 01 1970 00: +0"), 0)
    assert.strictEqual(read("Nov 28 2013 01: +0"), 1_385_600_400_000)
  })

  it("knows leap days and no other days that are not", () => {
    assert.strictEqual(read("Feb 29 2024 23: +0"), 1_709_247_600_000)
    assert.strictEqual(read("Feb 29 2000 00: +0"), 951_782_400_000)
    for (const label of [
      "Feb 29 2023 00: +0",
      "Feb 29 1900 00: +0",
      "Apr 31 2024 00: +0",
      "Jan 00 2024 00: +0"
    ])
      assert.strictEqual(read(label), undefined, label)
  })

  it("reads nothing else", () => {
    for (const label of [
      "",
      "Dec 06 2018",
      "Dec 06 2018 24: +0",
      "Dez 06 2018 01: +0",
      "Dec 06 2018 01: +1",
      "dec 06 2018 01: +0",
      " Dec 06 2018 01: +0",
      "12 Dec 2012 01:00:00 +0000",
      "Wed, 12 Dec 2012 01:60:00 +0000",
      "2018-12-06T01:00:00Z"
    ])
      assert.strictEqual(read(label), undefined, label)
  })

  it("writes the hour that contains a time", () => {
    assert.strictEqual(Sales.formatLabel(start), "Dec 06 2018 01: +0")
    assert.strictEqual(Sales.formatLabel(millis(start + hour - 1)), "Dec 06 2018 01: +0")
    assert.strictEqual(Sales.formatLabel(millis(951_782_400_000)), "Feb 29 2000 00: +0")
  })

  it.prop(
    "reads back every hour that it writes, from 1970 to 2200",
    { hours: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_016_000 })) },
    ({ hours }) => {
      assert.strictEqual(read(Sales.formatLabel(millis(hours * hour))), hours * hour)
    },
    { arbitrary: { runs: 500 } }
  )

  it("counts every day of four centuries once and in order", () => {
    const labels = new Set<string>()
    for (let days = 0; days < 146_097; days++) labels.add(Sales.formatLabel(millis(days * day)).slice(0, 11))
    assert.strictEqual(labels.size, 146_097)
    assert.strictEqual(Sales.formatLabel(millis(146_097 * day)), "Jan 01 2370 00: +0")
  })
})

describe("PriceHistory", () => {
  it("makes a point of the market's major units without binary dust", () => {
    assert.deepStrictEqual(Sales.salesPoint(start, 86.37, 57), { at: start, median: 8637, units: 57 })
    assert.strictEqual(Sales.salesPoint(start, 43.364, 1).median, 4336.4)
    assert.strictEqual(Sales.salesPoint(start, 0.029, 1).median, 2.9)
  })

  it("sorts, keeps the later told of two points of one time and drops hours without sales", () => {
    const history = Sales.priceHistory([point(2, 3, 1), point(0, 1, 1), point(1, 5, 0), point(2, 4, 2)])
    assert.deepStrictEqual(history.points, [point(0, 1, 1), point(2, 4, 2)])
  })

  it("keeps every number exactly, however odd its moment or large its price", () => {
    const odd = [
      point(0, 1, 1),
      point(0.000_1, 6_553.7, 255),
      point(1, 429_496_729.7, 70_000),
      point(100_000, 9e11, 2 ** 33)
    ]
    assert.deepStrictEqual(Sales.priceHistory(odd).points, odd)
  })

  it.prop(
    "is the same whether it is told at once or bit by bit",
    { before: Points, more: Points },
    ({ before, more }) => {
      const plain = (points: typeof Points.Type) =>
        points.map(({ hours, median, units }) => point(hours, median / 10, units))
      assert.deepStrictEqual(
        typed(before).with(plain(more)).points,
        Sales.priceHistory([...typed(before).points, ...plain(more)]).points
      )
      const later = typed(more).points.map(({ at, median, units }) =>
        point(60 + (at - start) / hour, median, units)
      )
      assert.deepStrictEqual(
        typed(before).with(later).points,
        Sales.priceHistory([...typed(before).points, ...later]).points
      )
    }
  )

  it("computes each statistic of a window by its definition", () => {
    assert.strictEqual(Sales.volume(four, now, day), 50)
    assert.strictEqual(Sales.low(four, now, day), 100)
    assert.strictEqual(Sales.high(four, now, day), 400)
    assert.strictEqual(Sales.mean(four, now, day), 182.5)
    assert.strictEqual(Sales.vwap(four, now, day), (1000 + 3300 + 400 + 1080) / 50)
    assert.strictEqual(Sales.median(four, now, day), 110)
    assert.strictEqual(Sales.quantile(four, now, day, 0.2), 100)
    assert.strictEqual(Sales.quantile(four, now, day, 0.21), 110)
    assert.strictEqual(Sales.quantile(four, now, day, 0.9), 120)
    assert.strictEqual(Sales.quantile(four, now, day, 1), 400)
    assert.strictEqual(Sales.change(four, now, day), 0.2)
  })

  it("counts points later than the window's begin and up to now, never later ones", () => {
    assert.strictEqual(Sales.volume(four, after(3), 2 * hour), 10)
    assert.strictEqual(Sales.volume(four, after(3), 2 * hour + 1), 40)
    assert.strictEqual(Sales.volume(four, after(1), day), 40)
    assert.strictEqual(Sales.high(four, after(1.99), day), 110)
    assert.strictEqual(Sales.volume(four, after(2), hour), 1)
  })

  it("has no price where nothing sold, and no units either", () => {
    const empty = Sales.priceHistory([])
    for (const [history, at] of [
      [empty, now] as const,
      [four, after(48)] as const,
      [four, after(-1)] as const
    ]) {
      for (const of of [Sales.low, Sales.high, Sales.mean, Sales.vwap, Sales.median, Sales.change])
        assert.strictEqual(of(history, at, day), undefined)
      assert.strictEqual(Sales.quantile(history, at, day, 0.5), undefined)
      assert.strictEqual(Sales.volume(history, at, day), 0)
    }
  })

  it("has no quantile outside of 0 to 1", () => {
    for (const p of [-0.1, 1.1, Number.NaN]) assert.strictEqual(Sales.quantile(four, now, day, p), undefined)
  })

  it("does not change with a single point", () => {
    assert.strictEqual(Sales.change(four, after(0), day), 0)
  })

  it.prop(
    "agrees with counting every unit of the window by itself",
    { points: Points, now: Hours, span: Hours },
    ({ now, points, span }) => {
      const history = typed(points)
      const inside = history.points.filter(({ at }) => at > after(now - span) && at <= after(now))
      const each = inside
        .flatMap(({ median, units }) => Array.from({ length: units }, () => median))
        .toSorted((a, b) => a - b)
      const window = [history, after(now), span * hour] as const
      assert.strictEqual(Sales.volume(...window), each.length)
      assert.strictEqual(Sales.low(...window), each[0])
      assert.strictEqual(Sales.high(...window), each.at(-1))
      assert.strictEqual(Sales.median(...window), each[Math.ceil(each.length / 2) - 1])
      if (each.length === 0) return
      const sum = each.reduce((total, price) => total + price, 0)
      assert.closeTo(Sales.vwap(...window) ?? Number.NaN, sum / each.length, 1e-6)
    }
  )

  it.prop(
    "keeps averages between low and high and quantiles in order",
    { points: Points, now: Hours },
    (input) => {
      const history = typed(input.points)
      const window = [history, after(input.now), 2 * day] as const
      const [low, high] = [Sales.low(...window), Sales.high(...window)]
      if (low === undefined || high === undefined) {
        assert.strictEqual(Sales.volume(...window), 0)
        return
      }
      for (const of of [Sales.mean, Sales.vwap, Sales.median]) {
        const value = of(...window) ?? Number.NaN
        assert.isTrue(low <= value && value <= high)
      }
      const quantiles = [0, 0.1, 0.5, 0.9, 1].map((p) => Sales.quantile(...window, p) ?? Number.NaN)
      assert.deepStrictEqual(
        quantiles,
        quantiles.toSorted((a, b) => a - b)
      )
      assert.strictEqual(quantiles[0], low)
      assert.strictEqual(quantiles.at(-1), high)
    }
  )

  it("answers the same again after many other windows were asked for", () => {
    const long = Sales.priceHistory(
      Array.from({ length: 4000 }, (_, index) => point(index, (index * 7919) % 1000, 1))
    )
    const ask = (hours: number) => Sales.median(long, after(4000), hours * hour)
    const first = ask(168)
    for (let hours = 1; hours <= 500; hours++) ask(hours)
    assert.strictEqual(ask(168), first)
  })
})
