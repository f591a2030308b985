/**
 * What we decided to do on the market, written down before it is sent.
 * Invariants: 1. an intent is sent at most once. 2. its id is the hash of its meaning and of its epoch (how many intents its item and
 * side had before), so that a replay of the same decision is the same intent.
 */
import { Schema } from "effect"

import { CurrencyId } from "./Currency.ts"
import { Reason } from "./Decision.ts"
import { AssetId, BuyOrderId, IntentId, ListingId, meaningHash, Millis } from "./Ids.ts"
import { Item, type ItemKey, itemKey } from "./Item.ts"
import { Money } from "./Money.ts"

const common = { id: IntentId, item: Item, reason: Reason, at: Millis }

/**
 * Create a buy order: price per unit that we pay at most, units; `expiresAt` is ours to keep, the market knows none. `wished` is what the
 * rule wanted when a limit left room for less.
 */
export const PlaceBid = Schema.TaggedStruct("PlaceBid", {
  ...common,
  price: Money,
  quantity: Schema.Natural,
  wished: Schema.optionalKey(Schema.Natural),
  expiresAt: Schema.optionalKey(Millis)
})
export type PlaceBid = typeof PlaceBid.Type

export const CancelBid = Schema.TaggedStruct("CancelBid", { ...common, order: BuyOrderId })
export type CancelBid = typeof CancelBid.Type

/** List one asset; both prices per unit, the market is told what the seller receives. */
export const ListAsset = Schema.TaggedStruct("ListAsset", {
  ...common,
  asset: AssetId,
  context: Schema.String,
  sellerReceives: Money,
  buyerPays: Money
})
export type ListAsset = typeof ListAsset.Type

/** Take a listing back; `repriceTo` is what the buyer shall pay when the item is listed again because it waited too long. */
export const RemoveListing = Schema.TaggedStruct("RemoveListing", {
  ...common,
  listing: ListingId,
  asset: AssetId,
  repriceTo: Schema.optionalKey(Money)
})
export type RemoveListing = typeof RemoveListing.Type

/**
 * Buy a listing outright: the amounts per unit are those of its row, which the purchase must repeat; `limit` is what one unit may cost
 * us at most.
 */
export const BuyListing = Schema.TaggedStruct("BuyListing", {
  ...common,
  listing: ListingId,
  asset: AssetId,
  currency: CurrencyId,
  subtotal: Money,
  fee: Money,
  units: Schema.Natural,
  limit: Money
})
export type BuyListing = typeof BuyListing.Type

export const Intent = Schema.Union([PlaceBid, CancelBid, ListAsset, RemoveListing, BuyListing])
export type Intent = typeof Intent.Type
/** Intents on a buy order or a listing of ours, as against a purchase outright. */
export type OrderIntent = Exclude<Intent, BuyListing>

/** The side of the book that an intent works on. */
export type Side = "bid" | "ask"
export const sideOf = ({ _tag }: Pick<Intent, "_tag">): Side =>
  _tag === "PlaceBid" || _tag === "CancelBid" || _tag === "BuyListing" ? "bid" : "ask"

/** Counts intents per item and side. */
export const epochKey = (item: ItemKey, side: Side): string => `${side}:${item}`

type WithoutId<A> = A extends Intent ? Omit<A, "id"> : never
/** An intent before it has its id. */
export type IntentDraft = WithoutId<Intent>

/** Gives an intent its id. */
export const intent = (account: string, epoch: number, draft: IntentDraft): Intent => {
  const { origin } = draft.reason
  const id = meaningHash(
    account,
    draft._tag,
    itemKey(draft.item),
    ...meaningOf(draft),
    epoch,
    origin.strategy,
    origin.revision,
    origin.rule
  )
  return { ...draft, id: id as IntentId } as Intent
}

const meaningOf = (draft: IntentDraft): ReadonlyArray<string | number> => {
  switch (draft._tag) {
    case "PlaceBid":
      return [draft.price, draft.quantity]
    case "CancelBid":
      return [draft.order]
    case "ListAsset":
      return [draft.asset, draft.sellerReceives]
    case "RemoveListing":
      return [draft.listing]
    case "BuyListing":
      return [draft.listing, draft.subtotal, draft.fee, draft.units]
  }
}
