/**
 * What makes a result hard to believe, in a trader's words, each with what to do about it.
 * Invariants: 1. a finding tells the figure that it is about. 2. the limits stand here by name; none of them changes a figure. 3. a result
 * without findings is not thereby a good one, and nothing here says so.
 */
import { itemRows } from "./Breakdown.ts"
import { type Check, type Finding, hours, money, percent } from "./Finding.ts"
import { gaps, idle, optimistic, overAsk, staleFills, synthetic, tooOld } from "./FindingsOfBooks.ts"
import { type Metrics, metricsOf } from "./Metrics.ts"
import type { BacktestResult } from "./Result.ts"
import { matched } from "./RoundTrips.ts"
import { countText } from "./Shown.ts"

/** Below this, chance alone makes any win rate. */
const enoughTrips = 30
/** A market has weekdays. */
const enoughMillis = 7 * 86_400_000
/** More of the winnings than this from one item or trade is one story, not a strategy. */
const dominantItem = 0.6
const dominantTrip = 0.4
/** A part of the run without a trade that deserves a question. */
const flatShare = 0.3
/** Orders that nearly never fill say more about the price than about the market. */
const poorFill = 0.05
const enoughOrders = 20

const noTrades: Check = ({ metrics, result }) =>
  result.trades.length > 0
    ? undefined
    : {
        code: "no-trades",
        says: `nothing was traded: ${result.orders.length} orders, ${metrics.refusals} refusals`,
        remedy:
          metrics.refusals > 0
            ? "see the refusals below: the guard said no"
            : "`haggle explain` shows why no rule matched; is the tape long enough for its history?"
      }

const fewTrips: Check = ({ metrics: { trips } }) =>
  trips.trips === 0 || trips.trips >= enoughTrips
    ? undefined
    : {
        code: "few-trades",
        says: `only ${trips.trips} units were bought and sold again (${enoughTrips} say something)`,
        remedy: "play more items or a longer tape before you believe a rate"
      }

const shortSpan: Check = ({ metrics }) =>
  metrics.spanMillis >= enoughMillis
    ? undefined
    : {
        code: "short",
        says: `the run covers ${hours(metrics.spanMillis)}, less than one week`,
        remedy: "record for longer: a weekend is another market"
      }

const oneItem: Check = ({ result }) => {
  const rows = itemRows(result).filter(({ profit }) => profit > 0)
  const won = rows.reduce((total, { profit }) => total + profit, 0)
  const [best] = rows
  if (best === undefined || result.items.length < 2 || best.profit <= won * dominantItem) return undefined
  return {
    code: "one-item",
    says: `${percent(best.profit / won)} of what was won comes from ${best.item}`,
    remedy: "leave it out once and see what is left"
  }
}

const oneTrip: Check = ({ result }) => {
  const won = matched(result.trades).trips.filter(({ profit }) => profit > 0)
  const total = won.reduce((sum, { profit }) => sum + profit, 0)
  const best = won.reduce((most, { profit }) => Math.max(most, profit), 0)
  if (won.length < 2 || best <= total * dominantTrip) return undefined
  return {
    code: "one-trade",
    says: `one trade won ${money(best, result.currency)}, ${percent(best / total)} of all that was won`,
    remedy: "look at it in the table of trades: was it a price that you could have had?"
  }
}

const flat: Check = ({ metrics, result: { from, to, trades } }) => {
  if (trades.length === 0 || metrics.spanMillis === 0) return undefined
  const times = [from, ...trades.map(({ at }) => at), to]
  const longest = times.reduce((most, at, index) => Math.max(most, at - (times[index - 1] ?? at)), 0)
  if (longest <= metrics.spanMillis * flatShare) return undefined
  return {
    code: "flat",
    says: `for ${hours(longest)} (${percent(longest / metrics.spanMillis)} of the run) nothing was traded`,
    remedy: "the figures describe the rest of the run; see the equity curve for when"
  }
}

const onPaper: Check = ({ metrics, result }) =>
  metrics.unrealised <= 0 || metrics.unrealised <= metrics.realised
    ? undefined
    : {
        code: "on-paper",
        says: `${money(metrics.unrealised, result.currency)} of the profit is stock that was not sold`,
        remedy: "count what was realised, or play on until it is sold"
      }

const deep: Check = ({ metrics: { drawdown, profit }, result }) =>
  drawdown.amount === 0 || drawdown.amount <= Math.max(0, profit)
    ? undefined
    : {
        code: "drawdown",
        says: `it once lay ${money(drawdown.amount, result.currency)} under its best, more than it earned`,
        remedy: "set `limits.exposure` and a `drawdown` protection before it trades"
      }

const unfilled: Check = ({ metrics: { bids } }) =>
  bids.orders < enoughOrders || (bids.ratio ?? 1) >= poorFill
    ? undefined
    : {
        code: "unfilled",
        says: `${percent(bids.ratio ?? 0)} of what was bid for was bought (${bids.orders} bids)`,
        remedy: "bid nearer to the best bid, or keep the place in the queue longer (`minAge`, `minStep`)"
      }

const refused: Check = ({ result: { orders, refusals, trades } }) => {
  const others = refusals.filter(({ code }) => code !== "BookStale").length
  return others <= orders.length || trades.length === 0
    ? undefined
    : {
        code: "refused",
        says: `the guard refused more often (${countText(others)}) than it let through (${countText(orders.length)})`,
        remedy: "see the refusals below; most have a limit that is too small for the strategy"
      }
}

const checks: ReadonlyArray<Check> = [
  noTrades,
  idle,
  synthetic,
  fewTrips,
  shortSpan,
  oneItem,
  oneTrip,
  staleFills,
  overAsk,
  gaps,
  flat,
  onPaper,
  deep,
  unfilled,
  tooOld,
  refused,
  optimistic
]

/** The worst doubts first. */
export const findingsOf = (
  result: BacktestResult,
  metrics: Metrics = metricsOf(result)
): ReadonlyArray<Finding> => checks.flatMap((check) => check({ result, metrics }) ?? [])
