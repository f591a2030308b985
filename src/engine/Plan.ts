/**
 * Desired quotes against what stands: the drafts of intents for one item.
 * Invariants: 1. a slot in flight gets no draft. 2. a difference of one tick, or on an order younger than `minAge`, is no reason to lose a
 * place in the queue. 3. a side without a wish is left alone, but for an order whose time is over.
 */

import {
  type AskWish,
  type BidWish,
  type Decision,
  type Limits,
  noLimits,
  type Reason,
  retold
} from "../domain/Decision.ts"
import { buyerPays, type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import type { CancelBid, ListAsset, PlaceBid, RemoveListing } from "../domain/Intent.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import { min, type Money, money, toDecimal } from "../domain/Money.ts"
import type { OpenAsk, OpenBid } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import { asksOf, listable } from "./Observe.ts"
import { type BuyDraft, planBuys } from "./PlanBuys.ts"

/** An intent without its id, and the limits of the strategy that asks for it. */
export type Draft =
  | (Omit<PlaceBid, "id"> & { readonly limits: Limits })
  | (Omit<CancelBid, "id"> & { readonly limits: Limits })
  | (Omit<ListAsset, "id"> & { readonly limits: Limits; readonly allowLoss: boolean })
  | (Omit<RemoveListing, "id"> & { readonly limits: Limits })
  | BuyDraft

export interface PlanRules {
  /** A bid or listing younger than this is not replaced for its price. */
  readonly minBidAgeMillis: number
  readonly minAskAgeMillis: number
  /** Price differences up to this fraction are not worth a new place in the queue. */
  readonly minStepFraction: number
  /** Listings that one step may start: each needs a confirmation of its own. */
  readonly listingsPerStep: number
}

export const defaultPlanRules: PlanRules = {
  minBidAgeMillis: 600_000,
  minAskAgeMillis: 900_000,
  minStepFraction: 0.01,
  listingsPerStep: 5
}

export interface PlanInput {
  readonly state: State
  readonly item: Item
  readonly now: Millis
  readonly fees: FeeSchedule
  /** In order of precedence: the first that wants something on a side decides it. */
  readonly decisions: ReadonlyArray<Decision>
  readonly rules: PlanRules
}

export const plan = (input: PlanInput): ReadonlyArray<Draft> => {
  const buys = planBuys(input)
  const isBuying = buys.length > 0 || input.state.buys[itemKey(input.item)] !== undefined
  return [...buys, ...(isBuying ? [] : planBid(input)), ...planAsks(input)]
}

const planBid = (input: PlanInput): ReadonlyArray<Draft> => {
  const { decisions, item, now, state } = input
  const decision = decisions.find(({ bid }) => bid !== undefined)
  const wish = decision?.bid
  const limits = decision?.limits ?? noLimits
  const slot = state.bids[itemKey(item)]
  if (slot === undefined)
    return wish?._tag === "Bid" && wish.quantity > 0
      ? [
          {
            _tag: "PlaceBid",
            item,
            at: now,
            reason: wish.reason,
            limits,
            price: wish.price,
            quantity: wish.quantity,
            ...(wish.expireMillis === undefined ? {} : { expiresAt: (now + wish.expireMillis) as Millis })
          }
        ]
      : []
  if (slot._tag !== "Open") return []
  const why = reasonToCancel(slot.open, wish, input)
  return why === undefined
    ? []
    : [{ _tag: "CancelBid", item, at: now, reason: why, limits, order: slot.open.order }]
}

const reasonToCancel = (
  open: OpenBid,
  wish: BidWish | undefined,
  { fees, now, rules }: PlanInput
): Reason | undefined => {
  if (open.placed.expiresAt !== undefined && open.placed.expiresAt <= now)
    return retold(open.placed.reason, "its time is over")
  if (wish === undefined || wish._tag === "Hold") return undefined
  if (wish._tag === "NoBid") return wish.reason
  if (wish.quantity <= 0) return retold(wish.reason, "nothing more is wanted")
  if (now - open.openedAt < rules.minBidAgeMillis) return undefined
  const step = Math.max(fees.increment, open.price * rules.minStepFraction)
  const moved = Math.abs(wish.price - open.price) > step
  const tooMany = open.remaining > wish.quantity
  // What a limit had cut is not missing; only a wish that has grown since is.
  const expected = (open.placed.wished ?? open.quantity) - (open.quantity - open.remaining)
  const tooFew = Math.max(open.remaining, expected) * 2 <= wish.quantity
  const because = `wants ${wish.quantity} at ${toDecimal(wish.price)}, stands with ${open.remaining} at ${toDecimal(open.price)}`
  return moved || tooMany || tooFew ? retold(wish.reason, because) : undefined
}

const planAsks = (input: PlanInput): ReadonlyArray<Draft> => {
  const { decisions, item, state } = input
  const decision = decisions.find(({ ask }) => ask !== undefined)
  const wish = decision?.ask
  if (decision === undefined || wish === undefined || wish._tag === "Hold") return []
  const removals = asksOf(state, itemKey(item)).flatMap((slot) =>
    slot._tag === "Live" ? planRemoval(slot.ask, wish, decision.limits, input) : []
  )
  return wish._tag === "NoAsk" ? removals : [...removals, ...planListings(wish, decision.limits, input)]
}

const planListings = (
  wish: Extract<AskWish, { _tag: "Ask" }>,
  limits: Limits,
  { fees, item, now, rules, state }: PlanInput
): ReadonlyArray<Draft> => {
  const key = itemKey(item)
  const take = sellerReceives(fees, min(wish.price, state.repriced[key] ?? wish.price))
  if (take <= 0) return []
  return listable(state, key, now)
    .slice(0, rules.listingsPerStep)
    .map(({ asset, context }) => ({
      _tag: "ListAsset",
      item,
      at: now,
      reason: wish.reason,
      limits,
      asset,
      context,
      allowLoss: wish.allowLoss ?? false,
      sellerReceives: take,
      buyerPays: buyerPays(fees, take)
    }))
}

const planRemoval = (
  ask: OpenAsk,
  wish: Exclude<AskWish, { _tag: "Hold" }>,
  limits: Limits,
  { fees, item, now, rules, state }: PlanInput
): ReadonlyArray<Draft> => {
  if (ask.listing === undefined) return []
  const common = {
    _tag: "RemoveListing",
    item,
    at: now,
    limits,
    listing: ask.listing,
    asset: ask.listed.asset
  } as const
  if (wish._tag === "NoAsk") return [{ ...common, reason: wish.reason }]
  const asked = ask.listed.buyerPays
  const age = now - ask.openedAt
  const differs = (price: Money) =>
    Math.abs(price - asked) > Math.max(fees.increment, asked * rules.minStepFraction)
  const lower = repriced(ask, wish, age)
  if (lower !== undefined && lower < asked && differs(lower))
    return [{ ...common, reason: retold(wish.reason, "it waited too long"), repriceTo: lower }]
  const price = min(wish.price, state.repriced[itemKey(item)] ?? wish.price)
  const because = `wants ${toDecimal(price)}, stands at ${toDecimal(asked)}`
  return age >= rules.minAskAgeMillis && differs(price)
    ? [{ ...common, reason: retold(wish.reason, because) }]
    : []
}

/** What a listing should cost after it waited: down by its step, not under the floor; undefined before its time. */
const repriced = (
  ask: OpenAsk,
  { reprice }: Extract<AskWish, { _tag: "Ask" }>,
  ageMillis: number
): Money | undefined =>
  reprice === undefined || ageMillis < reprice.afterMillis
    ? undefined
    : money(Math.max(Math.floor(ask.listed.buyerPays * (1 + reprice.stepFraction)), reprice.floor ?? 0))
