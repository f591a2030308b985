/**
 * Fills and returned listings of the market's history as events: whose they are, and what they close.
 * Invariant: what is known already, or lies before the ledger was opened, makes no event.
 */
import type { Event } from "../domain/Event.ts"
import type { Fill } from "../domain/Fill.ts"
import type { FillId, Millis } from "../domain/Ids.ts"
import type { PlaceBid } from "../domain/Intent.ts"
import { itemKey } from "../domain/Item.ts"
import { times } from "../domain/Money.ts"
import { type AskSlot, itemOfAsk, listedOf, placedOf } from "../domain/Slot.ts"
import { clockSlackMillis, countedFrom, knownIds, type State } from "../domain/State.ts"
import type { OwnHistory } from "../market/Market.ts"
import { buyBehind } from "./TrackBuys.ts"

export const historyEvents = (state: State, history: OwnHistory, now: Millis): ReadonlyArray<Event> => {
  const known = knownIds(state)
  const slackMillis = clockSlackMillis + (history.behind ?? 0)
  const since = countedFrom(state) ?? now
  const fills = history.fills
    .filter((fill) => fill.at >= since && !known.has(fill.id))
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const lost = history.fills.filter(
    ({ at, id, revoked }) => revoked === true && at >= since && !state.revoked.includes(id)
  )
  const lostIds = new Set(lost.map(({ id }) => id as string))
  const paid = history.fills.filter(
    (fill) => fill.heldUntil === undefined && state.heldFunds[fill.id] !== undefined
  )
  const returned = history.returned.filter((one) => one.at >= since && !known.has(one.listing))
  return [
    ...releases(state, new Set(paid.map(({ id }) => id as string)), lostIds, now),
    ...unique(fills, (fill) => fill.id).flatMap((fill) => filledEvents(fill, state, now, slackMillis)),
    // after its fill, when both are new
    ...unique(lost, ({ id }) => id).map(({ amount, id, item }): Event => ({
      _tag: "FundsRevoked",
      at: now,
      fill: id,
      item,
      amount
    })),
    ...unique(returned, (one) => one.listing).flatMap((one): ReadonlyArray<Event> => {
      const slot = state.asks[one.asset]
      const back: ReadonlyArray<Event> = [{ _tag: "Returned", at: now, returned: one }]
      return slot === undefined ? back : back.concat(closed(slot, "Removed", now))
    })
  ]
}

/** Funds on hold are paid when the history says so, or when their time is over. */
const releases = (
  state: State,
  paid: ReadonlySet<string>,
  lost: ReadonlySet<string>,
  now: Millis
): ReadonlyArray<Event> =>
  Object.entries(state.heldFunds).flatMap(([fill, { amount, until }]) =>
    !lost.has(fill) && (paid.has(fill) || until <= now)
      ? [{ _tag: "FundsReleased", at: now, fill: fill as FillId, amount }]
      : []
  )

const unique = <A>(all: ReadonlyArray<A>, id: (one: A) => string): ReadonlyArray<A> => [
  ...new Map(all.map((one) => [id(one), one])).values()
]

const filledEvents = (fill: Fill, state: State, now: Millis, slackMillis: number): ReadonlyArray<Event> => {
  const base = { _tag: "Filled", at: now, fill } as const
  if (fill.side === "Buy") {
    const behind = buyBehind(fill, state, slackMillis) ?? bidBehind(fill, state, slackMillis)
    return [
      behind === undefined ? base : { ...base, intent: behind.id, strategy: behind.reason.origin.strategy }
    ]
  }
  const slot = state.asks[fill.asset]
  const listed = slot === undefined ? undefined : listedOf(slot)
  if (slot === undefined || listed === undefined) return [base]
  return [
    { ...base, intent: listed.id, strategy: listed.reason.origin.strategy },
    ...closed(slot, "Sold", now)
  ]
}

/** The bid of ours that a purchase belongs to: the one that stands, or the last one if the history was late. */
const bidBehind = (fill: Fill, state: State, slackMillis: number): PlaceBid | undefined => {
  const key = itemKey(fill.item)
  const slot = state.bids[key]
  const placed = (slot === undefined ? undefined : placedOf(slot)) ?? state.lastBids[key]
  if (placed === undefined || slot?._tag === "Foreign") return undefined
  return fill.amount <= times(placed.price, fill.units) && fill.at >= placed.at - slackMillis
    ? placed
    : undefined
}

export const closed = (slot: AskSlot, as: "Sold" | "Removed" | "Gone", now: Millis): ReadonlyArray<Event> => {
  const listing = "ask" in slot ? slot.ask?.listing : undefined
  return [
    {
      _tag: "ListingClosed",
      at: now,
      item: itemOfAsk(slot),
      asset: assetOf(slot),
      as,
      ...(listing === undefined ? {} : { listing })
    }
  ]
}

export const assetOf = (slot: AskSlot) =>
  "ask" in slot && slot.ask !== undefined ? slot.ask.listed.asset : slotIntent(slot).asset
const slotIntent = (slot: AskSlot) => {
  if ("intent" in slot) return slot.intent
  throw new Error(`an ask slot without its intent: ${slot._tag}`)
}

export const unitsBought = (events: ReadonlyArray<Event>): ReadonlyMap<string, number> => {
  const bought = new Map<string, number>()
  for (const event of events)
    if (event._tag === "Filled" && event.fill.side === "Buy" && event.intent !== undefined)
      bought.set(event.intent, (bought.get(event.intent) ?? 0) + event.fill.units)
  return bought
}
