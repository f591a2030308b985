/**
 * The market's fees, in both directions (interface Money facts; the exact table is test/domain/Fee.test.ts).
 * Invariants: 1. each part is max(floor, round to increment(trunc(rate·base))), and nothing where its rate is 0. 2. sellerReceives
 * never charges the buyer more than the total it was given. 3. rates are taken to the millionth and multiplied as integers, so
 * that no binary fraction ever decides about a minor unit.
 */
import { Schema } from "effect"

import { type CurrencyId, currencyOf } from "./Currency.ts"
import { add, floorTo, max, Money, money, roundTo, subtract, times, zero } from "./Money.ts"

/** What decides a fee; rates are fractions (0.05), floor and increment minor units. */
export const FeeSchedule = Schema.Struct({
  platformRate: Schema.Finite,
  publisherRate: Schema.Finite,
  floor: Money,
  increment: Schema.Natural.check(Schema.isGreaterThan(0))
})
export type FeeSchedule = typeof FeeSchedule.Type

/** Both fees of one unit, minor units; together with what the seller receives they are what the buyer pays. */
export interface FeeParts {
  readonly platform: Money
  readonly publisher: Money
}

const million = 1_000_000

/** trunc(rate·base) exactly for every safe integer: the whole millions of the base and their rest are multiplied apart. */
const share = (base: number, rate: number): number => {
  const perMillion = Math.round(rate * million)
  const millions = Math.floor(base / million)
  return millions * perMillion + Math.floor(((base - millions * million) * perMillion) / million)
}

/** The price that the market makes of an amount: at least the floor, else the nearest multiple of the increment, halves up. */
export const validPrice = (schedule: FeeSchedule, amount: number): Money =>
  amount <= schedule.floor
    ? schedule.floor
    : max(schedule.floor, max(money(schedule.increment), roundTo(amount, schedule.increment)))

const part = (schedule: FeeSchedule, base: Money, rate: number): Money =>
  rate > 0 ? validPrice(schedule, share(base, rate)) : zero

/** Both fees on top of a seller's take. */
export const feeParts = (schedule: FeeSchedule, sellerReceives: Money): FeeParts => ({
  platform: part(schedule, sellerReceives, schedule.platformRate),
  publisher: part(schedule, sellerReceives, schedule.publisherRate)
})

/** What the buyer pays when the seller is to receive this; an amount that is no valid price counts as the valid one nearest to it. */
export const buyerPays = (schedule: FeeSchedule, sellerReceives: Money): Money => {
  const { platform, publisher } = feeParts(schedule, sellerReceives)
  return add(validPrice(schedule, sellerReceives), add(platform, publisher))
}

/**
 * The largest valid seller's amount whose buyer total is at most the given one; zero when not even the floor is affordable.
 * No total is skipped upwards: the rest that cannot be hit exactly stays with the buyer.
 */
export const sellerReceives = (schedule: FeeSchedule, buyerPaysAtMost: Money): Money => {
  if (buyerPays(schedule, schedule.floor) > buyerPaysAtMost) return zero
  let candidate = floorTo(upperBound(schedule, buyerPaysAtMost), schedule.increment)
  // Each fee is less than an increment and a half plus truncation away from the bound's assumption: a handful of steps at most.
  while (candidate > schedule.floor && buyerPays(schedule, candidate) > buyerPaysAtMost)
    candidate = subtract(candidate, money(schedule.increment))
  return max(schedule.floor, candidate)
}

/** The smallest valid seller's amount whose buyer total is at least the given one: a floor of the total is kept to the unit. */
export const sellerReceivesAtLeast = (schedule: FeeSchedule, buyerPaysAtLeast: Money): Money => {
  let candidate = max(sellerReceives(schedule, buyerPaysAtLeast), schedule.floor)
  while (buyerPays(schedule, candidate) < buyerPaysAtLeast)
    candidate = add(floorTo(candidate, schedule.increment), money(schedule.increment))
  return candidate
}

/**
 * No seller's amount above this fits into the total. A fee is at least the floor and at least rate·base less truncation and half
 * an increment; hence one bound for every choice of which fees are at their floor, and the smallest of them holds.
 */
const upperBound = (schedule: FeeSchedule, total: Money): number => {
  const { floor, increment, platformRate, publisherRate } = schedule
  const rest = total + 2 * (1 + increment / 2)
  // a rate of 0 has no fee and no floor
  const [platformFloor, publisherFloor] = [platformRate > 0 ? floor : 0, publisherRate > 0 ? floor : 0]
  return Math.floor(
    Math.min(
      total,
      rest / (1 + platformRate + publisherRate),
      (rest - publisherFloor) / (1 + platformRate),
      (rest - platformFloor) / (1 + publisherRate),
      rest - platformFloor - publisherFloor
    )
  )
}

/** The lowest unit price that a buy order may bid: the seller's floor and both fees at theirs. */
export const minimumBid = (schedule: FeeSchedule): Money => times(schedule.floor, 3)

/** Smallest seller's amounts that are known to differ from the increment: about one US cent. */
const knownFloors: ReadonlyMap<CurrencyId, number> = new Map<CurrencyId, number>([
  [5, 71],
  [23, 7]
])

/** The schedule of a currency until its wallet has been read: 5 % and 10 %, the currency's increment, the floor where it is known. */
export const defaultFees = (currency: CurrencyId): FeeSchedule => {
  const { increment } = currencyOf(currency)
  return {
    platformRate: 0.05,
    publisherRate: 0.1,
    floor: money(knownFloors.get(currency) ?? increment),
    increment
  }
}
