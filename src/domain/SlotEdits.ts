/** Finding and replacing the slots of a state: small edits that every transition is made of. */
import type { AssetId } from "./Ids.ts"
import type { OrderIntent } from "./Intent.ts"
import { type ItemKey, itemKey } from "./Item.ts"
import type { AskSlot, BidSlot, OpenAsk, OpenBid } from "./Slot.ts"
import type { Counters, State } from "./State.ts"

interface Found {
  readonly intent: OrderIntent
  readonly open: OpenBid | undefined
  readonly ask: OpenAsk | undefined
}

/** The intent in flight with this id, and what stood in its slot before. */
export const findIntent = (state: State, id: string): Found | undefined => {
  for (const slot of Object.values(state.bids))
    if ("intent" in slot && slot.intent.id === id)
      return { intent: slot.intent, open: "open" in slot ? slot.open : undefined, ask: undefined }
  for (const slot of Object.values(state.asks))
    if ("intent" in slot && slot.intent.id === id)
      return { intent: slot.intent, open: undefined, ask: "ask" in slot ? slot.ask : undefined }
  return undefined
}

export const withIntent = (
  state: State,
  id: string,
  bid: (slot: Extract<BidSlot, { _tag: "Placing" }>) => BidSlot,
  ask: (slot: Extract<AskSlot, { _tag: "Listing" }>) => AskSlot
): State => {
  const intent = findIntent(state, id)?.intent
  if (intent === undefined) return state
  const bidSlot = state.bids[itemKey(intent.item)]
  if (intent._tag === "PlaceBid" && bidSlot?._tag === "Placing")
    return setBid(state, itemKey(intent.item), bid(bidSlot))
  if (intent._tag !== "ListAsset") return state
  const askSlot = state.asks[intent.asset]
  return askSlot?._tag === "Listing" ? setAsk(state, intent.asset, ask(askSlot)) : state
}

export const setBid = (state: State, key: ItemKey, slot: BidSlot | undefined): State => {
  const { [key]: _, ...rest } = state.bids
  return { ...state, bids: slot === undefined ? rest : { ...state.bids, [key]: slot } }
}

export const setAsk = (state: State, asset: AssetId, slot: AskSlot | undefined): State => {
  const { [asset]: _, ...rest } = state.asks
  return { ...state, asks: slot === undefined ? rest : { ...state.asks, [asset]: slot } }
}

export const count = (state: State, name: keyof Counters): State => ({
  ...state,
  counters: { ...state.counters, [name]: state.counters[name] + 1 }
})
