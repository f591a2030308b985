/**
 * Intents of which reads said that they had no effect, or that a person let go: if what they asked for shows up after all, it is ours.
 * Invariants: 1. a late order or listing is recognised by what it is (item, price, units; asset, price), never by its place alone.
 * 2. what is remembered is bounded in number and age: an order of the owner's that looks alike must not be taken for ours for long.
 */
import type { Event, EventOf } from "./Event.ts"
import type { Millis } from "./Ids.ts"
import type { ListAsset, PlaceBid } from "./Intent.ts"
import { itemKey } from "./Item.ts"
import { withNewest } from "./Recent.ts"
import { count, findIntent, setAsk, setBid } from "./SlotEdits.ts"
import type { State } from "./State.ts"

/** An effect that comes later than this is another person's doing. */
const deniedMillis = 3_600_000
const deniedLimit = 100

/** Those that may still turn out to have happened. */
export const deniedAt = ({ denied }: State, now: Millis): ReadonlyArray<PlaceBid | ListAsset> =>
  denied.filter(({ at }) => now - at < deniedMillis).map(({ intent }) => intent)

/** Remembers the intent of an event that denies it; to be asked before the slot forgets. */
export const deny = (state: State, event: EventOf<"Settled"> | EventOf<"Released">): State => {
  if (event._tag === "Settled" && event.happened) return state
  const intent = findIntent(state, event.intent)?.intent
  if (intent?._tag !== "PlaceBid" && intent?._tag !== "ListAsset") return state
  const young = state.denied.filter(({ at }) => event.at - at < deniedMillis)
  return { ...state, denied: [...young, { at: event.at, intent }].slice(-deniedLimit) }
}

/** What was denied stands on the market: it takes its slot, unless something of ours has it. */
export const reappeared = (state: State, event: EventOf<"Reappeared">): State => {
  const found = state.denied.find(({ intent }) => intent.id === event.intent)?.intent
  if (found === undefined) return state
  const rest: State = { ...state, denied: state.denied.filter(({ intent }) => intent.id !== event.intent) }
  if (found._tag === "ListAsset")
    return rest.asks[found.asset] === undefined
      ? setAsk(count(rest, "created"), found.asset, {
          _tag: "Staged",
          ask: { listed: found, openedAt: event.at }
        })
      : rest
  const key = itemKey(found.item)
  const before = rest.bids[key]
  if (event.order === undefined || (before !== undefined && before._tag !== "Foreign")) return rest
  return setBid({ ...count(rest, "placed"), lastBids: withNewest(rest.lastBids, key, found) }, key, {
    _tag: "Open",
    open: {
      order: event.order,
      price: found.price,
      quantity: found.quantity,
      remaining: found.quantity,
      placed: found,
      openedAt: event.at
    }
  })
}

/** True for the events that this file is about. */
export const isDenial = (event: Event): event is EventOf<"Settled"> | EventOf<"Released"> =>
  event._tag === "Settled" || event._tag === "Released"
