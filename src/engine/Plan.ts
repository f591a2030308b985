/**
 * Desired quotes against what stands: the drafts of intents for one item.
 * Invariants: 1. a slot in flight gets no draft. 2. a difference of one tick, or on an order younger than `minAge`, is no reason to lose a
 * place in the queue. 3. a side without a wish is left alone, but for an order whose time is over or whose limits were lowered. 4. every
 * price is a multiple of the wallet's price step.
 */
import { type BidWish, noLimits, type Reason, retold } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey } from "../domain/Item.ts"
import { floorTo, toDecimal } from "../domain/Money.ts"
import type { OpenBid } from "../domain/Slot.ts"
import type { Draft, PlanInput } from "./Draft.ts"
import { planAsks } from "./PlanAsks.ts"
import { planBuys } from "./PlanBuys.ts"
import { refusals } from "./Refusals.ts"
import { overrun } from "./Room.ts"

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
  const { increment } = input.fees
  if (slot === undefined)
    return wish?._tag === "Bid" && wish.quantity > 0
      ? [
          {
            _tag: "PlaceBid",
            item,
            at: now,
            reason: wish.reason,
            limits,
            price: floorTo(wish.price, increment),
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
  { account, decisions, fees, now, rules, state }: PlanInput
): Reason | undefined => {
  const { placed } = open
  if (placed.expiresAt !== undefined && placed.expiresAt <= now)
    return retold(placed.reason, "its time is over")
  const { strategy } = placed.reason.origin
  const limits = decisions.find((decision) => decision.strategy === strategy)?.limits ?? noLimits
  const over = overrun({ ...placed, strategy, limits }, open.remaining, { state, now, account })
  if (over !== undefined) return retold(placed.reason, `its limits allow it no more: ${refusals[over].means}`)
  if (wish === undefined || wish._tag === "Hold") return undefined
  if (wish._tag === "NoBid") return wish.reason
  if (wish.quantity <= 0) return retold(wish.reason, "nothing more is wanted")
  if (now - open.openedAt < (wish.minAgeMillis ?? rules.minBidAgeMillis)) return undefined
  const step = Math.max(fees.increment, open.price * (wish.minStepFraction ?? rules.minStepFraction))
  const price = floorTo(wish.price, fees.increment)
  const moved = Math.abs(price - open.price) > step
  const tooMany = open.remaining > wish.quantity
  // What a limit had cut is not missing; only a wish that has grown since is.
  const expected = (placed.wished ?? open.quantity) - (open.quantity - open.remaining)
  const tooFew = Math.max(open.remaining, expected) * 2 <= wish.quantity
  const because = `wants ${wish.quantity} at ${toDecimal(price)}, stands with ${open.remaining} at ${toDecimal(open.price)}`
  return moved || tooMany || tooFew ? retold(wish.reason, because) : undefined
}
