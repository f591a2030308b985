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

const kinds = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const
type Kind = (typeof kinds)[number]
type Column = InstanceType<Kind>

const holdsWhole = (kind: Kind, most: number): boolean =>
  kind !== Float64Array && most < 2 ** (8 * kind.BYTES_PER_ELEMENT)

/** The narrowest kind that holds all of these exactly. */
const kindOf = (values: ReadonlyArray<number>): Kind => {
  let most = 0
  for (const value of values) {
    if (!Number.isInteger(value) || value < 0) return Float64Array
    if (value > most) most = value
  }
  return kinds.find((kind) => holdsWhole(kind, most)) ?? Float64Array
}

const columnOf = (values: ReadonlyArray<number>): Column => kindOf(values).from(values)

/** The column's first `kept` numbers with these behind them. */
const extended = (column: Column, kept: number, values: ReadonlyArray<number>): Column => {
  const needed = kindOf(values)
  const kind =
    kinds.find(
      (one) => one.BYTES_PER_ELEMENT === Math.max(column.BYTES_PER_ELEMENT, needed.BYTES_PER_ELEMENT)
    ) ?? Float64Array
  const made = new kind(kept + values.length)
  made.set(column.subarray(0, kept))
  made.set(values, kept)
  return made
}

const hourMillis = 3_600_000

const tenths = (minorUnits: number): number => Math.round(minorUnits * 10)

interface Columns {
  readonly firstAt: number
  /** What `clock` counts: an hour when every point stands at a full one from the first. */
  readonly clockMillis: number
  /** Multiples of `clockMillis` since the first point. */
  readonly clock: Column
  readonly tenths: Column
  readonly units: Column
}

const columnsOf = (points: ReadonlyArray<SalesPoint>): Columns => {
  const firstAt = points[0]?.at ?? 0
  const clockMillis = points.every(({ at }) => (at - firstAt) % hourMillis === 0) ? hourMillis : 1
  return {
    firstAt,
    clockMillis,
    clock: columnOf(points.map(({ at }) => (at - firstAt) / clockMillis)),
    tenths: columnOf(points.map(({ median }) => tenths(median))),
    units: columnOf(points.map(({ units }) => units))
  }
}

export class PriceHistory {
  private readonly columns: Columns

  private constructor(columns: Columns) {
    this.columns = columns
  }

  /** Of points that ascend strictly by time and have units. */
  static readonly of = (points: ReadonlyArray<SalesPoint>): PriceHistory =>
    new PriceHistory(columnsOf(points))

  get length(): number {
    return this.columns.clock.length
  }

  /** With what a later look showed: mostly a point behind the last one, or in its place, which costs a copy of the columns. */
  with(more: ReadonlyArray<SalesPoint>): PriceHistory {
    const [first] = more
    if (first === undefined) return this
    const { clock, clockMillis, firstAt, tenths: prices, units } = this.columns
    const last = this.at(this.length - 1) ?? Number.POSITIVE_INFINITY
    const isTail = more.every(
      (point, index) =>
        point.units > 0 &&
        point.at >= last &&
        point.at > (more[index - 1]?.at ?? Number.NEGATIVE_INFINITY) &&
        (point.at - firstAt) % clockMillis === 0
    )
    if (!isTail) return priceHistory([...this.points, ...more])
    const kept = first.at === last ? this.length - 1 : this.length
    return new PriceHistory({
      firstAt,
      clockMillis,
      clock: extended(
        clock,
        kept,
        more.map(({ at }) => (at - firstAt) / clockMillis)
      ),
      tenths: extended(
        prices,
        kept,
        more.map(({ median }) => tenths(median))
      ),
      units: extended(
        units,
        kept,
        more.map((point) => point.units)
      )
    })
  }

  /** When the point's hour or day began; undefined outside of the history. */
  at(index: number): Millis | undefined {
    const { clock, clockMillis, firstAt } = this.columns
    const offset = clock[index]
    return offset === undefined ? undefined : ((firstAt + offset * clockMillis) as Millis)
  }

  /** The point's median in tenths of a minor unit; 0 outside of the history. */
  tenths(index: number): number {
    return this.columns.tenths[index] ?? 0
  }

  /** The point's median in minor units; undefined outside of the history. */
  median(index: number): number | undefined {
    const price = this.columns.tenths[index]
    return price === undefined ? undefined : price / 10
  }

  units(index: number): number {
    return this.columns.units[index] ?? 0
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
  return PriceHistory.of(
    [...byTime.values()].filter(({ units }) => units > 0).toSorted((a, b) => a.at - b.at)
  )
}
