/**
 * How a strategy stands: its realised profit and what its stock would bring.
 * Invariant: a unit is worth what a listing at the best ask would bring after fees, else at the best bid; without a book, what it cost.
 */
import type { Observed } from "../domain/Facts.ts"
import { type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { ItemKey } from "../domain/Item.ts"
import { type Money, money } from "../domain/Money.ts"
import { bestAsk, bestBid, type OrderBook } from "../domain/OrderBook.ts"
import type { State } from "../domain/State.ts"
import { trailOf } from "../domain/Trail.ts"

/** Profit so far with what is held, and the most that was invested since it was last written down, minor units. */
export const equityOf = (
  state: State,
  strategy: string,
  books: ReadonlyMap<ItemKey, Observed<OrderBook>>,
  fees: FeeSchedule
): { readonly profit: Money; readonly invested: Money } => {
  const trail = trailOf(state.trails, strategy)
  let profit: number = trail.realised
  for (const [key, { lots }] of Object.entries(state.positions)) {
    const own = lots.filter((lot) => lot.strategy === strategy)
    if (own.length === 0) continue
    const book = books.get(key as ItemKey)
    const price = book?._tag === "Seen" ? (bestAsk(book.value) ?? bestBid(book.value)) : undefined
    if (price === undefined) continue
    for (const { cost, units } of own) profit += sellerReceives(fees, price) * units - cost
  }
  return { profit: money(profit), invested: trail.peak }
}
