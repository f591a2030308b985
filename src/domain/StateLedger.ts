/**
 * A lasting difference between ledger and wallet, and the trade on the market that could be behind it.
 * Invariants: 1. a difference is never absorbed: it goes when the history explains it, or by a person's word. 2. it is an item's only when
 * there is exactly one whose vanished or quarantined order fits the amount; otherwise it is the account's.
 */
import { Struct } from "effect"

import type { Event } from "./Event.ts"
import type { Millis } from "./Ids.ts"
import { type ItemKey, itemKey } from "./Item.ts"
import { Money, times } from "./Money.ts"
import { itemOfAsk, listedOf, openUnits } from "./Slot.ts"
import type { State } from "./State.ts"

const vanishedLimit = 100
/** A difference shows within some reads; what vanished earlier is not behind it. */
const vanishedMillis = 24 * 3_600_000

export const offAfter = (state: State, event: Event): State => {
  switch (event._tag) {
    case "LedgerDiffers": {
      const difference = Money.make(event.wallet - event.ledger)
      const item = event.item === undefined ? {} : { item: itemKey(event.item) }
      return { ...state, ledgerOff: { since: event.at, difference, ...item } }
    }
    case "LedgerAgrees":
    case "LedgerAdjusted":
      return Struct.omit(state, ["ledgerOff"])
    default:
      return state
  }
}

/** Remembers what an event makes vanish; asked before the slot forgets. */
export const vanishing = (state: State, event: Event): State["vanished"] => {
  if ((event._tag !== "BidClosed" && event._tag !== "ListingClosed") || event.as !== "Gone")
    return state.vanished
  const item = itemKey(event.item)
  const amount = event._tag === "BidClosed" ? leftOf(state, item) : takeOf(state, event.asset)
  if (amount === undefined) return state.vanished
  const side = event._tag === "BidClosed" ? "bid" : "ask"
  return [...state.vanished, { at: event.at, item, side, amount } as const].slice(-vanishedLimit)
}

const leftOf = (state: State, key: ItemKey): Money | undefined => {
  const slot = state.bids[key]
  const open = slot === undefined || slot._tag === "Foreign" ? undefined : openUnits(slot)
  return open === undefined ? undefined : times(open.price, open.units)
}

const takeOf = (state: State, asset: string): Money | undefined => {
  const slot = state.asks[asset]
  return slot === undefined ? undefined : listedOf(slot)?.sellerReceives
}

/** The one item that can be behind the difference (wallet less ledger); undefined when it may be several or none. */
export const itemBehind = (state: State, difference: number, now: Millis): ItemKey | undefined => {
  const side = difference < 0 ? "bid" : "ask"
  const fits = (amount: number) => (side === "bid" ? amount >= -difference : amount === difference)
  const gone = state.vanished.filter(
    (one) => one.side === side && now - one.at < vanishedMillis && fits(one.amount)
  )
  const items = new Set([...gone.map(({ item }) => item), ...quarantined(state, side)])
  const [only] = items
  return items.size === 1 ? (only as ItemKey) : undefined
}

const quarantined = (state: State, side: "bid" | "ask"): ReadonlyArray<string> =>
  side === "ask"
    ? Object.values(state.asks).flatMap((slot) =>
        slot._tag === "Quarantined" ? [itemKey(itemOfAsk(slot))] : []
      )
    : [...Object.values(state.bids), ...Object.values(state.buys)].flatMap((slot) =>
        slot._tag === "Quarantined" ? [itemKey(slot.intent.item)] : []
      )
