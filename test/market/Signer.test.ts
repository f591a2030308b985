// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

import { deviceIdOf } from "../../src/market/DeviceId.ts"
import { observed, offsetOf, type Sample, unknownClock } from "../../src/market/MarketClock.ts"
import * as Session from "../../src/market/Session.ts"
import { confirmationKey, layer, Signer } from "../../src/market/Signer.ts"
import { session } from "./support.ts"

const simple = "aWRlbnRpdHktc2VjcmV0LTEyMzQ="

describe("the confirmation signature", () => {
  const vectors: ReadonlyArray<readonly [string, number, string, string]> = [
    ["GQP46b73Ws7gr8GmZFR0sDuau5c=", 1617591917, "conf", "NaL8EIMhfy/7vBounJ0CvpKbrPk="],
    [simple, 1700000000, "conf", "6eXMXFho61EmjoiIvP/WlyItlCU="],
    [simple, 1700000000, "details13799599785", "TejuV9zznAJn7NO+bV0s/zhgGCM="],
    [simple, 1700000000, "allow", "m/CyWI2HN6Rf8GQWBeANc91afxo="],
    [simple, 1700000000, "cancel", "ovSyaVuSNsfuuu1+2OjZmxQDFlo="],
    [simple, 1700000000, "details9999999999999999999999999999999999999999", "XvXQyQvAEQ1nxTU5QqtNQlp94Dk="]
  ]
  for (const [secret, time, tag, key] of vectors)
    it(`of ${tag} at ${time} is exact`, () => assert.strictEqual(confirmationKey(secret, time, tag), key))

  it("a device id is derived from the account id", () =>
    assert.strictEqual(deviceIdOf("76561197960287930"), "android:6d3f10d9-6369-a1ae-97a0-94df28b95192"))
})

const { identitySecret: _, ...withoutSecret } = session

/** A Date header that came without a delay. */
const toldAt = (serverMillis: number, at: number): Sample => ({ serverMillis, sentAt: at, receivedAt: at })

describe("Signer", () => {
  const signing = Layer.provide(layer, Session.layerOf(session))

  it.effect("never uses a second twice for one tag, and waits for the next one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_500)
      const signer = yield* Signer
      const first = yield* signer.sign("conf")
      assert.strictEqual((yield* signer.sign("allow")).t, first.t)
      const fiber = yield* Effect.forkChild(
        Effect.all([signer.sign("conf"), signer.sign("conf")], { concurrency: 2 })
      )
      yield* TestClock.adjust(499)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(2000)
      const [second, third] = yield* Fiber.join(fiber)
      assert.deepStrictEqual([first.t, second.t, third.t], [1700000000, 1700000001, 1700000002])
      assert.deepStrictEqual(
        [first.a, first.p, first.m, first.tag],
        ["76561197960287930", "android:device", "react", "conf"]
      )
    }).pipe(Effect.provide(signing))
  )

  it.effect("signs with the market's time when the clock is off", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const signer = yield* Signer
      yield* signer.observe(toldAt(1_700_000_090_000, 1_700_000_000_000))
      assert.strictEqual((yield* signer.sign("conf")).t, 1700000090)
      assert.strictEqual(yield* Clock.currentTimeMillis, 1_700_000_000_000)
    }).pipe(Effect.provide(signing))
  )

  it.effect("says what is missing when there is no secret", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip((yield* Signer).sign("conf"))
      assert.include(error.detail, "identitySecret")
    }).pipe(Effect.provide(Layer.provide(layer, Session.layerOf(withoutSecret))))
  )

  it.effect("signs nothing while the market's clock has jumped, until three answers agree", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const signer = yield* Signer
      yield* signer.observe(toldAt(1_700_000_000_000, 1_700_000_000_000))
      yield* signer.observe(toldAt(1_700_000_600_000, 1_700_000_000_000))
      assert.include((yield* Effect.flip(signer.sign("conf"))).detail, "jumped")
      yield* signer.observe(toldAt(1_700_000_600_000, 1_700_000_000_000))
      yield* signer.observe(toldAt(1_700_000_601_000, 1_700_000_000_000))
      assert.strictEqual((yield* signer.sign("conf")).t, 1_700_000_600)
    }).pipe(Effect.provide(signing))
  )

  it.effect("does not wait for a second that a clock set back puts far ahead", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_600_000)
      const signer = yield* Signer
      yield* signer.sign("conf")
      yield* TestClock.setTime(1_700_000_000_000)
      assert.include((yield* Effect.flip(signer.sign("conf"))).detail, "set back")
    }).pipe(Effect.provide(signing))
  )
})

describe("the market's clock", () => {
  const after = (...samples: ReadonlyArray<Sample>) =>
    offsetOf(samples.reduce(observed, unknownClock), samples.at(-1)?.receivedAt ?? 0)

  it("is bounded by the round trip of the answer that told it", () => {
    const offset = after({ serverMillis: 10_000, sentAt: 4_000, receivedAt: 6_000 })
    assert.deepStrictEqual(offset, { millis: 5_500, uncertaintyMillis: 1_500 })
  })
  it("is not told by an answer that took too long", () =>
    assert.isUndefined(after({ serverMillis: 10_000, sentAt: 0, receivedAt: 10_001 })))
  it("is the median, so that one wrong header among several does not move it", () => {
    const offset = after(toldAt(1_000, 0), toldAt(1_000, 0), toldAt(14_000, 0), toldAt(1_000, 0))
    assert.strictEqual(offset?.millis, 1_500)
  })
  it("keeps what it believed when a single header contradicts it", () => {
    const offset = after(toldAt(1_000, 0), toldAt(99_000, 0), toldAt(1_000, 0))
    assert.strictEqual(offset?.millis, 1_500)
  })
  it("is followed along a line when it has a pace of its own", () => {
    const samples = Array.from({ length: 12 }, (_, index) => toldAt(60_000 * index, 1_000 * index))
    const clock = samples.reduce(observed, unknownClock)
    assert.deepStrictEqual(clock.contrary, [])
    assert.approximately(offsetOf(clock, 12_000)?.millis ?? 0, 59 * 12_000 + 500, 600)
  })
  it("that goes as ours keeps its offset for however long nobody asks", () => {
    const jitter = [0, 400, 900, 100, 700, 300, 800, 200, 600]
    const samples = jitter.map((part, index) => ({
      serverMillis: 50_000 + 1_000 * index,
      sentAt: 1_000 * index + part,
      receivedAt: 1_000 * index + part
    }))
    const clock = samples.reduce(observed, unknownClock)
    assert.approximately(offsetOf(clock, 86_400_000)?.millis ?? 0, 50_000, 1_000)
  })
  it("takes no pace from one header that came late", () => {
    const samples = [0, 1, 2, 3, 4].map((second) =>
      toldAt(1_000 * second - (second === 4 ? 6_000 : 0), 1_000 * second)
    )
    const clock = samples.reduce(observed, unknownClock)
    assert.strictEqual(offsetOf(clock, 86_400_000)?.millis, 500)
  })
})
