/**
 * `haggle backtest`: plays recorded markets to the strategies as they are, and says what would have come of it.
 * Invariant: nothing is sent to any market, and no database is touched.
 */
import { Console, Duration, Effect, Option } from "effect"

import { backtest, type BacktestOptions } from "../backtest/Backtest.ts"
import type { Tape } from "../backtest/Tape.ts"
import type { Money } from "../domain/Money.ts"
import { defaultPaperRules } from "../paper/PaperSee.ts"
import { renderErrors } from "../rules/Source.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { checkFiles } from "../rules/StrategiesYaml.ts"
import type { ResolvedConfig } from "./Config.ts"
import { badConfig, cliError, notFound } from "./Exit.ts"
import { engineOptions } from "./Options.ts"
import { progressLine } from "./ReplayProgress.ts"
import { putReport, reportIsNew, type ReportFlags } from "./ReportOut.ts"
import type { Settings } from "./Settings.ts"
import { itemsOf, lossOf, opened, type SelectionFlags } from "./Tapes.ts"

export interface ReplayFlags extends SelectionFlags {
  readonly tape: ReadonlyArray<string>
  readonly balance: Option.Option<Money>
  readonly warmUp: Option.Option<number>
  readonly pessimism: Option.Option<number>
}

export interface BacktestFlags extends ReplayFlags, ReportFlags {}

/** Every strategy of the folder, or what is wrong with them. */
export const strategiesFor = Effect.fn("cli.strategiesFor")(function* (
  folder: string,
  [first]: ReadonlyArray<Tape>
) {
  if (first === undefined) return yield* cliError(badConfig, "no tape to play", "name one with --tape FILE")
  const { errors, strategies } = yield* checkFiles([folder], { currency: first.meta.currency })
  if (errors.length > 0) return yield* cliError(badConfig, renderErrors(errors), "`haggle check` tells more")
  const inForce = strategies.filter(({ mode }) => mode !== "off")
  return inForce.length > 0
    ? inForce
    : yield* cliError(
        badConfig,
        `no strategy in ${folder} is in force`,
        "name a folder with --strategies DIR"
      )
})

/** Facts that no tape holds: rules that read them never match. */
const unheard = ["offers", "description"] as const

const warnings = (
  tapes: ReadonlyArray<Tape>,
  strategies: ReadonlyArray<CompiledStrategy>
): ReadonlyArray<string> => [
  ...tapes.flatMap((tape) => lossOf(tape) ?? []),
  ...tapes.flatMap(({ file, meta }) => (meta.synthetic === undefined ? [] : [`${file}: ${meta.synthetic}`])),
  ...strategies.flatMap(({ file, reads }) =>
    unheard
      .filter((fact) => reads.has(fact))
      .map((fact) => `${file} reads ${fact}, which no tape holds: rules that need it never match`)
  )
]

/** The account on paper and the engine, as configured and as the flags say. */
export const replaySettings = (
  flags: Pick<ReplayFlags, "balance" | "warmUp" | "pessimism" | "from" | "to">,
  settings: Settings
): Omit<BacktestOptions, "strategies" | "items"> => {
  const { balance, latency, listingDelay, pessimism } = settings.paper
  return {
    balance: Option.getOrElse(flags.balance, () => balance ?? settings.exchange.balance),
    paper: {
      ...defaultPaperRules,
      pessimism: Option.getOrElse(flags.pessimism, () => pessimism),
      latencyMillis: Duration.toMillis(latency),
      listingDelayMillis: Duration.toMillis(listingDelay)
    },
    engine: engineOptions(settings),
    from: Option.getOrUndefined(flags.from),
    to: Option.getOrUndefined(flags.to),
    warmUpMillis: Option.getOrElse(flags.warmUp, () => 0)
  }
}

export const run = Effect.fn("cli.backtest")(function* (flags: BacktestFlags, { settings }: ResolvedConfig) {
  yield* reportIsNew(flags)
  const began = performance.now()
  const result = yield* Effect.scoped(
    Effect.gen(function* () {
      const tapes = yield* opened(flags.tape)
      const strategies = yield* strategiesFor(settings.strategies, tapes)
      const named = yield* itemsOf(tapes, flags.item)
      for (const warning of warnings(tapes, strategies)) yield* Console.error(`haggle: ${warning}`)
      const line = progressLine()
      const options: BacktestOptions = {
        ...replaySettings(flags, settings),
        strategies,
        items: named.length === 0 ? undefined : new Set(named)
      }
      return yield* Effect.ensuring(backtest(tapes, options, line.tell), line.clear)
    })
  )
  if (result === undefined)
    return yield* cliError(
      notFound,
      "no book to play in that time",
      "`haggle tape info FILE` says what is on it"
    )
  const seconds = (performance.now() - began) / 1000
  yield* putReport(flags, result)
  if (!flags.json)
    yield* Console.error(
      `${result.books} books in ${seconds.toFixed(1)} s, ${Math.round(result.books / seconds)} a second`
    )
})
