/**
 * The engine's memory: a fold over the journal and nothing else.
 * Invariants: 1. equal journals give equal states. 2. ledger = opening balance − bought + sold, to the minor unit. 3. every collection
 * is bounded: slots by the market's own limits, `known` and `spending` by the constants below.
 */
import { Schema } from "effect"

import { CurrencyId } from "./Currency.ts"
import type { Event, EventOf } from "./Event.ts"
import { Millis } from "./Ids.ts"
import { PlaceBid } from "./Intent.ts"
import { type ItemKey, itemKey } from "./Item.ts"
import { add, Money, subtract, zero } from "./Money.ts"
import { emptyPosition, fold, Position, returned } from "./Position.ts"
import { AskSlot, BidSlot } from "./Slot.ts"
import { applySlots } from "./StateSlots.ts"

/** Fills whose ids are remembered, so that a page read twice changes nothing; far more than the pages that one pass reads. */
const knownLimit = 20_000
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
  opening: Money,
  ledger: Money,
  /** By item key. */
  bids: Schema.Record(Schema.String, BidSlot),
  /** By asset id. */
  asks: Schema.Record(Schema.String, AskSlot),
  /** By item key. */
  positions: Schema.Record(Schema.String, Position),
  /** The last bid that we placed, by item key: fills that the history shows late are still recognised as its. */
  lastBids: Schema.Record(Schema.String, PlaceBid),
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
  halted: Schema.optionalKey(Schema.String)
})
export type State = typeof State.Type

export const emptyState: State = {
  opening: zero,
  ledger: zero,
  bids: {},
  asks: {},
  positions: {},
  lastBids: {},
  repriced: {},
  epochs: {},
  known: [],
  byHand: [],
  spending: [],
  counters: {
    recorded: 0,
    accepted: 0,
    refused: 0,
    unknown: 0,
    placed: 0,
    cancelled: 0,
    unitsBought: 0,
    created: 0,
    confirmed: 0,
    sold: 0,
    removed: 0
  }
}

export const positionOf = (state: State, item: ItemKey): Position => state.positions[item] ?? emptyPosition

/** The state after one event. */
export const apply = (state: State, event: Event): State => {
  const slotted = applySlots(state, event)
  switch (event._tag) {
    case "LedgerOpened":
      return {
        ...slotted,
        opening: event.balance,
        ledger: event.balance,
        currency: event.currency,
        openedAt: event.at
      }
    case "Filled":
      return filled(slotted, event)
    case "Returned":
      return cameBack(slotted, event)
    case "Halted":
      return { ...slotted, halted: event.why }
    default:
      return slotted
  }
}

export const applyAll = (state: State, events: Iterable<Event>): State => {
  let next = state
  for (const event of events) next = apply(next, event)
  return next
}

/** A fill that belongs to no intent of ours moves the ledger and nothing else: what the owner trades by hand is not our position. */
const filled = (state: State, event: EventOf<"Filled">): State => {
  const { fill, strategy } = event
  const paid = fill.side === "Buy" ? subtract(state.ledger, fill.amount) : add(state.ledger, fill.amount)
  if (event.intent === undefined)
    return {
      ...state,
      ledger: paid,
      known: remember(state.known, fill.id),
      byHand: remember(state.byHand, fill.id)
    }
  const key = itemKey(fill.item)
  const bought = fill.side === "Buy"
  const since = event.at - spendingWindowMillis
  const kept = state.spending.filter((one) => one.at > since)
  return {
    ...state,
    ledger: paid,
    positions: { ...state.positions, [key]: fold(positionOf(state, key), fill, strategy) },
    known: remember(state.known, fill.id),
    spending: bought
      ? [...kept, { at: fill.at, amount: fill.amount, ...(strategy === undefined ? {} : { strategy }) }]
      : kept,
    counters: bought
      ? { ...state.counters, unitsBought: state.counters.unitsBought + fill.units }
      : { ...state.counters, sold: state.counters.sold + fill.units }
  }
}

/** A listing that is not ours is remembered too, so that its page counts as known. */
const cameBack = (state: State, { returned: back }: EventOf<"Returned">): State => {
  const key = itemKey(back.item)
  const known = remember(state.known, back.listing)
  const position = state.positions[key]
  return position === undefined
    ? { ...state, known }
    : {
        ...state,
        known,
        positions: { ...state.positions, [key]: returned(position, back.asset, back.returnedAs) }
      }
}

const remember = (known: ReadonlyArray<string>, id: string): ReadonlyArray<string> =>
  known.length < knownLimit ? [...known, id] : [...known.slice(knownLimit / 10), id]
