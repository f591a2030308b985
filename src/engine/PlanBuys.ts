/**
 * Wishes to buy listings outright: at most one draft per item and step, the cheapest offer first.
 * Invariants: 1. nothing is drafted while anything of ours is in flight on the item's bid side. 2. a listing that we have bought is not
 * drafted again from a list that was read before. 3. a purchase comes before a bid: the bid is planned when its unit is known.
 */
import type { BuyWish, Decision, Limits } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
import type { BuyDraft } from "./Draft.ts"

interface PlanBuysInput {
  readonly state: State
  readonly item: Item
  readonly now: Millis
  readonly decisions: ReadonlyArray<Decision>
}

export const planBuys = ({ decisions, item, now, state }: PlanBuysInput): ReadonlyArray<BuyDraft> => {
  const key = itemKey(item)
  if (state.buys[key] !== undefined || isMoving(state.bids[key])) return []
  const decision = decisions.find(({ buys }) => buys.length > 0)
  const wish = decision?.buys.find(({ offer }) => !offer.isMine && !isBought(offer, state))
  return decision === undefined || wish === undefined ? [] : [draftOf(wish, decision.limits, item, now)]
}

const isMoving = (slot: State["bids"][string] | undefined): boolean =>
  slot !== undefined && slot._tag !== "Open" && slot._tag !== "Foreign"

/** A listing of several units may be bought from again. */
const isBought = ({ listing, item, units }: BuyWish["offer"], state: State): boolean =>
  units === 1 && state.lastBuys[itemKey(item)]?.listing === listing

const draftOf = ({ limit, offer, reason }: BuyWish, limits: Limits, item: Item, at: Millis): BuyDraft => ({
  _tag: "BuyListing",
  item,
  at,
  reason,
  limits,
  listing: offer.listing,
  asset: offer.asset,
  currency: offer.currency,
  subtotal: offer.subtotal,
  fee: offer.fee,
  units: 1,
  limit
})
