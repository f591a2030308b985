/**
 * The account that a dry-run trades with: what it owns, what it has on the market, what happened to it. Plain data that survives a restart.
 * Invariants: 1. balance = opening balance − bought + sold. 2. an asset is in the inventory or in one listing. 3. histories are bounded:
 * whoever trades reads them far more often than they fill up.
 */
import { Schema } from "effect"

import { Fill, ListingReturned } from "../domain/Fill.ts"
import { AssetId, BuyOrderId, ConfirmationId, ListingId, Millis } from "../domain/Ids.ts"
import { Item } from "../domain/Item.ts"
import { Money } from "../domain/Money.ts"
import { Level } from "../domain/OrderBook.ts"
import type { OwnOpen } from "../market/Market.ts"

/** Fills and returned listings that are remembered. */
export const historyKept = 5_000

const Queued = Schema.Struct({
  side: Schema.Literals(["bids", "asks"]),
  price: Money,
  units: Schema.Natural,
  ahead: Schema.Finite,
  owed: Schema.Finite,
  number: Schema.Natural,
  drawn: Schema.Natural
})

export const PaperOrder = Schema.Struct({
  id: BuyOrderId,
  item: Item,
  price: Money,
  quantity: Schema.Natural,
  liveAt: Millis,
  /** Undefined until it has joined the queue. */
  queued: Schema.optionalKey(Queued),
  remaining: Schema.Natural
})
export type PaperOrder = typeof PaperOrder.Type

export const PaperListing = Schema.Struct({
  id: ListingId,
  item: Item,
  asset: AssetId,
  context: Schema.String,
  sellerReceives: Money,
  buyerPays: Money,
  createdAt: Millis,
  /** Undefined until its confirmation is allowed. */
  liveAt: Schema.optionalKey(Millis),
  confirmation: ConfirmationId,
  queued: Schema.optionalKey(Queued)
})
export type PaperListing = typeof PaperListing.Type

const Taken = Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))

/** Levels, each with the time until which it would have stood. */
const Spared = Schema.Array(Schema.Struct({ price: Money, units: Schema.Natural, until: Millis }))
export type Spared = typeof Spared.Type

/** What is remembered of an item's market between two looks, while something of ours rests there. */
export const PaperQuote = Schema.Struct({
  at: Millis,
  bids: Schema.Array(Level),
  asks: Schema.Array(Level),
  takenBids: Taken,
  takenAsks: Taken,
  /** Units of others that our fills have spared: the book would still show them. */
  sparedBids: Spared,
  sparedAsks: Spared,
  /** Units that others trade per hour on both sides together, as sales tell it; undefined before a price history was seen. */
  unitsPerHour: Schema.optionalKey(Schema.Finite),
  /** What they have paid per unit lately. */
  usual: Schema.optionalKey(Schema.Finite)
})
export type PaperQuote = typeof PaperQuote.Type

export const PaperState = Schema.Struct({
  balance: Money,
  /** Number of the next order, listing, asset, fill or confirmation. */
  next: Schema.Natural,
  orders: Schema.Array(PaperOrder),
  listings: Schema.Array(PaperListing),
  /** Newest first. */
  fills: Schema.Array(Fill),
  returned: Schema.Array(ListingReturned),
  /** Assets that can be listed, with the item they are. */
  inventory: Schema.Record(Schema.String, Item),
  /** By item key. */
  quotes: Schema.Record(Schema.String, PaperQuote)
})
export type PaperState = typeof PaperState.Type

export const paperState = (balance: Money): PaperState => ({
  balance,
  next: 1,
  orders: [],
  listings: [],
  fills: [],
  returned: [],
  inventory: {},
  quotes: {}
})

const prefix = "paper-"
/** An id that no real market gives. */
export const paperId = (number: number): string => `${prefix}${number}`

export const numberOf = (id: string): number => Number(id.slice(prefix.length))

/** Our open orders and listings as the market would tell them. */
export const openOf = (state: PaperState): OwnOpen => ({
  buyOrders: state.orders.map(({ id, item, price, quantity, remaining }) => ({
    id,
    item,
    price,
    quantity,
    remaining
  })),
  listings: state.listings.map(({ liveAt, ...listing }) => ({
    id: listing.id,
    asset: listing.asset,
    context: listing.context,
    item: listing.item,
    stage: liveAt === undefined ? ("Staged" as const) : ("Live" as const),
    sellerReceives: listing.sellerReceives,
    buyerPays: listing.buyerPays,
    createdAt: listing.createdAt
  }))
})
