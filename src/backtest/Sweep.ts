/**
 * Many runs of one strategy with other params: what is played, and what the outcomes say together.
 * The time is cut into parts of equal length, and every combination is played on each of them with a fresh account. Walking forward, the
 * best of each part is looked at in the next one, as somebody does who chooses params by yesterday. Invariants: 1. what is played is a
 * function of the plan; outcomes may come in any order. 2. a ranking needs all parts of a combination.
 */
import { Schema } from "effect"

import type { Millis } from "../domain/Ids.ts"
import { add, Money, zero } from "../domain/Money.ts"
import type { Finding } from "./Finding.ts"
import { metricsOf } from "./Metrics.ts"
import type { BacktestResult } from "./Result.ts"
import type { Goal } from "./SweepGoals.ts"
import type { Axis, Combination } from "./SweepSpace.ts"

export interface Part {
  readonly from: Millis
  /** Not any more part of it. */
  readonly to: Millis
}

/** One run. */
export interface SweepJob {
  readonly params: Combination
  readonly part: Part
}

/** What is kept of a run; amounts in minor units. */
export const Outcome = Schema.Struct({
  profit: Money,
  realised: Money,
  fees: Money,
  drawdown: Money,
  trips: Schema.Natural,
  units: Schema.Natural,
  winRate: Schema.optional(Schema.Finite),
  fillRatio: Schema.optional(Schema.Finite),
  refusals: Schema.Natural
})
export type Outcome = typeof Outcome.Type

export interface SweepPlan {
  readonly axes: ReadonlyArray<Axis>
  readonly combinations: ReadonlyArray<Combination>
  readonly parts: ReadonlyArray<Part>
}

export const partsOf = (from: number, to: number, count: number): ReadonlyArray<Part> =>
  Array.from({ length: count }, (_, index) => ({
    from: Math.floor(from + ((to - from) * index) / count) as Millis,
    to: Math.floor(from + ((to - from) * (index + 1)) / count) as Millis
  }))

/** Where a run belongs in the plan. */
export interface Place {
  readonly combination: number
  readonly part: number
}

/** An outcome at its place. */
export type Played = Outcome & Place

/** Every combination on every part; part by part, so that whoever plays them reads each part once. */
export const placesOf = ({ combinations, parts }: SweepPlan): ReadonlyArray<Place> =>
  parts.flatMap((_, part) => combinations.map((_, combination) => ({ combination, part })))

/** `undefined` stands for a part without a book: nothing happened. */
export const outcomeOf = (result: BacktestResult | undefined): Outcome => {
  if (result === undefined)
    return {
      profit: zero,
      realised: zero,
      fees: zero,
      drawdown: zero,
      trips: 0,
      units: 0,
      winRate: undefined,
      fillRatio: undefined,
      refusals: 0
    }
  const { bids, drawdown, fees, profit, realised, refusals, trips, unitsBought } = metricsOf(result)
  return {
    profit,
    realised,
    fees,
    drawdown: drawdown.amount,
    trips: trips.trips,
    units: unitsBought,
    winRate: trips.winRate,
    fillRatio: bids.ratio,
    refusals
  }
}

/** A profit of nothing at risk is worth itself. */
const leastDrawdown = 100

const scoreOf = (goal: Goal, { drawdown, profit, realised }: Outcome): number => {
  switch (goal) {
    case "profit":
      return profit
    case "realised":
      return realised
    case "profit-to-drawdown":
      return profit / Math.max(leastDrawdown, drawdown)
  }
}

/** A combination over all parts. */
export interface Ranked {
  readonly rank: number
  readonly combination: number
  readonly params: Combination
  /** Sum of the parts' scores. */
  readonly score: number
  readonly profit: Money
  readonly worstPart: Money
  /** The deepest of any part. */
  readonly drawdown: Money
  readonly trips: number
  readonly outcomes: ReadonlyArray<Played>
}

export const ranking = (
  { combinations, parts }: SweepPlan,
  outcomes: ReadonlyArray<Played>,
  goal: Goal
): ReadonlyArray<Ranked> => {
  const byCombination = Map.groupBy(outcomes, ({ combination }) => combination)
  return combinations
    .flatMap((params, combination) => {
      const own = (byCombination.get(combination) ?? []).toSorted((a, b) => a.part - b.part)
      if (own.length < parts.length) return []
      return {
        combination,
        params,
        score: own.reduce((total, one) => total + scoreOf(goal, one), 0),
        profit: own.reduce((total, one) => add(total, one.profit), zero),
        worstPart: Math.min(...own.map(({ profit }) => profit)) as Money,
        drawdown: Math.max(...own.map(({ drawdown }) => drawdown)) as Money,
        trips: own.reduce((total, { trips }) => total + trips, 0),
        outcomes: own
      }
    })
    .toSorted((a, b) => b.score - a.score || a.combination - b.combination)
    .map((one, index) => Object.assign(one, { rank: index + 1 }))
}

/** One step forward: the best of a part, there and in the next part, and the middle of all combinations there. */
export interface Forward {
  readonly part: number
  readonly params: Combination
  readonly inSample: Played
  readonly outOfSample: Played
  /** The median profit of all combinations in the next part: what choosing blindly brings. */
  readonly median: Money
}

const medianOf = (values: ReadonlyArray<number>): Money =>
  (values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0) as Money

export const walkForward = (
  { combinations, parts }: SweepPlan,
  outcomes: ReadonlyArray<Played>,
  goal: Goal
): ReadonlyArray<Forward> => {
  const byPart = Map.groupBy(outcomes, ({ part }) => part)
  return parts.slice(1).flatMap((_, part) => {
    const [now, next] = [byPart.get(part) ?? [], byPart.get(part + 1) ?? []]
    const inSample = now.toSorted(
      (a, b) => scoreOf(goal, b) - scoreOf(goal, a) || a.combination - b.combination
    )[0]
    const outOfSample = next.find(({ combination }) => combination === inSample?.combination)
    const params = combinations[inSample?.combination ?? -1]
    if (inSample === undefined || outOfSample === undefined || params === undefined) return []
    return { part, params, inSample, outOfSample, median: medianOf(next.map(({ profit }) => profit)) }
  })
}

/** Less than this of what was won in the part of the choice is left in the next one. */
const overfitted = 0.5
const enoughTrips = 30
/** With so many tries one is good by chance. */
const manyTries = 50

/** What makes the best of a sweep hard to believe. */
export const sweepFindings = (
  ranked: ReadonlyArray<Ranked>,
  forward: ReadonlyArray<Forward>
): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const [best] = ranked
  const won = forward.reduce((total, { inSample }) => total + inSample.profit, 0)
  const kept = forward.reduce((total, { outOfSample }) => total + outOfSample.profit, 0)
  const blind = forward.reduce((total, { median }) => total + median, 0)
  if (won > 0 && kept < won * overfitted)
    found.push({
      code: "overfitted",
      says: `of what the best params won in the time they were chosen by, ${Math.round((kept / won) * 100)} % was left in the time after`,
      remedy: "sweep fewer params and wider steps, or a longer tape; trade what is good in every part"
    })
  if (forward.length > 0 && kept <= blind)
    found.push({
      code: "no-choice",
      says: "the params chosen by one part did no better in the next than the middle of all",
      remedy: "these params do not matter here: keep the file's values"
    })
  if (best !== undefined && best.worstPart < 0 && best.profit > 0)
    found.push({
      code: "uneven",
      says: "the best combination lost in one of its parts",
      remedy: "look for one further down the table whose worst part is not a loss"
    })
  if (best !== undefined && best.trips < enoughTrips)
    found.push({
      code: "few-trades",
      says: `the best combination made ${best.trips} trades (${enoughTrips} say something)`,
      remedy: "a longer tape, or more items"
    })
  if (ranked.length >= manyTries && forward.length === 0)
    found.push({
      code: "in-sample",
      says: `the best of ${ranked.length} tries is good by chance as well`,
      remedy: "cut the time: `--parts 4` shows what is left of it in the next part"
    })
  return found
}
