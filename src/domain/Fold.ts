/**
 * The journal folded into the state, one event at a time.
 * Invariants: 1. equal journals give equal states. 2. an event read twice from the market changes nothing the second time: its id is known.
 */
import { Struct } from "effect"

import { controlAfter } from "./Control.ts"
import { coolingAfter } from "./CoolDown.ts"
import type { Event, EventOf } from "./Event.ts"
import { heldAfter } from "./Holds.ts"
import type { Millis } from "./Ids.ts"
import { itemKey } from "./Item.ts"
import { add, subtract } from "./Money.ts"
import { fold, returned } from "./Position.ts"
import {
  openingSlackMillis,
  knownLimit,
  positionOf,
  revokedLimit,
  spendingWindowMillis,
  type State
} from "./State.ts"
import { booksAfter } from "./StateBooks.ts"
import { applyBuys } from "./StateBuys.ts"
import { deny, isDenial, reappeared } from "./StateDenied.ts"
import { offAfter, vanishing } from "./StateLedger.ts"
import { applySlots } from "./StateSlots.ts"
import { recordAfter } from "./StrategyRecord.ts"
import { afterBuy, afterEquity, afterHalt, afterProtected, afterResume, afterSale } from "./Trail.ts"

/** The state after one event. */
export const apply = (state: State, event: Event): State => {
  const held = heldAfter(state, event)
  const cooling = coolingAfter(state, event)
  const vanished = vanishing(state, event)
  const slots = applied(isDenial(event) ? deny(state, event) : state, event)
  const booked = offAfter(booksAfter(state, event, slots), event)
  const next = vanished === booked.vanished ? booked : { ...booked, vanished }
  return held === state.held && cooling === state.cooling ? next : { ...next, held, cooling }
}

const applied = (state: State, event: Event): State => {
  const slotted = applyBuys(state, event) ?? applySlots(state, event)
  switch (event._tag) {
    case "LedgerOpened":
      return {
        ...slotted,
        opening: event.balance,
        ledger: event.balance,
        currency: event.currency,
        openedAt: event.at,
        countsFrom:
          event.before === undefined
            ? event.at
            : ((event.at - openingSlackMillis - (event.behind ?? 0)) as Millis),
        known: event.before ?? slotted.known
      }
    case "LedgerAdjusted":
      return { ...slotted, ledger: add(slotted.ledger, event.difference) }
    case "Filled":
      return filled(slotted, event)
    case "Returned":
      return cameBack(slotted, event)
    case "FundsRevoked":
      return takenBack(slotted, event)
    case "Paused":
    case "Draining":
    case "Halted":
      return { ...slotted, control: controlAfter(slotted.control, event) }
    case "Resumed":
      return {
        ...slotted,
        control: controlAfter(slotted.control, event),
        trails: afterResume(slotted.trails)
      }
    case "Protected":
      return { ...slotted, trails: afterProtected(slotted.trails, event) }
    case "StrategyHalted":
      return { ...slotted, trails: afterHalt(slotted.trails, event) }
    case "EquityMarked":
      return { ...slotted, trails: afterEquity(slotted.trails, event) }
    case "CurrencyDiffers":
      return {
        ...slotted,
        otherCurrency: { ...slotted.otherCurrency, [itemKey(event.item)]: event.book }
      }
    case "CurrencyAgrees": {
      const { [itemKey(event.item)]: _, ...otherCurrency } = slotted.otherCurrency
      return { ...slotted, otherCurrency }
    }
    case "Reappeared":
      return reappeared(slotted, event)
    case "OperationDrifted":
      return { ...slotted, drifted: { ...slotted.drifted, [event.operation]: event.at } }
    case "OperationRecovered":
      return { ...slotted, drifted: Struct.omit(slotted.drifted, [event.operation]) }
    case "SessionExpired":
      return { ...slotted, sessionLostAt: event.at }
    case "SessionRenewed":
      return Struct.omit(slotted, ["sessionLostAt"])
    default: {
      const strategies = recordAfter(slotted.strategies, event)
      return strategies === slotted.strategies ? slotted : { ...slotted, strategies }
    }
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
  const before = positionOf(state, key)
  const position = fold(before, fill, strategy)
  return {
    ...state,
    ledger: paid,
    positions: { ...state.positions, [key]: position },
    trails: bought
      ? afterBuy(state.trails, strategy, { item: key, at: fill.at, amount: fill.amount })
      : afterSale(state.trails, before.lots[0]?.strategy ?? strategy, {
          item: key,
          at: fill.at,
          amount: fill.amount,
          profit: subtract(position.realised, before.realised)
        }),
    known: remember(state.known, fill.id),
    spending: bought
      ? [...kept, { at: fill.at, amount: fill.amount, ...(strategy === undefined ? {} : { strategy }) }]
      : kept,
    counters: bought
      ? { ...state.counters, unitsBought: state.counters.unitsBought + fill.units }
      : { ...state.counters, sold: state.counters.sold + fill.units }
  }
}

/** What a sale brought is lost again; a sale by hand was never our profit. */
const takenBack = (state: State, { amount, fill, item }: EventOf<"FundsRevoked">): State => {
  const key = itemKey(item)
  const paid = {
    ...state,
    ledger: subtract(state.ledger, amount),
    revoked: [...state.revoked, fill as string].slice(-revokedLimit)
  }
  if (state.byHand.includes(fill)) return paid
  const position = positionOf(state, key)
  const lost = { ...position, realised: subtract(position.realised, amount) }
  return { ...paid, positions: { ...state.positions, [key]: lost } }
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
