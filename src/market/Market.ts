/**
 * The market as we see it, in domain types: the port that the engine trades through.
 * Invariants: 1. a read fails with a MarketError, never with an exception. 2. a mutation is sent at most once per call and always
 * answers with an Outcome. 3. no secret and no billing data crosses this port.
 */
import { Context, type Effect, Schema, type Stream } from "effect"

import type { BuyOrder, BuyOrderStatus } from "../domain/BuyOrder.ts"
import type { Confirmation } from "../domain/Confirmation.ts"
import type { Departure, OutOfService } from "../domain/Drift.ts"
import type { Fill, ListingReturned } from "../domain/Fill.ts"
import type { AppId, AssetId, BuyOrderId, ConfirmationId, ListingId, Millis } from "../domain/Ids.ts"
import type { Item } from "../domain/Item.ts"
import type { Money } from "../domain/Money.ts"
import type { Description, Offer } from "../domain/Offer.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { Outcome } from "../domain/Outcome.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import type { SellListing } from "../domain/SellListing.ts"
import type { SessionNews, SessionState } from "../domain/SessionState.ts"
import type { Wallet } from "../domain/Wallet.ts"
import type { SearchFilter } from "./SearchFilter.ts"

export { emptyFilter, type SearchFilter } from "./SearchFilter.ts"

/** HTTP 429 or success 84: the caller was too fast. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {}) {}
/** Any of the signals that the login is gone; reads that need no session may still work. */
export class SessionExpired extends Schema.TaggedError<SessionExpired>()("SessionExpired", {
  signal: Schema.String
}) {}
/** No answer: time-out, connection refused or reset. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  detail: Schema.String
}) {}
/** An HTTP status that carries no usable body. */
export class BadStatus extends Schema.TaggedError<BadStatus>()("BadStatus", { status: Schema.Int }) {}
/** `null`, HTML or an empty body where data was due: a transient answer. */
export class NoData extends Schema.TaggedError<NoData>()("NoData", { detail: Schema.String }) {}
/** A body that does not have the contract's shape; `path` says where. */
export class Undecodable extends Schema.TaggedError<Undecodable>()("Undecodable", {
  path: Schema.String,
  detail: Schema.String
}) {}
/** The market does not know the item. */
export class NoSuchItem extends Schema.TaggedError<NoSuchItem>()("NoSuchItem", { item: Schema.String }) {}

export class MarketError extends Schema.TaggedError<MarketError>()("MarketError", {
  operation: Schema.String,
  reason: Schema.Union([RateLimited, SessionExpired, Unreachable, BadStatus, NoData, Undecodable, NoSuchItem])
}) {
  /** `orderbook: BadStatus 503`: what was asked and why there is no answer, without any value of the body. */
  override get message(): string {
    return `${this.operation}: ${[this.reason._tag, ...detailsOf(this.reason)].join(" ")}`
  }
}

const detailsOf = (reason: MarketError["reason"]): ReadonlyArray<string | number> => {
  switch (reason._tag) {
    case "RateLimited":
      return []
    case "SessionExpired":
      return [`(${reason.signal})`]
    case "BadStatus":
      return [reason.status]
    case "Undecodable":
      return [`at ${reason.path}:`, reason.detail]
    case "NoSuchItem":
      return [reason.item]
    case "Unreachable":
    case "NoData":
      return [`(${reason.detail})`]
  }
}

/** Lowest ask and median of the last 24 hours as formatted by the market, parsed; units sold in 24 hours. */
export interface PriceOverview {
  readonly lowest: Money | undefined
  readonly median: Money | undefined
  readonly volume: number
}

/** Whether the account may trade; `from` when it may not yet, `reason` as the market's own bits. */
export interface Eligibility {
  readonly mayTrade: boolean
  readonly from: Millis | undefined
  readonly reason: number
}

/** A page of rows; `next` is the offset of the page behind it. */
export interface PageOf<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number
  readonly next: number | undefined
}

/** Listings of one item, cheapest first, and what the item is; undefined when nobody offers it. */
interface OffersOf extends PageOf<Offer> {
  readonly description: Description | undefined
}

/** An item of the catalogue; `lowest` is undefined when nobody sells it or the price is of an unknown form. */
export interface CatalogItem {
  readonly item: Item
  readonly sellOrders: number
  readonly buyOrders: number | undefined
  readonly lowest: Money | undefined
}

/** A category of the filter vocabulary, and the values that it may have. */
export interface Vocabulary {
  /** Category or kind without prefix, as SearchFilter takes it. */
  readonly name: string
  readonly label: string
  readonly values: ReadonlyArray<{
    readonly name: string
    readonly label: string
    readonly matches: number | undefined
  }>
}

/** An order of anybody that was placed, filled or cancelled; an unknown kind survives. */
export interface OrderActivity {
  readonly kind: string
  readonly units: number
  readonly price: Money | undefined
  readonly at: Millis | undefined
}

/** What is on offer: reads of everybody's listings and of the catalogue. */
export interface Offers {
  readonly listings: (item: Item, filter?: SearchFilter) => Effect.Effect<OffersOf, MarketError>
  readonly search: (filter: SearchFilter) => Effect.Effect<PageOf<CatalogItem>, MarketError>
  /** Direct listing rows instead of catalogue entries. */
  readonly searchListings: (filter: SearchFilter) => Effect.Effect<PageOf<Offer>, MarketError>
  /** The older search: text, price bounds, sort and paging only. */
  readonly searchByText: (filter: SearchFilter) => Effect.Effect<PageOf<CatalogItem>, MarketError>
  readonly suggestions: (
    text: string,
    app?: AppId
  ) => Effect.Effect<ReadonlyArray<{ readonly item: Item; readonly sellOrders: number }>, MarketError>
  readonly tags: (app: AppId) => Effect.Effect<ReadonlyArray<Vocabulary>, MarketError>
  readonly accessories: (app: AppId) => Effect.Effect<ReadonlyArray<Vocabulary>, MarketError>
  readonly popular: Effect.Effect<ReadonlyArray<Offer>, MarketError>
  readonly recent: Effect.Effect<ReadonlyArray<Offer>, MarketError>
  /** Internal id that histogram and activity ask for; stands on the older listing page only. */
  readonly itemNameId: (item: Item) => Effect.Effect<string, MarketError>
  /** The order book out of the histogram's graphs. */
  readonly histogram: (itemNameId: string) => Effect.Effect<OrderBook, MarketError>
  readonly activity: (itemNameId: string) => Effect.Effect<ReadonlyArray<OrderActivity>, MarketError>
}

/** Everything of ours that is open, all pages read. */
export interface OwnOpen {
  readonly buyOrders: ReadonlyArray<BuyOrder>
  readonly listings: ReadonlyArray<SellListing>
}

/** What happened to us, newest first, read back until `known` fills were met or the history ended. */
export interface OwnHistory {
  readonly fills: ReadonlyArray<Fill>
  readonly returned: ReadonlyArray<ListingReturned>
  /** By so many milliseconds the clock that wrote these times is behind ours; absent when it is not, or not known to be. */
  readonly behind?: number
}

/** True for a fill or returned listing that the caller has already, or that lies before everything it wants to know. */
export type IsKnown = (id: string, at: Millis) => boolean

export interface PlaceBuyOrder {
  readonly item: Item
  readonly price: Money
  readonly quantity: number
  /** Set only when the same form is posted again after its confirmation was allowed. */
  readonly confirmation?: ConfirmationId
}

/** Buys a listing at the amounts that were read of it; a stale one is refused. */
export interface PurchaseListing {
  readonly offer: Pick<Offer, "listing" | "item" | "currency" | "subtotal" | "fee" | "isMine">
  /** What one unit may cost at most, with the tax that some wallets pay on the fee; no bound when absent. */
  readonly atMost?: Money
  /** 1 when absent. */
  readonly quantity?: number
  /** Set only when the same form is posted again after its confirmation was allowed. */
  readonly confirmation?: ConfirmationId
}

/** The wallet after a purchase, where the market tells it. */
export interface Purchased {
  readonly balance: Money | undefined
}

export interface ListAsset {
  readonly item: Item
  readonly asset: AssetId
  readonly context: string
  readonly sellerReceives: Money
}

/** Whether the market still knows us. */
export interface SessionHealth {
  readonly state: Effect.Effect<SessionState>
  /** Asks the market for what the account alone gets; the state afterwards. A market that does not answer leaves it as it was. */
  readonly check: Effect.Effect<SessionState>
  readonly doubt: (signal: string) => Effect.Effect<void>
  /** What happens from now on. */
  readonly news: Stream.Stream<SessionNews>
  /** A command brings a new session when this one is over. */
  readonly renewable: boolean
}

/** The listing stays staged until its confirmation is allowed. */
export interface Staging {
  readonly needsConfirmation: boolean
}

export class Market extends Context.Service<
  Market,
  {
    readonly session: SessionHealth
    /** How answers depart from the interface, and which operations are out of service because of it. */
    readonly drift: {
      readonly departures: Effect.Effect<ReadonlyArray<Departure>>
      readonly outOfService: Effect.Effect<ReadonlyArray<OutOfService>>
    }
    readonly orderBook: (item: Item) => Effect.Effect<OrderBook, MarketError>
    readonly priceOverview: (item: Item) => Effect.Effect<PriceOverview, MarketError>
    readonly priceHistory: (item: Item) => Effect.Effect<PriceHistory, MarketError>
    readonly wallet: Effect.Effect<Wallet, MarketError>
    readonly eligibility: Effect.Effect<Eligibility, MarketError>
    readonly ownOpen: Effect.Effect<OwnOpen, MarketError>
    /** Paging stops at a page that is known as a whole. */
    readonly ownHistory: (isKnown: IsKnown) => Effect.Effect<OwnHistory, MarketError>
    readonly buyOrderStatus: (order: BuyOrderId) => Effect.Effect<BuyOrderStatus, MarketError>
    readonly offers: Offers
    readonly purchase: (form: PurchaseListing) => Effect.Effect<Outcome<Purchased>>
    readonly placeBuyOrder: (form: PlaceBuyOrder) => Effect.Effect<Outcome<BuyOrderId>>
    readonly cancelBuyOrder: (order: BuyOrderId) => Effect.Effect<Outcome<void>>
    readonly listAsset: (form: ListAsset) => Effect.Effect<Outcome<Staging>>
    readonly removeListing: (listing: ListingId) => Effect.Effect<Outcome<void>>
    readonly confirmations: Effect.Effect<ReadonlyArray<Confirmation>, MarketError>
    /** Asset id and listing ids that the confirmation's details name. */
    readonly confirmationSubjects: (
      confirmation: Confirmation
    ) => Effect.Effect<ReadonlyArray<string>, MarketError>
    readonly allowConfirmation: (confirmation: Confirmation) => Effect.Effect<Outcome<void>>
    readonly cancelConfirmation: (confirmation: Confirmation) => Effect.Effect<Outcome<void>>
  }
>()("haggle/market/Market") {}
