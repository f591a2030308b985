/**
 * What a replay came to, as plain data: JSON holds it as it is, and reports, sweeps and comparisons read nothing else.
 * Invariants: 1. equal tapes, strategies and settings give equal results: nothing of the machine or its clock is in it. 2. lists ascend by
 * time, and what happened at once is in the order of the journal. 3. amounts are minor units of `currency`, times market time in milliseconds.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import type { Side } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { Money } from "../domain/Money.ts"

/** Who decided: the strategy and its rule. */
export interface By {
  readonly strategy: string
  readonly rule: string
}

/** A bid, a listing or a purchase outright that was sent, and what became of it. */
export interface OrderOutcome extends By {
  readonly intent: string
  readonly item: ItemKey
  readonly kind: "Bid" | "Listing" | "Purchase"
  readonly at: Millis
  /** What the buyer pays per unit. */
  readonly price: Money
  readonly units: number
  readonly filled: number
  /** Units of others at our price and better when it was sent. */
  readonly ahead: number
  /** How old the book was that it was decided on. */
  readonly bookAgeMillis: number
  readonly because: string
  /** `Open` still stood at the end. */
  readonly end: "Filled" | "Cancelled" | "Refused" | "Open"
  /** Undefined while open. */
  readonly endedAt: Millis | undefined
}

/** Units that changed hands at once. */
export interface Trade extends By {
  readonly id: string
  readonly intent: string
  readonly item: ItemKey
  readonly side: "Buy" | "Sell"
  readonly at: Millis
  readonly units: number
  /** Paid or received for all units, fees included. */
  readonly amount: Money
  /** Market fees inside the price. */
  readonly fee: Money
  /** Time since the look before: the trade happened somewhere in it. */
  readonly bookAgeMillis: number
  /** Of a sale: what the units had cost (oldest first) and how long they were held on average. */
  readonly closed: { readonly cost: Money; readonly profit: Money; readonly heldMillis: number } | undefined
}

/** The guard's no, once for as long as it stays the same. */
export interface RefusalSeen extends By {
  readonly at: Millis
  readonly item: ItemKey
  readonly side: Side
  readonly code: string
  readonly message: string
}

/** How the account stood. Equity = cash + stock. */
export interface EquityPoint {
  readonly at: Millis
  readonly cash: Money
  /** What selling everything held would bring after fees: at the best ask, else at the best bid, else at cost. */
  readonly stock: Money
  /** What everything held had cost. */
  readonly cost: Money
  /** What all open bids would cost. */
  readonly committed: Money
}

/** Best prices at a moment; undefined where a side was empty. For charts: thinned out, first and last kept. */
export interface PricePoint {
  readonly at: Millis
  readonly bid: Money | undefined
  readonly ask: Money | undefined
}

export interface ItemResult {
  readonly item: ItemKey
  readonly books: number
  readonly from: Millis
  readonly to: Millis
  /** The longest time without a book. */
  readonly longestGapMillis: number
  readonly unitsBought: number
  readonly unitsSold: number
  /** Profit of all sales, fees included. */
  readonly realised: Money
  readonly fees: Money
  readonly unitsHeld: number
  readonly costHeld: Money
  /** What the units held would bring, as in `EquityPoint.stock`. */
  readonly worthHeld: Money
  readonly prices: ReadonlyArray<PricePoint>
}

export interface StrategyUsed {
  readonly name: string
  readonly file: string
  readonly revision: string
  /** Values of declared params, as a person writes them. */
  readonly params: Readonly<Record<string, string>>
  /** Items that were played and that its universe holds. */
  readonly items: number
}

/** With what the market was played. */
interface ReplaySettings {
  readonly balance: Money
  /** How orders were filled on paper; undefined where the embedded market itself filled them. */
  readonly pessimism?: number
  readonly latencyMillis?: number
  readonly listingDelayMillis?: number
  readonly holdMillis?: number
  /** Nothing is traded for so long after `from`: statistics fill up first. */
  readonly warmUpMillis: number
}

export interface BacktestResult {
  readonly version: 1
  readonly currency: CurrencyId
  readonly tapes: ReadonlyArray<{
    readonly file: string
    readonly market: string
    readonly synthetic: string | undefined
  }>
  readonly strategies: ReadonlyArray<StrategyUsed>
  readonly settings: ReplaySettings
  /** First and last book that was played. */
  readonly from: Millis
  readonly to: Millis
  /** Books that were played, warm-up included. */
  readonly books: number
  readonly items: ReadonlyArray<ItemResult>
  readonly orders: ReadonlyArray<OrderOutcome>
  readonly trades: ReadonlyArray<Trade>
  readonly refusals: ReadonlyArray<RefusalSeen>
  readonly equity: ReadonlyArray<EquityPoint>
  /** Digest over every event of the replay: equal digests, equal replays. */
  readonly digest: string
}
