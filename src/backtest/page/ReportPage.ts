/**
 * A report as one page that needs nothing else: figures, doubts, curves, prices with our trades, tables, and with what it was played.
 * Invariant: what the page shows is what the tables and the JSON of the same result show.
 */
import type { CurrencyId } from "../../domain/Currency.ts"
import { formatPrice } from "../../domain/Currency.ts"
import { headline } from "../Headline.ts"
import { type Report, reportOf } from "../Report.ts"
import {
  itemColumns,
  openColumns,
  periodColumns,
  refusalColumns,
  ruleColumns,
  strategyColumns,
  tripColumns
} from "../ReportColumns.ts"
import type { BacktestResult } from "../Result.ts"
import { dayText, percentText, timeText } from "../Shown.ts"
import { chartsOf } from "./Charts.ts"
import { doubts, escapeHtml, htmlPage, htmlTable, type PageAssets, section } from "./Html.ts"
import { months } from "./Months.ts"

const titleOf = ({ strategies }: BacktestResult): string =>
  `Backtest: ${strategies.map(({ name }) => name).join(", ")}`

/** `catcher, margin 2 %`. */
const playedText = ({ name, params }: BacktestResult["strategies"][number]): string =>
  [name, ...Object.entries(params).map(([param, value]) => `${param} ${value}`)].join(", ")

const head = (result: BacktestResult): string =>
  `<header><h1>${escapeHtml(titleOf(result))}</h1><p>${escapeHtml(
    `${dayText(result.from)} to ${dayText(result.to)} · ${result.items.length} items · ${result.books.toLocaleString("en")} books · ${[...new Set(result.tapes.map(({ market }) => market))].join(", ")}`
  )}</p><p>${result.strategies.map((one) => `<span class="chip">${escapeHtml(playedText(one))}</span>`).join(" ")}</p></header>`

const cards = ({ metrics }: Report, currency: CurrencyId): string =>
  `<div class="cards">${headline(metrics, currency)
    .map(
      ({ name, note, tone, value }) =>
        `<div class="card"><span>${escapeHtml(name)}</span><b class="${tone}">${escapeHtml(value)}</b><i>${escapeHtml(note)}</i></div>`
    )
    .join("")}</div>`

const pairs = (of: ReadonlyArray<readonly [string, string]>): string =>
  `<dl>${of.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>`

const setup = ({ currency, digest, settings, strategies, tapes }: BacktestResult): string =>
  section(
    "setup",
    "Played with",
    pairs([
      ...strategies.map(
        ({ file, name, params, revision }) =>
          [
            name,
            `${file}, revision ${revision}; ${Object.entries(params)
              .map(([param, value]) => `${param} ${value}`)
              .join(", ")}`
          ] as const
      ),
      ...tapes.map(
        ({ file, synthetic }) =>
          ["market", synthetic === undefined ? file : `${file} (${synthetic})`] as const
      ),
      ["balance", formatPrice(settings.balance, currency)],
      ...(settings.pessimism === undefined
        ? []
        : ([
            ["pessimism", percentText(settings.pessimism, 0)],
            ["latency", timeText(settings.latencyMillis)],
            ["until a listing stands", timeText(settings.listingDelayMillis)],
            ["until a bought unit can be listed", timeText(settings.holdMillis)]
          ] as const)),
      ["warm-up", timeText(settings.warmUpMillis)],
      ["digest", digest]
    ])
  )

const picker = (items: ReadonlyArray<string>): string =>
  items.length < 2
    ? ""
    : `<select id="item" aria-label="Item">${items
        .map((item, index) => `<option value="${index}">${escapeHtml(item)}</option>`)
        .join("")}</select>`

const curves = `<div class="chart" id="equity"></div><div class="chart" id="drawdown"></div><div class="chart" id="exposure"></div>
<p class="quiet screen">Drag over a chart to look closer, double-click to go back.</p>`

/** The whole page. */
export const reportPage = (result: BacktestResult, assets: PageAssets): string => {
  const report = reportOf(result)
  const { currency } = result
  const results = new Map(result.items.map((one) => [one.item, one]))
  const items = report.items.flatMap(({ item }) => results.get(item) ?? [])
  const prices = `${picker(items.map(({ item }) => item))}<p id="item-note" class="quiet"></p><div class="chart" id="prices"></div>
<p class="quiet">▲ bought, ▼ sold (red: at a loss). Prices are what the buyer pays.</p>`
  const body = [
    head(result),
    cards(report, currency),
    doubts(report.findings),
    section("curves", "How it went", curves),
    section("market", "Prices and our trades", items.length === 0 ? `<p class="quiet">no item</p>` : prices),
    section(
      "items",
      "Items",
      htmlTable(itemColumns(currency), report.items, {
        empty: "no item",
        attributes: ({ item }) => ` data-item="${items.findIndex((one) => one.item === item)}"`
      })
    ),
    report.strategies.length < 2
      ? ""
      : section(
          "strategies",
          "Strategies",
          htmlTable(strategyColumns(currency), report.strategies, { empty: "" })
        ),
    section("rules", "Rules", htmlTable(ruleColumns(currency), report.rules, { empty: "no rule acted" })),
    months(report.days, currency),
    section(
      "weeks",
      "Weeks",
      htmlTable(periodColumns("Week of", currency), report.weeks, { empty: "no week" })
    ),
    `<div class="long">${section("days", "Days", htmlTable(periodColumns("Day", currency), report.days, { empty: "no day" }))}`,
    `${section("trades", "Trades", htmlTable(tripColumns(currency), report.trips, { empty: "nothing was bought and sold again", keep: "last" }))}</div>`,
    section("open", "Still held", htmlTable(openColumns(currency), report.open, { empty: "nothing" })),
    section(
      "refusals",
      "Refused by the guard",
      htmlTable(refusalColumns, report.refusals, { empty: "nothing" })
    ),
    setup(result)
  ].join("\n")
  return htmlPage(titleOf(result), body, chartsOf(result, items), assets)
}
