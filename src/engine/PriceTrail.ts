/**
 * Prices of an item as they were seen, thinned out: what a price jump is measured from. Not journaled; after a restart it begins anew,
 * and a pause that had begun goes on. Invariant: at most `pointsPerWindow` points and one.
 */
import type { Observed } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import { bestAsk, bestBid, mid, type OrderBook } from "../domain/OrderBook.ts"
import type { Protection } from "../domain/Protection.ts"

export interface PricePoint {
  readonly at: Millis
  readonly bid: Money | undefined
  readonly ask: Money | undefined
  readonly mid: Money | undefined
}

const pointsPerWindow = 64

/** The longest time that one of these protections looks back at seen prices; 0 when none does. */
export const priceWindow = (protections: ReadonlyArray<Protection>): number =>
  Math.max(
    0,
    ...protections.map((one) => (one.kind === "price-jump" && one.against === "book" ? one.overMillis : 0))
  )

/** The prices with this book's, without those that are older than the window. */
export const withPrice = (
  prices: ReadonlyArray<PricePoint>,
  book: Observed<OrderBook>,
  windowMillis: number
): ReadonlyArray<PricePoint> => {
  if (book._tag === "Unseen") return prices
  const { at, value } = book
  const last = prices.at(-1)
  if (last !== undefined && at - last.at < windowMillis / pointsPerWindow) return prices
  const point: PricePoint = { at, bid: bestBid(value), ask: bestAsk(value), mid: mid(value) }
  return [...prices.filter((one) => one.at >= at - windowMillis), point]
}
