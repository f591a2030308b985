// @effect-diagnostics strictEffectProvide:off
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"

import { fractionOf } from "../../src/domain/Chance.ts"
import { type Operation, operations } from "../../src/domain/Operation.ts"
import { defaultQuotas, laneOf, withBudgets } from "../../src/market/Quotas.ts"
import { emptyLedger, layerMemory } from "../../src/market/RateLedger.ts"
import { layer as layerSqlite } from "../../src/market/RateLedgerSqlite.ts"
import { layer, layerAlone, RateLimiter } from "../../src/market/RateLimiter.ts"
import { emptyWindow, record, travelMillis, waitMillis } from "../../src/market/Window.ts"

const minute = 60_000
const day = 24 * 60 * minute

/** Takes n permits in virtual time and tells when each was given. */
const takeMany = Effect.fnUntraced(function* (operation: Operation, n: number) {
  const limiter = yield* RateLimiter
  const times: Array<number> = []
  const fiber = yield* Effect.forkChild(
    Effect.gen(function* () {
      while (times.length < n) {
        yield* Effect.sleep(yield* delayOf(operation))
        yield* Effect.orDie(limiter.take(operation))
        times.push(yield* Clock.currentTimeMillis)
      }
    })
  )
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("1 hour")
  yield* Fiber.join(fiber)
  return times
})

const most = (times: ReadonlyArray<number>, windowMillis: number): number =>
  Math.max(...times.map((end) => times.filter((time) => time > end - windowMillis && time <= end).length))

const delayOf = (operation: Operation, item?: string) =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    return limiter.waitMillis(operation, yield* Clock.currentTimeMillis, item)
  })

/** A request and its answer. */
const ask = Effect.fnUntraced(function* (
  operation: Operation,
  answer: "succeeded" | "refused" | "failed" = "succeeded"
) {
  const limiter = yield* RateLimiter
  yield* limiter.take(operation)
  yield* limiter[answer](operation)
})

/** Waits for the end of a rest, then asks. */
const askAfterRest = Effect.fnUntraced(function* (
  operation: Operation,
  answer: "succeeded" | "refused" | "failed"
) {
  const rest = yield* delayOf(operation)
  yield* TestClock.adjust(rest)
  yield* ask(operation, answer)
  return rest
})

describe("RateLimiter", () => {
  it.effect("keeps the published budgets of the price overview in every window, a minute and a day", () =>
    Effect.gen(function* () {
      const times = yield* takeMany("priceoverview", 1500)
      assert.isAtMost(most(times, minute), 20)
      assert.isAtMost(most(times, day), 1000)
      assert.strictEqual(times.filter((time) => time === times[0]).length, 20)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("spaces mutations by a second, a fifth more or less, and never lets them wait for reads", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (let i = 0; i < 120; i += 1) yield* limiter.take("orderbook")
      for (let i = 0; i < 20; i += 1) yield* limiter.take("search")
      assert.isAbove(yield* delayOf("orderbook"), 0)
      const times: Array<number> = []
      for (let i = 0; i < 20; i += 1) {
        yield* TestClock.adjust(yield* delayOf("create-buyorder"))
        yield* limiter.take(i % 2 === 0 ? "create-buyorder" : "cancel-buyorder")
        times.push(yield* Clock.currentTimeMillis)
      }
      assert.strictEqual(times[0], 0)
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      for (const gap of gaps) assert.isTrue(gap >= 800 && gap <= 1_200, `${gap} ms`)
      assert.isAbove(new Set(gaps).size, 10)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("keeps a fifth of all requests for what must not wait", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const reads = operations.filter((operation) => laneOf(operation) === "read")
      let taken = 0
      for (const operation of reads)
        while ((yield* delayOf(operation)) === 0) {
          yield* limiter.take(operation)
          taken++
        }
      assert.strictEqual(taken, 80)
      assert.strictEqual(yield* delayOf("sellitem"), 0)
      assert.strictEqual(yield* delayOf("confirmations"), 0)
      assert.strictEqual(yield* delayOf("mylistings"), 0)
    }).pipe(Effect.provide(layerAlone(withBudgets(defaultQuotas, {}, 100))))
  )

  it.effect("confirmation lists are ten seconds apart", () =>
    Effect.gen(function* () {
      const [first = 0, second = 0] = yield* takeMany("confirmations", 2)
      assert.isAtLeast(second - first, 10_000)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("counts distinct items where the market does: the same one again costs no place", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (let item = 0; item < 10; item++) yield* limiter.take("histogram", `${item}`)
      assert.strictEqual(yield* delayOf("histogram", "3"), 0)
      assert.strictEqual(yield* delayOf("histogram", "10"), 60 * minute + travelMillis)
      yield* TestClock.adjust(60 * minute)
      assert.isAbove(yield* delayOf("histogram", "3"), 0)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("keeps the budgets where the market counts: however long requests were under way", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const arrivals: Array<number> = []
      const asking = Effect.forEach(
        Array.from({ length: 400 }, (_, number) => number),
        (number) =>
          Effect.gen(function* () {
            yield* limiter.take("priceoverview").pipe(Effect.retry(Schedule.spaced("1 minute")), Effect.orDie)
            const sentAt = yield* Clock.currentTimeMillis
            const takes = fractionOf(1, number) < 0.3 ? 15_000 * fractionOf(2, number) : 200
            arrivals.push(sentAt + takes * fractionOf(3, number))
            yield* Effect.forkChild(
              Effect.andThen(Effect.sleep(takes), limiter.over("priceoverview", sentAt))
            )
          })
      )
      const fiber = yield* Effect.forkChild(asking)
      while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.strictEqual(arrivals.length, 400)
      assert.isAtMost(most(arrivals, minute), 20)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("tells at once when a permit is far away, and takes none", () =>
    Effect.gen(function* () {
      yield* ask("orderbook", "refused")
      yield* ask("create-buyorder", "refused")
      for (const operation of ["sellitem", "orderbook"] as const) {
        const limiter = yield* RateLimiter
        yield* TestClock.adjust(1)
        const error = yield* Effect.flip(
          Effect.andThen(limiter.refused("create-buyorder"), limiter.take("sellitem"))
        )
        assert.isAbove(error.waitMillis, 15_000)
        assert.strictEqual((yield* limiter.usage).get(operation)?.requests, operation === "sellitem" ? 0 : 1)
      }
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("rests longer with every refusal, tries with one request, and comes back in steps", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      yield* ask("orderbook", "refused")
      // An answer to a request that was under way tells nothing new.
      yield* limiter.refused("orderbook")
      const rests = [yield* askAfterRest("orderbook", "refused"), yield* askAfterRest("orderbook", "refused")]
      const third = yield* delayOf("orderbook")
      for (const [index, rest] of [...rests, third].entries()) {
        assert.isAtLeast(rest, minute * 2 ** index)
        assert.isAtMost(rest, minute * 2 ** index * 1.25)
      }
      yield* TestClock.adjust(third)
      yield* limiter.take("orderbook")
      assert.isAbove(yield* delayOf("orderbook"), 30_000)
      yield* limiter.succeeded("orderbook")
      assert.strictEqual((yield* limiter.usage).get("orderbook")?.state, "recovering")
      const gaps: Array<number> = []
      for (let i = 0; i < 11; i++) gaps.push(yield* askAfterRest("orderbook", "succeeded"))
      assert.deepStrictEqual(gaps, [...Array(5).fill(2_000), ...Array(5).fill(1_000), 0])
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("stops asking what fails again and again, a quarter of a minute at first", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 4; i++) yield* ask("orderbook", "failed")
      assert.strictEqual(yield* delayOf("orderbook"), 0)
      yield* ask("orderbook", "failed")
      const rest = yield* delayOf("orderbook")
      assert.isTrue(rest >= 15_000 && rest <= 18_750, `${rest} ms`)
      assert.strictEqual(yield* delayOf("search"), 0)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("rests everything that the market slows down together", () =>
    Effect.gen(function* () {
      yield* ask("create-buyorder", "refused")
      assert.isAtLeast(yield* delayOf("sellitem"), minute)
      yield* ask("priceoverview", "refused")
      assert.isAtLeast(yield* delayOf("pricehistory"), minute)
      assert.strictEqual(yield* delayOf("orderbook"), 0)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("takes refusals of three unrelated kinds for a ban, and leaves it after one try", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (const operation of ["search", "orderbook", "priceoverview"] as const)
        yield* ask(operation, "refused")
      const banned = yield* limiter.banned
      assert.isAtLeast((banned?.until ?? 0) - (banned?.since ?? 0), 15 * minute)
      assert.isAtLeast(yield* delayOf("suggestions"), 15 * minute)
      assert.isAtLeast(yield* delayOf("create-buyorder"), 15 * minute)
      assert.strictEqual(yield* delayOf("cancel-buyorder"), 0)
      assert.strictEqual(yield* delayOf("confirmations"), 0)
      yield* ask("mylistings")
      assert.strictEqual(yield* delayOf("mylistings"), minute)
      yield* TestClock.adjust((banned?.until ?? 0) - (banned?.since ?? 0))
      yield* limiter.take("suggestions")
      assert.isAbove(yield* delayOf("listings"), 0)
      yield* limiter.succeeded("suggestions")
      assert.isUndefined(yield* limiter.banned)
      assert.strictEqual(yield* delayOf("listings"), 0)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("forgets rests while nothing is refused, also of what is seldom asked", () =>
    Effect.gen(function* () {
      for (let rest = 0; rest < 5; rest++) yield* askAfterRest("billing", "refused")
      yield* askAfterRest("billing", "succeeded")
      yield* TestClock.adjust(5 * minute)
      yield* ask("billing", "refused")
      const soon = yield* delayOf("billing")
      assert.isAtLeast(soon, 8 * minute)
      assert.isAtMost(soon, 10 * minute)
      yield* askAfterRest("billing", "succeeded")
      yield* TestClock.adjust(10 * minute)
      yield* ask("billing", "refused")
      assert.isAtMost(yield* delayOf("billing"), 1.25 * minute)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("does not rest longer after a refusal because answers failed to come meanwhile", () =>
    Effect.gen(function* () {
      const first = yield* Effect.andThen(ask("mylistings", "refused"), delayOf("mylistings"))
      for (let failure = 0; failure < 6; failure++) yield* askAfterRest("mylistings", "failed")
      yield* askAfterRest("mylistings", "succeeded")
      yield* TestClock.adjust(minute)
      yield* ask("mylistings", "refused")
      const second = yield* delayOf("mylistings")
      assert.isAtLeast(second, 2 * minute)
      assert.isBelow(second, 2.6 * first)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it.effect("lets everything try that rested because of a ban, each once, as soon as that is over", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (let rest = 0; rest < 6; rest++) yield* askAfterRest("orderbook", "refused")
      for (const operation of ["search", "priceoverview"] as const) yield* ask(operation, "refused")
      const { until } = (yield* limiter.banned) ?? { until: 0 }
      yield* TestClock.setTime(until)
      assert.isAtLeast(yield* delayOf("orderbook"), 10 * minute)
      yield* ask("suggestions")
      assert.isUndefined(yield* limiter.banned)
      assert.strictEqual(yield* delayOf("orderbook"), 0)
      yield* ask("orderbook", "refused")
      assert.isAtLeast(yield* delayOf("orderbook"), 60 * minute)
    }).pipe(Effect.provide(layerAlone(defaultQuotas)))
  )

  it("every operation has a budget and overrides replace it", () => {
    for (const operation of operations)
      assert.isTrue(
        defaultQuotas.some(
          (meter) =>
            meter.operations[0] === operation && meter.operations.length === 1 && meter.budgets.length > 0
        )
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
    assert.strictEqual(waitMillis(window, 400), 600 + travelMillis)
    record(window, 1500)
    assert.strictEqual(waitMillis(window, 1500), travelMillis - 100)
    assert.strictEqual(waitMillis(window, 1500, undefined, 1), 1000 + travelMillis)
  })
})

/** Two limiters after each other or beside each other, on one ledger. */
const sharing = {
  "in memory": () => {
    const memory = emptyLedger()
    return { connect: (_account: string) => layerMemory(memory), close: () => undefined }
  },
  "in a file": () => {
    const folder = mkdtempSync(join(tmpdir(), "haggle-ledger-"))
    return {
      connect: (account: string) =>
        Layer.orDie(
          layerSqlite({
            file: join(folder, "a", "requests.db"),
            market: "http://market.test",
            account,
            quotas: defaultQuotas
          })
        ),
      close: () => rmSync(folder, { recursive: true })
    }
  }
}

describe.each(Object.entries(sharing))("A ledger %s", (name, open) => {
  const inside = <A, E>(
    use: (process: (account?: string) => Layer.Layer<RateLimiter>) => Effect.Effect<A, E>
  ) =>
    Effect.acquireUseRelease(
      Effect.sync(open),
      ({ connect }) =>
        use((account = "1") =>
          Layer.fresh(layer(defaultQuotas).pipe(Layer.provide(Layer.fresh(connect(account)))))
        ),
      ({ close }) => Effect.sync(close)
    )

  it.effect("goes on after a process that is gone without a word, to the request", () =>
    inside((process) =>
      Effect.gen(function* () {
        yield* Effect.forEach(Array.from({ length: 19 }), () => ask("priceoverview")).pipe(
          Effect.andThen(ask("orderbook", "refused")),
          Effect.provide(process())
        )
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* delayOf("priceoverview"), 0)
          yield* ask("priceoverview")
          assert.strictEqual(yield* delayOf("priceoverview"), minute + travelMillis)
          assert.isAtLeast(yield* delayOf("orderbook"), minute)
        }).pipe(Effect.provide(process()))
      })
    )
  )

  it.effect("is one budget for processes beside each other", () =>
    inside((process) =>
      Effect.gen(function* () {
        const [one, other] = [yield* Layer.build(process()), yield* Layer.build(process())]
        for (let i = 0; i < 10; i++) {
          yield* Effect.provide(ask("priceoverview"), one)
          yield* Effect.provide(ask("priceoverview"), other)
        }
        const fiber = yield* Effect.forkChild(Effect.provide(ask("priceoverview"), other))
        yield* TestClock.adjust(minute)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(travelMillis)
        yield* Fiber.join(fiber)
      }).pipe(Effect.scoped)
    )
  )

  if (name === "in memory") return
  it.effect("counts another account's reads, and not its own business", () =>
    inside((process) =>
      Effect.gen(function* () {
        yield* Effect.forEach(["orderbook", "mylistings"] as const, (operation) =>
          Effect.forEach(Array.from({ length: 30 }), () => ask(operation))
        ).pipe(Effect.provide(process("1")))
        yield* Effect.gen(function* () {
          yield* Effect.forEach(Array.from({ length: 90 }), () => ask("orderbook"))
          assert.isAbove(yield* delayOf("orderbook"), 0)
          assert.strictEqual(yield* delayOf("mylistings"), 0)
        }).pipe(Effect.provide(process("2")))
      })
    )
  )
})
