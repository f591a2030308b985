import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"

import * as Money from "../../src/domain/Money.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: -1e12, maximum: 1e12 }))
const Increment = Schema.Literals([1, 5, 10, 100, 1000])

describe("Money", () => {
  it("is a safe integer or a defect", () => {
    for (const wrong of [0.5, Number.NaN, Infinity, 2 ** 53])
      assert.throws(() => Money.money(wrong), RangeError)
    assert.isTrue(Object.is(Money.money(-0), 0))
  })

  it("adds, subtracts, multiplies and sums exactly", () => {
    const [a, b] = [Money.money(1999), Money.money(-3)]
    assert.strictEqual(Money.add(a, b), 1996)
    assert.strictEqual(Money.subtract(a, b), 2002)
    assert.strictEqual(Money.negate(b), 3)
    assert.strictEqual(Money.times(a, 12), 23_988)
    assert.strictEqual(Money.sum([a, b, b]), 1993)
    assert.strictEqual(Money.sum([]), 0)
    assert.strictEqual(Money.min(a, b), -3)
    assert.strictEqual(Money.max(a, b), 1999)
  })

  it("refuses a sum that leaves the safe integers on its way, even when it comes back", () => {
    const most = Money.money(Number.MAX_SAFE_INTEGER)
    assert.throws(() => Money.sum([most, most, Money.negate(most)]), RangeError)
  })

  it("rounds to increments in the direction of the name, halves upwards", () => {
    assert.deepStrictEqual(
      [99, 100, 149, 150, 199].map((amount) => Money.floorTo(amount, 100)),
      [0, 100, 100, 100, 100].map(Money.money)
    )
    assert.deepStrictEqual(
      [99, 100, 101].map((amount) => Money.ceilTo(amount, 100)),
      [100, 100, 200].map(Money.money)
    )
    assert.deepStrictEqual(
      [149, 150, -150, -151].map((amount) => Money.roundTo(amount, 100)),
      [100, 200, -100, -200].map(Money.money)
    )
  })

  it("does not let a binary fraction move an amount by a step", () => {
    assert.strictEqual(Money.floorTo(0.29 * 100, 1), 29)
    assert.strictEqual(Money.ceilTo(0.07 * 100, 1), 7)
    assert.strictEqual(Money.roundTo(1.005 * 100, 1), 101)
  })

  it("reads plain decimals and nothing else", () => {
    const read = (text: string) => Option.getOrUndefined(Money.fromDecimal(text))
    assert.strictEqual(read("12"), 1200)
    assert.strictEqual(read(" 0.5 "), 50)
    assert.strictEqual(read("12.34"), 1234)
    assert.strictEqual(read("-0.07"), -7)
    for (const wrong of ["", ".5", "5.", "1.234", "1,23", "1e3", "+1", "$1", "1 000", "--1", "9999999999999"])
      assert.isTrue(Option.isNone(Money.fromDecimal(wrong)), wrong)
  })

  it.prop("reads back every decimal that it writes", { amount: Amount }, ({ amount }) => {
    assert.strictEqual(Option.getOrThrow(Money.fromDecimal(Money.toDecimal(Money.money(amount)))), amount)
  })

  it.prop(
    "keeps floor ≤ amount ≤ ceil within one increment, and the nearest is one of the two",
    { amount: Amount, increment: Increment },
    ({ amount, increment }) => {
      const [down, up] = [Money.floorTo(amount, increment), Money.ceilTo(amount, increment)]
      assert.isTrue(down <= amount && amount <= up && up - down <= increment)
      assert.strictEqual(Math.abs(down % increment) + Math.abs(up % increment), 0)
      const near = Money.roundTo(amount, increment)
      assert.isTrue((near === down || near === up) && Math.abs(near - amount) * 2 <= increment)
    }
  )
})
