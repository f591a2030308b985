/**
 * The fixed rates at which this market converts amounts between currencies, and prices of one currency in another.
 * Invariants: 1. rates never change while a market runs, so that a converted price is stale only when the price itself has moved.
 * 2. what conversions round away is not lost: Settle counts both sides in the totals. 3. a price in another currency is a valid price
 * there, with that currency's own fees.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { buyerPays, defaultFees, type FeeSchedule, validPrice } from "../domain/Fee.ts"
import { floorTo, type Money, roundTo } from "../domain/Money.ts"

/** Units of each currency for one US dollar. */
const perDollar: Readonly<Record<CurrencyId, number>> = {
  1: 1,
  2: 0.79,
  3: 0.92,
  4: 0.88,
  5: 89,
  6: 3.95,
  7: 5.4,
  8: 150,
  9: 10.6,
  10: 15_800,
  11: 4.6,
  12: 56,
  13: 1.34,
  14: 35,
  15: 25_000,
  16: 1350,
  17: 33,
  18: 41,
  19: 18.5,
  20: 1.36,
  21: 1.5,
  22: 1.64,
  23: 7.2,
  24: 84,
  25: 930,
  26: 3.75,
  27: 4100,
  28: 18.2,
  29: 7.8,
  30: 32,
  31: 3.75,
  32: 3.67,
  33: 10.4,
  34: 950,
  35: 3.7,
  37: 480,
  38: 0.31,
  39: 3.64,
  40: 520,
  41: 40
}

/** What an amount is worth in another currency, not rounded. */
export const converted = (amount: number, from: CurrencyId, to: CurrencyId): number =>
  from === to ? amount : (amount / perDollar[from]) * perDollar[to]

/** The amount in another currency, to its nearest step. */
export const exchanged = (amount: number, from: CurrencyId, to: CurrencyId): Money =>
  from === to ? (amount as Money) : roundTo(converted(amount, from, to), defaultFees(to).increment)

/** The same, never more than it is worth: what a limit of one currency is good for in another. */
export const limitIn = (amount: number, from: CurrencyId, to: CurrencyId): Money =>
  from === to ? (amount as Money) : floorTo(converted(amount, from, to), defaultFees(to).increment)

/** What the largest wallet and the largest price of one unit are worth, US cents. */
const balanceCents = 200_000
const priceCents = 180_000

/** Currencies whose smallest price follows the cent are measured by it, the others by their rate. */
const largest = (cents: number, currency: CurrencyId): number => {
  const { floor, increment } = defaultFees(currency)
  return floor > increment ? floor * cents : exchanged(cents, 1, currency)
}
export const maximumBalance = (currency: CurrencyId): number => largest(balanceCents, currency)
export const maximumPrice = (currency: CurrencyId): number => largest(priceCents, currency)

/** What a buyer pays and the seller's part of it, in one currency. */
export interface Price {
  readonly price: Money
  readonly take: Money
}

/** The fees of an item in a currency. */
export const feesIn = (publisherRate: number, currency: CurrencyId): FeeSchedule => ({
  ...defaultFees(currency),
  publisherRate
})

/** The price of what a seller takes in `from`, as a buyer with another currency pays it. */
export const priceIn = (take: number, publisherRate: number, from: CurrencyId, to: CurrencyId): Price => {
  const fees = feesIn(publisherRate, to)
  const valid = validPrice(fees, converted(take, from, to))
  return { take: valid, price: buyerPays(fees, valid) }
}

/**
 * The limit of an order as a price of another currency: a listing there costs this or less exactly when its price in the order's own
 * currency is within the order's limit. 0 when nothing is that cheap.
 */
export const limitAs = (limit: number, publisherRate: number, from: CurrencyId, to: CurrencyId): Money => {
  if (from === to) return limit as Money
  const fees = feesIn(publisherRate, to)
  const isWithin = (steps: number): boolean =>
    priceIn(steps * fees.increment, publisherRate, to, from).price <= limit
  const lowest = Math.ceil(fees.floor / fees.increment)
  if (!isWithin(lowest)) return 0 as Money
  let [within, beyond] = [
    lowest,
    Math.ceil(converted(limit + 2 * defaultFees(from).increment, from, to) / fees.increment) + lowest
  ]
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2)
    if (isWithin(middle)) within = middle
    else beyond = middle
  }
  return buyerPays(fees, (within * fees.increment) as Money)
}
