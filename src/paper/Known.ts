/**
 * What became of orders of ours that really stood in the books that are looked at: better than any model of it.
 * Invariants: 1. what came to an order is known to every order at that price or a better one. 2. while one stood there, nothing more came to its price.
 */
import type { Millis } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { Level } from "../domain/OrderBook.ts"
import { countBefore } from "../domain/Ordered.ts"
import type { Standing, Traded } from "../domain/Standing.ts"

/** Our real orders at a look, and what they had traded by then. */
export interface Known extends Standing {
  /** Ascending by time. */
  readonly trades: ReadonlyArray<Traded>
}

/** A market tells the times of trades in whole seconds, rounded down. */
const secondMillis = 1_000

/** Trades after the first moment up to the second. */
export const tradesBetween = ({ trades }: Known, after: Millis, until: Millis): ReadonlyArray<Traded> => {
  const upTo = (moment: Millis) =>
    countBefore(trades.length, (index) => (trades[index]?.at ?? Infinity) + secondMillis <= moment)
  return trades.slice(upTo(after), upTo(until))
}

/** What came to real orders of ours of a side, as far as nobody has had it yet. */
export class Coming {
  private readonly left: Array<{ readonly price: Money; units: number }>
  private readonly best: number
  private readonly direction: 1 | -1

  /** The direction is 1 where a higher price is better to be in the queue with. */
  constructor(side: keyof Standing, direction: 1 | -1, known: Known | undefined) {
    this.direction = direction
    this.left = (known?.trades ?? [])
      .filter((trade) => trade.side === side)
      .map(({ price, units }) => ({ price, units }))
    const prices = [...this.left, ...(known?.[side] ?? [])].map(({ price }) => price * direction)
    this.best = Math.max(Number.NEGATIVE_INFINITY, ...prices)
  }

  /** Nothing came to this price but what came to us: we stood there, or at a better one. */
  isAllFor(price: Money): boolean {
    return this.best >= price * this.direction
  }

  /** Whoever traded with a real order of ours trades with this one when its price is as good. */
  take(price: Money, wanted: number): ReadonlyArray<Level> {
    let left = wanted
    return this.left.flatMap((trade) => {
      if ((price - trade.price) * this.direction < 0) return []
      const units = Math.min(left, trade.units)
      left -= units
      trade.units -= units
      return units === 0 ? [] : [{ price: trade.price, units }]
    })
  }
}
