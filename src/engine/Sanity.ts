/**
 * Is a price meant? Judged by the order book, by what the item usually costs and by what ours cost.
 * Invariants: 1. nothing passes without a book that is fresh enough. 2. an ask is never below cost after fees unless its rule allows a
 * loss, and even then never far below the book and the history. 3. where there is no history, cost takes its place.
 */
import type { Observed, PolledFact } from "../domain/Facts.ts"
import { minimumBid } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import { bestAsk, bestBid, type OrderBook } from "../domain/OrderBook.ts"
import { median, type PriceHistory, volume } from "../domain/Sales.ts"
import type { Wallet } from "../domain/Wallet.ts"
import type { RefusalCode } from "./Refusals.ts"
import type { Entry } from "./Room.ts"

/** How far from book and history a price may be; factors of the reference's price. */
export interface SanityRules {
  /** Oldest book that a price is judged by, at the moment of sending. */
  readonly bookAgeMillis: number
  /** A bid above this many times the best ask is a mistake; without an ask, above so many times the best bid. */
  readonly bidOverAsk: number
  readonly bidOverBid: number
  /** A listing above this many times the best ask is a mistake to buy; up to it, wear or stickers may be worth their price. */
  readonly buyOverAsk: number
  /** An ask below this part of the best bid, or above so many times the best ask, is a mistake. */
  readonly askUnderBid: number
  readonly askOverAsk: number
  /** The same against the median of the week, or of the month where hardly anything sells. */
  readonly bidOverHistory: number
  readonly buyOverHistory: number
  readonly askUnderHistory: number
  readonly askOverHistory: number
  /** Without a history, a rule that allows a loss may take at least this part of the cost. */
  readonly lossWithoutHistory: number
}

export const defaultSanity: SanityRules = {
  bookAgeMillis: 600_000,
  bidOverAsk: 1.1,
  bidOverBid: 2,
  buyOverAsk: 2,
  askUnderBid: 0.5,
  askOverAsk: 20,
  bidOverHistory: 2,
  buyOverHistory: 4,
  askUnderHistory: 0.5,
  askOverHistory: 20,
  lossWithoutHistory: 0.5
}

/** What the guard wants to have seen of every item that may be traded, with the age in milliseconds that will do. */
export const guardReads: ReadonlyMap<PolledFact, number> = new Map([
  ["book", 90_000],
  ["history", 86_400_000]
])

export interface Judging {
  readonly book: Observed<OrderBook>
  readonly history: Observed<PriceHistory>
  readonly wallet: Wallet
  readonly now: Millis
  readonly rules: SanityRules
}

const dayMillis = 86_400_000
/** So few sales are no measure: one of them may be a gift. */
const soldAtLeast = 3

/** What one unit usually costs, minor units; undefined where hardly anything was sold within a month. */
const usualPrice = ({ history, now }: Judging): number | undefined => {
  if (history._tag === "Unseen") return undefined
  for (const days of [7, 30])
    if (volume(history.value, now, days * dayMillis) >= soldAtLeast)
      return median(history.value, now, days * dayMillis)
  return undefined
}

/** A book that prices may be judged by, or why there is none. */
const bookOf = ({ book, now, rules }: Judging): OrderBook | RefusalCode => {
  if (book._tag === "Unseen") return "NoBook"
  return now - book.at > rules.bookAgeMillis ? "BookStale" : book.value
}

/** What is odd about paying this much per unit. */
export const oddEntry = ({ limits, outright, price }: Entry, judging: Judging): RefusalCode | undefined => {
  const { rules, wallet } = judging
  if (price < minimumBid(wallet.fees)) return "BelowMarketMinimum"
  if (wallet.tradeMaximum !== undefined && price > wallet.tradeMaximum) return "AboveMarketMaximum"
  if (limits.minPrice !== undefined && price < limits.minPrice) return "BelowMinPrice"
  if (limits.maxPrice !== undefined && price > limits.maxPrice) return "AboveMaxPrice"
  const book = bookOf(judging)
  if (typeof book === "string") return book
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  if (bid === undefined && ask === undefined) return "BookEmpty"
  const overAsk = outright ? rules.buyOverAsk : rules.bidOverAsk
  if (price > (ask === undefined ? (bid ?? 0) * rules.bidOverBid : ask * overAsk)) return "PriceFarFromBook"
  const usual = usualPrice(judging)
  const overHistory = outright ? rules.buyOverHistory : rules.bidOverHistory
  return usual !== undefined && price > usual * overHistory ? "PriceFarFromHistory" : undefined
}

/** A listing before it is made: what the buyer pays, what we get, and what one unit cost us. */
export interface Asking {
  readonly buyerPays: Money
  readonly sellerReceives: Money
  readonly cost: Money | undefined
  readonly allowLoss: boolean
}

/** What is odd about asking this much. */
export const oddAsk = (asking: Asking, judging: Judging): RefusalCode | undefined => {
  const { allowLoss, buyerPays, cost, sellerReceives } = asking
  const { rules, wallet } = judging
  if (buyerPays < minimumBid(wallet.fees)) return "BelowMarketMinimum"
  if (wallet.tradeMaximum !== undefined && buyerPays > wallet.tradeMaximum) return "AboveMarketMaximum"
  if (!allowLoss && cost !== undefined && sellerReceives < cost) return "BelowCost"
  const book = bookOf(judging)
  if (typeof book === "string") return book
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  if (bid !== undefined && buyerPays < bid * rules.askUnderBid) return "PriceFarFromBook"
  if (ask !== undefined && buyerPays > ask * rules.askOverAsk) return "PriceFarFromBook"
  const usual = usualPrice(judging)
  if (usual === undefined) {
    if (cost !== undefined && sellerReceives < cost * rules.lossWithoutHistory) return "LossTooLarge"
    return cost === undefined && bid === undefined && ask === undefined ? "BookEmpty" : undefined
  }
  return buyerPays < usual * rules.askUnderHistory || buyerPays > usual * rules.askOverHistory
    ? "PriceFarFromHistory"
    : undefined
}
