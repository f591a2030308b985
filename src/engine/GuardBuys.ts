/**
 * What the guard holds a purchase outright against beside what it holds every entry against: the rule's own limit, the listing's currency,
 * and what else of ours works on the item. Invariant: nothing is bought while an outcome on the item's bid side is open.
 */
import type { Limits } from "../domain/Decision.ts"
import { itemKey } from "../domain/Item.ts"
import { totalOf } from "../domain/Offer.ts"
import { openUnits } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import type { Wallet } from "../domain/Wallet.ts"
import type { BuyDraft } from "./Draft.ts"
import type { RefusalCode } from "./Refusals.ts"

export const oddBuy = (draft: BuyDraft, state: State, wallet: Wallet): RefusalCode | undefined => {
  const key = itemKey(draft.item)
  if (state.buys[key] !== undefined) return "Unsettled"
  const bid = state.bids[key]
  if (bid !== undefined && bid._tag !== "Open" && bid._tag !== "Foreign") return "Unsettled"
  if (draft.currency !== wallet.currency) return "CurrencyMismatch"
  if (state.asks[draft.asset] !== undefined) return "OwnListing"
  return totalOf(draft) > draft.limit ? "AboveLimit" : undefined
}

/** The strategy's limits as they hold for a purchase: units on order count like held ones. */
export const limitsOfBuy = ({ item, limits }: BuyDraft, state: State): Limits => {
  const bid = state.bids[itemKey(item)]
  const onOrder = bid === undefined ? 0 : (openUnits(bid)?.units ?? 0)
  return limits.perItemUnits === undefined
    ? limits
    : { ...limits, perItemUnits: limits.perItemUnits - onOrder }
}
