/**
 * What an item's books were while they were played: how many, how far apart, their best prices now and then.
 * Invariant: prices are asked for a moment that has come; the last one at or before it answers.
 */
import type { Millis } from "../domain/Ids.ts"
import { type Money, money } from "../domain/Money.ts"
import { countBefore } from "../domain/Ordered.ts"
import type { BookColumns } from "../tape/Books.ts"
import type { PricePoint } from "./Result.ts"

const amount = (value: number | undefined): Money | undefined =>
  value === undefined || Number.isNaN(value) ? undefined : money(value)

export class ItemTally {
  books = 0
  from = Number.NaN
  to = Number.NaN
  longestGap = 0
  readonly prices: Array<PricePoint> = []
  private readonly everyMillis: number
  private last: PricePoint | undefined
  private columns: BookColumns | undefined

  /** Prices are kept this far apart. */
  constructor(everyMillis: number) {
    this.everyMillis = everyMillis
  }

  /** The columns are played and not looked at any more. */
  end(): void {
    if (this.columns !== undefined) this.last = this.pointOf(this.columns, this.columns.count - 1)
    this.columns = undefined
  }

  /** Books from this index on will be played, as far as they are before `to`. */
  begin(columns: BookColumns, first: number, to: number): void {
    this.columns = columns
    const { at, count } = columns
    let before = this.to
    let sampleAt = (this.prices.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + this.everyMillis
    for (let index = first; index < count; index++) {
      const now = at[index] as number
      if (now >= to) break
      if (now - before > this.longestGap) this.longestGap = now - before
      before = now
      this.books++
      if (now < sampleAt) continue
      this.prices.push(this.pointOf(columns, index))
      sampleAt = now + this.everyMillis
    }
    if (Number.isNaN(this.from) && first < count) this.from = at[first] as number
    this.to = before
  }

  private pointOf({ ask, at, bid }: BookColumns, index: number): PricePoint {
    return { at: at[index] as Millis, bid: amount(bid[index]), ask: amount(ask[index]) }
  }

  /** Best prices as they were last seen then. */
  priceAt(now: number): PricePoint | undefined {
    const { columns } = this
    if (columns === undefined) return this.last
    const seen = countBefore(columns.count, (index) => (columns.at[index] as number) <= now)
    return seen === 0 ? this.last : this.pointOf(columns, seen - 1)
  }
}
