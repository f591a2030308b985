import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import { replay } from "../../src/backtest/Replay.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { itemKey } from "../../src/domain/Item.ts"
import { money, subtract } from "../../src/domain/Money.ts"
import { units } from "../../src/domain/Position.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { gloves } from "../rules/support.ts"
import { books } from "../tape/Tapes.ts"
import { feedOf, market, played, playing, trader } from "./Replays.ts"

const key = itemKey(gloves)

describe("A replay", () => {
  it.effect("is the same whenever it is played, and another one on another market", () =>
    Effect.gen(function* () {
      const digestOf = (seed: number) =>
        Effect.map(replay(playing({ feeds: market(seed, 600) })), ({ tally }) => tally.digest)
      const first = yield* digestOf(1)
      assert.strictEqual(yield* digestOf(1), first)
      assert.notStrictEqual(yield* digestOf(2), first)
    })
  )

  it.effect("buys and sells, and its books agree to the minor unit", () =>
    Effect.gen(function* () {
      const { desk, tally } = yield* replay(playing({ feeds: market(3, 1_500) }))
      const { trades } = tally
      assert.isAbove(trades.filter(({ side }) => side === "Buy").length, 3)
      assert.isAbove(trades.filter(({ side }) => side === "Sell").length, 3)
      const flow = trades.reduce((sum, { amount, side }) => sum + (side === "Buy" ? -amount : amount), 0)
      assert.strictEqual(desk.state.ledger, 100_000 + flow)
      assert.strictEqual(desk.paper.balance, desk.state.ledger)
      const held = Object.values(desk.state.positions).reduce((sum, one) => sum + units(one), 0)
      const listed = desk.paper.listings.length
      assert.strictEqual(Object.keys(desk.paper.inventory).length >= held - listed, true)
      for (const { amount, closed } of trades)
        if (closed !== undefined) assert.strictEqual(closed.profit, subtract(amount, closed.cost))
    })
  )

  it.effect(
    "knows nothing of what comes later: a tape that ends, or goes on differently, makes no difference before",
    () =>
      Effect.gen(function* () {
        const all = books(7, 800, { everyMillis: 60_000 })
        const cut = 500
        const until = all[cut - 1]?.at ?? (0 as Millis)
        const other = books(8, 800, { everyMillis: 60_000, from: until })
        const eventsUntil = (feed: ReturnType<typeof feedOf>) =>
          Effect.map(played(playing({ feeds: [feed] })), ({ events }) =>
            events.filter((event) => event.at <= until)
          )
        const whole = yield* eventsUntil(feedOf(key, all))
        assert.isAbove(whole.length, 50)
        assert.deepStrictEqual(yield* eventsUntil(feedOf(key, all.slice(0, cut))), whole)
        assert.deepStrictEqual(yield* eventsUntil(feedOf(key, [...all.slice(0, cut), ...other])), whole)
      })
  )

  it.effect("shows a strategy that looks for the next book nothing of it, wherever it looks", () =>
    Effect.gen(function* () {
      const all = books(9, 300, { everyMillis: 60_000 })
      let [looks, found] = [0, 0]
      const times = new Set<number>(all.map(({ at }) => at))
      const honest = trader()
      const spy: CompiledStrategy = {
        ...honest,
        evaluate: (facts, held) => {
          looks++
          for (const number of numbersIn(facts)) if (times.has(number) && number > facts.now) found++
          for (const number of numbersIn(held)) if (times.has(number) && number > facts.now) found++
          return honest.evaluate(facts, held)
        }
      }
      yield* replay(playing({ feeds: [feedOf(key, all)], strategies: [spy] }))
      assert.isAtLeast(looks, all.length)
      assert.strictEqual(found, 0)
    })
  )

  it.effect("fills no order at the book that it was decided on", () =>
    Effect.gen(function* () {
      const { events } = yield* played(playing({ feeds: market(4, 1_500, 3) }))
      const placedAt = new Map<string, number>()
      let fills = 0
      for (const event of events) {
        if (event._tag === "IntentRecorded") placedAt.set(event.intent.id, event.at)
        if (event._tag !== "Filled" || event.intent === undefined) continue
        fills++
        assert.isAbove(event.at, placedAt.get(event.intent) ?? Number.POSITIVE_INFINITY)
      }
      assert.isAbove(fills, 10)
    })
  )

  it.effect("trades nothing while it warms up, and only within its period", () =>
    Effect.gen(function* () {
      const feeds = market(5, 600)
      const [first] = feeds[0]?.batches ?? []
      const from = (first?.from ?? 0) + 3_600_000
      const to = from + 5 * 3_600_000
      const { tally } = yield* replay(playing({ feeds, from, to, warmUpMillis: 3_600_000 }))
      assert.isAbove(tally.orders.length, 0)
      for (const { at } of [...tally.orders, ...tally.trades]) {
        assert.isAtLeast(at, from + 3_600_000)
        assert.isBelow(at, to)
      }
    })
  )

  it.effect("spends no more than it has", () =>
    Effect.gen(function* () {
      const balance = money(2_000)
      const { equity, tally } = yield* replay(playing({ feeds: market(6, 1_000, 3), balance }))
      assert.isAbove(tally.trades.length, 0)
      for (const { cash } of equity.points) assert.isAtLeast(cash, 0)
    })
  )
})

/** Every number that can be reached from a value. */
const numbersIn = (value: unknown, reached = new Set<object>()): ReadonlyArray<number> => {
  if (typeof value === "number") return [value]
  if (typeof value !== "object" || value === null || reached.has(value)) return []
  reached.add(value)
  const inner: ReadonlyArray<unknown> =
    value instanceof Map ? [...value.entries()].flat() : Object.values(value)
  return inner.flatMap((one) => numbersIn(one, reached))
}
