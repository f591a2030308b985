/** A report for a terminal: figures, doubts, tables of items and rules, refusals. Days and trades are on the page and in the CSV. */
import type { Finding } from "../../backtest/Finding.ts"
import { headline } from "../../backtest/Headline.ts"
import { reportOf } from "../../backtest/Report.ts"
import {
  itemColumns,
  refusalColumns,
  type ReportColumn,
  ruleColumns,
  strategyColumns
} from "../../backtest/ReportColumns.ts"
import type { BacktestResult } from "../../backtest/Result.ts"
import { momentText } from "../../backtest/Shown.ts"
import { type Column, fields, table } from "./Table.ts"

export const columnsOf = <Row>(columns: ReadonlyArray<ReportColumn<Row>>): ReadonlyArray<Column<Row>> =>
  columns.map(({ moment, text, title, value }) => ({
    title: title.toUpperCase(),
    align: value === undefined || moment === true ? "left" : "right",
    cell: text
  }))

/** What makes the figures hard to believe. */
export const doubtsText = (findings: ReadonlyArray<Finding>): string =>
  ["Before you believe it:", ...findings.map(({ remedy, says }) => `- ${says}\n  = ${remedy}`)].join("\n")

/** Rows of items that are shown; with more the most and the least profitable. */
const itemsShown = 20

const counted = new Intl.NumberFormat("en")

export const reportText = (result: BacktestResult): string => {
  const report = reportOf(result)
  const { currency } = result
  const traded = report.items.filter(({ bought, held, sold }) => bought + sold + held > 0)
  const shown =
    traded.length <= itemsShown
      ? traded
      : [...traded.slice(0, itemsShown / 2), ...traded.slice(-itemsShown / 2)]
  const left = report.items.length - shown.length
  return [
    fields([
      ["period", `${momentText(result.from)} to ${momentText(result.to)} UTC`],
      ["books", `${counted.format(result.books)} of ${result.items.length} items`],
      ["strategies", result.strategies.map(({ name, revision }) => `${name}@${revision}`).join(", ")],
      ...headline(report.metrics, currency).map(
        ({ name, note, value }) => [name, `${value.padEnd(10)} ${note}`] as const
      ),
      ["digest", result.digest]
    ]),
    table(columnsOf(itemColumns(currency)), shown, "nothing was traded") +
      (left === 0 ? "" : `\n${left} items more, that traded nothing or stand between these`),
    ...(report.strategies.length < 2
      ? []
      : [table(columnsOf(strategyColumns(currency)), report.strategies, "")]),
    table(columnsOf(ruleColumns(currency)), report.rules, "no rule acted"),
    ...(report.refusals.length === 0 ? [] : [table(columnsOf(refusalColumns), report.refusals, "")]),
    ...(report.findings.length === 0 ? [] : [doubtsText(report.findings)])
  ].join("\n\n")
}
