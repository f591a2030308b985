/**
 * Rows of our buy orders and listings, read off the slots that an event changed. A row's state is its slot's tag while the slot has
 * it, and afterwards how it ended.
 */
import type { Event } from "../domain/Event.ts"
import { itemKey } from "../domain/Item.ts"
import { type AskSlot, type BidSlot, listedOf, type OpenBid, placedOf } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { type Change, type Row, touched } from "./Change.ts"

export const orderChanges = (before: State, event: Event, after: State): ReadonlyArray<Change> =>
  touched(before.bids, after.bids).flatMap((item) =>
    orderChange(item, before.bids[item], event, after.bids[item])
  )

const orderChange = (
  item: string,
  before: BidSlot | undefined,
  event: Event,
  after: BidSlot | undefined
): ReadonlyArray<Change> => {
  const was = before === undefined ? undefined : orderIdOf(before)
  const is = after === undefined ? undefined : orderIdOf(after)
  const ended: ReadonlyArray<Change> =
    was === undefined || was === is
      ? []
      : [{ _tag: "Update", table: "orders", key: "id", id: was, row: endOf(event) }]
  if (after === undefined || is === undefined) return ended
  const row = orderRow(item, after, event.at)
  return [
    ...ended,
    row === undefined
      ? { _tag: "Update", table: "orders", key: "id", id: is, row: { state: after._tag } }
      : { _tag: "Upsert", table: "orders", key: "id", row }
  ]
}

const endOf = (event: Event): Row => ({
  state: event._tag === "BidClosed" ? event.as : "Gone",
  closed_at: event.at,
  ...(event._tag === "BidClosed" && event.as === "Filled" ? { remaining: 0 } : {})
})

/** The market's id of the order in a slot, where the slot knows one. */
const orderIdOf = (slot: BidSlot): string | undefined => {
  if (slot._tag === "Settling") return slot.order
  if (slot._tag === "Foreign") return slot.order.id
  const open = openOf(slot)
  if (open !== undefined) return open.order
  return "intent" in slot && slot.intent._tag === "CancelBid" ? slot.intent.order : undefined
}

const openOf = (slot: BidSlot): OpenBid | undefined => ("open" in slot ? slot.open : undefined)

const orderRow = (item: string, slot: BidSlot, at: number): Row | undefined => {
  if (slot._tag === "Foreign") {
    const { id, price, quantity, remaining } = slot.order
    return {
      id,
      item,
      state: slot._tag,
      price,
      quantity,
      remaining,
      intent: null,
      strategy: null,
      opened_at: at,
      closed_at: null
    }
  }
  const open = openOf(slot)
  if (open === undefined) return undefined
  const placed = placedOf(slot)
  return {
    id: open.order,
    item,
    state: slot._tag,
    price: open.price,
    quantity: open.quantity,
    remaining: open.remaining,
    intent: open.placed.id,
    strategy: placed?.reason.origin.strategy ?? open.placed.reason.origin.strategy,
    opened_at: open.openedAt,
    closed_at: null
  }
}

export const listingChanges = (before: State, event: Event, after: State): ReadonlyArray<Change> =>
  touched(before.asks, after.asks).flatMap((asset) =>
    listingChange(before.asks[asset], event, after.asks[asset])
  )

const listingChange = (
  before: AskSlot | undefined,
  event: Event,
  after: AskSlot | undefined
): ReadonlyArray<Change> => {
  if (after !== undefined) {
    const row = listingRow(after)
    if (row !== undefined) return [{ _tag: "Upsert", table: "listings", key: "intent", row }]
  }
  const was = before === undefined ? undefined : listedOf(before)
  if (was === undefined) return []
  const row: Row =
    after === undefined ? { state: listingEnd(event), closed_at: event.at } : { state: after._tag }
  return [{ _tag: "Update", table: "listings", key: "intent", id: was.id, row }]
}

const listingEnd = (event: Event): string => {
  if (event._tag === "ListingClosed") return event.as
  return event._tag === "Refused" ? "Refused" : "NotListed"
}

const listingRow = (slot: AskSlot): Row | undefined => {
  const listed = listedOf(slot)
  if (listed === undefined) return undefined
  const ask = "ask" in slot ? slot.ask : undefined
  return {
    intent: listed.id,
    listing: ask?.listing ?? null,
    asset: listed.asset,
    item: itemKey(listed.item),
    state: slot._tag,
    seller_receives: listed.sellerReceives,
    buyer_pays: listed.buyerPays,
    strategy: listed.reason.origin.strategy,
    opened_at: ask?.openedAt ?? listed.at,
    closed_at: null
  }
}
