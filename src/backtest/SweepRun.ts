/** Plays one job of a sweep: the strategy with the combination's params on the part's time. */
import { Effect, Result, Schema } from "effect"

import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { Tape } from "../tape/Tape.ts"
import { backtest, type BacktestOptions } from "./Backtest.ts"
import { type Outcome, outcomeOf, type SweepJob } from "./Sweep.ts"

/** Params that the strategy does not take, or a run that failed; in words. */
class SweepError extends Schema.TaggedError<SweepError>()("SweepError", { message: Schema.String }) {}

/** What every run of a sweep shares. */
export type SweepSettings = Omit<BacktestOptions, "strategies" | "from" | "to">

export const played = Effect.fn("Sweep.played")(function* (
  tapes: ReadonlyArray<Tape>,
  strategy: CompiledStrategy,
  settings: SweepSettings,
  { params, part }: SweepJob
) {
  const bound = strategy.withParams(params)
  if (Result.isFailure(bound)) return yield* new SweepError({ message: bound.failure.join("; ") })
  const result = yield* backtest(tapes, { ...settings, strategies: [bound.success], ...part })
  return outcomeOf(result) satisfies Outcome
})
