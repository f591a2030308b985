/** A sell listing of ours: staged until its confirmation is allowed, then live. */
import { Schema } from "effect"

import { AssetId, ListingId, Millis } from "./Ids.ts"
import { Item } from "./Item.ts"
import { Money } from "./Money.ts"

export const ListingStage = Schema.Literals(["Staged", "OnHold", "Live"])
export type ListingStage = typeof ListingStage.Type

export const SellListing = Schema.Struct({
  id: ListingId,
  asset: AssetId,
  /** Context of the asset inside its application's inventory. */
  context: Schema.String,
  item: Item,
  stage: ListingStage,
  /** What the seller gets, minor units. */
  sellerReceives: Money,
  /** What the buyer pays: sellerReceives plus both fees, minor units. */
  buyerPays: Money,
  createdAt: Millis
})
export type SellListing = typeof SellListing.Type
