/**
 * What an expression's amount is worth as a price, or why it is none. Invariant: a price lies on the currency's step and above zero.
 */
import { maximumPrice } from "../domain/Currency.ts"
import type { floorTo, Money } from "../domain/Money.ts"
import type { Checked } from "./Expression.ts"
import { type Look, valueAt } from "./Look.ts"
import { isUnknown } from "./Value.ts"

/** The price nearest to the amount in the direction of `round`; undefined when there is none. */
export const priceOf = (amount: number, increment: number, round: typeof floorTo): Money | undefined => {
  if (!(Math.abs(amount) <= maximumPrice)) return undefined
  const price = round(amount, increment)
  return price > 0 ? price : undefined
}

export const whyNoPrice = (look: Look, checked: Checked | undefined): string => {
  if (checked === undefined) return "there is no price"
  const value = valueAt(look, checked)
  if (isUnknown(value)) return value.why()
  return Math.abs(Number(value)) <= maximumPrice
    ? "the price is not above zero"
    : "the price is beyond every price"
}
