/**
 * A report and what it was made of as comma separated values, one text per table. Invariant: amounts are whole minor units, times and
 * durations milliseconds, shares fractions; what cannot be said is an empty field.
 */
import { csvCell } from "../tape/Export.ts"
import { reportOf } from "./Report.ts"
import {
  itemColumns,
  openColumns,
  periodColumns,
  refusalColumns,
  type ReportColumn,
  ruleColumns,
  strategyColumns,
  tripColumns
} from "./ReportColumns.ts"
import type { BacktestResult, EquityPoint, OrderOutcome, Trade } from "./Result.ts"

type Cells = ReadonlyArray<string | number | null | undefined>

const text = (names: ReadonlyArray<string>, rows: ReadonlyArray<Cells>): string =>
  [names, ...rows].map((cells) => `${cells.map((cell) => csvCell(cell ?? null)).join(",")}\n`).join("")

const tableOf = <Row>(columns: ReadonlyArray<ReportColumn<Row>>, rows: ReadonlyArray<Row>): string =>
  text(
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ text, value }) => (value === undefined ? text(row) : value(row))))
  )

const listOf = <Row extends object>(names: ReadonlyArray<keyof Row & string>, rows: ReadonlyArray<Row>) =>
  text(
    names,
    rows.map((row) => names.map((name) => row[name] as string | number | undefined))
  )

/** By file name, without its ending. */
export const reportCsv = (result: BacktestResult): Readonly<Record<string, string>> => {
  const { currency } = result
  const { days, items, open, refusals, rules, strategies, trips, weeks } = reportOf(result)
  return {
    items: tableOf(itemColumns(currency), items),
    strategies: tableOf(strategyColumns(currency), strategies),
    rules: tableOf(ruleColumns(currency), rules),
    days: tableOf(periodColumns("Day", currency), days),
    weeks: tableOf(periodColumns("Week of", currency), weeks),
    "round-trips": tableOf(tripColumns(currency), trips),
    held: tableOf(openColumns(currency), open),
    refusals: tableOf(refusalColumns, refusals),
    trades: listOf<Trade>(
      ["id", "at", "item", "side", "units", "amount", "fee", "strategy", "rule", "intent", "bookAgeMillis"],
      result.trades
    ),
    orders: listOf<OrderOutcome>(
      [
        "intent",
        "at",
        "item",
        "kind",
        "price",
        "units",
        "filled",
        "ahead",
        "end",
        "endedAt",
        "strategy",
        "rule",
        "because"
      ],
      result.orders
    ),
    equity: listOf<EquityPoint>(["at", "cash", "stock", "cost", "committed"], result.equity)
  }
}
