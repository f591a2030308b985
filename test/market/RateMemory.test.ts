import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"

import { defaultQuotas } from "../../src/market/Quotas.ts"
import { layer, RateHistory, RateLimiter } from "../../src/market/RateLimiter.ts"
import { afterCrash, decodeMemory, emptyMemory } from "../../src/market/RateMemory.ts"

const minuteMillis = 60_000
const take = (times: number) =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    for (let count = 0; count < times; count++) yield* limiter.take("priceoverview")
    return yield* (yield* RateHistory).text
  })

describe("The budgets' memory", () => {
  it.effect("goes on after a restart in order with what was sent before it", () =>
    Effect.gen(function* () {
      const text = yield* Effect.provide(take(20), layer(defaultQuotas))
      const wait = yield* Effect.provide(
        Effect.flatMap(RateLimiter, (limiter) => limiter.delay("priceoverview")),
        layer(defaultQuotas, decodeMemory(text))
      )
      assert.isAtLeast(Duration.toMillis(wait), minuteMillis)
    })
  )

  it.effect(
    "counts the published budgets as used up in the minutes before a crash that nobody wrote down",
    () =>
      Effect.gen(function* () {
        const memory = afterCrash(emptyMemory, defaultQuotas, 0, 5 * minuteMillis)
        assert.lengthOf(memory.requests.priceoverview ?? [], 100)
        assert.isUndefined(memory.requests.orderbook)
        yield* TestClock.adjust("5 minutes")
        const free = (operation: "priceoverview" | "orderbook") =>
          Effect.provide(
            Effect.flatMap(RateLimiter, (limiter) => limiter.delay(operation)),
            layer(defaultQuotas, memory)
          )
        assert.isAbove(Duration.toMillis(yield* free("priceoverview")), 0)
        assert.strictEqual(Duration.toMillis(yield* free("orderbook")), 0)
      })
  )

  it("takes what it cannot read for nothing", () => {
    assert.deepStrictEqual(decodeMemory("not json"), emptyMemory)
    assert.deepStrictEqual(decodeMemory('{"requests":{"orderbook":["x"]},"cooling":{}}'), emptyMemory)
  })
})
