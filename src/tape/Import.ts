/**
 * A tape out of a price history: every point as somebody would have seen it, and, when a spread is given, books around the medians.
 * Invariants: 1. a point is seen when its hour or day is over, never before. 2. books that nobody saw are marked as such in the tape's
 * description.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { money } from "../domain/Money.ts"
import { orderBook } from "../domain/OrderBook.ts"
import type { PriceHistory, SalesPoint } from "../domain/Sales.ts"
import type { TapeRecord } from "./Records.ts"

const hourMillis = 3_600_000
const dayMillis = 24 * hourMillis

/** Points closer together than this cover an hour each, others a day. */
const span = (points: ReadonlyArray<SalesPoint>, index: number): number => {
  const at = points[index]?.at ?? 0
  const before = at - (points[index - 1]?.at ?? Number.NEGATIVE_INFINITY)
  const after = (points[index + 1]?.at ?? Number.POSITIVE_INFINITY) - at
  return Math.min(before, after) < dayMillis ? hourMillis : dayMillis
}

export interface BooksAround {
  readonly currency: CurrencyId
  /** Ask over bid minus one: 0.1 puts the bid about 5 % under the median and the ask 5 % over it. */
  readonly spreadFraction: number
}

/** Levels that a derived book has on each side, a price step apart, and how many units of the point's sales each holds. */
const levelsPerSide = 5

const bookAround = (point: SalesPoint, { currency, spreadFraction }: BooksAround) => {
  const ratio = Math.sqrt(1 + spreadFraction)
  const bid = Math.max(1, Math.floor(point.median / ratio))
  const ask = Math.max(bid + 1, Math.ceil(point.median * ratio))
  const units = Math.max(1, Math.ceil(point.units / levelsPerSide))
  const side = (first: number, direction: 1 | -1) =>
    Array.from({ length: levelsPerSide }, (_, step) => first + direction * step)
      .filter((price) => price > 0)
      .map((price) => ({ price: money(price), units }))
  return orderBook({ currency, bids: side(bid, -1), asks: side(ask, 1) })
}

/** The records of one item's history, in the order of time. */
export const recordsOfHistory = (
  item: ItemKey,
  { points }: PriceHistory,
  books: BooksAround | undefined
): ReadonlyArray<TapeRecord> =>
  points.flatMap((point, index): ReadonlyArray<TapeRecord> => {
    const at = (point.at + span(points, index)) as Millis
    const history: TapeRecord = { _tag: "History", item, at, points: [point] }
    return books === undefined
      ? [history]
      : [history, { _tag: "Book", item, at, book: bookAround(point, books) }]
  })

/** What a tape with derived books says of them. */
export const syntheticWords = ({ spreadFraction }: BooksAround): string =>
  `books around the medians of a price history, ${(spreadFraction * 100).toFixed(1)} % apart`
