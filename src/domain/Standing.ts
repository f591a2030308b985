/** Where orders of ours really stand on an item, and what came to them. */
import type { Millis } from "./Ids.ts"
import type { Money } from "./Money.ts"
import type { Level } from "./OrderBook.ts"

/** Orders of ours by what the buyer pays, the best first. */
export interface Standing {
  readonly bids: ReadonlyArray<Level>
  readonly asks: ReadonlyArray<Level>
}

/** A trade of ours: units that came to our bid, or buyers to our listing. */
export interface Traded {
  readonly side: keyof Standing
  /** What the buyer paid per unit. */
  readonly price: Money
  readonly units: number
  readonly at: Millis
}
