/**
 * The price history of an item and the statistics that rules read from it (interface, Price history).
 * Invariants: 1. points ascend strictly by time and each has at least one unit. 2. nothing after `now` is ever counted.
 * 3. a statistic of no sales is undefined, never zero; only the volume of nothing is 0. 4. mean and vwap lie within low and high.
 */
import { Schema } from "effect"

import { Millis } from "./Ids.ts"
import { tenths, windowOf } from "./SalesWindow.ts"

export { formatLabel, parseLabel } from "./SalesLabel.ts"

/** The sales of one hour (the last 30 days) or of one day (before). */
export const SalesPoint = Schema.Struct({
  /** Start of the hour or day, UTC. */
  at: Millis,
  /** Median price in minor units, in whole tenths: the market sends up to three decimals of major units. */
  median: Schema.Finite,
  units: Schema.Natural
})
export type SalesPoint = typeof SalesPoint.Type

export const PriceHistory = Schema.Struct({ points: Schema.Array(SalesPoint) })
export type PriceHistory = typeof PriceHistory.Type

/** A point from the market's median in major units, exact to the third decimal. */
export const salesPoint = (at: Millis, medianMajorUnits: number, units: number): SalesPoint => ({
  at,
  median: Math.round(medianMajorUnits * 1000) / 10,
  units
})

/** The same point but for a price that is finer than the market's. */
const inTenths = (point: SalesPoint): SalesPoint => {
  const median = tenths(point.median) / 10
  return median === point.median ? point : { ...point, median }
}

/** A history from points in any order; of two points of the same time the later in the list stays, points without units go. */
export const priceHistory = (points: Iterable<SalesPoint>): PriceHistory => {
  const byTime = new Map<Millis, SalesPoint>()
  for (const point of points) byTime.set(point.at, inTenths(point))
  return { points: [...byTime.values()].filter(({ units }) => units > 0).toSorted((a, b) => a.at - b.at) }
}

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
