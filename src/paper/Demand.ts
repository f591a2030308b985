/**
 * How much of the usual trade comes to a quote: more to one that is better than everybody else's, hardly any to one that is far from the usual
 * price when nobody else quotes. Invariant: a worse quote never gets more.
 */
import { bestAsk, bestBid, type OrderBook } from "../domain/OrderBook.ts"

/**
 * With every half spread that a quote is better, e times as much trade comes to it, as the usual models of market making have it: intensity falls off
 * exponentially, and a spread is about as wide as that pays. At most three times as much: nobody has endless demand.
 */
const responsiveness = 1
const mostDemand = 3
/** Half a spread, as a part of the price, where no book tells. */
const usualHalfSpread = 0.05

/** Times the usual flow. `best` is our best price on the side, `usual` what others have paid lately; without it nobody is sure to come. */
export const demandFor = (
  side: "bids" | "asks",
  best: number,
  book: OrderBook,
  usual: number | undefined
): number => {
  const direction = side === "bids" ? 1 : -1
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  const [own, other] = side === "bids" ? [bid, ask] : [ask, bid]
  const quoted = own ?? usual
  if (quoted === undefined) return 0
  const distance = other === undefined ? 0 : (other - quoted) * direction
  const halfSpread = own === undefined || distance <= 0 ? usualHalfSpread * quoted : distance / 2
  const better = ((best - quoted) * direction) / halfSpread
  // behind others' quotes the queue tells who is served, and one with nobody on the other side has no spread to be better in
  if (own !== undefined && (better <= 0 || other === undefined)) return 1
  return Math.min(mostDemand, Math.exp(responsiveness * better))
}
