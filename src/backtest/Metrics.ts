/**
 * The figures of a run: what it earned, what it risked for that, how its orders did.
 * Invariants: 1. profit = realised + unrealised, fees are inside both. 2. what cannot be said (a rate of nothing) is undefined, not zero.
 * 3. everything here is computed of the result alone, so a stored result gives the same figures again.
 */
import type { Millis } from "../domain/Ids.ts"
import { add, type Money, money, subtract, sum } from "../domain/Money.ts"
import { dailyReturns, type Drawdown, drawdownOf, sharpeOf, sortinoOf } from "./Ratios.ts"
import type { BacktestResult, EquityPoint, OrderOutcome } from "./Result.ts"
import { figuresOf, matched, type TripFigures } from "./RoundTrips.ts"

/** Money at risk: what everything held had cost and what all open bids would cost. */
interface Exposure {
  /** Over time, minor units. */
  readonly mean: Money
  readonly most: Money
  /** Part of the time in which something was held, 0 to 1. */
  readonly timeHeld: number
}

/** How many units of what was ordered were traded. */
export interface Filled {
  readonly orders: number
  readonly units: number
  readonly filled: number
  /** `filled` of `units`; undefined when nothing was ordered. */
  readonly ratio: number | undefined
}

export interface Metrics {
  readonly spanMillis: number
  readonly balance: Money
  readonly equity: Money
  readonly profit: Money
  /** Profit as a fraction of the balance. */
  readonly gain: number | undefined
  readonly realised: Money
  /** What is held would bring after fees, less what it had cost. */
  readonly unrealised: Money
  readonly fees: Money
  readonly unitsBought: number
  readonly unitsSold: number
  readonly unitsHeld: number
  readonly trips: TripFigures
  readonly exposure: Exposure
  readonly drawdown: Drawdown
  readonly sharpe: number | undefined
  readonly sortino: number | undefined
  readonly bids: Filled
  readonly listings: Filled
  readonly purchases: Filled
  readonly refusals: number
}

const worthOf = ({ cash, stock }: EquityPoint): Money => add(cash, stock)

/** `value` over `of`; undefined when there is nothing to divide by. */
export const ratio = (value: number, of: number): number | undefined => (of === 0 ? undefined : value / of)

export const filledOf = (orders: ReadonlyArray<OrderOutcome>): Filled => {
  let [units, filled] = [0, 0]
  for (const order of orders) {
    units += order.units
    filled += order.filled
  }
  return { orders: orders.length, units, filled, ratio: ratio(filled, units) }
}

/** Each point holds until the next one; the last until the end of the run. */
const exposureOf = (points: ReadonlyArray<EquityPoint>, to: Millis): Exposure => {
  let [weighted, most, held, time] = [0, 0, 0, 0]
  for (const [index, { at, committed, cost }] of points.entries()) {
    const lasts = Math.max(0, (points[index + 1]?.at ?? to) - at)
    const exposed = cost + committed
    weighted += exposed * lasts
    time += lasts
    if (cost > 0) held += lasts
    most = Math.max(most, exposed)
  }
  return {
    mean: money(time === 0 ? 0 : Math.round(weighted / time)),
    most: money(most),
    timeHeld: time === 0 ? 0 : held / time
  }
}

/** The curve of equity from the opening balance on. */
export const curveOf = ({ equity, from, settings }: BacktestResult) => [
  ...(equity[0]?.at === from ? [] : [{ at: from, equity: settings.balance }]),
  ...equity.map((point) => ({ at: point.at, equity: worthOf(point) }))
]

export const metricsOf = (result: BacktestResult): Metrics => {
  const { from, items, orders, refusals, settings, to, trades } = result
  const curve = curveOf(result)
  const realised = sum(items.map((item) => item.realised))
  const unrealised = sum(items.map(({ costHeld, worthHeld }) => subtract(worthHeld, costHeld)))
  const profit = add(realised, unrealised)
  const returns = dailyReturns(curve)
  const count = (of: (item: (typeof items)[number]) => number) =>
    items.reduce((total, item) => total + of(item), 0)
  const ordersOf = (kind: OrderOutcome["kind"]) => filledOf(orders.filter((order) => order.kind === kind))
  return {
    spanMillis: to - from,
    balance: settings.balance,
    equity: add(settings.balance, profit),
    profit,
    gain: ratio(profit, settings.balance),
    realised,
    unrealised,
    fees: sum(items.map((item) => item.fees)),
    unitsBought: count(({ unitsBought }) => unitsBought),
    unitsSold: count(({ unitsSold }) => unitsSold),
    unitsHeld: count(({ unitsHeld }) => unitsHeld),
    trips: figuresOf(matched(trades).trips),
    exposure: exposureOf(result.equity, to),
    drawdown: drawdownOf(curve),
    sharpe: sharpeOf(returns),
    sortino: sortinoOf(returns),
    bids: ordersOf("Bid"),
    listings: ordersOf("Listing"),
    purchases: ordersOf("Purchase"),
    refusals: refusals.length
  }
}
