import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Ref } from "effect"

import { layer, VirtualClock } from "../../src/clock/VirtualClock.ts"

const start = 1_000_000

describe("VirtualClock", () => {
  it.live(
    "jumps a year in no time and wakes sleepers by due moment, then by the order they fell asleep",
    () =>
      Effect.gen(function* () {
        const log = yield* Ref.make<ReadonlyArray<string>>([])
        const note = (name: string) =>
          Clock.currentTimeMillis.pipe(
            Effect.flatMap((now) => Ref.update(log, (all) => [...all, `${name}@${now - start}`]))
          )
        const sleeper = (name: string, duration: `${number} ${"seconds" | "days"}`) =>
          Effect.sleep(duration).pipe(Effect.andThen(note(name)))
        const fibers = yield* Effect.all(
          [
            sleeper("c", "2 seconds"),
            sleeper("a", "1 seconds"),
            sleeper("b", "1 seconds"),
            sleeper("year", "365 days")
          ].map((one) => Effect.forkChild(one))
        )
        yield* Effect.forEach(fibers, Fiber.join)
        assert.deepStrictEqual(yield* Ref.get(log), [
          "a@1000",
          "b@1000",
          "c@2000",
          `year@${365 * 86_400_000}`
        ])
      }).pipe(Effect.provide(layer({ startAtMillis: start })))
  )

  it.live("stands still while somebody holds it", () =>
    Effect.gen(function* () {
      const clock = yield* VirtualClock
      const other = yield* Effect.forkChild(
        Effect.sleep("1 hour").pipe(Effect.andThen(Clock.currentTimeMillis))
      )
      const during = yield* clock.held(
        Effect.promise(() => new Promise((resume) => globalThis.setTimeout(resume, 20))).pipe(
          Effect.andThen(Clock.currentTimeMillis)
        )
      )
      assert.strictEqual(during, start)
      assert.strictEqual(yield* Fiber.join(other), start + 3_600_000)
    }).pipe(Effect.provide(layer({ startAtMillis: start })))
  )

  it.live("wakes at whole milliseconds, as the wall does", () =>
    Effect.gen(function* () {
      yield* Effect.sleep(0.25)
      assert.strictEqual(yield* Clock.currentTimeMillis, start + 1)
    }).pipe(Effect.provide(layer({ startAtMillis: start })))
  )

  it.live("forgets a sleeper that was interrupted", () =>
    Effect.gen(function* () {
      const sleeper = yield* Effect.forkChild(Effect.sleep("10 days"))
      yield* Effect.sleep("1 second")
      yield* Fiber.interrupt(sleeper)
      yield* Effect.sleep("1 second")
      assert.strictEqual(yield* Clock.currentTimeMillis, start + 2_000)
    }).pipe(Effect.provide(layer({ startAtMillis: start })))
  )

  it.live("paces against the wall without changing the order", () =>
    Effect.gen(function* () {
      const log = yield* Ref.make<ReadonlyArray<number>>([])
      const tick = (every: number) =>
        Effect.sleep(every).pipe(
          Effect.andThen(Ref.update(log, (all) => [...all, every])),
          Effect.repeat({ times: 3 })
        )
      yield* Effect.all([tick(30), tick(20)], { concurrency: 2 })
      assert.deepStrictEqual(yield* Ref.get(log), [20, 30, 20, 30, 20, 20, 30, 30])
    }).pipe(Effect.provide(layer({ startAtMillis: start, speed: 100 })))
  )

  it.live("two runs of the same fibers see the same order", () =>
    Effect.gen(function* () {
      const world = Effect.gen(function* () {
        const log = yield* Ref.make("")
        yield* Effect.forEach(
          Array.from({ length: 50 }, (_, index) => index),
          (index) =>
            Effect.sleep((index * 37) % 11).pipe(
              Effect.andThen(Ref.update(log, (all) => `${all},${index}`)),
              Effect.repeat({ times: 5 })
            ),
          { concurrency: "unbounded" }
        )
        return yield* Ref.get(log)
      })
      const first = yield* Effect.provide(world, layer({ startAtMillis: start }))
      const second = yield* Effect.provide(world, layer({ startAtMillis: start, speed: 10_000 }))
      assert.strictEqual(first, second)
    })
  )
})
