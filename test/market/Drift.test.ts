// @effect-diagnostics strictEffectProvide:off
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"

import { item } from "../../src/domain/Item.ts"
import { DriftSamples, masked, samplesIn } from "../../src/market/DriftSamples.ts"
import { Market } from "../../src/market/Market.ts"
import { layer } from "../../src/market/MarketHttp.ts"
import { type Canned, clientOf, elapsing, layerFor, type Seen } from "./support.ts"

const good = {
  success: true,
  lowest_price: "$1.67",
  volume: "1,204",
  median_price: "$1.70"
}
const other = { success: true, lowest_price: { amount: 167 }, volume: [1], median_price: 4 }
const billing = {
  success: 1,
  wallet_info: {
    wallet_currency: 1,
    wallet_country: "US",
    wallet_balance: "10000",
    success: 1,
    wallet_fee: 1,
    wallet_fee_minimum: 1,
    wallet_fee_percent: "0.05",
    wallet_publisher_fee_percent_default: "0.10",
    wallet_fee_base: 0,
    wallet_delayed_balance: "0",
    wallet_max_balance: "200000",
    wallet_trade_max_balance: "180000",
    rwgrsn: -2
  }
}

/** A market whose price overview answers these bodies in turn; the tag of each read, and how often it was asked. */
const overviews = (
  bodies: ReadonlyArray<unknown>,
  work: (read: Effect.Effect<string, never, Market>) => Effect.Effect<void, never, Market>
) =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    let count = 0
    const answer = (request: Seen): Canned =>
      request.path.includes("priceoverview")
        ? { body: bodies[Math.min(count++, bodies.length - 1)] }
        : { body: billing }
    const read = Effect.gen(function* () {
      const market = yield* Market
      return yield* elapsing(market.priceOverview(item(730, "Glove Case"))).pipe(
        Effect.match({ onSuccess: () => "read", onFailure: ({ reason }) => reason._tag as string })
      )
    })
    yield* work(read).pipe(Effect.provide(Layer.provide(layer, layerFor(clientOf(seen, answer)))))
    return seen.filter(({ path }) => path.includes("priceoverview")).length
  })

describe("An operation whose answers are no longer understood", () => {
  it.effect("is taken out of service, probed now and then, and back after one good answer", () =>
    Effect.gen(function* () {
      const asked = yield* overviews([other, other, other, other, other, other, good], (read) =>
        Effect.gen(function* () {
          const { drift } = yield* Market
          for (let count = 0; count < 5; count++) assert.strictEqual(yield* read, "Undecodable")
          const [out] = yield* drift.outOfService
          assert.strictEqual(out?.operation, "priceoverview")
          for (let count = 0; count < 5; count++) assert.strictEqual(yield* read, "Undecodable")
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(yield* read, "Undecodable")
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(yield* read, "read")
          assert.deepStrictEqual(yield* drift.outOfService, [])
        })
      )
      assert.strictEqual(asked, 7)
    })
  )

  it.effect("is not one that stumbles: null, HTML and 503 leave it in service", () =>
    Effect.gen(function* () {
      yield* overviews([null, "<html></html>", null, "<html></html>", null, null, null], (read) =>
        Effect.gen(function* () {
          const { drift } = yield* Market
          for (let count = 0; count < 7; count++) yield* read
          assert.deepStrictEqual(yield* drift.outOfService, [])
        })
      )
    })
  )
})

describe("A sample of a body", () => {
  it("keeps the shape and nothing of what it says", () => {
    const body = {
      success: 1,
      g_rgAssets: { "76561197960287930": { name: "Canary Knife", owner: 76561197960287 } },
      list: [1, 2, 3, 4, 5],
      price: 167
    }
    assert.deepStrictEqual(masked(body), {
      success: 1,
      g_rgAssets: { "99999999999999999": { name: "xxxxxx xxxxx", owner: 999_999 } },
      list: [1, 2, 3],
      price: 167
    })
  })

  it.effect("is kept for its owner only, a few per operation and none of billing", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* fs.makeTempDirectoryScoped()}/drift`
      const keep = yield* samplesIn(folder)
      for (let count = 0; count < 9; count++) yield* keep("mylistings", '{"persona":"canary"}')
      yield* keep("billing", '{"address":"canary"}')
      yield* keep("myhistory", "no json: canary")
      const files = (yield* fs.readDirectory(folder)).toSorted()
      assert.deepStrictEqual(files, ["mylistings-1.json", "mylistings-2.json", "mylistings-3.json"])
      const file = `${folder}/${files[0] ?? ""}`
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      assert.notInclude(yield* fs.readFileString(file), "canary")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("is taken of an answer that differs", () =>
    Effect.gen(function* () {
      const kept = yield* Ref.make<ReadonlyArray<string>>([])
      yield* overviews([other], Effect.asVoid).pipe(
        Effect.provideService(DriftSamples, (operation) =>
          Ref.update(kept, (before) => [...before, operation])
        )
      )
      assert.deepStrictEqual(yield* Ref.get(kept), ["priceoverview"])
    })
  )
})
