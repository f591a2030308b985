import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

import { money } from "../../src/domain/Money.ts"
import * as Book from "../../src/domain/OrderBook.ts"

const levels = (
  ...pairs: ReadonlyArray<readonly [price: number, units: number]>
): ReadonlyArray<Book.Level> => pairs.map(([price, units]) => ({ price: money(price), units }))

const book = Book.orderBook({
  currency: 1,
  bids: levels([98, 4], [100, 2], [99, 3]),
  asks: levels([110, 1], [105, 2], [107, 5]),
  bidUnits: 500,
  askUnits: 80
})

const Levels = Schema.Array(
  Schema.Struct({
    price: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 })),
    units: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
  })
)
const typed = (generated: ReadonlyArray<{ readonly price: number; readonly units: number }>) =>
  levels(...generated.map(({ price, units }) => [price, units] as const))
const units = (of: ReadonlyArray<Book.Level>): number => of.reduce((sum, level) => sum + level.units, 0)

describe("OrderBook", () => {
  it("orders both sides best first", () => {
    assert.deepStrictEqual(book.bids, levels([100, 2], [99, 3], [98, 4]))
    assert.deepStrictEqual(book.asks, levels([105, 2], [107, 5], [110, 1]))
    assert.strictEqual(Book.bestBid(book), 100)
    assert.strictEqual(Book.bestAsk(book), 105)
    assert.strictEqual(Book.spread(book), 5)
    assert.strictEqual(Book.mid(book), 102)
  })

  it("keeps the totals of the whole book, and counts the levels when none are told", () => {
    assert.strictEqual(book.bidUnits, 500)
    const told = Book.orderBook({ currency: 1, bids: levels([1, 2], [2, 3]), asks: [] })
    assert.strictEqual(told.bidUnits, 5)
    assert.strictEqual(told.askUnits, 0)
  })

  it("knows neither price, spread nor middle of an empty side", () => {
    const empty = Book.orderBook({ currency: 8, bids: [], asks: levels([26_100, 1]) })
    assert.strictEqual(Book.bestBid(empty), undefined)
    assert.strictEqual(Book.spread(empty), undefined)
    assert.strictEqual(Book.mid(empty), undefined)
    assert.strictEqual(Book.bestAsk(empty), 26_100)
  })

  it("reads compact pairs as units per level", () => {
    assert.deepStrictEqual(
      Book.levelsOfCompact([26_000, 24, 25_400, 278, 25_300, 1196]),
      levels([26_000, 24], [25_400, 278], [25_300, 1196])
    )
    assert.deepStrictEqual(Book.levelsOfCompact([]), [])
  })

  it("reads graph points as units so far, in major units of price", () => {
    assert.deepStrictEqual(
      Book.levelsOfCumulative([
        [0.29, 10],
        [0.3, 15],
        [1.13, 15],
        [4.35, 16]
      ]),
      levels([29, 10], [30, 5], [113, 0], [435, 1])
    )
  })

  it("gives the same book from the compact and from the cumulative form", () => {
    const compact = Book.orderBook({
      currency: 1,
      bids: Book.levelsOfCompact([29, 10, 28, 5]),
      asks: Book.levelsOfCompact([31, 7, 35, 1])
    })
    const cumulative = Book.orderBook({
      currency: 1,
      bids: Book.levelsOfCumulative([
        [0.29, 10],
        [0.28, 15]
      ]),
      asks: Book.levelsOfCumulative([
        [0.31, 7],
        [0.33, 7],
        [0.35, 8]
      ])
    })
    assert.deepStrictEqual(compact, cumulative)
  })

  it("counts the depth up to and with a price", () => {
    assert.strictEqual(Book.bidDepth(book, money(99)), 5)
    assert.strictEqual(Book.bidDepth(book, money(101)), 0)
    assert.strictEqual(Book.askDepth(book, money(107)), 7)
    assert.strictEqual(Book.askDepth(book, money(104)), 0)
  })

  it("leaves our own units out, and a level that was ours alone altogether", () => {
    const others = Book.without(book, { bids: levels([100, 2], [99, 1]), asks: levels([105, 1]) })
    assert.deepStrictEqual(others.bids, levels([99, 2], [98, 4]))
    assert.deepStrictEqual(others.asks, levels([105, 1], [107, 5], [110, 1]))
    assert.strictEqual(others.bidUnits, 497)
    assert.strictEqual(others.askUnits, 79)
    assert.strictEqual(Book.bestBid(others), 99)
  })

  it("counts several orders of ours at one price together and those beyond the sent levels in the total", () => {
    const others = Book.without(book, { bids: levels([99, 1], [99, 2], [50, 10]), asks: [] })
    assert.deepStrictEqual(others.bids, levels([100, 2], [98, 4]))
    assert.strictEqual(others.bidUnits, 487)
    assert.deepStrictEqual(others.asks, book.asks)
  })

  it.prop(
    "sorts strictly, merges equal prices, drops empty levels and loses no unit",
    { bids: Levels, asks: Levels },
    ({ asks, bids }) => {
      const made = Book.orderBook({ currency: 1, bids: typed(bids), asks: typed(asks) })
      for (const [side, order, given] of [[made.bids, -1, bids] as const, [made.asks, 1, asks] as const]) {
        for (const [index, level] of side.entries()) {
          assert.isAbove(level.units, 0)
          const next = side[index + 1]
          if (next !== undefined) assert.isAbove(order * (next.price - level.price), 0)
        }
        assert.strictEqual(units(side), units(typed(given)))
      }
      assert.isTrue(Schema.is(Book.OrderBook)(made))
    }
  )

  it.prop(
    "is the others' book when ours is taken out of theirs and ours",
    { theirs: Levels, ours: Levels },
    (input) => {
      const [theirs, ours] = [typed(input.theirs), typed(input.ours)]
      const together = Book.orderBook({ currency: 1, bids: [...theirs, ...ours], asks: [...ours, ...theirs] })
      const alone = Book.orderBook({ currency: 1, bids: theirs, asks: theirs })
      assert.deepStrictEqual(Book.without(together, { bids: ours, asks: ours }), alone)
    }
  )
})
