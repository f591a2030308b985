/**
 * How the slots of the state move: the state machine of buy orders and listings, one transition per event kind.
 * Invariant: an event that does not fit its slot changes nothing; it stays visible in the journal.
 */
import type { Event, EventOf } from "./Event.ts"
import type { AssetId, BuyOrderId, Millis } from "./Ids.ts"
import { epochKey, type OrderIntent, type RemoveListing, sideOf } from "./Intent.ts"
import { itemKey } from "./Item.ts"
import { withNewest } from "./Recent.ts"
import { type AskSlot, listedOf, type OpenAsk, type OpenBid } from "./Slot.ts"
import { count, findIntent, setAsk, setBid, withIntent } from "./SlotEdits.ts"
import type { State } from "./State.ts"

export const applySlots = (state: State, event: Event): State => {
  switch (event._tag) {
    case "IntentRecorded":
      return event.intent._tag === "BuyListing" ? state : recorded(state, event.intent)
    case "Sent":
      return withIntent(
        state,
        event.intent,
        (slot) => ({ ...slot, sent: true }),
        (slot) => ({ ...slot, sent: true })
      )
    case "Accepted":
      return accepted(state, event)
    case "Refused":
      return count(undone(state, event.intent), "refused")
    case "Pended":
      return pended(state, event)
    case "OutcomeUnknown":
      return uncertain(state, event)
    case "Settled":
      return event.happened ? accepted(state, event) : undone(state, event.intent)
    case "Quarantined":
      return quarantined(state, event)
    case "Released":
      return released(state, event)
    case "Confirming":
    case "Confirmed":
      return confirmation(state, event)
    default:
      return seenOnMarket(state, event)
  }
}

const recorded = (state: State, intent: OrderIntent): State => {
  const key = itemKey(intent.item)
  const epoch = epochKey(key, sideOf(intent))
  const counted = count(
    { ...state, epochs: { ...state.epochs, [epoch]: (state.epochs[epoch] ?? 0) + 1 } },
    "recorded"
  )
  switch (intent._tag) {
    case "PlaceBid":
      return setBid({ ...counted, lastBids: withNewest(counted.lastBids, key, intent) }, key, {
        _tag: "Placing",
        intent,
        sent: false
      })
    case "ListAsset":
      return setAsk(counted, intent.asset, { _tag: "Listing", intent, sent: false })
    case "CancelBid": {
      const slot = state.bids[key]
      return slot?._tag === "Open"
        ? setBid(counted, key, { _tag: "Cancelling", open: slot.open, intent })
        : counted
    }
    case "RemoveListing": {
      const slot = state.asks[intent.asset]
      const ask = slot !== undefined && "ask" in slot ? slot.ask : undefined
      return ask === undefined ? counted : setAsk(counted, intent.asset, { _tag: "Removing", ask, intent })
    }
  }
}

const accepted = (state: State, event: EventOf<"Accepted"> | EventOf<"Settled">): State => {
  const found = findIntent(state, event.intent)
  if (found === undefined) return count(state, "accepted")
  const { intent } = found
  const counted = count(state, "accepted")
  switch (intent._tag) {
    case "PlaceBid":
      return setBid(
        count(counted, "placed"),
        itemKey(intent.item),
        event.order === undefined ? undefined : { _tag: "Open", open: openBid(intent, event.order, event.at) }
      )
    case "CancelBid": {
      const open = found.open
      return setBid(
        count(counted, "cancelled"),
        itemKey(intent.item),
        open === undefined
          ? undefined
          : { _tag: "Settling", order: open.order, placed: open.placed, closedAt: event.at }
      )
    }
    case "ListAsset":
      return setAsk(count(counted, "created"), intent.asset, {
        _tag: "Staged",
        ask: { listed: intent, openedAt: event.at }
      })
    case "RemoveListing":
      return setAsk(
        count(repricing(counted, intent), "removed"),
        intent.asset,
        found.ask === undefined ? undefined : { _tag: "Settling", ask: found.ask, closedAt: event.at }
      )
  }
}

const openBid = (
  intent: Extract<OrderIntent, { _tag: "PlaceBid" }>,
  order: BuyOrderId,
  at: Millis
): OpenBid => ({
  order,
  price: intent.price,
  quantity: intent.quantity,
  remaining: intent.quantity,
  placed: intent,
  openedAt: at
})

/** The intent had no effect: its slot is as it was before. */
const undone = (state: State, id: string): State => {
  const found = findIntent(state, id)
  if (found === undefined) return state
  const { intent } = found
  switch (intent._tag) {
    case "PlaceBid":
      return setBid(state, itemKey(intent.item), undefined)
    case "CancelBid":
      return setBid(
        state,
        itemKey(intent.item),
        found.open === undefined ? undefined : { _tag: "Open", open: found.open }
      )
    case "ListAsset":
      return setAsk(state, intent.asset, undefined)
    case "RemoveListing":
      return setAsk(
        state,
        intent.asset,
        found.ask === undefined ? undefined : { _tag: "Live", ask: found.ask }
      )
  }
}

const pended = (state: State, event: EventOf<"Pended">): State => {
  const found = findIntent(state, event.intent)
  return found?.intent._tag === "PlaceBid"
    ? setBid(state, itemKey(found.intent.item), {
        _tag: "AwaitingConfirmation",
        intent: found.intent,
        confirmation: event.confirmation
      })
    : state
}

const uncertain = (state: State, event: EventOf<"OutcomeUnknown">): State => {
  const found = findIntent(state, event.intent)
  if (found === undefined) return state
  const { ask, intent, open } = found
  const common = { _tag: "Uncertain", reason: event.reason, since: event.at } as const
  const counted = count(state, "unknown")
  return intent._tag === "PlaceBid" || intent._tag === "CancelBid"
    ? setBid(counted, itemKey(intent.item), { ...common, intent, ...(open === undefined ? {} : { open }) })
    : setAsk(counted, intent.asset, { ...common, intent, ...(ask === undefined ? {} : { ask }) })
}

const quarantined = (state: State, event: EventOf<"Quarantined">): State => {
  const found = findIntent(state, event.intent)
  if (found === undefined) return unconfirmed(state, event)
  const { ask, intent, open } = found
  const common = { _tag: "Quarantined", since: event.at } as const
  return intent._tag === "PlaceBid" || intent._tag === "CancelBid"
    ? setBid(state, itemKey(intent.item), { ...common, intent, ...(open === undefined ? {} : { open }) })
    : setAsk(state, intent.asset, { ...common, intent, ...(ask === undefined ? {} : { ask }) })
}

/** A listing that has waited for its confirmation for too long: it stays staged, and a person is told. */
const unconfirmed = (state: State, { at, intent }: EventOf<"Quarantined">): State => {
  const slot = Object.values(state.asks).find((one) => isWaiting(one) && one.ask.listed.id === intent)
  return slot !== undefined && isWaiting(slot)
    ? setAsk(state, slot.ask.listed.asset, {
        _tag: "Quarantined",
        intent: slot.ask.listed,
        ask: slot.ask,
        since: at
      })
    : state
}

const isWaiting = (slot: AskSlot): slot is Extract<AskSlot, { _tag: "Staged" | "Confirming" }> =>
  slot._tag === "Staged" || slot._tag === "Confirming"

/** Only what is quarantined can be let go. */
const released = (state: State, { intent }: EventOf<"Released">): State =>
  [...Object.values(state.bids), ...Object.values(state.asks)].some(
    (slot) => slot._tag === "Quarantined" && slot.intent.id === intent
  )
    ? undone(state, intent)
    : state

const confirmation = (state: State, event: EventOf<"Confirming"> | EventOf<"Confirmed">): State => {
  const bid = findIntent(state, event.intent)?.intent
  const pending = bid?._tag === "PlaceBid" ? state.bids[itemKey(bid.item)] : undefined
  if (pending?._tag === "AwaitingConfirmation")
    return setBid(state, itemKey(pending.intent.item), { ...pending, allowing: event.confirmation })
  for (const [asset, slot] of Object.entries(state.asks)) {
    if (listedOf(slot)?.id !== event.intent || !("ask" in slot) || slot.ask === undefined) continue
    return event._tag === "Confirming"
      ? setAsk(state, asset as AssetId, {
          _tag: "Confirming",
          ask: slot.ask,
          confirmation: event.confirmation
        })
      : setAsk(count(state, "confirmed"), asset as AssetId, { _tag: "Live", ask: slot.ask })
  }
  return state
}

const seenOnMarket = (state: State, event: Event): State => {
  switch (event._tag) {
    case "BidProgressed": {
      const key = itemKey(event.item)
      const slot = state.bids[key]
      return slot?._tag === "Open" || slot?._tag === "Cancelling"
        ? setBid(state, key, { ...slot, open: { ...slot.open, remaining: event.remaining } })
        : state
    }
    case "BidClosed":
      return setBid(state, itemKey(event.item), undefined)
    case "ForeignBidSeen":
      return setBid(state, itemKey(event.order.item), { _tag: "Foreign", order: event.order })
    case "ListingSeen": {
      const slot = state.asks[event.listing.asset]
      if (slot === undefined || !("ask" in slot) || slot.ask === undefined) return state
      const ask: OpenAsk = { ...slot.ask, listing: event.listing.id }
      const waits = isWaiting(slot) || (slot._tag === "Quarantined" && slot.intent._tag === "ListAsset")
      const live = event.listing.stage !== "Staged" && waits
      return setAsk(state, event.listing.asset, live ? { _tag: "Live", ask } : { ...slot, ask })
    }
    case "ListingClosed":
      return removeAskOf(state, event)
    default:
      return state
  }
}

const repricing = (state: State, { item, repriceTo }: RemoveListing): State =>
  repriceTo === undefined ? state : { ...state, repriced: { ...state.repriced, [itemKey(item)]: repriceTo } }

const removeAskOf = (state: State, event: EventOf<"ListingClosed">): State => {
  const { [itemKey(event.item)]: _, ...repriced } = state.repriced
  return setAsk(event.as === "Sold" ? { ...state, repriced } : state, event.asset, undefined)
}
