/**
 * What makes a result hard to believe, in a trader's words, each with what to do about it.
 * Invariants: 1. a finding tells the figure that it is about. 2. the limits stand here by name; none of them changes a figure. 3. a result
 * without findings is not thereby a good one, and nothing here says so.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import { formatPrice } from "../domain/Currency.ts"
import { showDuration } from "../rules/Strategy.ts"
import { itemRows } from "./Breakdown.ts"
import { type Metrics, metricsOf } from "./Metrics.ts"
import type { BacktestResult } from "./Result.ts"
import { matched } from "./RoundTrips.ts"
import { countText } from "./Shown.ts"

export interface Finding {
  readonly code: string
  /** What is the matter, with its figure. */
  readonly says: string
  readonly remedy: string
}

/** Below this, chance alone makes any win rate. */
const enoughTrips = 30
/** A market has weekdays. */
const enoughMillis = 7 * 86_400_000
/** More of the winnings than this from one item or trade is one story, not a strategy. */
const dominantItem = 0.6
const dominantTrip = 0.4
/** Between two looks this far apart a price may have gone anywhere. */
const staleMillis = 30 * 60_000
const staleShare = 0.2
/** A part of the run without a trade that deserves a question. */
const flatShare = 0.3
const gapShare = 0.1
/** Orders that nearly never fill say more about the price than about the market. */
const poorFill = 0.05
const enoughOrders = 20
const whole = 100

const percent = (fraction: number): string => `${Math.round(fraction * whole)} %`
const hours = (millis: number): string => showDuration(Math.max(1, Math.round(millis / 60_000)) * 60_000)

interface Looking {
  readonly result: BacktestResult
  readonly metrics: Metrics
}

type Check = (of: Looking) => Finding | undefined

const money = (amount: number, currency: CurrencyId): string => formatPrice(amount as never, currency)

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

const staleFills: Check = ({ result: { trades } }) => {
  let [units, stale] = [0, 0]
  for (const trade of trades) {
    units += trade.units
    if (trade.bookAgeMillis > staleMillis) stale += trade.units
  }
  if (units === 0 || stale <= units * staleShare) return undefined
  return {
    code: "stale-fills",
    says: `${percent(stale / units)} of the units were filled between looks more than ${hours(staleMillis)} apart`,
    remedy: "record more often (`haggle record --every 1m`), or believe less with a higher `--pessimism`"
  }
}

/** A buyer takes the cheapest: sales this far over the ask happen when nobody else offers, or in the fill model alone. */
const farFromAsk = 1.05
const farShare = 0.1

const overAsk: Check = ({ result: { items, trades } }) => {
  const prices = new Map(items.map((one) => [one.item, one.prices]))
  let [sold, far] = [0, 0]
  for (const { amount, at, fee, item, side, units } of trades) {
    if (side === "Buy") continue
    sold += units
    const ask = prices.get(item)?.findLast((point) => point.at <= at && point.ask !== undefined)?.ask
    if (ask !== undefined && (amount + fee) / units > ask * farFromAsk) far += units
  }
  if (sold === 0 || far <= sold * farShare) return undefined
  return {
    code: "over-ask",
    says: `${percent(far / sold)} of what was sold went for more than 5 % over the last ask`,
    remedy: "a market seldom pays that: look at the prices below, and count on less, or raise `--pessimism`"
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

const gaps: Check = ({ metrics, result }) => {
  const torn = result.items.filter(({ longestGapMillis }) => longestGapMillis > metrics.spanMillis * gapShare)
  const worst = torn.toSorted((a, b) => b.longestGapMillis - a.longestGapMillis)[0]
  if (worst === undefined) return undefined
  return {
    code: "gaps",
    says: `${torn.length} of ${result.items.length} items have holes in their books, ${worst.item} one of ${hours(worst.longestGapMillis)}`,
    remedy: "cut the tape to where it is whole (`haggle tape cut --from --to`)"
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

/** Books of a tape are often further apart than those of a run. */
const tooOld: Check = ({ result: { orders, refusals } }) => {
  const old = refusals.filter(({ code }) => code === "BookStale").length
  return old <= orders.length
    ? undefined
    : {
        code: "books-too-old",
        says: `the guard refused ${countText(old)} times because the last book was too old to judge a price by`,
        remedy:
          "where books lie that far apart, play with a longer `sanity.bookAge`, such as HAGGLE_SANITY_BOOK_AGE=2h"
      }
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

const synthetic: Check = ({ result }) => {
  const made = result.tapes.find(({ synthetic }) => synthetic !== undefined)
  return made === undefined
    ? undefined
    : {
        code: "synthetic",
        says: `nobody saw these books: ${made.synthetic}`,
        remedy: "compare strategies with it, and record a real tape for what they earn"
      }
}

const optimistic: Check = ({ result: { settings } }) =>
  settings.pessimism === undefined || settings.pessimism > 0
    ? undefined
    : {
        code: "optimistic",
        says: "all of the trade that histories and books let one guess is believed (pessimism 0)",
        remedy: "play it again with `--pessimism 0.3`: a result that hangs on the last trades is not one"
      }

const idle: Check = ({ result }) => {
  const without = result.strategies.filter(({ items }) => items === 0).map(({ name }) => name)
  return without.length === 0
    ? undefined
    : {
        code: "no-items",
        says: `${without.join(", ")} had no item here`,
        remedy: "record the items of its universe; one that looks after what others leave has none of its own"
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
