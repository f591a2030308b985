/**
 * The price history of an item, in columns of numbers: years of it are thousands of points, and thousands of items are watched.
 * Invariants: 1. points ascend strictly by time and each has at least one unit. 2. medians are whole tenths of a minor unit, because the
 * market sends up to three decimals of major units. 3. each column is as narrow as its numbers allow, and exact: a point of the usual
 * history takes 8 to 10 bytes, as an object of its own it took 88.
 */
import type { Millis } from "./Ids.ts"

/** The sales of one hour (the last 30 days) or of one day (before). */
export interface SalesPoint {
  /** Start of the hour or day, UTC. */
  readonly at: Millis
  /** Median price in minor units, in whole tenths. */
  readonly median: number
  readonly units: number
}

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

const columnOf = (values: ReadonlyArray<number>): Column => {
  const whole = values.every((value) => Number.isInteger(value) && value >= 0)
  const most = values.reduce((highest, value) => Math.max(highest, value), 0)
  if (!whole || most >= 2 ** 32) return Float64Array.from(values)
  return most < 2 ** 8
    ? Uint8Array.from(values)
    : most < 2 ** 16
      ? Uint16Array.from(values)
      : Uint32Array.from(values)
}

const hourMillis = 3_600_000

export const tenths = (minorUnits: number): number => Math.round(minorUnits * 10)

export class PriceHistory {
  readonly length: number
  private readonly firstAt: number
  private readonly clockMillis: number
  /** Multiples of `clockMillis` since the first point. */
  private readonly clock: Column
  private readonly prices: Column
  private readonly counts: Column

  /** Of points that ascend strictly by time. */
  constructor(points: ReadonlyArray<SalesPoint>) {
    const firstAt = points[0]?.at ?? 0
    const offsets = points.map(({ at }) => at - firstAt)
    this.length = points.length
    this.firstAt = firstAt
    this.clockMillis = offsets.every((offset) => offset % hourMillis === 0) ? hourMillis : 1
    this.clock = columnOf(offsets.map((offset) => offset / this.clockMillis))
    this.prices = columnOf(points.map(({ median }) => tenths(median)))
    this.counts = columnOf(points.map(({ units }) => units))
  }

  /** When the point's hour or day began; undefined outside of the history. */
  at(index: number): Millis | undefined {
    const offset = this.clock[index]
    return offset === undefined ? undefined : ((this.firstAt + offset * this.clockMillis) as Millis)
  }

  /** The point's median in tenths of a minor unit; 0 outside of the history. */
  tenths(index: number): number {
    return this.prices[index] ?? 0
  }

  /** The point's median in minor units; undefined outside of the history. */
  median(index: number): number | undefined {
    const price = this.prices[index]
    return price === undefined ? undefined : price / 10
  }

  units(index: number): number {
    return this.counts[index] ?? 0
  }

  /** All points, made anew each time. */
  get points(): ReadonlyArray<SalesPoint> {
    return Array.from({ length: this.length }, (_, index) => ({
      at: this.at(index) ?? (0 as Millis),
      median: this.tenths(index) / 10,
      units: this.units(index)
    }))
  }

  /** Index of the first point later than the time. */
  firstAfter(time: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.at(middle) ?? Number.POSITIVE_INFINITY) > time) high = middle
      else low = middle + 1
    }
    return low
  }
}

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
  return new PriceHistory(
    [...byTime.values()].filter(({ units }) => units > 0).toSorted((a, b) => a.at - b.at)
  )
}
