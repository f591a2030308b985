import type { Millis } from "../../src/domain/Ids.ts"
import { item, type ItemKey, itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { type Level, orderBook } from "../../src/domain/OrderBook.ts"
import { salesPoint } from "../../src/domain/Sales.ts"
/** Made-up markets for the tests of tapes: books that move a little from one to the next, by seed. */
import type { BookAt } from "../../src/tape/Books.ts"
import type { TapeRecord } from "../../src/tape/Records.ts"

export const start = 1_767_960_000_000 as Millis
export const cases: ReadonlyArray<ItemKey> = ["Glove Case", "Chroma 2 Case", "Déjà Vu ★ Crate"].map((name) =>
  itemKey(item(730, name))
)

/** Numbers from 0 to below 1. */
export const chance = (seed: number): (() => number) => {
  let state = seed >>> 0 || 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Books of one item: levels come, go and change; now and then a side is empty. */
export const books = (
  seed: number,
  count: number,
  options: { readonly from?: number; readonly everyMillis?: number; readonly levels?: number } = {}
): ReadonlyArray<BookAt> => {
  const { everyMillis = 45_000, from = start, levels = 20 } = options
  const next = chance(seed)
  const whole = (below: number) => Math.floor(next() * below)
  let at = from
  let mid = 1000 + whole(500)
  let [bids, asks]: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]
  return Array.from({ length: count }, () => {
    at += everyMillis + whole(2_000) - 1_000
    if (next() < 0.2) mid = Math.max(levels + 5, mid + whole(7) - 3)
    const side = (before: Map<number, number>, direction: 1 | -1) => {
      if (next() < 0.01) return new Map<number, number>()
      const after = new Map<number, number>()
      for (let step = 1; step <= levels; step++) {
        const price = mid + direction * step
        const units = next() < 0.9 ? before.get(price) : undefined
        const fresh = units ?? (next() < 0.8 ? 1 + whole(50) : 0)
        if (fresh > 0) after.set(price, fresh)
      }
      return after
    }
    bids = side(bids, -1)
    asks = side(asks, 1)
    const levelsOf = (of: Map<number, number>): ReadonlyArray<Level> =>
      [...of].map(([price, units]) => ({ price: money(price), units }))
    const beyond = whole(100)
    const book = orderBook({ currency: 1, bids: levelsOf(bids), asks: levelsOf(asks) })
    return {
      at: at as Millis,
      book: { ...book, bidUnits: book.bidUnits + beyond, askUnits: book.askUnits + 7 }
    }
  })
}

/** All kinds of records of several items, in the order of time. */
export const records = (seed: number, perItem: number): ReadonlyArray<TapeRecord> => {
  const next = chance(seed + 99)
  const all: Array<TapeRecord> = []
  for (const [index, key] of cases.entries())
    for (const { at, book } of books(seed + index, perItem)) {
      all.push({ _tag: "Book", item: key, at, book })
      const hourBefore = (at - 3_600_000) as Millis
      if (next() < 0.1) {
        const points = [salesPoint(hourBefore, 11.905, 12), salesPoint(at, 12.1 + index, 3)]
        all.push({ _tag: "History", item: key, at, points })
      }
      if (next() < 0.05)
        all.push({ _tag: "Overview", item: key, at, lowest: money(1200), median: undefined, volume: 81 })
      if (next() < 0.05) {
        const placed = { kind: "BuyOrder", units: 3, price: money(990), at }
        const withdrawn = { kind: "SellOrderCancel", units: 1, price: undefined, at: undefined }
        all.push({ _tag: "Activity", item: key, at, entries: [placed, withdrawn] })
        all.push({ _tag: "Histogram", item: key, at, book: { ...book, bids: book.bids.slice(0, 3) } })
        const [bids, asks] = [[{ price: money(991), units: 2 }], [{ price: money(1301), units: 1 }]]
        const trades = [{ side: "asks" as const, price: money(1301), units: 1, at: hourBefore }]
        all.push({ _tag: "Own", item: key, at, bids, asks, trades })
      }
    }
  return all.toSorted((a, b) => a.at - b.at)
}
