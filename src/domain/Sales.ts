/**
 * The price history of an item and the statistics that rules read from it (interface, Price history).
 * Invariants: 1. points ascend strictly by time and each has at least one unit. 2. nothing after `now` is ever counted.
 * 3. a statistic of no sales is undefined, never zero; only the volume of nothing is 0. 4. mean and vwap lie within low and high.
 */
import { Schema } from "effect"

import { Millis } from "./Ids.ts"

export { formatLabel, parseLabel } from "./SalesLabel.ts"

/** The sales of one hour (the last 30 days) or of one day (before). */
export const SalesPoint = Schema.Struct({
  /** Start of the hour or day, UTC. */
  at: Millis,
  /** Median price in minor units; a fraction of one is possible because the market sends up to three decimals of major units. */
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

/** A history from points in any order; of two points of the same time the later in the list stays, points without units go. */
export const priceHistory = (points: Iterable<SalesPoint>): PriceHistory => {
  const byTime = new Map<Millis, SalesPoint>()
  for (const point of points) byTime.set(point.at, point)
  return { points: [...byTime.values()].filter(({ units }) => units > 0).toSorted((a, b) => a.at - b.at) }
}

/** What is computed at once of the points of a window; `sorted` by price on the first quantile. */
interface Window {
  readonly points: ReadonlyArray<SalesPoint>
  readonly units: number
  readonly low: number
  readonly high: number
  readonly mean: number
  readonly vwap: number
  sorted: ReadonlyArray<SalesPoint> | undefined
}

/** Windows move only when a point enters or leaves them, so a rule's few durations stay in here between two evaluations. */
const windowsKept = 64
const windows = new WeakMap<PriceHistory, Map<number, Window | undefined>>()

/** Index of the first point later than the time. */
const firstAfter = (points: ReadonlyArray<SalesPoint>, time: number): number => {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.at ?? Infinity) > time) high = middle
    else low = middle + 1
  }
  return low
}

const summarise = (points: ReadonlyArray<SalesPoint>): Window | undefined => {
  if (points.length === 0) return undefined
  let [units, low, high, prices, turnover] = [0, Infinity, -Infinity, 0, 0]
  for (const point of points) {
    units += point.units
    prices += point.median
    turnover += point.median * point.units
    low = Math.min(low, point.median)
    high = Math.max(high, point.median)
  }
  const within = (average: number): number => Math.min(high, Math.max(low, average))
  const [mean, vwap] = [within(prices / points.length), within(turnover / units)]
  return { points, units, low, high, mean, vwap, sorted: undefined }
}

const window = (history: PriceHistory, now: Millis, durationMillis: number): Window | undefined => {
  const end = firstAfter(history.points, now)
  const start = Math.min(end, firstAfter(history.points, now - durationMillis))
  let known = windows.get(history)
  if (known === undefined) windows.set(history, (known = new Map()))
  const key = start * (history.points.length + 1) + end
  if (known.has(key)) return known.get(key)
  if (known.size >= windowsKept) known.clear()
  const found = summarise(history.points.slice(start, end))
  known.set(key, found)
  return found
}

/*
 * Over a window of time: the points later than `now − durationMillis` and not later than `now`. All prices in minor units.
 */

/** Units sold. */
export const volume = (history: PriceHistory, now: Millis, durationMillis: number): number =>
  window(history, now, durationMillis)?.units ?? 0
/** Lowest of the points' medians. */
export const low = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  window(history, now, durationMillis)?.low
/** Highest of the points' medians. */
export const high = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  window(history, now, durationMillis)?.high
/** Plain average of the points' medians: every hour or day counts the same. */
export const mean = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  window(history, now, durationMillis)?.mean
/** Average of the points' medians weighted by units: every unit counts the same. */
export const vwap = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  window(history, now, durationMillis)?.vwap

/** The lowest price such that at least the fraction p (0 to 1) of the units sold at it or below; p = 0 is low, p = 1 is high. */
export const quantile = (
  history: PriceHistory,
  now: Millis,
  durationMillis: number,
  p: number
): number | undefined => {
  const found = window(history, now, durationMillis)
  if (found === undefined || !(p >= 0 && p <= 1)) return undefined
  found.sorted ??= found.points.toSorted((a, b) => a.median - b.median)
  const wanted = p * found.units
  let below = 0
  for (const point of found.sorted) {
    below += point.units
    if (below >= wanted) return point.median
  }
  return found.high
}

/** Median price weighted by units: the quantile of one half. */
export const median = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined =>
  quantile(history, now, durationMillis, 0.5)

/** Fraction by which the window's last point lies above its first: 0.1 is 10 % up, 0 with a single point. */
export const change = (history: PriceHistory, now: Millis, durationMillis: number): number | undefined => {
  const points = window(history, now, durationMillis)?.points
  const [first, last] = [points?.[0]?.median, points?.at(-1)?.median]
  return first === undefined || last === undefined || first <= 0 ? undefined : (last - first) / first
}

/*
 * Over the last n points not later than `now`: undefined while there are fewer than n, because half an average is another one.
 */

const lastMedians = (history: PriceHistory, now: Millis, n: number): ReadonlyArray<number> | undefined => {
  const end = firstAfter(history.points, now)
  if (!Number.isInteger(n) || n < 1 || n > end) return undefined
  return history.points.slice(end - n, end).map((point) => point.median)
}

const average = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Simple moving average: plain average of the last n medians. */
export const sma = (history: PriceHistory, now: Millis, n: number): number | undefined => {
  const medians = lastMedians(history, now, n)
  return medians === undefined ? undefined : average(medians)
}

/** Exponential moving average of the last n medians: starts at the oldest, each later one weighs 2 / (n + 1). */
export const ema = (history: PriceHistory, now: Millis, n: number): number | undefined =>
  lastMedians(history, now, n)?.reduce((smoothed, value) => smoothed + (2 / (n + 1)) * (value - smoothed))

/** Standard deviation of the last n medians (of the population: divided by n), minor units. */
export const stdev = (history: PriceHistory, now: Millis, n: number): number | undefined => {
  const medians = lastMedians(history, now, n)
  if (medians === undefined) return undefined
  const centre = average(medians)
  return Math.sqrt(average(medians.map((value) => (value - centre) ** 2)))
}
