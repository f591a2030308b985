/** A small share of the fuzz on every run, and whether the fuzz itself would notice. */
import { assert, describe, it } from "@effect/vitest"

import { operations } from "../../src/domain/Operation.ts"
import { mayBeSuccess, wrongNumbers } from "./Expect.ts"
import { type Found, makeFuzz } from "./Run.ts"

const sharedCases = 2000

describe("the fuzz", () => {
  it("finds no crash and no wrong success in two thousand cases", { timeout: 60_000 }, async () => {
    const fuzz = await makeFuzz(7)
    const found: Array<Found> = []
    for (let index = 0; index < sharedCases; index += 1) found.push(...(await fuzz.run(index)))
    assert.deepStrictEqual(found, [])
  })

  it("gives every operation cases that are still successes and cases that are none", async () => {
    const fuzz = await makeFuzz(7)
    const cases = Array.from({ length: 6000 }, (_, index) => fuzz.caseOf(index))
    for (const operation of operations) {
      const own = cases.filter((one) => one.operation === operation)
      const verdicts = new Set(own.map((one) => mayBeSuccess(operation, one)))
      assert.strictEqual(verdicts.size, 2, operation)
    }
  })

  it("repeats a case by its seed and number", async () => {
    const [one, other] = await Promise.all([makeFuzz(3), makeFuzz(3)])
    assert.deepStrictEqual(one.caseOf(1234), other.caseOf(1234))
    assert.notDeepEqual(one.caseOf(1234), one.caseOf(1264))
  })

  it("tells a success from what only looks like one", () => {
    const sent = (text: string, status = 200) => ({ text, status, location: undefined })
    assert.isTrue(mayBeSuccess("create-buyorder", sent('{"success":1,"buy_orderid":"5"}')))
    assert.isFalse(mayBeSuccess("create-buyorder", sent('{"success":1,"buy_orderid":"5"}', 500)))
    assert.isFalse(mayBeSuccess("create-buyorder", sent('{"success":1,"buy_orderid":"5","message":"no"}')))
    assert.isFalse(mayBeSuccess("removelisting", sent("{}")))
    assert.isFalse(mayBeSuccess("orderbook", sent("null")))
    assert.isTrue(mayBeSuccess("search", sent("null")))
    assert.deepStrictEqual(wrongNumbers({ a: [{ b: Number.NaN }], c: 1 }), [".a.0.b"])
  })
})
