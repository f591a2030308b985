/**
 * The same run item by item, rule by rule, day by day and week by week.
 * Invariants: 1. the profits of all items are the run's profit, the changes of all days and of all weeks are its change of equity. 2. days and
 * weeks are those of UTC, weeks begin on Monday, and none between the first and the last is left out.
 */
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { add, type Money, subtract, sum } from "../domain/Money.ts"
import { curveOf, filledOf, ratio } from "./Metrics.ts"
import type { BacktestResult } from "./Result.ts"
import { figuresOf, matched, type RoundTrip, ruleOf } from "./RoundTrips.ts"

export interface ItemRow {
  readonly item: ItemKey
  readonly bought: number
  readonly sold: number
  readonly held: number
  readonly profit: Money
  readonly realised: Money
  readonly unrealised: Money
  readonly fees: Money
  readonly winRate: number | undefined
  readonly profitFactor: number | undefined
  readonly holdingMillis: number | undefined
  readonly fillRatio: number | undefined
  readonly refusals: number
  readonly books: number
  readonly longestGapMillis: number
}

export interface RuleRow {
  /** `strategy#rule`. */
  readonly rule: string
  readonly orders: number
  readonly units: number
  readonly filled: number
  readonly fillRatio: number | undefined
  /** Profit of what this rule bought and of what it sold, as far as it was bought and sold. */
  readonly entered: Money
  readonly exited: Money
  readonly refusals: number
}

export interface StrategyRow {
  readonly strategy: string
  /** Of what its rules bought, as far as it was sold again; fees are inside. */
  readonly profit: Money
  readonly winRate: number | undefined
  readonly bought: number
  readonly sold: number
  readonly fees: Money
  readonly orders: number
  readonly fillRatio: number | undefined
  readonly refusals: number
}

export interface PeriodRow {
  /** Its first moment, UTC. */
  readonly start: Millis
  readonly bought: number
  readonly sold: number
  readonly realised: Money
  readonly fees: Money
  /** Equity at its end and how it changed. */
  readonly equity: Money
  readonly change: Money
}

export interface RefusalRow {
  readonly code: string
  readonly count: number
  /** What was said the last time. */
  readonly message: string
}

const grouped = <A, K>(values: Iterable<A>, key: (value: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const value of values) {
    const group = groups.get(key(value))
    if (group === undefined) groups.set(key(value), [value])
    else group.push(value)
  }
  return groups
}

const profitOf = (trips: ReadonlyArray<RoundTrip>): Money => sum(trips.map(({ profit }) => profit))

/** By profit, the best first. */
export const itemRows = (result: BacktestResult): ReadonlyArray<ItemRow> => {
  const trips = grouped(matched(result.trades).trips, ({ item }) => item)
  const orders = grouped(result.orders, ({ item }) => item)
  const refusals = grouped(result.refusals, ({ item }) => item)
  return result.items
    .map((one): ItemRow => {
      const { holdingMillis, profitFactor, winRate } = figuresOf(trips.get(one.item) ?? [])
      const unrealised = subtract(one.worthHeld, one.costHeld)
      return {
        item: one.item,
        bought: one.unitsBought,
        sold: one.unitsSold,
        held: one.unitsHeld,
        profit: add(one.realised, unrealised),
        realised: one.realised,
        unrealised,
        fees: one.fees,
        winRate,
        profitFactor,
        holdingMillis,
        fillRatio: filledOf(orders.get(one.item) ?? []).ratio,
        refusals: refusals.get(one.item)?.length ?? 0,
        books: one.books,
        longestGapMillis: one.longestGapMillis
      }
    })
    .toSorted((a, b) => b.profit - a.profit)
}

/** By what they entered and exited; also rules that only were refused. */
export const ruleRows = (result: BacktestResult): ReadonlyArray<RuleRow> => {
  const { trips } = matched(result.trades)
  const entries = grouped(trips, ({ entry }) => entry)
  const exits = grouped(trips, ({ exit }) => exit)
  const orders = grouped(result.orders, ruleOf)
  const refusals = grouped(result.refusals, ruleOf)
  const rules = new Set([...orders.keys(), ...refusals.keys(), ...exits.keys()])
  return [...rules]
    .map((rule): RuleRow => {
      const { filled, units } = filledOf(orders.get(rule) ?? [])
      return {
        rule,
        orders: orders.get(rule)?.length ?? 0,
        units,
        filled,
        fillRatio: ratio(filled, units),
        entered: profitOf(entries.get(rule) ?? []),
        exited: profitOf(exits.get(rule) ?? []),
        refusals: refusals.get(rule)?.length ?? 0
      }
    })
    .toSorted((a, b) => b.entered + b.exited - a.entered - a.exited || a.rule.localeCompare(b.rule))
}

/** By profit, the best first; also strategies that did nothing. */
export const strategyRows = (result: BacktestResult): ReadonlyArray<StrategyRow> => {
  const trips = grouped(matched(result.trades).trips, ({ entry = "" }) => entry.split("#")[0] ?? "")
  const trades = grouped(result.trades, ({ strategy }) => strategy)
  const orders = grouped(result.orders, ({ strategy }) => strategy)
  const refusals = grouped(result.refusals, ({ strategy }) => strategy)
  return result.strategies
    .map(({ name }): StrategyRow => {
      const own = trades.get(name) ?? []
      const won = trips.get(name) ?? []
      const unitsOf = (side: "Buy" | "Sell") =>
        own.reduce((units, trade) => units + (trade.side === side ? trade.units : 0), 0)
      const ordered = orders.get(name) ?? []
      return {
        strategy: name,
        profit: profitOf(won),
        winRate: figuresOf(won).winRate,
        bought: unitsOf("Buy"),
        sold: unitsOf("Sell"),
        fees: sum(own.map(({ fee }) => fee)),
        orders: ordered.length,
        fillRatio: filledOf(ordered).ratio,
        refusals: refusals.get(name)?.length ?? 0
      }
    })
    .toSorted((a, b) => b.profit - a.profit)
}

/** By how often, the most frequent first. */
export const refusalRows = (result: BacktestResult): ReadonlyArray<RefusalRow> =>
  [...grouped(result.refusals, ({ code }) => code)]
    .map(([code, all]) => ({ code, count: all.length, message: all.at(-1)?.message ?? "" }))
    .toSorted((a, b) => b.count - a.count)

const dayMillis = 86_400_000
/** 1970-01-01 was a Thursday: Monday is three days before. */
const mondayOffset = 3 * dayMillis

const dayStart = (at: number): number => Math.floor(at / dayMillis) * dayMillis
const weekStart = (at: number): number =>
  Math.floor((at + mondayOffset) / (7 * dayMillis)) * 7 * dayMillis - mondayOffset

const periods = (
  result: BacktestResult,
  startOf: (at: number) => number,
  length: number
): ReadonlyArray<PeriodRow> => {
  const trades = grouped(result.trades, ({ at }) => startOf(at))
  const trips = grouped(matched(result.trades).trips, ({ soldAt }) => startOf(soldAt))
  const curve = curveOf(result)
  const rows: Array<PeriodRow> = []
  let [point, before] = [0, result.settings.balance]
  for (let start = startOf(result.from); start <= result.to; start += length) {
    let equity = before
    for (; point < curve.length && (curve[point]?.at ?? 0) < start + length; point++)
      equity = curve[point]?.equity ?? equity
    const own = trades.get(start) ?? []
    const unitsOf = (side: "Buy" | "Sell") =>
      own.reduce((units, trade) => units + (trade.side === side ? trade.units : 0), 0)
    rows.push({
      start: start as Millis,
      bought: unitsOf("Buy"),
      sold: unitsOf("Sell"),
      realised: profitOf(trips.get(start) ?? []),
      fees: sum(own.map(({ fee }) => fee)),
      equity,
      change: subtract(equity, before)
    })
    before = equity
  }
  return rows
}

export const dayRows = (result: BacktestResult): ReadonlyArray<PeriodRow> =>
  periods(result, dayStart, dayMillis)
export const weekRows = (result: BacktestResult): ReadonlyArray<PeriodRow> =>
  periods(result, weekStart, 7 * dayMillis)
