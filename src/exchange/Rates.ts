/**
 * Amounts of the world's currency in another one. Invariant: rates follow the smallest prices of the currencies, which markets of this
 * family keep near one US cent; good for showing, never used in a trade.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { defaultFees } from "../domain/Fee.ts"
import { type Money, roundTo } from "../domain/Money.ts"

export const exchanged = (amount: number, from: CurrencyId, to: CurrencyId): Money => {
  if (from === to) return amount as Money
  const [source, target] = [defaultFees(from), defaultFees(to)]
  return roundTo((amount / source.floor) * target.floor, target.increment)
}
