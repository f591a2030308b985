/** The statistics of a price history by their definitions, counted anew over all points: what the sliding ones must equal. */
import type { PriceHistory, SalesPoint } from "../../src/domain/Sales.ts"

type Points = ReadonlyArray<SalesPoint>

const total = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)
const average = (values: ReadonlyArray<number>): number => total(values) / values.length

export const inside = ({ points }: PriceHistory, now: number, durationMillis: number): Points =>
  points.filter(({ at }) => at > now - durationMillis && at <= now)

export const volume = (points: Points): number => total(points.map(({ units }) => units))

const byPrice = (points: Points): Points => points.toSorted((a, b) => a.median - b.median)
export const low = (points: Points): number | undefined => byPrice(points)[0]?.median
export const high = (points: Points): number | undefined => byPrice(points).at(-1)?.median

export const quantile = (points: Points, p: number): number | undefined => {
  const wanted = p * volume(points)
  let below = 0
  for (const { median, units } of byPrice(points)) {
    below += units
    if (below >= wanted) return median
  }
  return undefined
}

export const mean = (points: Points): number | undefined =>
  points.length === 0 ? undefined : average(points.map(({ median }) => median))
export const vwap = (points: Points): number | undefined =>
  points.length === 0 ? undefined : total(points.map(({ median, units }) => median * units)) / volume(points)

export const change = (points: Points): number | undefined => {
  const [first, last] = [points[0]?.median, points.at(-1)?.median]
  return first === undefined || last === undefined ? undefined : (last - first) / first
}

type Medians = ReadonlyArray<number>

export const medians = ({ points }: PriceHistory, now: number): Medians =>
  points.filter(({ at }) => at <= now).map(({ median }) => median)

export const sma = (of: Medians, n: number): number | undefined =>
  of.length < n ? undefined : average(of.slice(-n))

export const stdev = (of: Medians, n: number): number | undefined => {
  const centre = sma(of, n)
  return centre === undefined
    ? undefined
    : Math.sqrt(average(of.slice(-n).map((value) => (value - centre) ** 2)))
}

export const ema = (of: Medians, n: number): number | undefined =>
  of.length < n ? undefined : of.reduce((smoothed, value) => smoothed + (2 / (n + 1)) * (value - smoothed))

/** The first n changes are averaged plainly, each later one weighs 1 / n. */
export const rsi = (of: Medians, n: number): number | undefined => {
  if (of.length < n + 1) return undefined
  const changes = of.slice(1).map((value, index) => value - (of[index] ?? 0))
  const smoothed = (values: ReadonlyArray<number>): number =>
    values.slice(n).reduce((before, value) => before + (value - before) / n, average(values.slice(0, n)))
  const gains = smoothed(changes.map((value) => Math.max(0, value)))
  const losses = smoothed(changes.map((value) => Math.max(0, -value)))
  return losses === 0 ? 100 : 100 - 100 / (1 + gains / losses)
}
