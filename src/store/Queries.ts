/**
 * What the faces ask: our open orders, listings, positions and trades, and the story behind an id. Read off the port, so that every
 * adapter answers alike. Prices in minor units, times in milliseconds since 1970 of the market's clock.
 */
import { Effect, Option } from "effect"

import { type BuySlot, costOf } from "../domain/BuySlot.ts"
import type { Origin, Reason } from "../domain/Decision.ts"
import type { EventOf } from "../domain/Event.ts"
import type { Fill } from "../domain/Fill.ts"
import type { BuyOrderId, ListingId, Millis } from "../domain/Ids.ts"
import type { Intent } from "../domain/Intent.ts"
import { type Item, type ItemKey, itemOfKey } from "../domain/Item.ts"
import type { Money } from "../domain/Money.ts"
import { avgCost, lotsCost, units } from "../domain/Position.ts"
import { type AskSlot, type BidSlot, itemOfAsk, listedOf, openUnits, placedOf } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { targetsOf } from "./Mentions.ts"
import { type Entry, Store } from "./Store.ts"

/** A buy order that is, or may be, on the market; `state` is its slot's tag, `Foreign` one that we did not place. */
export interface OpenOrder {
  readonly item: Item
  readonly state: Exclude<BidSlot["_tag"], "Settling">
  readonly order: BuyOrderId | undefined
  /** What the buyer pays per unit at most. */
  readonly price: Money
  readonly quantity: number
  readonly remaining: number
  readonly since: Millis | undefined
  readonly intent: string | undefined
  readonly reason: Reason | undefined
}

/** Open orders by item key; one that is closed and only waits for its last read (`Settling`) is not among them. */
export const openOrders = (state: State): ReadonlyArray<OpenOrder> =>
  sorted(state.bids).flatMap(([key, slot]) => {
    const open = slot._tag === "Settling" ? undefined : openUnits(slot)
    if (slot._tag === "Settling" || open === undefined) return []
    const ours = "open" in slot ? slot.open : undefined
    const placed = placedOf(slot)
    return [
      {
        item: itemOfKey(key as ItemKey),
        state: slot._tag,
        order: slot._tag === "Foreign" ? slot.order.id : ours?.order,
        price: open.price,
        quantity: slot._tag === "Foreign" ? slot.order.quantity : (ours?.quantity ?? open.units),
        remaining: open.units,
        since: ours?.openedAt ?? placed?.at,
        intent: placed?.id,
        reason: placed?.reason
      }
    ]
  })

/** A listing that is staged or live, or may be; `state` is its slot's tag. */
export interface OpenListing {
  readonly item: Item
  readonly asset: string
  readonly state: Exclude<AskSlot["_tag"], "Settling">
  /** The market's id, once a read has shown it. */
  readonly listing: ListingId | undefined
  readonly sellerReceives: Money | undefined
  readonly buyerPays: Money | undefined
  readonly since: Millis | undefined
  readonly intent: string | undefined
  readonly reason: Reason | undefined
}

/** Listings by asset; one that is closed and only waits for its last read (`Settling`) is not among them. */
export const openListings = (state: State): ReadonlyArray<OpenListing> =>
  sorted(state.asks).flatMap(([asset, slot]) => {
    if (slot._tag === "Settling") return []
    const listed = listedOf(slot)
    const ask = "ask" in slot ? slot.ask : undefined
    return [
      {
        item: itemOfAsk(slot),
        asset,
        state: slot._tag,
        listing: ask?.listing,
        sellerReceives: listed?.sellerReceives,
        buyerPays: listed?.buyerPays,
        since: ask?.openedAt ?? listed?.at,
        intent: listed?.id,
        reason: listed?.reason
      }
    ]
  })

/** A listing that is being bought outright, until the history shows its unit; `state` is its slot's tag. */
export interface OpenPurchase {
  readonly item: Item
  readonly state: BuySlot["_tag"]
  readonly listing: ListingId
  /** What the purchase costs, minor units. */
  readonly cost: Money
  readonly since: Millis
  readonly intent: string
  readonly reason: Reason
}

/** Purchases on their way by item key. */
export const openPurchases = (state: State): ReadonlyArray<OpenPurchase> =>
  sorted(state.buys).map(([, { _tag, intent }]) => ({
    item: intent.item,
    state: _tag,
    listing: intent.listing,
    cost: costOf(intent),
    since: intent.at,
    intent: intent.id,
    reason: intent.reason
  }))

/** What we hold of an item, and what came of what we sold. */
export interface Holding {
  readonly item: Item
  readonly units: number
  /** Ids of the assets in the inventory, oldest first. */
  readonly assets: ReadonlyArray<string>
  readonly cost: Money
  /** Per unit held, rounded up; undefined without units. */
  readonly avgCost: Money | undefined
  readonly unitsBought: number
  readonly unitsSold: number
  readonly realised: Money
  readonly fees: Money
}

/** Positions by item key, also those that are sold out. */
export const positions = (state: State): ReadonlyArray<Holding> =>
  sorted(state.positions).map(([key, position]) => ({
    item: itemOfKey(key as ItemKey),
    units: units(position),
    assets: position.holdings.map((holding) => holding.asset),
    cost: lotsCost(position),
    avgCost: avgCost(position),
    unitsBought: position.unitsBought,
    unitsSold: position.unitsSold,
    realised: position.realised,
    fees: position.fees
  }))

export interface Trade {
  readonly seq: number
  readonly fill: Fill
  readonly intent: string | undefined
  /** The text that decided; undefined for a trade that no intent of ours explains. */
  readonly origin: Origin | undefined
}

/** Our fills in the order that we saw them, the last so many where asked, each with the origin of its intent. */
export const trades = Effect.fn("Queries.trades")(function* (options: { readonly last?: number } = {}) {
  const store = yield* Store
  const fills = yield* store.journal({ kinds: ["Filled"], ...options })
  const origins = new Map<string, Origin | undefined>()
  const found: Array<Trade> = []
  for (const { event, seq } of fills) {
    if (event._tag !== "Filled") continue
    const { fill, intent } = event
    if (intent !== undefined && !origins.has(intent)) {
      const recorded = yield* store.journal({ kinds: ["IntentRecorded"], about: intent })
      origins.set(intent, intentsOf(recorded).find((one) => one.id === intent)?.reason.origin)
    }
    found.push({ seq, fill, intent, origin: intent === undefined ? undefined : origins.get(intent) })
  }
  return found
})

/** Everything that happened around an id. */
export interface Story {
  readonly id: string
  /** The intents in the story, each with its reason and the values that the rule saw; in order. */
  readonly intents: ReadonlyArray<Intent>
  readonly entries: ReadonlyArray<Entry>
}

/** Ids that one story follows at most; a listing that was lowered every hour for a week stays below. */
const followedLimit = 500

/**
 * The story of an intent, order, listing, asset, fill or confirmation: every event that names it, the intents behind those, and all
 * that became of these. None when the journal does not know the id. A bid's story tells all its fills, but not what was done
 * with each asset afterwards; an asset's story tells how it was bought, and its listings up to the sale, also under the
 * ids that it got when listings came back.
 */
export const why = Effect.fn("Queries.why")(function* (id: string) {
  const store = yield* Store
  const entries = new Map<number, Entry>()
  const followed = new Set([id])
  // A Set that grows while it is walked is walked to its end.
  for (const next of followed)
    for (const entry of yield* store.journal({ about: next })) {
      entries.set(entry.seq, entry)
      for (const related of leadsTo(entry)) if (followed.size < followedLimit) followed.add(related)
    }
  if (entries.size === 0) return Option.none<Story>()
  const ordered = Array.from(entries.values()).toSorted((left, right) => left.seq - right.seq)
  return Option.some<Story>({ id, intents: intentsOf(ordered), entries: ordered })
})

/** From an event to the intent behind it, and from an intent to what it works on: never from a fill to its asset. */
const leadsTo = ({ event }: Entry): ReadonlyArray<string> => {
  switch (event._tag) {
    case "IntentRecorded":
      return [event.intent.id, ...targetsOf(event.intent)]
    case "Accepted":
    case "Settled":
    case "Reappeared":
      return event.order === undefined ? [event.intent] : [event.intent, event.order]
    case "ListingSeen":
      return [event.listing.id, event.listing.asset]
    case "ListingClosed":
      return [event.asset]
    case "Returned":
      return [event.returned.asset, event.returned.returnedAs]
    default:
      return "intent" in event && event.intent !== undefined ? [event.intent] : []
  }
}

const intentsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Intent> =>
  entries
    .map(({ event }) => event)
    .filter((event): event is EventOf<"IntentRecorded"> => event._tag === "IntentRecorded")
    .map((event) => event.intent)

const sorted = <A>(record: Readonly<Record<string, A>>): ReadonlyArray<readonly [key: string, value: A]> =>
  Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1))
