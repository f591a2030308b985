/**
 * `haggle sweep`: plays one strategy with many values of its params, on all cores, and says which of them held up.
 * Invariants: 1. the same command gives the same table, however many threads play it. 2. with `--results` every run that ended is kept at
 * once, and the same runs are not played again.
 */
import { availableParallelism } from "node:os"

import { Console, Effect, Option, Result } from "effect"

import packageJson from "../../../package.json" with { type: "json" }
import { sweepPage } from "../../backtest/page/SweepPage.ts"
import { partsOf, placesOf, type Played, type SweepPlan } from "../../backtest/Sweep.ts"
import { appending, jobId, knownOutcomes, sharedId } from "../../backtest/SweepFile.ts"
import type { Goal } from "../../backtest/SweepGoals.ts"
import type { SweepSettings } from "../../backtest/SweepRun.ts"
import { type Axis, axisOf, grid, mostCombinations, sample, sizeOf } from "../../backtest/SweepSpace.ts"
import { sweepResult } from "../../backtest/SweepTables.ts"
import { renderErrors } from "../../rules/Source.ts"
import type { CompiledStrategy } from "../../rules/Strategies.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import { spanOf, type Tape } from "../../tape/Tape.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError, failed } from "../Exit.ts"
import { progressLine } from "../text/ReplayProgress.ts"
import { sweepText } from "../text/SweepText.ts"
import { type ReplayFlags, replaySettings } from "./Backtest.ts"
import { pageAssets } from "./PageAssets.ts"
import { mustBePeriod, mustLookAfter, nothingToPlay } from "./Playable.ts"
import { writeNew } from "./ReportOut.ts"
import { playAll } from "./SweepThreads.ts"
import { itemsOf, mustBeNew, opened } from "./Tapes.ts"

export interface SweepFlags extends ReplayFlags {
  readonly json: boolean
  readonly strategy: string
  readonly param: ReadonlyArray<string>
  readonly random: Option.Option<number>
  readonly seed: Option.Option<number>
  readonly parts: number
  readonly by: Goal
  readonly threads: Option.Option<number>
  readonly results: Option.Option<string>
  readonly html: Option.Option<string>
}

const strategyOf = Effect.fnUntraced(function* (file: string, [first]: ReadonlyArray<Tape>) {
  if (first === undefined) return yield* cliError(badConfig, "no tape to play", "name one with --tape FILE")
  const { currency } = first.meta
  const { errors, strategies } = yield* checkFiles([file], { currency })
  const [strategy] = strategies
  if (errors.length > 0) return yield* cliError(badConfig, renderErrors(errors), "`haggle check` tells more")
  if (strategy === undefined || strategies.length > 1)
    return yield* cliError(badConfig, `${file} is not one strategy`, "name one strategy's file")
  return { strategy, currency }
})

/** The params that are swept: those that are named, else all that have bounds. */
const axesOf = Effect.fnUntraced(function* (
  { name, params }: CompiledStrategy,
  wanted: ReadonlyArray<string>
) {
  const named =
    wanted.length > 0
      ? wanted
      : params.filter(({ max, min }) => min !== undefined && max !== undefined).map((param) => param.name)
  if (named.length === 0)
    return yield* cliError(
      badConfig,
      `no param of ${name} has bounds`,
      "name them: --param NAME=FROM:TO:STEP, or --param NAME=a,b,c"
    )
  const names = named.map((text) => text.split("=")[0])
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined)
    return yield* cliError(badConfig, `--param ${twice} is there twice`, "give all its values at once")
  return yield* Effect.forEach(named, (text) =>
    Result.match(axisOf(params, text), {
      onFailure: (message) => cliError(badConfig, `--param ${text}: ${message}`),
      onSuccess: (axis) => Effect.succeed<Axis>(axis)
    })
  )
})

const combinationsOf = Effect.fnUntraced(function* (
  axes: ReadonlyArray<Axis>,
  random: number | undefined,
  seed: number
) {
  const size = sizeOf(axes)
  if (size > mostCombinations)
    return yield* cliError(
      badConfig,
      `the grid has ${size} combinations, at most ${mostCombinations} are possible`,
      "sweep fewer params, or in wider steps"
    )
  return random === undefined ? grid(axes) : yield* sample(axes, random, seed)
})

const planOf = Effect.fnUntraced(function* (
  flags: SweepFlags,
  strategy: CompiledStrategy,
  tapes: ReadonlyArray<Tape>,
  seed: number
) {
  const spans = tapes.map(spanOf)
  const from = Math.max(
    Math.min(...spans.map((span) => span.from ?? Infinity)),
    Option.getOrElse(flags.from, () => 0)
  )
  const last = Math.max(...spans.map((span) => (span.to ?? -Infinity) + 1))
  const to = Math.min(
    last,
    Option.getOrElse(flags.to, () => last)
  )
  if (!(from < to)) return yield* nothingToPlay(tapes)
  const axes = yield* axesOf(strategy, flags.param)
  const combinations = yield* combinationsOf(axes, Option.getOrUndefined(flags.random), seed)
  const plan: SweepPlan = { axes, combinations, parts: partsOf(from, to, flags.parts) }
  return plan
})

const unusable = (path: string) => () =>
  cliError(failed, `${path} cannot be used`, "check the path and the room on the disk")

/** Where outcomes are kept; nowhere without `--results`. */
const keeping = Effect.fnUntraced(function* (path: string | undefined) {
  if (path === undefined) return { known: new Map<string, never>(), keep: () => Effect.void }
  const known = yield* knownOutcomes(path).pipe(Effect.mapError(unusable(path)))
  const append = yield* appending(path).pipe(Effect.mapError(unusable(path)))
  return {
    known,
    keep: (...line: Parameters<typeof append>) => append(...line).pipe(Effect.mapError(unusable(path)))
  }
})

const play = Effect.fnUntraced(function* (
  flags: SweepFlags,
  plan: SweepPlan,
  tapes: ReadonlyArray<Tape>,
  {
    currency,
    revision,
    settings
  }: { currency: Tape["meta"]["currency"]; revision: string; settings: SweepSettings }
) {
  // another version may fill the same orders otherwise
  const { version } = packageJson
  const shared = sharedId(revision, tapes, { ...settings, items: [...(settings.items ?? [])], version })
  const { keep, known } = yield* keeping(Option.getOrUndefined(flags.results))
  const runs = placesOf(plan).flatMap((place) => {
    const [params, part] = [plan.combinations[place.combination], plan.parts[place.part]]
    if (params === undefined || part === undefined) return []
    const job = { params, part }
    return [{ place, job, id: jobId(shared, job) }]
  })
  const outcomes: Array<Played> = []
  const left = runs.filter(({ id, place }) => {
    const outcome = known.get(id)
    if (outcome !== undefined) outcomes.push({ ...(outcome as Played), ...place })
    return outcome === undefined
  })
  const line = progressLine("runs")
  const task = { strategy: flags.strategy, currency, tapes: flags.tape, settings }
  const threads = Option.getOrElse(flags.threads, availableParallelism)
  let done = 0
  yield* playAll(
    task,
    left.map(({ job }) => job),
    threads,
    (outcome, index) => {
      const run = left[index]
      if (run === undefined) return Effect.void
      outcomes.push({ ...outcome, ...run.place })
      done += 1
      return Effect.andThen(keep(run.id, outcome), line.tell({ books: done, ofBooks: left.length }))
    }
  ).pipe(Effect.ensuring(line.clear))
  return { outcomes, played: left.length, known: runs.length - left.length, threads }
})

export const run = Effect.fn("cli.sweep")(function* (flags: SweepFlags, { settings }: ResolvedConfig) {
  const html = Option.getOrUndefined(flags.html)
  if (html !== undefined) yield* mustBeNew(html, "--html")
  yield* mustBePeriod(flags)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const tapes = yield* opened(flags.tape)
      const { currency, strategy } = yield* strategyOf(flags.strategy, tapes)
      const plan = yield* planOf(flags, strategy, tapes, settings.exchange.seed)
      const named = yield* itemsOf(tapes, flags.item)
      yield* mustLookAfter(tapes, named, [strategy])
      const { from: _from, to: _to, ...shared } = replaySettings(flags, settings)
      const items = named.length === 0 ? undefined : new Set(named)
      const began = performance.now()
      const { known, outcomes, played, threads } = yield* play(flags, plan, tapes, {
        currency,
        revision: strategy.revision,
        settings: { ...shared, items }
      })
      const seconds = (performance.now() - began) / 1000
      const about = { strategy: strategy.name, file: flags.strategy, currency, goal: flags.by, plan }
      const result = sweepResult(about, outcomes)
      if (html !== undefined) yield* writeNew(html, sweepPage(result, yield* pageAssets()))
      yield* Console.log(flags.json ? JSON.stringify(result) : sweepText(result))
      if (!flags.json)
        yield* Console.error(
          `${played} runs in ${seconds.toFixed(1)} s on ${threads} threads${known === 0 ? "" : `, ${known} were known`}`
        )
    })
  )
})
