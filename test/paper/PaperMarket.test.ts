import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, type Path } from "effect"

import type { CurrencyId } from "../../src/domain/Currency.ts"
import { defaultFees } from "../../src/domain/Fee.ts"
import type { AssetId } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money, zero } from "../../src/domain/Money.ts"
import type { OrderBook } from "../../src/domain/OrderBook.ts"
import { Market } from "../../src/market/Market.ts"
import { layer } from "../../src/paper/PaperMarket.ts"
import { defaultPaperRules } from "../../src/paper/PaperSee.ts"
import { bookWith } from "./Books.ts"

const glove = item(730, "Glove Case")
const rules = { ...defaultPaperRules, pessimism: 0, latencyMillis: 0, listingDelayMillis: 0 }

/** A market that answers reads and writes down whatever else it is asked. */
const fake = (book: OrderBook) => {
  const sent: Array<string> = []
  const wallet = {
    currency: 1 as CurrencyId,
    balance: money(10_000),
    delayed: zero,
    country: "",
    fees: defaultFees(1 as CurrencyId)
  }
  const reads: Partial<Market["Service"]> = {
    wallet: Effect.succeed(wallet),
    orderBook: () => Effect.succeed(book)
  }
  const service = new Proxy(reads, {
    get: (of, name) =>
      Reflect.get(of, name) ??
      (() => {
        sent.push(String(name))
        return Effect.die(new Error(`${String(name)} was sent`))
      })
  }) as Market["Service"]
  return { sent, market: Layer.succeed(Market, Market.of(service)) }
}

const paperOver = (market: Layer.Layer<Market>, file: string) =>
  layer({ file, balance: undefined, rules, held: (self) => self }).pipe(Layer.provide(market))

const inFolder = <A, E>(work: (file: string) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    return yield* work(`${folder}/deep/paper.json`)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const bid = { item: glove, price: money(960), quantity: 3 }

describe("the market on paper", () => {
  it.effect("sends nothing, whatever it is asked, and answers as the market would", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const { market, sent } = fake(bookWith([[900, 1]], [[950, 2]]))
        yield* Effect.gen(function* () {
          const paper = yield* Market
          const placed = yield* paper.placeBuyOrder(bid)
          assert.strictEqual(placed._tag, "Accepted")
          yield* paper.orderBook(glove)
          const { fills } = yield* paper.ownHistory(() => false)
          assert.strictEqual(fills.length, 2)
          assert.strictEqual((yield* paper.wallet).balance, 10_000 - 2 * 950)
          const asset = fills[0]?.asset ?? ("" as AssetId)
          const staged = yield* paper.listAsset({
            item: glove,
            asset,
            context: "2",
            sellerReceives: money(900)
          })
          assert.deepStrictEqual(staged, { _tag: "Accepted", value: { needsConfirmation: true } })
          const [confirmation] = yield* paper.confirmations
          assert.isDefined(confirmation)
          assert.include(yield* paper.confirmationSubjects(confirmation!), asset)
          yield* paper.allowConfirmation(confirmation!)
          const { buyOrders, listings } = yield* paper.ownOpen
          assert.deepStrictEqual(
            listings.map(({ stage }) => stage),
            ["Live"]
          )
          yield* paper.removeListing(listings[0]!.id)
          yield* paper.cancelBuyOrder(buyOrders[0]!.id)
          const after = yield* paper.ownOpen
          assert.deepStrictEqual(after, { buyOrders: [], listings: [] })
        }).pipe(Effect.provide(paperOver(market, file)))
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect("shows our order in the book, and what we took no more", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const { market } = fake(bookWith([[900, 1]], [[950, 2]]))
        const paper = yield* Effect.provide(Market, paperOver(market, file))
        yield* paper.placeBuyOrder(bid)
        const { asks, bids } = yield* paper.orderBook(glove)
        assert.deepStrictEqual(bids[0], { price: money(960), units: 1 })
        assert.deepStrictEqual(asks, [])
      })
    )
  )

  it.effect("goes on after a restart with the account of its file", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const { market } = fake(bookWith([[900, 1]], [[950, 2]]))
        const opened = Effect.suspend(() => Effect.provide(Market, paperOver(market, file)))
        const before = yield* opened
        yield* before.placeBuyOrder(bid)
        yield* before.orderBook(glove)
        const after = yield* opened
        assert.deepStrictEqual(yield* after.ownOpen, yield* before.ownOpen)
        assert.strictEqual((yield* after.wallet).balance, 10_000 - 2 * 950)
        assert.strictEqual((yield* after.placeBuyOrder(bid))._tag, "Refused")
      })
    )
  )

  it.effect("tells a file that it cannot understand, with what to do about it", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.makeDirectory(file.replace("/paper.json", ""))
        yield* fs.writeFileString(file, `{"balance":100,"orders":[`)
        const { market } = fake(bookWith([], []))
        const error = yield* Effect.flip(Effect.provide(Market, paperOver(market, file)))
        assert.include(error.message, "paper.json cannot be understood")
        assert.include(error.remedy, "remove the file")
      })
    )
  )
})
