import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import type { CurrencyId } from "../../src/domain/Currency.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { type Money, money } from "../../src/domain/Money.ts"
import { type Level, type OrderBook, orderBook } from "../../src/domain/OrderBook.ts"
import {
  advance,
  type Advanced,
  join,
  type Live,
  type Meanwhile,
  type QueueSide,
  served,
  sparedOf
} from "../../src/paper/FillModel.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Levels = Schema.Array(Schema.Struct({ tick: between(0, 12), units: between(1, 6) }))
const Book = Schema.Struct({ bids: Levels, asks: Levels })

const unitsIn = (levels: ReadonlyArray<{ readonly units: number }>): number =>
  levels.reduce((sum, { units }) => sum + units, 0)

/** A book around 100: bids at 88 to 100, asks at 101 to 113. */
const bookOf = (of: {
  readonly bids: ReadonlyArray<{ readonly tick: number; readonly units: number }>
  readonly asks: ReadonlyArray<{ readonly tick: number; readonly units: number }>
}): OrderBook =>
  orderBook({
    currency: 1 as CurrencyId,
    bids: of.bids.map(({ tick, units }) => ({ price: money(100 - tick), units })),
    asks: of.asks.map(({ tick, units }) => ({ price: money(101 + tick), units })),
    bidUnits: unitsIn(of.bids),
    askUnits: unitsIn(of.asks)
  })

const levels = (...all: ReadonlyArray<readonly [price: number, units: number]>): ReadonlyArray<Level> =>
  all.map(([price, units]) => ({ price: money(price), units }))

const book = (bids: ReadonlyArray<Level>, asks: ReadonlyArray<Level>): OrderBook =>
  orderBook({ currency: 1 as CurrencyId, bids, asks, bidUnits: unitsIn(bids), askUnits: unitsIn(asks) })

const orderOf = (side: QueueSide, price: number, units: number, at: OrderBook, number = 1): Live => ({
  order: join({ side, price: money(price), units, number }, at),
  share: 1
})

const meanwhile = (
  before: OrderBook,
  after: OrderBook,
  flow: number | undefined,
  side: QueueSide = "bids"
): Meanwhile => ({
  side,
  before,
  after,
  flow,
  spared: [],
  taken: new Map()
})

const filled = (orders: ReadonlyArray<Advanced>): number =>
  orders.reduce((sum, { fills }) => sum + unitsIn(fills), 0)

const Case = {
  before: Book,
  after: Book,
  bids: Schema.Boolean,
  orders: Schema.Array(
    Schema.Struct({ tick: between(-14, 14), units: between(1, 5), number: between(1, 999) })
  ),
  flow: between(0, 30),
  pessimism: between(0, 10)
}
const schema = Schema.Struct(Case)
type Case = typeof schema.Type

const played = ({ after, before, bids, flow, orders, pessimism }: Case, told = true) => {
  const [was, is] = [bookOf(before), bookOf(after)]
  const side: QueueSide = bids ? "bids" : "asks"
  const live = orders.map(({ number, tick, units }) => orderOf(side, 100 + tick, units, was, number))
  const result = advance(live, meanwhile(was, is, told ? flow / 2 : undefined, side), {
    pessimism: pessimism / 10
  })
  return { was, is, side, live, result }
}

describe("the queue on paper", () => {
  it.prop(
    "keeps every unit: filled or still waiting, and no order is filled for more than it wanted",
    Case,
    (of) => {
      const { live, result } = played(of)
      assert.strictEqual(result.orders.length, live.length)
      for (const [index, { fills, order }] of result.orders.entries()) {
        assert.strictEqual(order.units + unitsIn(fills), live[index]?.order.units)
        assert.isAtLeast(order.units, 0)
        assert.isAtLeast(order.ahead, 0)
        assert.isAtMost(order.ahead, live[index]?.order.ahead ?? 0)
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "fills at our price, or for a bid at that of an ask that stood there before: never better than the book allowed",
    Case,
    (of) => {
      const { is, live, result, side, was } = played(of)
      for (const [index, { fills }] of result.orders.entries())
        for (const { price } of fills) {
          const ours = live[index]?.order.price
          const stood = [was, is].every(({ asks }) => asks.some((ask) => ask.price === price))
          if (price !== ours) assert.isTrue(side === "bids" && stood && price < (ours ?? 0))
        }
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "takes no unit of the other side twice, whoever of ours wanted it",
    Case,
    (of) => {
      const { is, result, side } = played({ ...of, flow: 0, pessimism: 10 })
      const other = side === "bids" ? is.asks : is.bids
      for (const [price, units] of result.taken)
        assert.isAtMost(units, other.find((level) => level.price === price)?.units ?? 0)
      assert.strictEqual(
        [...result.taken.values()].reduce((sum, units) => sum + units, 0),
        filled(result.orders)
      )
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "never fills more when it is more pessimistic, and at most what crossed when it believes nothing",
    Case,
    (of) => {
      const counts = [0, 2, 5, 8, 10].map((pessimism) => filled(played({ ...of, pessimism }).result.orders))
      assert.deepStrictEqual(
        counts,
        counts.toSorted((a, b) => b - a)
      )
      const { result } = played({ ...of, pessimism: 10 })
      assert.isTrue(result.orders.every(({ queued }) => queued === 0))
    },
    { arbitrary: { runs: 200 } }
  )

  it("serves the units ahead of us first, and on average as many of ours as then are left", () => {
    const before = book(levels([100, 4], [99, 9]), levels([110, 5]))
    const after = book(levels([99, 9]), levels([110, 5]))
    const numbers = Array.from({ length: 600 }, (_, index) => index)
    const mean = (price: number, units: number): number => {
      const counts = numbers.map((number) => {
        const live = orderOf("bids", price, units, before, number)
        return filled(advance([live], meanwhile(before, after, undefined), { pessimism: 0 }).orders)
      })
      return counts.reduce((sum, one) => sum + one, 0) / counts.length
    }
    // four units went at 100: all to who bid more, none to who came to 100 last, none behind them
    assert.closeTo(mean(101, 50), 4, 0.3)
    assert.strictEqual(mean(100, 50), 0)
    assert.strictEqual(mean(99, 50), 0)
  })

  it("lets nobody pass: what serves one of ours serves no other", () => {
    const before = book(levels([90, 1]), levels([110, 6], [112, 4]))
    const after = book(levels([90, 1]), levels([112, 4]))
    const listings = Array.from({ length: 9 }, (_, index) => orderOf("asks", 109, 1, before, index))
    const { orders } = advance(listings, meanwhile(before, after, undefined, "asks"), { pessimism: 0 })
    // luck moves a few either way; one that counted every listing for itself would sell all nine
    assert.isAtMost(filled(orders), 6)
    assert.isAtLeast(filled(orders), 2)
  })

  it("counts what went deeper in the book while better prices stood as taken back", () => {
    assert.strictEqual(served(levels([100, 4], [99, 9]), levels([100, 3], [99, 1])), 1)
    assert.strictEqual(served(levels([100, 4], [99, 9]), levels([99, 7])), 6)
    assert.strictEqual(served(levels([100, 4]), levels([101, 2], [100, 6])), 0)
  })

  it("pays what an ask asked that was there already, and our own price to who came to our bid", () => {
    const [stands, comes] = [levels([105, 2]), levels([103, 1], [105, 2])]
    const live = orderOf("bids", 106, 5, book([], []))
    const { orders } = advance([live], meanwhile(book([], stands), book([], comes), 0), { pessimism: 1 })
    assert.deepStrictEqual(orders[0]?.fills, [
      { price: 106 as Money, units: 1 },
      { price: 105 as Money, units: 2 }
    ])
  })

  it("tells which units of others still stand because ours went: those that vanished first, from the best", () => {
    const [before, after] = [levels([100, 2], [99, 3], [98, 1]), levels([99, 1], [98, 1])]
    assert.deepStrictEqual(sparedOf(before, after, 3), levels([100, 2], [99, 1]))
    assert.deepStrictEqual(sparedOf(before, before, 2), levels([100, 2]))
    assert.deepStrictEqual(sparedOf([], after, 2), [])
  })

  it("believes what came to a real order at our price, instead of an estimate", () => {
    const of = book(levels([90, 3]), levels([110, 3]))
    const order = orderOf("bids", 91, 4, of)
    const trades = [{ side: "bids", price: money(91), units: 2, at: 0 as Millis }] as const
    const known = { bids: levels([91, 2]), asks: [], trades }
    const { orders } = advance([order], { ...meanwhile(of, of, 50), known }, { pessimism: 0 })
    assert.strictEqual(filled(orders), 2)
    assert.strictEqual(orders[0]?.queued, 0)
  })

  it("fills nothing behind a real order of ours that was not served", () => {
    const of = book(levels([90, 3]), levels([110, 3]))
    const known = { bids: levels([92, 2]), asks: [], trades: [] }
    const { orders } = advance(
      [orderOf("bids", 91, 4, of)],
      { ...meanwhile(of, of, 50), known },
      { pessimism: 0 }
    )
    assert.strictEqual(filled(orders), 0)
  })

  it("estimates what comes to a better price than a real order of ours had", () => {
    const of = book(levels([90, 3]), levels([110, 3]))
    const known = { bids: levels([91, 2]), asks: [], trades: [] }
    const { orders } = advance(
      [orderOf("bids", 95, 4, of)],
      { ...meanwhile(of, of, 50), known },
      { pessimism: 0 }
    )
    assert.isAtLeast(filled(orders), 1)
  })
})
