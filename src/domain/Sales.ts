/**
 * The statistics that rules read from the price history of an item (interface, Price history).
 * Invariants: 1. nothing after `now` is ever counted. 2. a statistic of no sales is undefined, never zero; only the volume of nothing is 0.
 * 3. mean and vwap lie within low and high.
 */
import type { Millis } from "./Ids.ts"
import type { PriceHistory } from "./PriceHistory.ts"
import { windowOf } from "./SalesWindow.ts"

export { PriceHistory, priceHistory, type SalesPoint, salesPoint } from "./PriceHistory.ts"
export { formatLabel, parseLabel } from "./SalesLabel.ts"

/*
 * Over a window of time: the points later than `now − durationMillis` and not later than `now`. All prices in minor units.
 */

/** Units sold. */
export const volume = (history: PriceHistory, now: Millis, durationMillis: number): number =>
  windowOf(history, now, durationMillis).units
/** Lowest of the points' medians. */
export const low = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  windowOf(history, now, durationMillis).quantile(0)
/** Highest of the points' medians. */
export const high = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  windowOf(history, now, durationMillis).quantile(1)
/** Plain average of the points' medians: every hour or day counts the same. */
export const mean = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  windowOf(history, now, durationMillis).mean()
/** Average of the points' medians weighted by units: every unit counts the same. */
export const vwap = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  windowOf(history, now, durationMillis).vwap()

/** The lowest price such that at least the fraction p (0 to 1) of the units sold at it or below; p = 0 is low, p = 1 is high. */
export const quantile = (
  history: PriceHistory,
  now: Millis,
  durationMillis: number,
  p: number
): number | undefined => windowOf(history, now, durationMillis).quantile(p)

/** Median price weighted by units: the quantile of one half. */
export const median = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  windowOf(history, now, durationMillis).quantile(0.5)

/** Fraction by which the window's last point lies above its first: 0.1 is 10 % up, 0 with a single point. */
export const change = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  windowOf(history, now, durationMillis).change()
