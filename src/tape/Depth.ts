/**
 * The levels of one side of a book as changes to the levels before: a price and the units that wait there now, 0 when the level is gone.
 * Invariants: 1. prices run away from the best: bids descend, asks ascend. 2. a side without changes takes one byte.
 */
import { money } from "../domain/Money.ts"
import type { Level } from "../domain/OrderBook.ts"
import type { ByteReader, ByteWriter } from "./Bytes.ts"

/** 1 for asks, which ascend; -1 for bids. */
export type Direction = 1 | -1

/** Writes what turns `before` into `after`. */
export const writeChanges = (
  out: ByteWriter,
  before: ReadonlyArray<Level>,
  after: ReadonlyArray<Level>,
  direction: Direction
): void => {
  if (before === after) return out.natural(0)
  const changes: Array<number> = []
  let [old, now] = [0, 0]
  while (old < before.length || now < after.length) {
    const [left, right] = [before[old], after[now]]
    const ahead = left === undefined ? 1 : right === undefined ? -1 : (left.price - right.price) * direction
    if (ahead < 0 && left !== undefined) {
      changes.push(left.price, 0)
      old++
    } else if (right !== undefined) {
      if (ahead > 0 || left?.units !== right.units) changes.push(right.price, right.units)
      if (ahead === 0) old++
      now++
    }
  }
  out.natural(changes.length / 2)
  let price = 0
  for (let index = 0; index < changes.length; index += 2) {
    const next = changes[index] as number
    // the first is anywhere, each later one is further from the best
    if (index === 0) out.integer(next)
    else out.natural((next - price) * direction)
    out.natural(changes[index + 1] as number)
    price = next
  }
}

/** `splice` makes an array of what it removed, which is a tenth of the time that a depth takes to be read. */
const removeAt = <A>(all: Array<A>, index: number): void => {
  for (let next = index + 1; next < all.length; next++) all[next - 1] = all[next] as A
  all.pop()
}

const insertAt = <A>(all: Array<A>, index: number, value: A): void => {
  all.push(value)
  for (let last = all.length - 1; last > index; last--) all[last] = all[last - 1] as A
  all[index] = value
}

/** Levels that take changes in place; `levels` makes the values that the domain knows. */
export class Side {
  private readonly direction: Direction
  private readonly prices: Array<number> = []
  private readonly units: Array<number> = []
  /** Values of the levels that did not change since somebody asked: most of them do not from one book to the next. */
  private readonly known: Array<Level | undefined> = []
  private made: ReadonlyArray<Level> | undefined = []

  constructor(direction: Direction) {
    this.direction = direction
  }

  readChanges(from: ByteReader): void {
    const count = from.natural()
    if (count === 0) return
    this.made = undefined
    let price = 0
    let index = 0
    for (let change = 0; change < count; change++) {
      price = change === 0 ? from.integer() : price + from.natural() * this.direction
      const units = from.natural()
      while (index < this.prices.length && ((this.prices[index] as number) - price) * this.direction < 0)
        index++
      const isThere = this.prices[index] === price
      if (units === 0) {
        if (isThere) {
          removeAt(this.prices, index)
          removeAt(this.units, index)
          removeAt(this.known, index)
        }
      } else if (isThere) {
        this.units[index] = units
        this.known[index] = undefined
      } else {
        insertAt(this.prices, index, price)
        insertAt(this.units, index, units)
        insertAt(this.known, index, undefined)
      }
    }
  }

  /** Passes over one side's changes. */
  static skip(from: ByteReader): void {
    const count = from.natural()
    for (let number = 0; number < count * 2; number++) from.natural()
  }

  get levels(): ReadonlyArray<Level> {
    return (this.made ??= this.prices.map(
      (price, index) => (this.known[index] ??= { price: money(price), units: this.units[index] as number })
    ))
  }
}
