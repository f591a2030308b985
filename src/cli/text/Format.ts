/** Amounts, moments and origins as a person reads them in a table. */
import { DateTime } from "effect"

import { type CurrencyId, formatPrice } from "../../domain/Currency.ts"
import type { Origin } from "../../domain/Decision.ts"
import { type Money, toDecimal } from "../../domain/Money.ts"
import { showDuration } from "../../rules/Strategy.ts"

/** In the wallet's currency; a plain decimal before the wallet is known. */
export const amount = (of: Money | undefined, currency: CurrencyId | undefined): string =>
  of === undefined ? "–" : currency === undefined ? toDecimal(of) : formatPrice(of, currency)

/** `2026-01-05 14:03:07` UTC, of the market's clock. */
export const moment = (atMillis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(atMillis)).slice(0, 19).replace("T", " ")

const secondMillis = 1000

/** `3m12s`: how long ago. */
export const age = (sinceMillis: number | undefined, nowMillis: number): string =>
  sinceMillis === undefined
    ? "–"
    : showDuration(Math.floor(Math.max(0, nowMillis - sinceMillis) / secondMillis) * secondMillis)

/** `strategy#rule`; the revision is told by `why`. */
export const ruleOf = (origin: Origin | undefined): string =>
  origin === undefined ? "–" : `${origin.strategy}#${origin.rule}`
