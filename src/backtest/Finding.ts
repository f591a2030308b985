/** One thing that makes a result hard to believe, and the words that all of them share. */
import { type CurrencyId, formatPrice } from "../domain/Currency.ts"
import { showDuration } from "../rules/Strategy.ts"
import type { Metrics } from "./Metrics.ts"
import type { BacktestResult } from "./Result.ts"

export interface Finding {
  readonly code: string
  /** What is the matter, with its figure. */
  readonly says: string
  readonly remedy: string
}

const whole = 100

export const percent = (fraction: number): string => `${Math.round(fraction * whole)} %`
export const hours = (millis: number): string =>
  showDuration(Math.max(1, Math.round(millis / 60_000)) * 60_000)

interface Looking {
  readonly result: BacktestResult
  readonly metrics: Metrics
}

export type Check = (of: Looking) => Finding | undefined

export const money = (amount: number, currency: CurrencyId): string => formatPrice(amount as never, currency)
