/**
 * A window of time that slides over a price history: what is asked of it is kept up to date point by point, never counted anew.
 * Invariants: 1. equal to the definition over the points later than `now − duration` and not later than `now`. 2. a point that enters or
 * leaves costs the logarithm of the history at most (but when its price was never seen before), and a moment at which none does costs
 * nothing; a history that grows at its end keeps its windows. 3. sums are of whole tenths of a
 * minor unit (the market tells three decimals of major units), so that they never drift.
 */
import type { Millis } from "./Ids.ts"
import type { Growth, PriceHistory } from "./PriceHistory.ts"

/** Durations and quantiles are few, for they stand in rules; more than this come from an expression that computes them. */
const keptAtMost = 64

/** Place of a price among ascending ones, or -1. */
const placeOf = (prices: Float64Array, price: number): number => {
  let [low, high] = [0, prices.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((prices[middle] as number) < price) low = middle + 1
    else high = middle
  }
  return prices[low] === price ? low : -1
}

/** Units by price, with sums over the cheaper ones (a Fenwick tree). Prices are tenths of a minor unit, ascending. */
class Ladder {
  private readonly prices: Float64Array
  private readonly sums: Float64Array
  private readonly highestStep: number

  constructor(prices: Float64Array) {
    this.prices = prices
    this.sums = new Float64Array(prices.length + 1)
    this.highestStep = 2 ** Math.floor(Math.log2(Math.max(1, prices.length)))
  }

  /** False when the price is none of the ladder's. */
  add(price: number, units: number): boolean {
    const { sums } = this
    const place = placeOf(this.prices, price)
    if (place < 0) return false
    for (let at = place + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] as number) + units
    return true
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
    const price = this.prices[place]
    return price === undefined ? undefined : price / 10
  }
}

class TimeWindow {
  private history: PriceHistory
  private readonly series: Series
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

  constructor(history: PriceHistory, series: Series, durationMillis: number) {
    this.history = history
    this.series = series
    this.durationMillis = durationMillis
  }

  /** The window of this history as it is now; another one than before has grown out of that or the other way round. */
  at(history: PriceHistory, now: Millis): this {
    if (history !== this.history || now < this.sameFrom || now >= this.sameUntil) {
      this.history = history
      this.slide(now)
    }
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
    if (newStart !== start || newEnd !== end) this.quantiles.clear()
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
    if (this.ladder?.add(price, units) === false) this.ladder = undefined
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
    const { end, history, series, start } = this
    const ladder = new Ladder(pricesFrom(series, history, start))
    for (let index = start; index < end; index++) ladder.add(history.tenths(index), history.units(index))
    return ladder
  }

  change(): number | undefined {
    const [first, last] = [this.history.median(this.start), this.history.median(this.end - 1)]
    return this.end === this.start || first === undefined || last === undefined || first <= 0
      ? undefined
      : (last - first) / first
  }
}

/** What all histories that grow out of one another have in common. */
interface Series {
  /** Prices of the points from `from` to before `to`, ascending, each once. */
  prices: Float64Array
  from: number
  to: number
  readonly windows: Map<number, TimeWindow>
}

const known = new WeakMap<Growth, Series>()

const seriesOf = ({ growth }: PriceHistory): Series => {
  let series = known.get(growth)
  if (series === undefined)
    known.set(growth, (series = { prices: new Float64Array(), from: 0, to: 0, windows: new Map() }))
  return series
}

/** The prices of all points from this one to the end of the history, and maybe of more; shared by all windows. */
const pricesFrom = (series: Series, history: PriceHistory, index: number): Float64Array => {
  // before the first look, and in a history that ends before all that was looked at
  if (series.to === 0 || history.length < series.from) series.from = series.to = index
  const fresh = new Set<number>()
  const look = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const price = history.tenths(at)
      if (placeOf(series.prices, price) < 0) fresh.add(price)
    }
  }
  look(index, Math.min(series.from, history.length))
  look(series.to, history.length)
  series.from = Math.min(series.from, index)
  series.to = Math.max(series.to, history.length)
  if (fresh.size > 0) series.prices = Float64Array.from([...series.prices, ...fresh]).toSorted()
  return series.prices
}

/** The window of this duration as it is now; the same one slides on while the history is the same or grows at its end. */
export const windowOf = (history: PriceHistory, now: Millis, durationMillis: number): TimeWindow => {
  const series = seriesOf(history)
  const found = series.windows.get(durationMillis)
  if (found !== undefined) return found.at(history, now)
  const made = new TimeWindow(history, series, durationMillis)
  if (series.windows.size >= keptAtMost) series.windows.clear()
  series.windows.set(durationMillis, made)
  return made.at(history, now)
}
