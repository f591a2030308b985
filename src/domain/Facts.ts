/**
 * What is known about one item at one moment: the only thing that rules ever see.
 * Invariants: 1. every fact that comes from the market carries the moment it was true. 2. a fact that was never seen is Unseen,
 * never zero. 3. our own units are taken out of the book, so that a rule does not react to itself.
 */

import type { CurrencyId } from "./Currency.ts"
import type { FeeSchedule } from "./Fee.ts"
import type { BuyOrderId, Millis } from "./Ids.ts"
import type { Item } from "./Item.ts"
import type { Money } from "./Money.ts"
import type { Description, Offer } from "./Offer.ts"
import type { OrderBook } from "./OrderBook.ts"
import type { PriceHistory } from "./Sales.ts"

export type Observed<A> =
  | { readonly _tag: "Seen"; readonly value: A; readonly at: Millis }
  /** `forgottenAt`: it was seen, and a change of ours made it worthless then; it is read anew at once. */
  | { readonly _tag: "Unseen"; readonly forgottenAt?: Millis }

export const seen = <A>(value: A, at: Millis): Observed<A> => ({ _tag: "Seen", value, at })
export const unseen: Observed<never> = { _tag: "Unseen" }
export const forgotten = (at: Millis): Observed<never> => ({ _tag: "Unseen", forgottenAt: at })

/** What we hold of the item; always known, from our own journal. */
export interface PositionFacts {
  /** All units held, also those listed or on hold. */
  readonly units: number
  /** Units that can be listed now. */
  readonly sellable: number
  /** Units that are listed (staged or live). */
  readonly listed: number
  /** Units that may not be listed yet: the market refused it within the last hours, or says so of the item. */
  readonly held: number
  /** Cost of all units with fees, minor units. */
  readonly cost: Money
  /** Average cost per unit with fees, minor units; undefined without units. */
  readonly avgCost: Money | undefined
  /** When the oldest lot was bought; undefined without units. */
  readonly oldestAt: Millis | undefined
  /** Profit of all sales so far, minor units. */
  readonly realised: Money
}

/** Our own working orders on the item. */
export interface OrderFacts {
  readonly bid:
    | { readonly id: BuyOrderId; readonly price: Money; readonly units: number; readonly at: Millis }
    | undefined
  /** The lowest of our listings and all units listed. */
  readonly ask: { readonly price: Money; readonly units: number; readonly at: Millis } | undefined
}

export interface WalletFacts {
  readonly balance: Money
  /** What our open buy orders would cost if all filled. */
  readonly committed: Money
}

export interface Overview {
  readonly lowest: Money | undefined
  readonly median: Money | undefined
  readonly volume: number
}

export interface Facts {
  readonly now: Millis
  readonly item: Item
  readonly currency: CurrencyId
  readonly fees: FeeSchedule
  readonly book: Observed<OrderBook>
  readonly history: Observed<PriceHistory>
  readonly overview: Observed<Overview>
  /** Listings of others that may be bought, in ascending total; the market shows the cheapest ones. */
  readonly offers: Observed<ReadonlyArray<Offer>>
  readonly description: Observed<Description>
  readonly wallet: Observed<WalletFacts>
  readonly position: PositionFacts
  readonly orders: OrderFacts
}

/** The facts that must be polled because a rule reads them. */
export type PolledFact = "book" | "history" | "overview" | "offers" | "description" | "wallet"
