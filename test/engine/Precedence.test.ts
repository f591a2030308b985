import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import { seen } from "../../src/domain/Facts.ts"
import { byPrecedence } from "../../src/engine/Precedence.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { facts, headOf, holding, now, offer } from "../rules/support.ts"

const strategy = (name: string, rules: string, rest = ""): CompiledStrategy => {
  const result = compileStrategy(`${name}.yaml`, `${headOf()}${rest}rules:\n${rules}`, { currency: 1 })
  if (Result.isFailure(result)) throw new Error(renderErrors(result.failure))
  return result.success
}
const bids = (price: string) => `  - { id: enter, when: true, do: bid, at: ${price}, qty: 1 }\n`
const asks = (price: string) => `  - { id: exit, when: true, do: ask, at: ${price} }\n`
const buys = "  - { id: snipe, when: true, do: buy, limit: 10.00 }\n"
const holds = "  - { id: wait, when: true, do: hold }\n"

const decided = (...strategies: ReadonlyArray<CompiledStrategy>) =>
  byPrecedence(
    strategies,
    strategies.map(
      (one) =>
        one.evaluate(facts({ position: holding(1, 900), offers: seen([offer(900)], now) }), new Map())
          .decision
    )
  )

describe("Two strategies on one item", () => {
  it("divide its sides: the first that decides a side has it, and the other is told by whom and why", () => {
    const [first, second] = decided(
      strategy("first", bids("10.00"), "priority: 5\n"),
      strategy("second", `${bids("11.00")}${asks("13.00")}`)
    )
    assert.strictEqual(first?.bid?._tag, "Bid")
    assert.deepStrictEqual(first?.yields, [])
    assert.strictEqual(second?.bid, undefined)
    assert.strictEqual(second?.ask?._tag, "Ask")
    assert.deepStrictEqual(second?.yields, [{ side: "bid", to: "first", priority: 5 }])
  })

  it("obey a hold of the one before: it decides what is left to it", () => {
    const [, second] = decided(
      strategy("first", `${asks("13.00")}${holds}`),
      strategy("second", `${bids("11.00")}${asks("12.00")}`)
    )
    assert.deepStrictEqual([second?.bid, second?.ask], [undefined, undefined])
    assert.deepStrictEqual(
      second?.yields.map(({ side }) => side),
      ["bid", "ask"]
    )
  })

  it("buy a listing outright only where none before decides the bid side, by an order, a hold or a purchase", () => {
    const buyer = strategy("second", buys)
    const bought = (...before: ReadonlyArray<CompiledStrategy>) =>
      decided(...before, buyer).at(-1)?.buys.length
    assert.strictEqual(bought(), 1)
    assert.strictEqual(bought(strategy("first", asks("13.00"))), 1)
    for (const rules of [bids("10.00"), holds, buys, "  - { id: none, when: true, do: cancel-bid }\n"])
      assert.strictEqual(bought(strategy("first", rules)), 0, rules)
    assert.strictEqual(bought(strategy("first", holds, "mode: dry-run\n")), 1)
  })

  it("leave each other alone when one of them only looks", () => {
    const [first, second] = decided(
      strategy("first", bids("10.00"), "mode: dry-run\n"),
      strategy("second", bids("11.00"))
    )
    assert.strictEqual(first?.bid?._tag, "Bid")
    assert.strictEqual(second?.bid?._tag, "Bid")
  })
})
