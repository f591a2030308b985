/**
 * What a curve of equity says about the way a profit came: drawdown, Sharpe and Sortino.
 * Invariants: 1. days are those of UTC, and every day between the first and the last counts, also one without a point. 2. a figure that the
 * curve is too short or too flat for is undefined, never zero or infinite. 3. markets of this kind never close: a year has 365 days.
 */
import type { Millis } from "../domain/Ids.ts"
import { type Money, money } from "../domain/Money.ts"

/** What everything was worth at a moment: money and stock, minor units. Points ascend by time. */
export interface EquityAt {
  readonly at: Millis
  readonly equity: Money
}

export interface Drawdown {
  /** The largest fall below the highest equity before it, minor units and as a fraction of that highest equity. */
  readonly amount: Money
  readonly fraction: number
  /** When the fall began and when it was deepest; undefined when the curve never fell. */
  readonly from: Millis | undefined
  readonly to: Millis | undefined
  /** The longest time below a former highest equity. */
  readonly longestMillis: number
}

/** How far each point lies under the highest one before it, minor units, 0 or negative. */
export const underwater = (curve: ReadonlyArray<EquityAt>): ReadonlyArray<number> => {
  let highest = Number.NEGATIVE_INFINITY
  return curve.map(({ equity }) => {
    highest = Math.max(highest, equity)
    return equity - highest
  })
}

export const drawdownOf = (curve: ReadonlyArray<EquityAt>): Drawdown => {
  let [highest, highestAt, deepest, fraction, longest] = [Number.NEGATIVE_INFINITY, 0, 0, 0, 0]
  let under = false
  let [from, to]: [number | undefined, number | undefined] = [undefined, undefined]
  for (const { at, equity } of curve) {
    if (equity >= highest) {
      if (under) longest = Math.max(longest, at - highestAt)
      under = false
      highest = equity
      highestAt = at
      continue
    }
    under = true
    longest = Math.max(longest, at - highestAt)
    if (highest > 0) fraction = Math.max(fraction, (highest - equity) / highest)
    if (highest - equity <= deepest) continue
    deepest = highest - equity
    from = highestAt
    to = at
  }
  return {
    amount: money(deepest),
    fraction,
    from: from as Millis | undefined,
    to: to as Millis | undefined,
    longestMillis: longest
  }
}

const dayMillis = 86_400_000
const daysPerYear = 365

/** Equity at the end of each day from the first to the last; the first value is the curve's own first. */
const dayEnds = (curve: ReadonlyArray<EquityAt>): ReadonlyArray<number> => {
  const [first] = curve
  if (first === undefined) return []
  const ends: Array<number> = [first.equity]
  let day = Math.floor(first.at / dayMillis)
  let last: number = first.equity
  for (const { at, equity } of curve) {
    for (const of = Math.floor(at / dayMillis); day < of; day++) ends.push(last)
    last = equity
  }
  ends.push(last)
  return ends
}

/** Gain of each day as a fraction of the equity it began with. */
export const dailyReturns = (curve: ReadonlyArray<EquityAt>): ReadonlyArray<number> => {
  const ends = dayEnds(curve)
  return ends.slice(1).map((end, index) => {
    const start = ends[index] ?? 0
    return start > 0 ? end / start - 1 : 0
  })
}

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((total, value) => total + value, 0) / values.length

/** Fewer days say nothing about how a return varies. */
const fewestDays = 3
/** A deviation below this is rounding. */
const flat = 1e-12

const annual = (returns: ReadonlyArray<number>, deviation: number): number | undefined =>
  returns.length < fewestDays || deviation < flat
    ? undefined
    : (mean(returns) / deviation) * Math.sqrt(daysPerYear)

/** Mean daily return over its deviation (of a sample), a year's; without a riskless rate. */
export const sharpeOf = (returns: ReadonlyArray<number>): number | undefined => {
  const average = mean(returns)
  const squares = returns.reduce((total, value) => total + (value - average) ** 2, 0)
  return annual(returns, Math.sqrt(squares / (returns.length - 1)))
}

/** As Sharpe, but only losing days count as deviation, measured from zero over all days. */
export const sortinoOf = (returns: ReadonlyArray<number>): number | undefined => {
  const squares = returns.reduce((total, value) => total + Math.min(0, value) ** 2, 0)
  return annual(returns, Math.sqrt(squares / returns.length))
}
