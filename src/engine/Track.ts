/**
 * Our own orders, listings and trades as the market shows them, against our state: the events that bring the state up to date.
 * The same function settles unknown outcomes, follows fills and recovers at start-up.
 * Invariants: 1. the open orders are read before the history, so a closed order's fills are in the history that was read. 2. only an
 * absence that lasted `settleAfterMillis` is believed: a request may still be on its way. 3. what is not ours is shown, never touched.
 */
import type { BuyOrder } from "../domain/BuyOrder.ts"
import type { Event } from "../domain/Event.ts"
import { applyAll } from "../domain/Fold.ts"
import type { Millis } from "../domain/Ids.ts"
import type { PlaceBid } from "../domain/Intent.ts"
import { itemKey, itemOfKey, type ItemKey } from "../domain/Item.ts"
import type { SellListing } from "../domain/SellListing.ts"
import type { AskSlot, BidSlot } from "../domain/Slot.ts"
import { type State } from "../domain/State.ts"
import { deniedAt } from "../domain/StateDenied.ts"
import type { OwnHistory, OwnOpen } from "../market/Market.ts"
import { buyEvents } from "./TrackBuys.ts"
import { assetOf, closed, historyEvents, unitsBought } from "./TrackHistory.ts"

export interface TrackRules {
  /** How long something must be missing before it counts as gone. */
  readonly settleAfterMillis: number
}

export const defaultTrackRules: TrackRules = { settleAfterMillis: 60_000 }

/** What the engine remembers between two passes: since when an order or listing that should be there was not. */
export type Missing = ReadonlyMap<string, Millis>

export interface TrackInput {
  readonly state: State
  readonly open: OwnOpen
  readonly history: OwnHistory
  /** The wallet with what it holds back, minor units, as read before the history; undefined when nothing hangs on it. */
  readonly funds: number | undefined
  readonly missing: Missing
  readonly now: Millis
  readonly rules: TrackRules
}

export interface Tracked {
  readonly events: ReadonlyArray<Event>
  readonly missing: Missing
}

/** True when the open orders and listings differ from the state in a way that only the history can explain. */
export const needsHistory = (state: State, open: OwnOpen): boolean => {
  const orders = new Map(open.buyOrders.map((order) => [order.id as string, order]))
  const listings = new Set(open.listings.map((listing) => listing.asset as string))
  const bids = Object.values(state.bids).some((slot) => {
    if (slot._tag === "Foreign") return orders.get(slot.order.id)?.remaining !== slot.order.remaining
    if (slot._tag !== "Open") return true
    return orders.get(slot.open.order)?.remaining !== slot.open.remaining
  })
  return (
    bids ||
    Object.keys(state.buys).length > 0 ||
    Object.entries(state.asks).some(([asset, slot]) => !listings.has(asset) || slot._tag === "Settling")
  )
}

export const track = (input: TrackInput): Tracked => {
  const missing = new Map<string, Millis>()
  const fromHistory = historyEvents(input.state, input.history, input.now)
  const after = { ...input, state: applyAll(input.state, fromHistory) }
  const bought = unitsBought(fromHistory)
  const events = [
    ...fromHistory,
    ...Object.entries(after.state.bids).flatMap(([key, slot]) =>
      bidEvents(key as ItemKey, slot, after, bought, missing)
    ),
    ...foreignBids(after),
    ...lateListings(after),
    ...Object.values(after.state.asks).flatMap((slot) => askEvents(slot, after, missing)),
    ...buyEvents({
      buys: after.state.buys,
      now: input.now,
      unexplained: input.funds === undefined ? undefined : after.state.ledger - input.funds,
      bought,
      longGone: (id, since) => longGone(id, since, after, missing)
    })
  ]
  return { events, missing }
}

/** Remembers that something is missing; true once it has been for long enough. */
const longGone = (
  id: string,
  since: Millis | undefined,
  input: TrackInput,
  missing: Map<string, Millis>
): boolean => {
  const first = input.missing.get(id) ?? since ?? input.now
  missing.set(id, first)
  return input.now - first >= input.rules.settleAfterMillis
}

const bidEvents = (
  key: ItemKey,
  slot: BidSlot,
  input: TrackInput,
  bought: ReadonlyMap<string, number>,
  missing: Map<string, Millis>
): ReadonlyArray<Event> => {
  const { now, open } = input
  const onMarket = open.buyOrders.find((order) => itemKey(order.item) === key)
  const item = itemOfKey(key)
  switch (slot._tag) {
    case "Open": {
      const standing = slot.open
      const units = bought.get(standing.placed.id) ?? 0
      if (onMarket?.id === standing.order) {
        const gone = standing.remaining - onMarket.remaining
        // Units that left the order but are not in the history yet would be bought again: wait for them.
        const explained = gone <= units || longGone(`${standing.order}:progress`, undefined, input, missing)
        return gone === 0 || !explained
          ? []
          : [{ _tag: "BidProgressed", at: now, item, order: standing.order, remaining: onMarket.remaining }]
      }
      if (units >= standing.remaining)
        return [{ _tag: "BidClosed", at: now, item, order: standing.order, as: "Filled" }]
      return longGone(standing.order, undefined, input, missing)
        ? [{ _tag: "BidClosed", at: now, item, order: standing.order, as: "Gone" }]
        : []
    }
    case "Settling":
      return onMarket?.id === slot.order
        ? []
        : [{ _tag: "BidClosed", at: now, item, order: slot.order, as: "Cancelled" }]
    case "Foreign":
      return onMarket?.id === slot.order.id
        ? []
        : [{ _tag: "BidClosed", at: now, item, order: slot.order.id, as: "Gone" }]
    case "Uncertain":
    case "Quarantined":
      return settleBid(slot, onMarket, input, bought, missing)
    default:
      return []
  }
}

const settleBid = (
  slot: Extract<BidSlot, { _tag: "Uncertain" | "Quarantined" }>,
  onMarket: BuyOrder | undefined,
  input: TrackInput,
  bought: ReadonlyMap<string, number>,
  missing: Map<string, Millis>
): ReadonlyArray<Event> => {
  const { intent, since } = slot
  const settled = { _tag: "Settled", at: input.now, intent: intent.id } as const
  if (intent._tag === "CancelBid") {
    if (onMarket?.id !== intent.order) return [{ ...settled, happened: true }]
    return longGone(intent.id, since, input, missing) ? [{ ...settled, happened: false }] : []
  }
  if (onMarket !== undefined)
    return onMarket.price === intent.price && onMarket.quantity === intent.quantity
      ? [{ ...settled, happened: true, order: onMarket.id }]
      : [{ ...settled, happened: false }]
  const units = bought.get(intent.id) ?? 0
  if (units >= intent.quantity) return [{ ...settled, happened: true }]
  return longGone(intent.id, since, input, missing) ? [{ ...settled, happened: units > 0 }] : []
}

const foreignBids = ({ now, open, state }: TrackInput): ReadonlyArray<Event> =>
  open.buyOrders.flatMap((order): ReadonlyArray<Event> => {
    const slot = state.bids[itemKey(order.item)]
    const ours = lateBid(order, state, now)
    if (ours !== undefined && (slot === undefined || slot._tag === "Foreign"))
      return [{ _tag: "Reappeared", at: now, intent: ours.id, order: order.id }]
    const unknown =
      slot === undefined || (slot._tag === "Foreign" && slot.order.remaining !== order.remaining)
    return unknown ? [{ _tag: "ForeignBidSeen", at: now, order }] : []
  })

/** The denied bid that this order is, when it has just what that asked for. */
const lateBid = (order: BuyOrder, state: State, now: Millis): PlaceBid | undefined =>
  deniedAt(state, now).find(
    (intent): intent is PlaceBid =>
      intent._tag === "PlaceBid" &&
      itemKey(intent.item) === itemKey(order.item) &&
      intent.price === order.price &&
      intent.quantity === order.quantity
  )

/** Listings of ours that reads had denied: they are followed, and confirmed, like any other. */
const lateListings = ({ now, open, state }: TrackInput): ReadonlyArray<Event> =>
  deniedAt(state, now).flatMap((intent): ReadonlyArray<Event> => {
    if (intent._tag !== "ListAsset" || state.asks[intent.asset] !== undefined) return []
    const listing = open.listings.find(
      ({ asset, sellerReceives }) => asset === intent.asset && sellerReceives === intent.sellerReceives
    )
    return listing === undefined
      ? []
      : [
          { _tag: "Reappeared", at: now, intent: intent.id },
          { _tag: "ListingSeen", at: now, listing }
        ]
  })

const askEvents = (slot: AskSlot, input: TrackInput, missing: Map<string, Millis>): ReadonlyArray<Event> => {
  const { now, open } = input
  const asset = assetOf(slot)
  const listing = open.listings.find((one) => one.asset === asset)
  switch (slot._tag) {
    case "Staged":
    case "Confirming":
    case "Live":
      if (listing !== undefined) return seenListing(slot, listing, now)
      return longGone(`${asset}:${slot.ask.openedAt}`, undefined, input, missing)
        ? closed(slot, "Gone", now)
        : []
    case "Settling":
      return listing === undefined && longGone(`${asset}:${slot.closedAt}`, slot.closedAt, input, missing)
        ? closed(slot, "Gone", now)
        : []
    case "Uncertain":
    case "Quarantined": {
      // A listing that waits for its confirmation for too long goes on waiting.
      if (slot._tag === "Quarantined" && slot.ask !== undefined && slot.intent._tag === "ListAsset")
        return listing !== undefined
          ? seenListing({ _tag: "Staged", ask: slot.ask }, listing, now)
          : longGone(`${asset}:${slot.ask.openedAt}`, undefined, input, missing)
            ? closed(slot, "Gone", now)
            : []
      const settled = { _tag: "Settled", at: now, intent: slot.intent.id } as const
      const wasListed = slot.intent._tag === "ListAsset"
      if (listing !== undefined && wasListed)
        return [
          { ...settled, happened: true },
          { _tag: "ListingSeen", at: now, listing }
        ]
      if (listing === undefined && !wasListed) return [{ ...settled, happened: true }]
      return longGone(slot.intent.id, slot.since, input, missing) ? [{ ...settled, happened: false }] : []
    }
    default:
      return []
  }
}

const seenListing = (
  slot: Extract<AskSlot, { _tag: "Staged" | "Confirming" | "Live" }>,
  listing: SellListing,
  now: Millis
): ReadonlyArray<Event> =>
  slot.ask.listing !== listing.id || (slot._tag !== "Live" && listing.stage === "Live")
    ? [{ _tag: "ListingSeen", at: now, listing }]
    : []
