/**
 * The rows that an operator queries by hand, as changes that one event makes: a pure function of the state before and after it.
 * Invariants: 1. only what the event touched is written. 2. an intent or a fill is inserted, never overwritten: a second one with the
 * same id clashes, and its whole append with it. 3. what is over keeps its row, with the state that it ended in.
 */
import type { Event } from "../domain/Event.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Intent } from "../domain/Intent.ts"
import { itemKey } from "../domain/Item.ts"
import { totalOf } from "../domain/Offer.ts"
import { avgCost, lotsCost, type Position, units } from "../domain/Position.ts"
import type { State } from "../domain/State.ts"
import type { Step } from "./Chain.ts"
import { type Change, type Row, touched } from "./Change.ts"
import { listingChanges, orderChanges } from "./ReadModelSlots.ts"

/** All changes of the read model that a step makes, in order. */
export const changesOf = ({ after, before, entry: { event } }: Step): ReadonlyArray<Change> => [
  ...intentChanges(event),
  ...orderChanges(before, event, after),
  ...listingChanges(before, event, after),
  ...tradeChanges(event),
  ...positionChanges(before, after),
  ...ledgerChanges(before, after)
]

const intentChanges = (event: Event): ReadonlyArray<Change> => {
  if (event._tag === "IntentRecorded")
    return [{ _tag: "Insert", table: "intents", row: intentRow(event.intent) }]
  if (!("intent" in event) || event.intent === undefined || event._tag === "Filled") return []
  const row: Row = { state: intentState(event), changed_at: event.at, ...intentDetail(event) }
  return [{ _tag: "Update", table: "intents", key: "id", id: event.intent, row }]
}

const intentState = (event: Event): string => {
  if (event._tag === "BuyClosed") return event.as
  return event._tag === "Settled" ? (event.happened ? "Accepted" : "NotDone") : event._tag
}

const intentDetail = (event: Event): Row => {
  switch (event._tag) {
    case "Accepted":
    case "Settled":
    case "Reappeared":
      return event.order === undefined ? {} : { order_id: event.order }
    case "Refused":
      return { detail: `${event.code}: ${event.message}` }
    case "OutcomeUnknown":
      return { detail: `${event.reason}: ${event.detail}` }
    case "Quarantined":
      return { detail: `not settled after ${event.tries} tries` }
    default:
      return {}
  }
}

const intentRow = (intent: Intent): Row => ({
  id: intent.id,
  kind: intent._tag,
  item: itemKey(intent.item),
  state: "Recorded",
  detail: null,
  ...termsOf(intent),
  order_id: intent._tag === "CancelBid" ? intent.order : null,
  asset: "asset" in intent ? intent.asset : null,
  listing: "listing" in intent ? intent.listing : null,
  strategy: intent.reason.origin.strategy,
  revision: intent.reason.origin.revision,
  rule: intent.reason.origin.rule,
  because: intent.reason.because,
  saw: JSON.stringify(intent.reason.saw),
  recorded_at: intent.at,
  changed_at: intent.at
})

/** What the buyer pays per unit, and units. */
const termsOf = (intent: Intent): Row => {
  switch (intent._tag) {
    case "PlaceBid":
      return { price: intent.price, quantity: intent.quantity }
    case "ListAsset":
      return { price: intent.buyerPays, quantity: null }
    case "BuyListing":
      return { price: totalOf(intent), quantity: intent.units }
    case "CancelBid":
    case "RemoveListing":
      return { price: null, quantity: null }
  }
}

const tradeChanges = (event: Event): ReadonlyArray<Change> =>
  event._tag === "Filled"
    ? [
        {
          _tag: "Insert",
          table: "trades",
          row: tradeRow(event.fill, event.intent ?? null, event.strategy ?? null)
        }
      ]
    : []

const tradeRow = (fill: Fill, intent: string | null, strategy: string | null): Row => ({
  id: fill.id,
  at: fill.at,
  side: fill.side,
  item: itemKey(fill.item),
  units: fill.units,
  amount: fill.amount,
  fee: fill.fee,
  asset: fill.asset,
  listing: fill.listing,
  intent,
  strategy
})

const positionChanges = (before: State, after: State): ReadonlyArray<Change> =>
  touched(before.positions, after.positions).flatMap((key) => {
    const position = after.positions[key]
    return position === undefined
      ? []
      : [{ _tag: "Upsert", table: "positions", key: "item", row: positionRow(key, position) }]
  })

const positionRow = (item: string, position: Position): Row => ({
  item,
  units: units(position),
  assets: position.holdings.length,
  cost: lotsCost(position),
  avg_cost: avgCost(position) ?? null,
  units_bought: position.unitsBought,
  units_sold: position.unitsSold,
  realised: position.realised,
  fees: position.fees
})

const ledgerChanges = (before: State, after: State): ReadonlyArray<Change> =>
  before.ledger === after.ledger && before.openedAt === after.openedAt
    ? []
    : [
        {
          _tag: "Upsert",
          table: "ledger",
          key: "one",
          row: { one: 1, currency: after.currency ?? null, opening: after.opening, balance: after.ledger }
        }
      ]
