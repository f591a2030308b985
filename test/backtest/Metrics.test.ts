import { assert, describe, it } from "@effect/vitest"

import {
  dayRows,
  itemRows,
  refusalRows,
  ruleRows,
  strategyRows,
  weekRows
} from "../../src/backtest/Breakdown.ts"
import { findingsOf } from "../../src/backtest/Findings.ts"
import { metricsOf } from "../../src/backtest/Metrics.ts"
import { months } from "../../src/backtest/page/Months.ts"
import { dailyReturns, drawdownOf, sharpeOf, sortinoOf, underwater } from "../../src/backtest/Ratios.ts"
import { matched, type TradedUnits } from "../../src/backtest/RoundTrips.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { money } from "../../src/domain/Money.ts"
import { chance } from "../tape/Tapes.ts"
import { at, crate, glove, hour, monday, small } from "./Results.ts"

const day = 24 * hour
const curve = (...values: ReadonlyArray<number>) =>
  values.map((equity, index) => ({ at: (monday + index * day) as Millis, equity: money(equity) }))
const near = (value: number | undefined, expected: number) =>
  assert.closeTo(value ?? Number.NaN, expected, 1e-9)

describe("Strategies side by side", () => {
  it("have the profit of what each of them bought, and those that did nothing are there", () => {
    const [one] = small.strategies
    const rows = strategyRows({ ...small, strategies: [one!, { ...one!, name: "idle" }] })
    assert.deepStrictEqual(
      rows.map(({ bought, orders, profit, sold, strategy }) => [strategy, profit, bought, sold, orders]),
      [
        ["spread", 10, 4, 3, small.orders.length],
        ["idle", 0, 0, 0, 0]
      ]
    )
  })
})

describe("The calendar of months", () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      start: at(24 * index),
      bought: 0,
      sold: 0,
      realised: money(0),
      fees: money(0),
      equity: money(10_000 + (index + 1) * 10),
      change: money(10)
    }))

  it("sums up the days, and is left out where weeks say more", () => {
    assert.strictEqual(months(days(40), 1), "")
    const page = months(days(90), 1)
    // 27 days of January from the 5th on
    assert.include(page, "+$2.70<small>2.7 %</small>")
    assert.include(page, "+$9.00<small>9.0 %</small>")
  })
})

describe("The figures of a run", () => {
  const metrics = metricsOf(small)

  it("say what it earned: what was sold and what is held", () => {
    assert.strictEqual(metrics.realised, 10)
    assert.strictEqual(metrics.unrealised, 25)
    assert.strictEqual(metrics.profit, 35)
    assert.strictEqual(metrics.equity, 10_035)
    near(metrics.gain, 0.0035)
    assert.strictEqual(metrics.fees, 45)
    assert.deepStrictEqual([metrics.unitsBought, metrics.unitsSold, metrics.unitsHeld], [4, 3, 1])
  })

  it("say how its trades went", () => {
    const { best, holdingMillis, profitFactor, trips, winRate, worst } = metrics.trips
    assert.strictEqual(trips, 3)
    near(winRate, 2 / 3)
    near(profitFactor, 60 / 50)
    near(holdingMillis, (30 * hour + 48 * hour + 48 * hour) / 3)
    assert.deepStrictEqual([best, worst], [30, -50])
  })

  it("say what was at risk, weighted by how long", () => {
    // 500 for 6 h, 500 for 2 h, 500 for 28 h, 400 for 20 h, 100 for 40 h
    assert.strictEqual(metrics.exposure.mean, Math.round((500 * 36 + 400 * 20 + 100 * 40) / 96))
    assert.strictEqual(metrics.exposure.most, 500)
    near(metrics.exposure.timeHeld, 90 / 96)
  })

  it("say how its orders were filled, by kind", () => {
    assert.deepStrictEqual(metrics.bids, { orders: 2, units: 5, filled: 4, ratio: 0.8 })
    assert.deepStrictEqual(metrics.listings, { orders: 4, units: 4, filled: 3, ratio: 0.75 })
    assert.isUndefined(metrics.purchases.ratio)
    assert.strictEqual(metrics.refusals, 1)
  })

  it("say how deep it fell below its best", () => {
    // 10,030 at hour 6, 9,960 at hour 36, 10,030 again at hour 56
    assert.deepStrictEqual(metrics.drawdown, {
      amount: money(70),
      fraction: 70 / 10_030,
      from: at(6),
      to: at(36),
      longestMillis: 50 * hour
    })
  })
})

describe("A run in parts", () => {
  it("is the sum of its items", () => {
    const rows = itemRows(small)
    assert.deepStrictEqual(
      rows.map(({ item, profit }) => [item, profit]),
      [
        [glove, 85],
        [crate, -50]
      ]
    )
    assert.strictEqual(
      rows.reduce((total, { profit }) => total + profit, 0),
      metricsOf(small).profit
    )
    assert.deepStrictEqual([rows[0]?.winRate, rows[1]?.winRate, rows[0]?.fillRatio], [1, 0, 5 / 7])
    assert.isUndefined(rows[0]?.profitFactor)
  })

  it("tells for each rule what its entries and exits earned", () => {
    const rows = ruleRows(small)
    assert.deepStrictEqual(
      rows.map(({ entered, exited, filled, refusals, rule, units }) => [
        rule,
        entered,
        exited,
        filled,
        units,
        refusals
      ]),
      [
        ["spread#enter", 10, 0, 4, 5, 1],
        ["spread#exit", 0, 10, 3, 4, 0]
      ]
    )
    assert.deepStrictEqual(refusalRows(small), [
      { code: "SpendPerDay", count: 1, message: "the day's money is spent" }
    ])
  })

  it("is the sum of its days and of its weeks, which begin on Monday", () => {
    const days = dayRows(small)
    assert.deepStrictEqual(
      days.map(({ bought, change, realised, sold }) => [bought, sold, realised, change]),
      [
        [4, 0, 0, 0],
        [0, 1, 30, -40],
        [0, 2, -20, 70],
        [0, 0, 0, 0],
        [0, 0, 0, 5]
      ]
    )
    assert.deepStrictEqual(
      weekRows(small).map(({ change, start }) => [start, change]),
      [[monday, 35]]
    )
    const sunday = { ...small, from: at(-1) }
    assert.deepStrictEqual(
      weekRows(sunday).map(({ start }) => start),
      [monday - 7 * day, monday]
    )
  })
})

describe("A curve of equity", () => {
  it("has Sharpe and Sortino as they are reckoned by hand", () => {
    const returns = dailyReturns(curve(10_000, 10_100, 9_999, 10_199))
    assert.deepStrictEqual(
      returns.map((value) => Math.round(value * 10_000)),
      [0, 100, -100, 200]
    )
    const [a, b, c] = [0.02, -0.01, 0.03]
    const mean = (a + b + c) / 3
    const deviation = Math.sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2) / 2)
    near(sharpeOf([a, b, c]), (mean / deviation) * Math.sqrt(365))
    near(sortinoOf([a, b, c]), (mean / Math.sqrt(b ** 2 / 3)) * Math.sqrt(365))
  })

  it("counts days without a point as days without gain", () => {
    const [first, , last] = curve(10_000, 0, 11_000)
    const returns = dailyReturns([first, last].filter((point) => point !== undefined))
    assert.deepStrictEqual(
      returns.map((value) => Math.round(value * 1000)),
      [0, 0, 100]
    )
  })

  it("says nothing when it is too short, flat, or never fell", () => {
    assert.isUndefined(sharpeOf([0.1, 0.2]))
    assert.isUndefined(sharpeOf([]))
    assert.isUndefined(sharpeOf([0.1, 0.1, 0.1]))
    assert.isUndefined(sortinoOf([0.1, 0.2, 0.1]))
    const { amount, from, longestMillis } = drawdownOf(curve(1, 2, 3))
    assert.deepStrictEqual([amount, from, longestMillis], [0, undefined, 0])
  })

  it("is under water by its drawdown at the deepest, however it goes", () => {
    const next = chance(7)
    for (let round = 0; round < 200; round++) {
      const length = 1 + Math.floor(next() * 60)
      const points = curve(...Array.from({ length }, () => 1 + Math.floor(next() * 1e6)))
      const { amount, fraction } = drawdownOf(points)
      assert.strictEqual(amount, Math.max(...underwater(points).map((under) => -under)) + 0)
      assert.isTrue(fraction >= 0 && fraction < 1)
    }
  })
})

describe("Trades matched with what they sold", () => {
  const traded = (side: "Buy" | "Sell", hours: number, units: number, amount: number): TradedUnits => ({
    side,
    at: at(hours),
    units,
    item: glove,
    amount: money(amount),
    fee: money(units),
    strategy: "spread",
    rule: side
  })

  it("sell the oldest first and share amounts without losing a minor unit", () => {
    const { open, trips } = matched([
      traded("Buy", 0, 2, 201),
      traded("Buy", 1, 2, 300),
      traded("Sell", 5, 3, 500)
    ])
    assert.deepStrictEqual(
      trips.map(({ cost, proceeds, units }) => [units, cost, proceeds]),
      [
        [2, 201, 333],
        [1, 150, 167]
      ]
    )
    assert.deepStrictEqual(
      open.map(({ cost, units }) => [units, cost]),
      [[1, 150]]
    )
  })

  it("tell a sale of what was never bought as such", () => {
    const [trip] = matched([traded("Sell", 1, 1, 90)]).trips
    assert.deepStrictEqual([trip?.entry, trip?.cost, trip?.profit], [undefined, 0, 90])
  })

  it("keep every amount, whatever is traded", () => {
    const next = chance(11)
    const total = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0)
    for (let round = 0; round < 200; round++) {
      const fills = Array.from({ length: Math.floor(next() * 40) }, (_, index) =>
        traded(next() < 0.5 ? "Buy" : "Sell", index, 1 + Math.floor(next() * 9), Math.floor(next() * 10_000))
      )
      const { open, trips } = matched(fills)
      const of = (side: "Buy" | "Sell") => total(fills.map((fill) => (fill.side === side ? fill.amount : 0)))
      const costs = [...trips, ...open].map(({ cost }) => cost)
      assert.strictEqual(total(trips.map(({ proceeds }) => proceeds)), of("Sell"))
      assert.strictEqual(total(costs), of("Buy"))
      assert.strictEqual(
        total(trips.map(({ profit }) => profit)),
        total(trips.map(({ cost, proceeds }) => proceeds - cost))
      )
    }
  })
})

describe("What makes a result hard to believe", () => {
  const codes = (result: typeof small) => findingsOf(result).map(({ code }) => code)

  it("is told with its figure and a remedy", () => {
    assert.deepStrictEqual(codes(small), [
      "few-trades",
      "short",
      "one-item",
      "one-trade",
      "over-ask",
      "flat",
      "on-paper",
      "drawdown"
    ])
    assert.deepStrictEqual(findingsOf(small)[2], {
      code: "one-item",
      says: "100 % of what was won comes from 730/Glove Case",
      remedy: "leave it out once and see what is left"
    })
  })

  it("is that nothing happened, and why", () => {
    const nothing = { ...small, trades: [], items: [], orders: [] }
    assert.include(codes(nothing), "no-trades")
    assert.notInclude(codes(nothing), "few-trades")
  })

  it("is that fills fell between looks that lie far apart, or on books that nobody saw", () => {
    const stale = small.trades.map((trade) => ({ ...trade, bookAgeMillis: hour }))
    assert.include(codes({ ...small, trades: stale }), "stale-fills")
    const [tape] = small.tapes
    assert.isDefined(tape)
    const made = { ...small, tapes: [{ ...tape!, synthetic: "10 % around the median" }] }
    assert.include(codes(made), "synthetic")
    const holed = small.items.map((one) => ({ ...one, longestGapMillis: 20 * hour }))
    assert.include(codes({ ...small, items: holed }), "gaps")
    const fair = small.trades.map((trade) => ({ ...trade, fee: money(0) }))
    assert.notInclude(codes({ ...small, trades: fair }), "over-ask")
    assert.include(codes({ ...small, settings: { ...small.settings, pessimism: 0 } }), "optimistic")
    const elsewhere = small.strategies.map((one) => ({ ...one, items: 0 }))
    assert.include(codes({ ...small, strategies: elsewhere }), "no-items")
  })

  it("is that the guard said no more often than yes, or that hardly any bid was filled", () => {
    const [no, order] = [small.refusals[0]!, small.orders[0]!]
    assert.include(codes({ ...small, refusals: Array.from({ length: 7 }, () => no) }), "refused")
    const old = Array.from({ length: 7 }, () => Object.assign({}, no, { code: "BookStale" }))
    assert.include(codes({ ...small, refusals: old }), "books-too-old")
    assert.notInclude(codes({ ...small, refusals: old }), "refused")
    const many = Array.from({ length: 40 }, () => ({ ...order, filled: 0 }))
    assert.include(codes({ ...small, orders: many }), "unfilled")
  })
})
