/**
 * The selling side of the plan: which units are listed at what, and which listings are taken back.
 * Invariants: 1. an asset is drafted once, and only while it is free. 2. what the buyer pays is the largest total that a listing can have
 * at or below the wish. 3. lowered for its age, it is never a unit below the floor. 4. listings that are as they should be stay.
 */
import type { AskWish, Decision, Limits } from "../domain/Decision.ts"
import { retold } from "../domain/Decision.ts"
import { buyerPays, type FeeSchedule, sellerReceives, sellerReceivesAtLeast } from "../domain/Fee.ts"
import { itemKey } from "../domain/Item.ts"
import { max, min, type Money, money, toDecimal } from "../domain/Money.ts"
import type { OpenAsk } from "../domain/Slot.ts"
import type { Draft, PlanInput } from "./Draft.ts"
import { asksOf, listable } from "./Observe.ts"

type Ask = Extract<AskWish, { _tag: "Ask" }>

export const planAsks = (input: PlanInput): ReadonlyArray<Draft> => {
  const { decisions, item, state } = input
  const decision = decisions.find(({ ask }) => ask !== undefined)
  const wish = decision?.ask
  if (decision === undefined || wish === undefined || wish._tag === "Hold") return []
  const removals = asksOf(state, itemKey(item)).flatMap((slot) =>
    slot._tag === "Live" ? planRemoval(slot.ask, wish, decision, input) : []
  )
  return wish._tag === "NoAsk" ? removals : [...removals, ...planListings(wish, decision.limits, input)]
}

/** What the seller gets of a listing as wished, after what was lowered before; zero when the wish is below every price. */
const takeOf = (fees: FeeSchedule, { price, reprice }: Ask, repriced: Money | undefined): Money => {
  if (repriced === undefined || repriced >= price) return sellerReceives(fees, price)
  const floor = min(reprice?.floor ?? money(0), price)
  return max(sellerReceives(fees, repriced), sellerReceivesAtLeast(fees, floor))
}

const planListings = (
  wish: Ask,
  limits: Limits,
  { fees, item, now, rules, state }: PlanInput
): ReadonlyArray<Draft> => {
  const key = itemKey(item)
  const take = takeOf(fees, wish, state.repriced[key])
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
  { limits }: Decision,
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
  const lower = lowered(fees, asked, wish, age)
  if (lower !== undefined && lower < asked)
    return [{ ...common, reason: retold(wish.reason, "it waited too long"), repriceTo: lower }]
  const take = takeOf(fees, wish, state.repriced[itemKey(item)])
  // totals that no listing can have are compared as the ones below them, or one would be relisted for ever at the same price
  const price = take <= 0 ? wish.price : buyerPays(fees, take)
  const minStep = Math.max(fees.increment, asked * (wish.minStepFraction ?? rules.minStepFraction))
  return age >= (wish.minAgeMillis ?? rules.minAskAgeMillis) && Math.abs(price - asked) > minStep
    ? [
        {
          ...common,
          reason: retold(wish.reason, `wants ${toDecimal(price)}, stands at ${toDecimal(asked)}`)
        }
      ]
    : []
}

/** What a listing should cost after it waited: at least a step down, not under the floor; undefined before its time. */
const lowered = (fees: FeeSchedule, asked: Money, { reprice }: Ask, ageMillis: number): Money | undefined => {
  if (reprice === undefined || ageMillis < reprice.afterMillis) return undefined
  const take = sellerReceives(fees, money(Math.floor(asked * (1 + reprice.stepFraction))))
  const floor = reprice.floor === undefined ? fees.floor : sellerReceivesAtLeast(fees, reprice.floor)
  return buyerPays(fees, max(take, floor))
}
