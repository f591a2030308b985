/**
 * Amounts of one currency as branded integers in minor units (×100 for every currency of the interface, also JPY and KRW).
 * Invariant: a Money is a safe integer; no arithmetic here ever rounds without saying in which direction.
 */
import { Option, Schema } from "effect"

/** An amount in integer minor units; negative only for differences and losses. */
export const Money = Schema.Int.pipe(Schema.brand("Money"))
export type Money = typeof Money.Type

/** Minor units as Money; throws a RangeError on anything but a safe integer, which is a defect of the caller. */
export const money = (minorUnits: number): Money => {
  if (!Number.isSafeInteger(minorUnits)) throw new RangeError(`not an amount in minor units: ${minorUnits}`)
  return (minorUnits === 0 ? 0 : minorUnits) as Money
}

export const zero: Money = money(0)
export const add = (left: Money, right: Money): Money => money(left + right)
export const subtract = (left: Money, right: Money): Money => money(left - right)
export const negate = (amount: Money): Money => money(-amount)
/** Unit price × whole units. */
export const times = (unitPrice: Money, units: number): Money => money(unitPrice * units)
export const min = (left: Money, right: Money): Money => (left < right ? left : right)
export const max = (left: Money, right: Money): Money => (left > right ? left : right)
export const sum = (amounts: Iterable<Money>): Money => {
  let total = zero
  for (const amount of amounts) total = add(total, amount)
  return total
}

/** Largest multiple of the increment that is not above the amount. */
export const floorTo = (minorUnits: number, increment: number): Money =>
  money(Math.floor(minorUnits / increment + 1e-9) * increment)
/** Smallest multiple of the increment that is not below the amount. */
export const ceilTo = (minorUnits: number, increment: number): Money =>
  money(Math.ceil(minorUnits / increment - 1e-9) * increment)
/** Nearest multiple of the increment, halves upwards. */
export const roundTo = (minorUnits: number, increment: number): Money =>
  money(Math.floor(minorUnits / increment + 0.5 + 1e-9) * increment)

const decimalPattern = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/

/** Reads a plain decimal such as "12", "0.5" or "12.34" exactly; None when it has more than two decimals or other signs. */
export const fromDecimal = (text: string): Option.Option<Money> => {
  const match = decimalPattern.exec(text.trim())
  if (match === null) return Option.none()
  const [, sign = "", whole = "0", fraction = ""] = match
  const minor = Number(whole) * 100 + Number(fraction.padEnd(2, "0"))
  return Option.some(money(sign === "-" ? -minor : minor))
}

/** The plain decimal of an amount, always with two decimals: 1234 → "12.34". */
export const toDecimal = (amount: Money): string => {
  const digits = Math.abs(amount).toString().padStart(3, "0")
  return `${amount < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
