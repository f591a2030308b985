import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"

import { below } from "../../src/exchange/Chance.ts"
import { Exchange, type ExchangeOptions, layer } from "../../src/exchange/Exchange.ts"
import { emptyMemory, JournalError } from "../../src/exchange/Journal.ts"
import { type World } from "../../src/exchange/World.ts"
import { hour, minute, startAt, wildChance, wildCommand } from "./Fixture.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(join(tmpdir(), "haggle-journal-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true }))
)

const base = (journalDirectory: string): ExchangeOptions => ({
  seed: 7,
  startAtMillis: startAt,
  firstAccountHasItems: true,
  journalDirectory
})

/** Opens the market, does something with it and lets it go without closing, as `kill -9` would. */
const killedAfter = Effect.fnUntraced(function* <A, E>(
  options: ExchangeOptions,
  use: (exchange: Exchange["Service"]) => Effect.Effect<A, E>
) {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(layer(options), scope)
  return yield* use(yield* Effect.provide(Effect.service(Exchange), context))
})

const trade = (exchange: Exchange["Service"], seed: number, turns: number) =>
  Effect.gen(function* () {
    const chance = wildChance(seed)
    let answered = yield* exchange.world
    for (let turn = 0; turn < turns; turn++) {
      yield* TestClock.adjust(below(chance, 10 * minute))
      yield* exchange.execute(wildCommand(chance, yield* exchange.world))
      answered = yield* exchange.world
    }
    return answered
  })

/** What accounts were told; time itself may stand a little earlier after a crash. */
const told = (world: World) => ({ accounts: world.accounts, totals: world.totals, counters: world.counters })

describe("the journal", () => {
  it.effect("knows after kill -9 everything that was answered, with and without its snapshot", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* TestClock.setTime(startAt)
      const before = yield* killedAfter(base(path), (exchange) => trade(exchange, 1, 250))
      assert.isAbove(before.accounts.flatMap(({ history }) => history).length, 20)
      const again = yield* killedAfter(base(path), (exchange) => Effect.map(exchange.world, told))
      assert.deepStrictEqual(again, told(before))
      Fs.rmSync(join(path, "world.json"))
      const replayed = yield* killedAfter(base(path), (exchange) => exchange.world)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(replayed)), JSON.parse(JSON.stringify(before)))
    })
  )

  it.effect("opens where it was, and goes on to the same market as if it had never been closed", () =>
    Effect.gen(function* () {
      const [path, other] = [yield* folder, yield* folder]
      yield* TestClock.setTime(startAt)
      const straight = yield* killedAfter(base(other), (exchange) =>
        Effect.andThen(trade(exchange, 2, 60), trade(exchange, 3, 60))
      )
      yield* TestClock.setTime(startAt)
      yield* killedAfter(base(path), (exchange) => trade(exchange, 2, 60))
      const reopened = yield* killedAfter(base(path), (exchange) => {
        assert.isAtLeast(exchange.lastTime, startAt)
        return trade(exchange, 3, 60)
      })
      assert.deepStrictEqual(JSON.parse(JSON.stringify(reopened)), JSON.parse(JSON.stringify(straight)))
    })
  )

  it.effect("drops a torn last line and keeps everything before it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const log = join(path, "market.log")
      yield* TestClock.setTime(startAt)
      const order = {
        _tag: "CreateBuyOrder",
        account: 0,
        app: 730,
        name: "Glove Case",
        currency: 1,
        total: 600,
        quantity: 1,
        confirmation: "0"
      } as const
      yield* killedAfter(base(path), (exchange) => exchange.execute(order))
      const sound = Fs.readFileSync(log, "utf8")
      const last = sound.trimEnd().split("\n").at(-1)!
      for (const torn of [last.slice(0, 20), `${last.slice(0, -4)}\n`, "\u0000\u0000\u0000"]) {
        Fs.writeFileSync(log, sound + torn)
        const world = yield* killedAfter(base(path), (exchange) => exchange.world)
        assert.strictEqual(world.accounts[0]!.orders.length, 1)
        assert.strictEqual(Fs.readFileSync(log, "utf8"), sound)
      }
    })
  )

  it.effect("names the damaged line when it is not the last one", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const log = join(path, "market.log")
      yield* TestClock.setTime(startAt)
      yield* killedAfter(base(path), (exchange) => trade(exchange, 4, 30))
      const lines = Fs.readFileSync(log, "utf8").split("\n")
      lines[2] = lines[2]!.replace(/\d/, "x")
      Fs.writeFileSync(log, lines.join("\n"))
      const error = yield* Effect.flip(killedAfter(base(path), (exchange) => exchange.world))
      assert.instanceOf(error, JournalError)
      assert.deepInclude({ ...error.reason }, { line: 3 })
    })
  )

  it.effect("refuses the folder of a market with another seed or currency", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* killedAfter(base(path), (exchange) => exchange.world)
      const seed = yield* Effect.flip(killedAfter({ ...base(path), seed: 8 }, (exchange) => exchange.world))
      assert.strictEqual(seed.reason._tag, "OtherMarket")
      assert.include(seed.message, "seed 7 instead of 8")
      const currency = yield* Effect.flip(
        killedAfter({ ...base(path), currency: 3 }, (exchange) => exchange.world)
      )
      assert.strictEqual(currency.reason._tag, "OtherMarket")
    })
  )

  it.effect("tells why a folder cannot be used", () =>
    Effect.gen(function* () {
      const path = yield* folder
      Fs.writeFileSync(join(path, "file"), "")
      const error = yield* Effect.flip(killedAfter(base(join(path, "file")), (exchange) => exchange.world))
      assert.strictEqual(error.reason._tag, "Unwritable")
      assert.include(error.message, join(path, "file"))
    })
  )

  it.effect("marks the time of fills that a read has met, and writes nothing for other reads", () =>
    Effect.gen(function* () {
      const memory = emptyMemory()
      yield* TestClock.setTime(startAt)
      const options = { seed: 7, startAtMillis: startAt, firstAccountHasItems: true, memory }
      const { journaled, world } = yield* killedAfter(options, (exchange) =>
        Effect.gen(function* () {
          yield* TestClock.adjust(minute)
          yield* exchange.world
          assert.strictEqual(memory.lines.length, 1)
          const { price } = (yield* exchange.world).items[0]!
          const total = Math.round(price * 0.97) * 3
          yield* exchange.execute({
            _tag: "CreateBuyOrder",
            account: 0,
            app: 730,
            name: "Glove Case",
            currency: 1,
            total,
            quantity: 3,
            confirmation: "0"
          })
          let seen = yield* exchange.world
          while (seen.accounts[0]!.history.length === 0) {
            yield* TestClock.adjust(minute)
            seen = yield* exchange.world
          }
          return { world: seen, journaled: memory.lines.at(-1) }
        })
      )
      assert.strictEqual(journaled?.command, undefined)
      assert.strictEqual(journaled?.at, world.now)
      const lastTime = yield* killedAfter(options, (exchange) => Effect.succeed(exchange.lastTime))
      assert.strictEqual(lastTime, world.now)
    })
  )

  it.effect("takes a snapshot with every market day and at the end", () =>
    Effect.gen(function* () {
      const memory = emptyMemory()
      yield* TestClock.setTime(startAt)
      const options = { seed: 7, startAtMillis: startAt, firstAccountHasItems: true, memory }
      const numbers: Array<number> = []
      const exit = yield* Effect.exit(
        Effect.scoped(
          Effect.gen(function* () {
            const exchange = yield* Effect.provide(
              Effect.service(Exchange),
              yield* Layer.build(layer(options))
            )
            for (let day = 0; day < 3; day++) {
              yield* TestClock.adjust(25 * hour)
              yield* trade(exchange, day, 6)
              numbers.push(memory.snapshot!.number)
            }
          })
        )
      )
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((a, b) => a - b)
      )
      assert.strictEqual(new Set([0, ...numbers]).size, 4)
      assert.strictEqual(memory.snapshot!.number, memory.lines.length - 1)
    })
  )
})
