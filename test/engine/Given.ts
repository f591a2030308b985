/** Small worlds for tests of the engine's pure parts. */
import {
  type AskWish,
  type BidWish,
  type Decision,
  noLimits,
  type Reason
} from "../../src/domain/Decision.ts"
import type { Event } from "../../src/domain/Event.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import type { AssetId, BuyOrderId, FillId, IntentId, ListingId, Millis } from "../../src/domain/Ids.ts"
import type { ListAsset, PlaceBid } from "../../src/domain/Intent.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import type { SellListing } from "../../src/domain/SellListing.ts"
import { emptyState, type State } from "../../src/domain/State.ts"
import type { Wallet } from "../../src/domain/Wallet.ts"
import { defaultPlanRules, type Draft } from "../../src/engine/Draft.ts"
import { plan } from "../../src/engine/Plan.ts"
import { defaultAccountLimits } from "../../src/engine/Room.ts"

export const glove = item(730, "Glove Case")
export const at = (seconds: number): Millis => (1_700_000_000_000 + seconds * 1_000) as Millis

export const reason: Reason = {
  origin: { strategy: "maker", revision: "0011aabb", rule: "enter" },
  because: "edge 14 %",
  saw: { edge: "14 %" }
}

export const wallet: Wallet = {
  currency: 1,
  balance: money(10_000),
  delayed: money(0),
  country: "US",
  fees: { platformRate: 0.05, publisherRate: 0.1, floor: money(1), increment: 1 }
}

export const placeBid = (price: number, quantity: number, id = "i1", of = glove): PlaceBid => ({
  _tag: "PlaceBid",
  id: id as IntentId,
  item: of,
  reason,
  at: at(0),
  price: money(price),
  quantity
})

export const listAsset = (
  asset: string,
  sellerReceives: number,
  buyerPays: number,
  id = `l-${asset}`
): ListAsset => ({
  _tag: "ListAsset",
  id: id as IntentId,
  item: glove,
  reason,
  at: at(0),
  asset: asset as AssetId,
  context: "2",
  sellerReceives: money(sellerReceives),
  buyerPays: money(buyerPays)
})

export const opened: Event = { _tag: "LedgerOpened", at: at(0), balance: money(10_000), currency: 1 }

export const sentBid = (intent: PlaceBid): ReadonlyArray<Event> => [
  { _tag: "IntentRecorded", at: at(0), intent },
  { _tag: "Sent", at: at(0), intent: intent.id }
]

export const openBid = (intent: PlaceBid, order = "o1"): ReadonlyArray<Event> => [
  ...sentBid(intent),
  { _tag: "Accepted", at: at(0), intent: intent.id, order: order as BuyOrderId }
]

export const buyFill = (id: string, amount: number, asset: string, seconds = 10): Fill => ({
  id: id as FillId,
  side: "Buy",
  item: glove,
  listing: `L${id}` as ListingId,
  asset: asset as AssetId,
  context: "2",
  units: 1,
  amount: money(amount),
  fee: money(Math.round(amount * 0.13)),
  at: at(seconds)
})

export const sellFill = (id: string, amount: number, asset: string, seconds = 20): Fill => ({
  ...buyFill(id, amount, asset, seconds),
  side: "Sell"
})

export const sellListing = (asset: string, listing: string, stage: SellListing["stage"]): SellListing => ({
  id: listing as ListingId,
  asset: asset as AssetId,
  context: "2",
  item: glove,
  stage,
  sellerReceives: money(900),
  buyerPays: money(1_035),
  createdAt: at(0)
})

export const order = (price: number, quantity: number, remaining: number, id = "o1") => ({
  id: id as BuyOrderId,
  item: glove,
  price: money(price),
  quantity,
  remaining
})

export const stateAfter = (...events: ReadonlyArray<Event>): State =>
  applyAll(emptyState, [opened, ...events])

export const decision = (
  of: { readonly bid?: BidWish | undefined; readonly ask?: AskWish | undefined },
  limits = noLimits
): Decision => ({
  strategy: "maker",
  revision: "0011aabb",
  item: glove,
  at: at(0),
  verdicts: [],
  bid: of.bid,
  ask: of.ask,
  trace: () => [],
  buys: [],
  signals: [],
  limits,
  yields: []
})
export const bid = (price: number, quantity: number): BidWish => ({
  _tag: "Bid",
  price: money(price),
  quantity,
  expireMillis: undefined,
  reason
})
export const ask = (price: number, allowLoss = false): AskWish => ({
  _tag: "Ask",
  price: money(price),
  reprice: undefined,
  allowLoss,
  reason
})

export const drafts = (
  state: State,
  seconds: number,
  ...decisions: ReadonlyArray<Decision>
): ReadonlyArray<Draft> =>
  plan({
    state,
    item: glove,
    now: at(seconds),
    fees: wallet.fees,
    decisions,
    rules: defaultPlanRules,
    account: defaultAccountLimits
  })
export const tags = (state: State, seconds: number, ...decisions: ReadonlyArray<Decision>) =>
  drafts(state, seconds, ...decisions).map((draft) => draft._tag)

export const only = (actual: object | undefined, ...keys: ReadonlyArray<string>): object =>
  Object.fromEntries(Object.entries(actual ?? {}).filter(([key]) => keys.includes(key)))

export const holding: ReadonlyArray<Event> = [
  ...openBid(placeBid(842, 1)),
  {
    _tag: "Filled",
    at: at(10),
    fill: buyFill("f1", 840, "a1"),
    intent: placeBid(842, 1).id,
    strategy: "maker"
  },
  { _tag: "BidClosed", at: at(10), item: glove, order: "o1" as BuyOrderId, as: "Filled" }
]
