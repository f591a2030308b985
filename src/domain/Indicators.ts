/**
 * Indicators over the last n points of a price history: undefined while there are fewer, because half an average is another one.
 * Invariants: 1. a point more costs the same however many there are; a moment without one costs nothing. 2. points count alike,
 * whether they stand for an hour or a day. 3. `ema` and `rsi` are those of charts: smoothed on from the first point of the history.
 */
import { EMA, RSI } from "trading-signals"

import type { Millis } from "./Ids.ts"
import type { Growth, PriceHistory } from "./PriceHistory.ts"

/** Follows the points of a history in order. */
interface Follower {
  /** Back to before the first point; some begin later, at the point that this answers with. */
  readonly restart: (history: PriceHistory, end: number) => number
  readonly add: (history: PriceHistory, index: number) => void
  readonly result: () => number | undefined
}

/** Sum and squares of the last n, as whole tenths above an origin: exact while prices stay within reason of it. */
class LastPoints implements Follower {
  private readonly n: number
  private origin = 0
  private count = 0
  private sum = 0
  private squares = 0
  private readonly read: (mean: number, deviation: number) => number

  constructor(n: number, read: (mean: number, deviation: number) => number) {
    this.n = n
    this.read = read
  }

  restart = (history: PriceHistory, end: number): number => {
    const from = Math.max(0, end - this.n)
    this.origin = history.tenths(from)
    this.count = 0
    this.sum = 0
    this.squares = 0
    return from
  }

  add = (history: PriceHistory, index: number): void => {
    this.weigh(history.tenths(index), 1)
    if (this.count > this.n) this.weigh(history.tenths(index - this.n), -1)
  }

  private weigh(price: number, sign: 1 | -1): void {
    const above = price - this.origin
    this.count += sign
    this.sum += sign * above
    this.squares += sign * above * above
  }

  result = (): number | undefined => {
    if (this.count < this.n) return undefined
    const { n, squares, sum } = this
    // whole numbers up to the root, so that it is the same whatever the origin
    const deviation = Math.sqrt(Math.max(0, n * squares - sum * sum)) / (10 * n)
    return this.read((sum + n * this.origin) / (10 * n), deviation)
  }
}

/** An indicator of the library, fed from the first point on. */
const charted = (make: () => EMA | RSI): Follower => {
  let indicator = make()
  return {
    restart: () => {
      indicator = make()
      return 0
    },
    add: (history, index) => {
      indicator.add(history.tenths(index) / 10)
    },
    result: () => (indicator.isStable ? (indicator.getResult() ?? undefined) : undefined)
  }
}

interface Following {
  readonly follower: Follower
  history: PriceHistory
  end: number
  sameFrom: number
  sameUntil: number
  value: number | undefined
}

/** Indicators of one history are few, for they stand in rules. */
const followedAtMost = 64
const known = new WeakMap<Growth, Map<string, Following>>()

const following = (history: PriceHistory, key: string, make: () => Follower): Following => {
  let all = known.get(history.growth)
  if (all === undefined) known.set(history.growth, (all = new Map()))
  let found = all.get(key)
  if (found === undefined) {
    if (all.size >= followedAtMost) all.clear()
    found = {
      follower: make(),
      history,
      end: Number.POSITIVE_INFINITY,
      sameFrom: Number.POSITIVE_INFINITY,
      sameUntil: Number.NEGATIVE_INFINITY,
      value: undefined
    }
    all.set(key, found)
  }
  return found
}

const follow = (
  history: PriceHistory,
  now: Millis,
  key: string,
  make: () => Follower
): number | undefined => {
  const one = following(history, key, make)
  if (history === one.history && now >= one.sameFrom && now < one.sameUntil) return one.value
  const end = history.firstAfter(now)
  const from = end < one.end ? one.follower.restart(history, end) : one.end
  for (let index = from; index < end; index++) one.follower.add(history, index)
  one.history = history
  one.end = end
  one.sameFrom = history.at(end - 1) ?? Number.NEGATIVE_INFINITY
  one.sameUntil = history.at(end) ?? Number.POSITIVE_INFINITY
  one.value = one.follower.result()
  return one.value
}

/** Far more points than any history has. */
const longest = 1_000_000
const isCount = (n: number): boolean => Number.isInteger(n) && n >= 1 && n <= longest

/** Simple moving average: plain average of the last n medians, minor units. */
export const sma = (history: PriceHistory, now: Millis, n: number): number | undefined =>
  isCount(n) ? follow(history, now, `sma ${n}`, () => new LastPoints(n, (mean) => mean)) : undefined

/** Standard deviation of the last n medians (of the population: divided by n), minor units. */
export const stdev = (history: PriceHistory, now: Millis, n: number): number | undefined =>
  isCount(n)
    ? follow(history, now, `stdev ${n}`, () => new LastPoints(n, (_, deviation) => deviation))
    : undefined

/** Exponential moving average, minor units: each point weighs 2 / (n + 1) of what is left by the later ones. */
export const ema = (history: PriceHistory, now: Millis, n: number): number | undefined =>
  isCount(n) ? follow(history, now, `ema ${n}`, () => charted(() => new EMA(n))) : undefined

/** Relative strength by Wilder's smoothing, 0 (only fell) to 100 (never fell); of two changes at least, so needs n + 1 points. */
export const rsi = (history: PriceHistory, now: Millis, n: number): number | undefined =>
  isCount(n) && n > 1 ? follow(history, now, `rsi ${n}`, () => charted(() => new RSI(n))) : undefined

interface Indicator {
  /** An amount of money, or a plain number. */
  readonly kind: "amount" | "number"
  readonly of: (history: PriceHistory, now: Millis, n: number) => number | undefined
}

/** The indicators that rules may name, each of the last n points. */
export const indicators = {
  sma: { kind: "amount", of: sma },
  ema: { kind: "amount", of: ema },
  stdev: { kind: "amount", of: stdev },
  rsi: { kind: "number", of: rsi }
} as const satisfies Readonly<Record<string, Indicator>>
