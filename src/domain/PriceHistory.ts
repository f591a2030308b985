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

/** The column's first `kept` numbers with room for `capacity`, and these behind them. */
const extended = (column: Column, kept: number, values: ReadonlyArray<number>, capacity: number): Column => {
  const needed = kindOf(values)
  const kind =
    kinds.find(
      (one) => one.BYTES_PER_ELEMENT === Math.max(column.BYTES_PER_ELEMENT, needed.BYTES_PER_ELEMENT)
    ) ?? Float64Array
  const made = new kind(capacity)
  made.set(column.subarray(0, kept))
  made.set(values, kept)
  return made
}

/** Whether these can stand in the column behind so many others. */
const takes = (column: Column, used: number, values: ReadonlyArray<number>): boolean =>
  used + values.length <= column.length && kindOf(values).BYTES_PER_ELEMENT <= column.BYTES_PER_ELEMENT

/** Points that a history which has grown once may grow by before its columns are copied again; an eighth of it when that is more. */
const leastRoom = 64

const hourMillis = 3_600_000

const tenths = (minorUnits: number): number => Math.round(minorUnits * 10)

/** Histories that grow out of one another at the end agree as far as both go: they have this in common, and mostly their columns. */
export interface Growth {
  /** Points of the longest of them; only it may grow in place. */
  length: number
}

interface Columns {
  readonly growth: Growth
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
    growth: { length: points.length },
    firstAt,
    clockMillis,
    clock: columnOf(points.map(({ at }) => (at - firstAt) / clockMillis)),
    tenths: columnOf(points.map(({ median }) => tenths(median))),
    units: columnOf(points.map(({ units }) => units))
  }
}

export class PriceHistory {
  private readonly columns: Columns
  readonly length: number

  private constructor(columns: Columns, length: number) {
    this.columns = columns
    this.length = length
  }

  /** Of points that ascend strictly by time and have units. */
  static readonly of = (points: ReadonlyArray<SalesPoint>): PriceHistory =>
    new PriceHistory(columnsOf(points), points.length)

  /** What this history shares with those that it grew out of and those that grow out of it. */
  get growth(): Growth {
    return this.columns.growth
  }

  /** With what a later look showed: mostly a point behind the last one, which costs next to nothing, or in its place. */
  with(more: ReadonlyArray<SalesPoint>): PriceHistory {
    const [first] = more
    if (first === undefined) return this
    const { clockMillis, firstAt } = this.columns
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
    return this.grown(kept, {
      clock: more.map(({ at }) => (at - firstAt) / clockMillis),
      tenths: more.map(({ median }) => tenths(median)),
      units: more.map((point) => point.units)
    })
  }

  private grown(
    kept: number,
    { clock, tenths, units }: Readonly<Record<"clock" | "tenths" | "units", ReadonlyArray<number>>>
  ): PriceHistory {
    const { columns } = this
    const length = kept + clock.length
    const isLongest = kept === this.length && columns.growth.length === kept
    if (
      isLongest &&
      takes(columns.clock, kept, clock) &&
      takes(columns.tenths, kept, tenths) &&
      takes(columns.units, kept, units)
    ) {
      columns.clock.set(clock, kept)
      columns.tenths.set(tenths, kept)
      columns.units.set(units, kept)
      columns.growth.length = length
      return new PriceHistory(columns, length)
    }
    const growth = isLongest ? columns.growth : { length }
    growth.length = length
    const capacity = length + Math.max(leastRoom, length >>> 3)
    return new PriceHistory(
      {
        ...columns,
        growth,
        clock: extended(columns.clock, kept, clock, capacity),
        tenths: extended(columns.tenths, kept, tenths, capacity),
        units: extended(columns.units, kept, units, capacity)
      },
      length
    )
  }

  /** When the point's hour or day began; undefined outside of the history. */
  at(index: number): Millis | undefined {
    const { clock, clockMillis, firstAt } = this.columns
    const offset = index < this.length ? clock[index] : undefined
    return offset === undefined ? undefined : ((firstAt + offset * clockMillis) as Millis)
  }

  /** The point's median in tenths of a minor unit; 0 outside of the history. */
  tenths(index: number): number {
    return index < this.length ? (this.columns.tenths[index] ?? 0) : 0
  }

  /** The point's median in minor units; undefined outside of the history. */
  median(index: number): number | undefined {
    const price = index < this.length ? this.columns.tenths[index] : undefined
    return price === undefined ? undefined : price / 10
  }

  units(index: number): number {
    return index < this.length ? (this.columns.units[index] ?? 0) : 0
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
