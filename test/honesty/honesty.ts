/**
 * `npm run honesty -- [--seeds 20] [--seed 1] [--days 7] [--trial dry-run] [--fast] [--pessimism P] [--keep FOLDER] [--json]`: trades the strategies of `strategies/` on
 * the embedded market and tries them on the same market, and tells how far the trial was off; ends with 1 when a mean is more than `--within`.
 */
import { availableParallelism } from "node:os"

import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"

import { type Comparison, honesty, isWithin, trials } from "./Trials.ts"

/** Told already; only the exit code is left to set. */
class Dishonest extends Data.TaggedError("Dishonest") {}

const percent = (ratio: number): string => `${Math.round(ratio * 1_000) / 10} %`
const amount = (minor: number): string => (minor / 100).toFixed(2)

const table = (trial: string, { profit, seeds, units }: Comparison): string =>
  [
    `${trial} against what really happened`,
    "seed   units  tried    ratio    profit     tried    ratio",
    ...seeds.map(({ profit, real, seed, tried, units }) =>
      [
        String(seed).padStart(4),
        String(real.units).padStart(8),
        String(tried.units).padStart(7),
        percent(units).padStart(9),
        amount(real.profit).padStart(10),
        amount(tried.profit).padStart(10),
        percent(profit).padStart(9)
      ].join("")
    ),
    ...(["mean", "together", "worst"] as const).map(
      (of) => `${of.padEnd(9)}${percent(units[of]).padStart(19)}${percent(profit[of]).padStart(29)}`
    )
  ].join("\n")

const command = Command.make(
  "honesty",
  {
    seeds: Flag.Int("seeds").pipe(Flag.withDefault(20), Flag.withDescription("How many worlds")),
    seed: Flag.Int("seed").pipe(Flag.withDefault(1), Flag.withDescription("The first of them")),
    days: Flag.Int("days").pipe(Flag.withDefault(7), Flag.withDescription("Market days of each")),
    trial: Flag.Literals("trial", trials).pipe(
      Flag.atMost(trials.length),
      Flag.withDescription("How the strategies are tried; both ways unless it is there")
    ),
    fast: Flag.Boolean("fast").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Without the daemon: the engine's step on the market's world itself, dry-run only")
    ),
    pessimism: Flag.Finite("pessimism").pipe(
      Flag.optional,
      Flag.withDescription("Of the fills on paper, instead of the configured one")
    ),
    within: Flag.Finite("within").pipe(
      Flag.withDefault(0.1),
      Flag.withDescription("How far the means may be off")
    ),
    processes: Flag.Int("processes").pipe(
      Flag.withDefault(availableParallelism()),
      Flag.withDescription("Seeds at a time")
    ),
    keep: Flag.String("keep").pipe(
      Flag.optional,
      Flag.withDescription("Folder of results and tapes that are not made again; remove it when code changes")
    ),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ days, fast, json, keep, pessimism, processes, seed, seeds, trial, within }) {
    const compared = yield* honesty({
      first: seed,
      seeds,
      days,
      fast,
      trials: fast ? ["dry-run"] : trial.length === 0 ? trials : trial,
      pessimism: Option.getOrUndefined(pessimism),
      processes,
      keep: Option.getOrUndefined(keep)
    })
    const all = Object.entries(compared)
    yield* Console.log(
      json
        ? JSON.stringify({ days, ...compared })
        : all.map(([trial, comparison]) => table(trial, comparison)).join("\n\n")
    )
    if (!all.every(([, comparison]) => isWithin(comparison, within))) return yield* new Dishonest()
  })
).pipe(Command.withDescription("Try the strategies and trade them, and compare"))

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
