/**
 * What the page's script draws: curves of the account and the prices of each item with our trades on them. Times are seconds, amounts minor
 * units. Invariant: curves are thinned for the page, never their peaks; every trade is on its chart.
 */
import { type CurrencyId, currencyOf } from "../../domain/Currency.ts"
import { subtract } from "../../domain/Money.ts"
import { curveOf } from "../Metrics.ts"
import { underwater } from "../Ratios.ts"
import type { BacktestResult, ItemResult, Trade } from "../Result.ts"
import { countText, gainText } from "../Shown.ts"
import { thinned } from "../Thin.ts"

type Numbers = ReadonlyArray<number | null>

interface Series {
  readonly label: string
  /** Name of the page's colour. */
  readonly tone: "accent" | "second" | "quiet" | "loss" | "gain"
  readonly step?: boolean
  readonly fill?: boolean
}

interface Mark {
  readonly at: number
  readonly price: number
  readonly side: Trade["side"]
  readonly profit: number
}

interface Chart {
  readonly title: string
  readonly height?: number
  readonly series: ReadonlyArray<Series>
  /** Times, then one list for each series. */
  readonly data: ReadonlyArray<Numbers>
  readonly trades?: ReadonlyArray<Mark>
  /** A line above it. */
  readonly note?: string
}

export interface PageData {
  readonly money: { readonly prefix: string; readonly suffix: string }
  readonly charts: {
    /** By the id of its place in the page. */
    readonly curves: Readonly<Record<string, Chart>>
    readonly items: ReadonlyArray<Chart>
  }
}

const pointsPerCurve = 2_000
const pointsPerItem = 800
const secondMillis = 1000

const priceChart = (of: ItemResult, trades: ReadonlyArray<Trade>): Chart => {
  const kept = thinned(
    of.prices.map(({ ask, bid }) => ask ?? bid ?? 0),
    pointsPerItem
  ).flatMap((index) => of.prices[index] ?? [])
  return {
    title: of.item,
    series: [
      { label: "bid", tone: "accent", step: true },
      { label: "ask", tone: "second", step: true }
    ],
    data: [
      kept.map(({ at }) => at / secondMillis),
      kept.map(({ bid }) => bid ?? null),
      kept.map(({ ask }) => ask ?? null)
    ],
    trades: trades
      .filter(({ item }) => item === of.item)
      .map(({ amount, at, closed, fee, side, units }) => ({
        at: at / secondMillis,
        // what the buyer paid for one: of a sale ours and the fees
        price: (side === "Buy" ? amount : amount + fee) / Math.max(1, units),
        side,
        profit: closed?.profit ?? 0
      }))
  }
}

const noteOf = (
  { costHeld, realised, unitsBought, unitsHeld, unitsSold, worthHeld }: ItemResult,
  currency: CurrencyId
): string =>
  unitsBought + unitsSold === 0
    ? "not traded"
    : `${countText(unitsBought)} bought, ${countText(unitsSold)} sold, ${gainText(realised, currency)} realised${
        unitsHeld === 0
          ? ""
          : `, ${countText(unitsHeld)} held (${gainText(subtract(worthHeld, costHeld), currency)})`
      }`

const pick = (values: ReadonlyArray<number>, indexes: ReadonlyArray<number>): Numbers =>
  indexes.map((index) => values[index] ?? null)

/** `items` in the order that the page lists them. */
export const chartsOf = (result: BacktestResult, items: ReadonlyArray<ItemResult>): PageData => {
  const { prefix, suffix } = currencyOf(result.currency)
  const curve = curveOf(result)
  const equity = curve.map((point) => point.equity)
  const kept = thinned(equity, pointsPerCurve)
  const times = pick(
    curve.map(({ at }) => at / secondMillis),
    kept
  )
  const risk = result.equity.map(({ committed, cost }) => cost + committed)
  const keptRisk = thinned(risk, pointsPerCurve)
  const pointAt = (index: number) => result.equity[index]
  return {
    money: { prefix, suffix },
    charts: {
      curves: {
        equity: {
          title: "Equity: money and stock after fees",
          height: 260,
          series: [{ label: "equity", tone: "accent", fill: true }],
          data: [times, pick(equity, kept)]
        },
        drawdown: {
          title: "Drawdown: below the best so far",
          height: 170,
          series: [{ label: "drawdown", tone: "loss", fill: true }],
          data: [times, pick(underwater(curve), kept)]
        },
        exposure: {
          title: "Exposure: cost of what is held, and with all open bids",
          height: 190,
          series: [
            { label: "held", tone: "accent", step: true, fill: true },
            { label: "with bids", tone: "second", step: true }
          ],
          data: [
            keptRisk.map((index) => (pointAt(index)?.at ?? 0) / secondMillis),
            keptRisk.map((index) => pointAt(index)?.cost ?? null),
            pick(risk, keptRisk)
          ]
        }
      },
      items: items.map((one) => ({ ...priceChart(one, result.trades), note: noteOf(one, result.currency) }))
    }
  }
}
