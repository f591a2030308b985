/**
 * What we have spent, hold and have on order, of one strategy or of all of them: what limits are held against.
 * Invariants: 1. an order that is open, in flight or not settled counts as if it were filled. 2. an order that was just cancelled counts
 * until the account was read after it: it may have been filled before. 3. what the owner trades by hand does not count.
 */
import { costOf } from "../domain/BuySlot.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Money, money, sum, times } from "../domain/Money.ts"
import { type BidSlot, openUnits, placedOf } from "../domain/Slot.ts"
import { spendingWindowMillis, type State } from "../domain/State.ts"

/** Whose: a strategy's name, or everybody's. */
type Whose = string
/** No strategy is called so: a name begins with a letter or digit and has no blanks. */
export const everybody = " everybody"

const isOf = (whose: Whose, strategy: string | undefined): boolean =>
  whose === everybody || strategy === whose

const costOfBid = (slot: BidSlot): Money => {
  if (slot._tag === "Settling") return times(slot.placed.price, slot.placed.quantity)
  const open = openUnits(slot)
  return open === undefined ? money(0) : times(open.price, open.units)
}

const bidsOf = (state: State, whose: Whose): ReadonlyArray<BidSlot> =>
  Object.values(state.bids).filter((slot) => {
    const placed = placedOf(slot)
    return placed !== undefined && isOf(whose, placed.reason.origin.strategy)
  })

/** What the open bids would cost if all filled, and the purchases that are not booked yet, minor units. */
export const onOrder = (state: State, whose: Whose): Money =>
  sum([
    ...bidsOf(state, whose).map(costOfBid),
    ...Object.values(state.buys).flatMap(({ intent }) =>
      isOf(whose, intent.reason.origin.strategy) ? [costOf(intent)] : []
    )
  ])

/** Spent within the last 24 hours, minor units. */
export const spent = (state: State, whose: Whose, now: Millis): Money =>
  sum(
    state.spending
      .filter((one) => isOf(whose, one.strategy) && one.at > now - spendingWindowMillis)
      .map((one) => one.amount)
  )

/** Cost of what is held, minor units. */
export const invested = (state: State, whose: Whose): Money =>
  sum(
    Object.values(state.positions).flatMap((position) =>
      position.lots.filter((lot) => isOf(whose, lot.strategy)).map((lot) => lot.cost)
    )
  )

export const openOrders = (state: State, whose: Whose): number => bidsOf(state, whose).length

/** Listings that wait for their confirmation, or that may. */
export const unconfirmed = (state: State): number =>
  Object.values(state.asks).filter(
    (slot) =>
      slot._tag === "Listing" ||
      slot._tag === "Staged" ||
      slot._tag === "Confirming" ||
      ((slot._tag === "Uncertain" || slot._tag === "Quarantined") && slot.intent._tag === "ListAsset")
  ).length
