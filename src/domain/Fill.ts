/** A completed trade of ours, as the market's history tells it. Its id is the market's, so reading a page twice changes nothing. */
import { Schema } from "effect"

import { AssetId, FillId, ListingId, Millis } from "./Ids.ts"
import { Item } from "./Item.ts"
import { Money } from "./Money.ts"

export const Fill = Schema.Struct({
  id: FillId,
  side: Schema.Literals(["Buy", "Sell"]),
  item: Item,
  listing: ListingId,
  /** Buy: the asset in our inventory now. Sell: the asset that we had listed. */
  asset: AssetId,
  context: Schema.String,
  units: Schema.Natural,
  /** Buy: what we paid for all units with fees. Sell: what we received for all units. Minor units. */
  amount: Money,
  /** Both fees on top of the seller's take, minor units; paid by the buyer. */
  fee: Money,
  at: Millis,
  /** A sale whose funds the market holds back until then. */
  heldUntil: Schema.optionalKey(Millis),
  /** A sale whose funds the market has taken back. */
  revoked: Schema.optionalKey(Schema.Literal(true))
})
export type Fill = typeof Fill.Type

/** A listing of ours that ended without a sale; the asset is back under a new id. */
export const ListingReturned = Schema.Struct({
  listing: ListingId,
  item: Item,
  asset: AssetId,
  returnedAs: AssetId,
  at: Millis
})
export type ListingReturned = typeof ListingReturned.Type
