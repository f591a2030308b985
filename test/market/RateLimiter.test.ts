// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

import { operations } from "../../src/domain/Operation.ts"
import { defaultQuotas, withBudgets } from "../../src/market/Quotas.ts"
import { layer, RateHistory, RateLimiter } from "../../src/market/RateLimiter.ts"
import { coolDown, emptyWindow, record, waitMillis } from "../../src/market/Window.ts"

const minute = 60_000

/** Takes n permits in virtual time and tells when each was given. */
const takeMany = Effect.fnUntraced(function* (
  operation: Parameters<RateLimiter["Service"]["take"]>[0],
  n: number
) {
  const limiter = yield* RateLimiter
  const times: Array<number> = []
  const fiber = yield* Effect.forkChild(
    Effect.gen(function* () {
      for (let i = 0; i < n; i += 1) {
        yield* limiter.take(operation)
        times.push(yield* Clock.currentTimeMillis)
      }
    })
  )
  yield* TestClock.adjust("3 days")
  yield* Fiber.join(fiber)
  return times
})

const most = (times: ReadonlyArray<number>, windowMillis: number): number =>
  Math.max(...times.map((end) => times.filter((time) => time > end - windowMillis && time <= end).length))

describe("RateLimiter", () => {
  it.effect("keeps the published budgets of the price overview in every window, a minute and a day", () =>
    Effect.gen(function* () {
      const times = yield* takeMany("priceoverview", 1500)
      assert.isAtMost(most(times, minute), 20)
      assert.isAtMost(most(times, 24 * 60 * minute), 1000)
      assert.strictEqual(times.filter((time) => time === 0).length, 20)
    }).pipe(Effect.provide(layer(defaultQuotas)))
  )

  it.effect("mutations share one budget of one a second and do not wait for reads", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (let i = 0; i < 120; i += 1) yield* limiter.take("orderbook")
      assert.strictEqual(Duration.toMillis(yield* limiter.delay("orderbook")), minute + 200)
      yield* limiter.take("create-buyorder")
      const fiber = yield* Effect.forkChild(limiter.take("cancel-buyorder"))
      yield* TestClock.adjust(1000)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(300)
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* Clock.currentTimeMillis, 1300)
    }).pipe(Effect.provide(layer(defaultQuotas)))
  )

  it.effect("confirmation lists are ten seconds apart", () =>
    Effect.gen(function* () {
      const [first = 0, second = 0] = yield* takeMany("confirmations", 2)
      assert.isAtLeast(second - first, 10_000)
    }).pipe(Effect.provide(layer(defaultQuotas)))
  )

  it.effect("cools down longer with every refusal and starts over after a success", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const wait = Effect.fnUntraced(function* () {
        const before = yield* Clock.currentTimeMillis
        const fiber = yield* Effect.forkChild(limiter.take("orderbook"))
        while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(1000)
        return (yield* Clock.currentTimeMillis) - before
      })
      yield* limiter.refused("orderbook")
      yield* limiter.refused("orderbook")
      assert.strictEqual(yield* wait(), minute)
      yield* limiter.refused("orderbook")
      assert.strictEqual(yield* wait(), 2 * minute)
      yield* limiter.succeeded("orderbook")
      yield* limiter.refused("orderbook")
      assert.strictEqual(yield* wait(), minute)
      assert.deepStrictEqual((yield* limiter.usage).get("orderbook"), { requests: 3, rateLimited: 4 })
    }).pipe(Effect.provide(layer(defaultQuotas)))
  )

  it.effect("a refused mutation slows every mutation down", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      yield* limiter.refused("create-buyorder")
      const fiber = yield* Effect.forkChild(limiter.take("sellitem"))
      yield* TestClock.adjust(minute - 1)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(layer(defaultQuotas)))
  )

  it.effect("remembers its budgets over a restart", () =>
    Effect.gen(function* () {
      const snapshot = yield* Effect.gen(function* () {
        const limiter = yield* RateLimiter
        for (let i = 0; i < 20; i += 1) yield* limiter.take("priceoverview")
        yield* limiter.refused("orderbook")
        return yield* (yield* RateHistory).snapshot
      }).pipe(Effect.provide(layer(defaultQuotas)))
      const restored = layer(defaultQuotas, snapshot)
      yield* Effect.gen(function* () {
        const limiter = yield* RateLimiter
        const fibers = yield* Effect.forEach(["priceoverview", "orderbook"] as const, (one) =>
          Effect.forkChild(limiter.take(one))
        )
        yield* TestClock.adjust(minute - 1)
        assert.isTrue(fibers.every((fiber) => fiber.pollUnsafe() === undefined))
        yield* TestClock.adjust(1000)
        yield* Effect.forEach(fibers, Fiber.join)
      }).pipe(Effect.provide(restored))
    })
  )

  it("every operation has a budget and overrides replace it", () => {
    for (const operation of operations)
      assert.isTrue(
        defaultQuotas.some((meter) => meter.operations.includes(operation) && meter.budgets.length > 0)
      )
    const changed = withBudgets(defaultQuotas, { orderbook: [{ requests: 1, windowMillis: 5 }] })
    assert.deepStrictEqual(changed.find(({ operations: [only] }) => only === "orderbook")?.budgets, [
      { requests: 1, windowMillis: 5 }
    ])
  })

  it("a window has room again only when its oldest request has left it", () => {
    const window = emptyWindow({ requests: 2, windowMillis: 1000 })
    record(window, 0)
    assert.strictEqual(waitMillis(window, 0), 0)
    record(window, 400)
    assert.strictEqual(waitMillis(window, 400), 800)
    record(window, 1200)
    assert.strictEqual(waitMillis(window, 1200), 400)
  })

  it("a cool-down is bounded", () => {
    assert.deepStrictEqual([1, 2, 3, 50].map(coolDown), [60_000, 120_000, 240_000, 3_600_000])
  })
})
