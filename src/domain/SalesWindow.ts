/**
 * A window of time that slides over a price history: what is asked of it is kept up to date point by point, never counted anew.
 * Invariants: 1. equal to the definition over the points later than `now − duration` and not later than `now`. 2. a point that enters or
 * leaves costs the logarithm of the history at most, and a moment at which none does costs nothing. 3. sums are of whole tenths of a
 * minor unit (the market tells three decimals of major units), so that they never drift.
 */
import type { Millis } from "./Ids.ts"
import type { PriceHistory } from "./PriceHistory.ts"

/** Durations and quantiles are few, for they stand in rules; more than this come from an expression that computes them. */
const keptAtMost = 64

/** The prices of a history from some point on, ascending, and the place of each point's price among them. */
class Ranks {
  readonly from: number
  readonly prices: Float64Array
  private readonly ranks: Int32Array

  constructor(history: PriceHistory, from: number) {
    this.from = from
    const medians = Array.from(
      { length: history.length - from },
      (_, index) => history.tenths(from + index) / 10
    )
    this.prices = Float64Array.from(new Set(medians)).toSorted()
    const places = new Map(Array.from(this.prices, (price, place) => [price, place] as const))
    this.ranks = Int32Array.from(medians, (median) => places.get(median) ?? 0)
  }

  of(index: number): number {
    return this.ranks[index - this.from] ?? 0
  }
}

/** Units by price, with sums over the cheaper ones (a Fenwick tree). */
class Ladder {
  readonly ranks: Ranks
  private readonly sums: Float64Array
  private readonly highestStep: number

  constructor(ranks: Ranks) {
    this.ranks = ranks
    this.sums = new Float64Array(ranks.prices.length + 1)
    this.highestStep = 2 ** Math.floor(Math.log2(Math.max(1, ranks.prices.length)))
  }

  add(index: number, units: number): void {
    const { sums } = this
    for (let at = this.ranks.of(index) + 1; at < sums.length; at += at & -at)
      sums[at] = (sums[at] ?? 0) + units
  }

  /** The lowest price at or below which so many units lie. */
  priceAt(wanted: number): number | undefined {
    let [place, left] = [0, wanted]
    for (let step = this.highestStep; step > 0; step >>>= 1) {
      const sum = this.sums[place + step]
      if (sum === undefined || sum >= left) continue
      place += step
      left -= sum
    }
    return this.ranks.prices[place]
  }
}

class TimeWindow {
  private readonly history: PriceHistory
  private readonly ranksFrom: (index: number) => Ranks
  private readonly durationMillis: number
  private start = 0
  private end = 0
  /** Moments from and before which the same points are inside. */
  private sameFrom = Number.POSITIVE_INFINITY
  private sameUntil = Number.NEGATIVE_INFINITY
  private prices = 0
  private turnover = 0
  private ladder: Ladder | undefined
  private readonly quantiles = new Map<number, number | undefined>()
  units = 0

  constructor(history: PriceHistory, ranksFrom: (index: number) => Ranks, durationMillis: number) {
    this.history = history
    this.ranksFrom = ranksFrom
    this.durationMillis = durationMillis
  }

  /** The window as it is now. */
  at(now: Millis): this {
    if (now < this.sameFrom || now >= this.sameUntil) this.slide(now)
    return this
  }

  private slide(now: Millis): void {
    const { durationMillis, end, history, start } = this
    const newEnd = history.firstAfter(now)
    const newStart = Math.min(newEnd, history.firstAfter(now - durationMillis))
    const steps = newEnd - end + newStart - start
    if (newEnd < end || newStart < start || newStart > end || steps > newEnd - newStart) {
      this.clear()
      for (let index = newStart; index < newEnd; index++) this.count(index, 1)
    } else {
      for (let index = end; index < newEnd; index++) this.count(index, 1)
      for (let index = start; index < newStart; index++) this.count(index, -1)
    }
    this.quantiles.clear()
    this.start = newStart
    this.end = newEnd
    const last = history.at(newEnd - 1) ?? Number.NEGATIVE_INFINITY
    const left = (history.at(newStart - 1) ?? Number.NEGATIVE_INFINITY) + durationMillis
    this.sameFrom = Math.max(last, left)
    const next = history.at(newEnd) ?? Number.POSITIVE_INFINITY
    const leaves = newStart < newEnd ? (history.at(newStart) ?? 0) + durationMillis : next
    this.sameUntil = Math.min(next, leaves)
  }

  private clear(): void {
    this.units = 0
    this.prices = 0
    this.turnover = 0
    this.ladder = undefined
  }

  private count(index: number, sign: 1 | -1): void {
    const [price, units] = [this.history.tenths(index), sign * this.history.units(index)]
    this.units += units
    this.prices += sign * price
    this.turnover += price * units
    this.ladder?.add(index, units)
  }

  mean(): number | undefined {
    return this.end === this.start ? undefined : this.prices / (10 * (this.end - this.start))
  }

  vwap(): number | undefined {
    return this.end === this.start ? undefined : this.turnover / (10 * this.units)
  }

  /** The lowest price such that at least the fraction p of the units lies at it or below. */
  quantile(p: number): number | undefined {
    if (this.end === this.start || !(p >= 0 && p <= 1)) return undefined
    if (this.quantiles.has(p)) return this.quantiles.get(p)
    // Every point has a unit, so that nothing lies below the first one.
    const found = (this.ladder ??= this.climb()).priceAt(Math.max(1, p * this.units))
    if (this.quantiles.size >= keptAtMost) this.quantiles.clear()
    this.quantiles.set(p, found)
    return found
  }

  private climb(): Ladder {
    const ladder = new Ladder(this.ranksFrom(this.start))
    for (let index = this.start; index < this.end; index++) ladder.add(index, this.history.units(index))
    return ladder
  }

  change(): number | undefined {
    const [first, last] = [this.history.median(this.start), this.history.median(this.end - 1)]
    return this.end === this.start || first === undefined || last === undefined || first <= 0
      ? undefined
      : (last - first) / first
  }
}

interface Series {
  ranks: Ranks | undefined
  readonly windows: Map<number, TimeWindow>
}

const known = new WeakMap<PriceHistory, Series>()

const seriesOf = (history: PriceHistory): Series => {
  let series = known.get(history)
  if (series === undefined) known.set(history, (series = { ranks: undefined, windows: new Map() }))
  return series
}

/** The ranks that all windows of a series share, unless one begins before them. */
const ranksFrom = (series: Series, history: PriceHistory, index: number): Ranks => {
  if (series.ranks === undefined || series.ranks.from > index) series.ranks = new Ranks(history, index)
  return series.ranks
}

/** The window of this duration as it is now; the same one slides on as long as the history is the same object. */
export const windowOf = (history: PriceHistory, now: Millis, durationMillis: number): TimeWindow => {
  const series = seriesOf(history)
  const found = series.windows.get(durationMillis)
  if (found !== undefined) return found.at(now)
  const made = new TimeWindow(history, (index) => ranksFrom(series, history, index), durationMillis)
  if (series.windows.size >= keptAtMost) series.windows.clear()
  series.windows.set(durationMillis, made)
  return made.at(now)
}
