import { assert, describe, it } from "@effect/vitest"

import { demandFor } from "../../src/paper/Demand.ts"
import { tradedOver } from "../../src/paper/Trades.ts"
import { bookWith } from "./Books.ts"

const usual = 950
const book = bookWith([[900, 5]], [[1_000, 5]])

describe("the demand for a quote", () => {
  it("is the usual one at others' prices and behind them", () => {
    assert.strictEqual(demandFor("bids", 900, book, usual), 1)
    assert.strictEqual(demandFor("asks", 1_100, book, usual), 1)
  })

  it("grows with every part of the half spread that a quote is better, up to three times", () => {
    assert.closeTo(demandFor("asks", 975, book, usual), Math.exp(0.5), 1e-9)
    assert.closeTo(demandFor("bids", 925, book, usual), Math.exp(0.5), 1e-9)
    assert.strictEqual(demandFor("asks", 905, book, usual), 3)
  })

  it("fades when nobody else quotes and the price is far from what is usual", () => {
    const alone = bookWith([[900, 5]], [])
    assert.isAbove(demandFor("asks", 940, alone, usual), 1)
    assert.isBelow(demandFor("asks", 1_200, alone, usual), 0.01)
    assert.isBelow(demandFor("asks", 1_200, bookWith([], []), usual), 0.01)
    assert.strictEqual(demandFor("asks", 1_200, alone, undefined), 0)
  })
})

describe("trades that nobody sees", () => {
  it("come to the whole flow on average, however they are lumped", () => {
    const [all, none] = [tradedOver(0, 6, 0), tradedOver(0, 0, 0)]
    assert.strictEqual(none, 0)
    // unit by unit, what comes behind the first so many
    const unitByUnit = Array.from(
      { length: 80 },
      (_, first) => tradedOver(0, 6, first) - tradedOver(0, 6, first + 1)
    )
    assert.closeTo(
      unitByUnit.reduce((sum, units) => sum + units, 0),
      all,
      1e-6
    )
    for (const [first, units] of unitByUnit.entries()) assert.isAtMost(units, unitByUnit[first - 1] ?? all)
  })

  it("get past better prices more often than single units would", () => {
    // ten single units of a mean of four: 0.0135 of a unit is behind them
    assert.isAbove(tradedOver(0, 4, 10), 0.55 * 0.03)
  })
})
