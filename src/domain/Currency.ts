/**
 * Price strings of the market's forty currencies, read and written exactly (interface, Currency ids and Price overview).
 * Invariants: 1. parsePrice(formatPrice(x)) = x for every price. 2. a string is read by the one given currency's own symbol and
 * separators or not at all: a foreign symbol, a missing symbol, a sign, a third or a lone decimal give None, never a guess.
 */
import { Option } from "effect"

import { type Currency, type CurrencyId, currencies } from "./CurrencyTable.ts"
import { type Money, money } from "./Money.ts"

export { type Currency, CurrencyId, currencies } from "./CurrencyTable.ts"

/** Largest price that is believed, minor units: a thousand times any wallet's maximum in any currency, still exact. */
export const maximumPrice: Money = money(1e13)

const byId: ReadonlyMap<CurrencyId, Currency> = new Map(currencies.map((currency) => [currency.id, currency]))
const byCode: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.code, currency]))

export const currencyOf = (id: CurrencyId): Currency => {
  const currency = byId.get(id)
  if (currency === undefined) throw new RangeError(`not a currency id: ${id}`)
  return currency
}

/** By ISO code, letters of either case. */
export const currencyOfCode = (code: string): Option.Option<Currency> =>
  Option.fromUndefinedOr(byCode.get(code.toUpperCase()))

/**
 * An amount as the market writes it: `$39.25`, `33,72€`, `¥ 6,228`. Whole amounts of whole-unit currencies have no decimals,
 * everything else has two. A negative amount (a loss) is led by `-`; such a string is not a price and is not read back.
 */
export const formatPrice = (amount: Money, id: CurrencyId): string => {
  const { decimalSeparator, groupSeparator, prefix, suffix, wholeUnits } = currencyOf(id)
  const digits = Math.abs(amount).toString().padStart(3, "0")
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, groupSeparator)
  const decimals = digits.slice(-2)
  const shown = wholeUnits && decimals === "00" ? whole : `${whole}${decimalSeparator}${decimals}`
  return `${amount < 0 ? "-" : ""}${prefix}${shown}${suffix}`
}

/**
 * Reads a price string to exact minor units. Accepted, with any of the usual spaces between symbol, number and groups:
 * the currency's own form (`12,34€`, `¥ 8,330.36`, optionally followed by its code as in `$1.67 USD`), without decimals or with
 * `--` for none (`12,--€`), grouped by threes or not at all; and its code before a number with point and commas (`RUB 5.70`).
 * So `$1,234` is 1234 dollars and `$1.234`, `$1.5`, `1.23` and `1,23€` as dollars are None.
 */
export const parsePrice = (text: string, id: CurrencyId): Option.Option<Money> => {
  const trimmed = text.trim()
  if (trimmed.length > longestText) return Option.none()
  for (const pattern of patternsOf(id)) {
    const match = pattern.exec(trimmed)
    if (match === null) continue
    const [, whole = "", decimals = "00"] = match
    const minor = Number(whole.replaceAll(/\D/g, "")) * 100 + (decimals === "--" ? 0 : Number(decimals))
    return minor <= maximumPrice ? Option.some(money(minor)) : Option.none()
  }
  return Option.none()
}

/** The longest price below the maximum has far fewer characters; bounds the work on text that is no price. */
const longestText = 48
/** Blank, no-break, figure, thin and narrow no-break space. */
const space = "[ \\u00a0\\u2007\\u2009\\u202f]"

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** Captures the whole part and the decimals. An empty separator in the table stands for groups by spaces or none at all. */
const numberPattern = (decimal: string, group: string): string => {
  const between = group === "" || group === " " ? space : escaped(group)
  return `(0|[1-9]\\d{0,2}(?:${between}\\d{3})+|[1-9]\\d*)(?:${escaped(decimal)}(\\d{2}|--))?`
}

const compile = (currency: Currency): ReadonlyArray<RegExp> => {
  const number = numberPattern(currency.decimalSeparator, currency.groupSeparator)
  const symbol = [currency.prefix.trim() + currency.suffix.trim(), ...currency.aliases].map(escaped).join("|")
  const own = currency.suffix === "" ? `(?:${symbol})${space}*${number}` : `${number}${space}*(?:${symbol})`
  return [
    new RegExp(`^${own}(?:${space}+${currency.code})?$`),
    new RegExp(`^${currency.code}${space}+${numberPattern(".", ",")}$`)
  ]
}

const compiled = new Map<CurrencyId, ReadonlyArray<RegExp>>()

const patternsOf = (id: CurrencyId): ReadonlyArray<RegExp> => {
  const known = compiled.get(id)
  if (known !== undefined) return known
  const patterns = compile(currencyOf(id))
  compiled.set(id, patterns)
  return patterns
}
