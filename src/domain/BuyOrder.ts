/** A buy order as the market lists it: one active order per item. */
import { Schema } from "effect"

import { BuyOrderId } from "./Ids.ts"
import { Item } from "./Item.ts"
import { Money } from "./Money.ts"

export const BuyOrder = Schema.Struct({
  id: BuyOrderId,
  item: Item,
  /** Highest price per unit that the buyer pays, minor units. */
  price: Money,
  /** Units requested. */
  quantity: Schema.Natural,
  /** Units still to be bought. */
  remaining: Schema.Natural
})
export type BuyOrder = typeof BuyOrder.Type

/** What `getbuyorderstatus` tells: filled = quantity − remaining (the `purchased` field may lag). */
export const BuyOrderStatus = Schema.Struct({
  id: BuyOrderId,
  active: Schema.Boolean,
  quantity: Schema.Natural,
  remaining: Schema.Natural
})
export type BuyOrderStatus = typeof BuyOrderStatus.Type
