/** Figures as a person reads them, the same in tables and on the page; `–` where a figure cannot be said. */
import { DateTime } from "effect"

import { type CurrencyId, formatPrice } from "../domain/Currency.ts"
import type { Money } from "../domain/Money.ts"
import { showDuration } from "../rules/Strategy.ts"

const none = "–"

/** `+$1.20`, `-$0.35`: a gain or a loss. */
export const gainText = (amount: Money, currency: CurrencyId): string =>
  `${amount > 0 ? "+" : ""}${formatPrice(amount, currency)}`

/** `12.3 %` of a fraction. */
export const percentText = (fraction: number | undefined, decimals = 1): string =>
  fraction === undefined ? none : `${(fraction * 100).toFixed(decimals)} %`

const counted = new Intl.NumberFormat("en")
/** `12,028`. */
export const countText = (count: number): string => counted.format(count)

export const ratioText = (value: number | undefined): string =>
  value === undefined ? none : value.toFixed(2)

/** To the minute from an hour on, to the second below. */
export const timeText = (millis: number | undefined): string => {
  if (millis === undefined) return none
  const unit = millis < 3_600_000 ? 1000 : 60_000
  return showDuration(Math.round(millis / unit) * unit)
}

/** `2026-01-05 14:03` UTC. */
export const momentText = (atMillis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(atMillis)).slice(0, 16).replace("T", " ")
/** `2026-01-05`. */
export const dayText = (atMillis: number): string => momentText(atMillis).slice(0, 10)
