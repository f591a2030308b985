/**
 * The engine's memory: what the fold over the journal (Fold) arrives at, and nothing else.
 * Invariants: 1. ledger = opening balance − bought + sold, to the minor unit. 2. every collection is bounded: slots by the market's own
 * limits, `known` and `spending` by the constants below, what was last sent by Recent; positions and epochs by the items ever traded.
 */
import { Schema } from "effect"

import { Books, emptyBooks } from "./Books.ts"
import { BuySlot } from "./BuySlot.ts"
import { Control, trading } from "./Control.ts"
import { Cooling } from "./CoolDown.ts"
import { CurrencyId } from "./Currency.ts"
import { Millis } from "./Ids.ts"
import { BuyListing, ListAsset, PlaceBid } from "./Intent.ts"
import type { ItemKey } from "./Item.ts"
import { LedgerOff, Vanished } from "./LedgerOff.ts"
import { Money, zero } from "./Money.ts"
import { emptyPosition, Position } from "./Position.ts"
import { AskSlot, BidSlot } from "./Slot.ts"
import { noRecord, StrategyRecord } from "./StrategyRecord.ts"
import { Trail } from "./Trail.ts"

/** Fills whose ids are remembered, so that a page read twice changes nothing; far more than the pages that one pass reads. */
export const knownLimit = 20_000
/** Sales that were taken back; of more than these the oldest rows are no longer on the pages that are read. */
export const revokedLimit = 1_000
/** The market's clock and ours may be so far apart: what lies as long before the opening counts unless it was seen then. */
export const openingSlackMillis = 600_000
/** Beyond what the market's Date headers tell, a fill may seem to be so much older than its order: times may be cut to seconds. */
export const clockSlackMillis = 30_000
/** Spending is remembered for the longest window that a limit looks at. */
export const spendingWindowMillis = 24 * 3_600_000

const Spending = Schema.Struct({
  at: Millis,
  amount: Money,
  strategy: Schema.optionalKey(Schema.String)
})

export const Counters = Schema.Struct({
  recorded: Schema.Natural,
  accepted: Schema.Natural,
  refused: Schema.Natural,
  unknown: Schema.Natural,
  placed: Schema.Natural,
  cancelled: Schema.Natural,
  /** Listings that were bought outright. */
  boughtOutright: Schema.Natural,
  unitsBought: Schema.Natural,
  created: Schema.Natural,
  confirmed: Schema.Natural,
  sold: Schema.Natural,
  removed: Schema.Natural
})
export type Counters = typeof Counters.Type

export const State = Schema.Struct({
  currency: Schema.optionalKey(CurrencyId),
  /** Market time of the first event. */
  openedAt: Schema.optionalKey(Millis),
  /** Rows of the history from this time of the market on count, unless they are known; absent in a base of before: `openedAt` then. */
  countsFrom: Schema.optionalKey(Millis),
  opening: Money,
  ledger: Money,
  /** The accounts behind the ledger. */
  books: Books,
  /** Sales whose funds are on hold, by fill id. */
  heldFunds: Schema.Record(Schema.String, Schema.Struct({ amount: Money, until: Millis })),
  /** Sales whose funds were taken back, by fill id, oldest first. */
  revoked: Schema.Array(Schema.String),
  /** A lasting difference to the wallet. */
  ledgerOff: Schema.optionalKey(LedgerOff),
  vanished: Schema.Array(Vanished),
  /** By item key. */
  bids: Schema.Record(Schema.String, BidSlot),
  /** Purchases outright on their way, by item key. */
  buys: Schema.Record(Schema.String, BuySlot),
  /** By asset id. */
  asks: Schema.Record(Schema.String, AskSlot),
  /** By item key. */
  positions: Schema.Record(Schema.String, Position),
  /** Refusals to list a unit of ours because it may not be traded yet, by asset id. */
  held: Schema.Record(Schema.String, Schema.Struct({ at: Millis, refusals: Schema.Natural })),
  /** Sides of items that the market refused (CoolDown). */
  cooling: Cooling,
  /** The last bid that we placed, by item key (Recent): fills that the history shows late are still recognised as its. */
  lastBids: Schema.Record(Schema.String, PlaceBid),
  /** The last listing that we bought outright, by item key (Recent): its fill is recognised late, and a stale list does not offer it again. */
  lastBuys: Schema.Record(Schema.String, BuyListing),
  /** Intents that had no effect as far as reads tell, oldest first (StateDenied). */
  denied: Schema.Array(Schema.Struct({ at: Millis, intent: Schema.Union([PlaceBid, ListAsset]) })),
  /** What the buyer shall pay at most for the next listing, by item key, after one had waited too long; until the next sale. */
  repriced: Schema.Record(Schema.String, Money),
  /** Intents so far, by side and item. */
  epochs: Schema.Record(Schema.String, Schema.Natural),
  /** Ids of fills and returned listings that are in the ledger already, oldest first. */
  known: Schema.Array(Schema.String),
  /** Fills among `known` that belong to no intent of ours, oldest first. */
  byHand: Schema.Array(Schema.String),
  spending: Schema.Array(Spending),
  counters: Counters,
  /** Items whose order book was in another currency than the wallet when it was last seen, by item key. */
  otherCurrency: Schema.Record(Schema.String, CurrencyId),
  /** What protections remember, by strategy. */
  trails: Schema.Record(Schema.String, Trail),
  control: Control,
  /** Operations out of service, by name, and since when. */
  drifted: Schema.Record(Schema.String, Millis),
  /** Since when the market does not know us. */
  sessionLostAt: Schema.optionalKey(Millis),
  strategies: StrategyRecord
})
export type State = typeof State.Type

export const emptyState: State = {
  opening: zero,
  ledger: zero,
  books: emptyBooks,
  heldFunds: {},
  revoked: [],
  vanished: [],
  drifted: {},
  bids: {},
  buys: {},
  asks: {},
  positions: {},
  held: {},
  cooling: {},
  lastBids: {},
  lastBuys: {},
  denied: [],
  repriced: {},
  epochs: {},
  known: [],
  byHand: [],
  spending: [],
  otherCurrency: {},
  trails: {},
  counters: {
    recorded: 0,
    accepted: 0,
    refused: 0,
    unknown: 0,
    placed: 0,
    cancelled: 0,
    boughtOutright: 0,
    unitsBought: 0,
    created: 0,
    confirmed: 0,
    sold: 0,
    removed: 0
  },
  control: trading,
  strategies: noRecord
}

/** Rows of the own history from this time of the market on count; undefined before the ledger is opened. */
export const countedFrom = ({ countsFrom, openedAt }: State): Millis | undefined => countsFrom ?? openedAt

export const positionOf = (state: State, item: ItemKey): Position => state.positions[item] ?? emptyPosition

const knownSets = new WeakMap<ReadonlyArray<string>, ReadonlySet<string>>()

/** The ids of `known` to ask in; built once per state of the list, which changes with fills only. */
export const knownIds = ({ known }: State): ReadonlySet<string> => {
  const before = knownSets.get(known)
  if (before !== undefined) return before
  const ids = new Set(known)
  knownSets.set(known, ids)
  return ids
}
