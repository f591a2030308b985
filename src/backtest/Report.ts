/**
 * All that is told about a run: its figures, its parts, and what makes them hard to believe. Tables, JSON, CSV and the page show this.
 * Invariant: a report is a function of the result.
 */
import {
  dayRows,
  type ItemRow,
  itemRows,
  type PeriodRow,
  type RefusalRow,
  refusalRows,
  type RuleRow,
  ruleRows,
  type StrategyRow,
  strategyRows,
  weekRows
} from "./Breakdown.ts"
import type { Finding } from "./Finding.ts"
import { findingsOf } from "./Findings.ts"
import { type Metrics, metricsOf } from "./Metrics.ts"
import type { BacktestResult } from "./Result.ts"
import { matched, type OpenLot, type RoundTrip } from "./RoundTrips.ts"

export interface Report {
  readonly metrics: Metrics
  readonly findings: ReadonlyArray<Finding>
  /** By profit. */
  readonly items: ReadonlyArray<ItemRow>
  readonly strategies: ReadonlyArray<StrategyRow>
  readonly rules: ReadonlyArray<RuleRow>
  readonly days: ReadonlyArray<PeriodRow>
  readonly weeks: ReadonlyArray<PeriodRow>
  readonly refusals: ReadonlyArray<RefusalRow>
  /** By time of the sale. */
  readonly trips: ReadonlyArray<RoundTrip>
  readonly open: ReadonlyArray<OpenLot>
}

export const reportOf = (result: BacktestResult): Report => {
  const metrics = metricsOf(result)
  const { open, trips } = matched(result.trades)
  return {
    metrics,
    findings: findingsOf(result, metrics),
    items: itemRows(result),
    strategies: strategyRows(result),
    rules: ruleRows(result),
    days: dayRows(result),
    weeks: weekRows(result),
    refusals: refusalRows(result),
    trips,
    open
  }
}
