/**
 * `haggle backtest`: plays recorded markets to the strategies as they are, and says what would have come of it.
 * Invariant: nothing is sent to any market, and no database is touched.
 */
import { Console, Effect, Option } from "effect"

import { backtest, type BacktestOptions } from "../../backtest/Backtest.ts"
import type { CurrencyId } from "../../domain/Currency.ts"
import type { Money } from "../../domain/Money.ts"
import { renderErrors } from "../../rules/Source.ts"
import type { CompiledStrategy } from "../../rules/Strategies.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import type { Tape } from "../../tape/Tape.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { engineOptions, paperRules } from "../config/Options.ts"
import type { Settings } from "../config/Settings.ts"
import { badConfig, type CliError, cliError } from "../Exit.ts"
import { smallHeap } from "../run/SmallHeap.ts"
import { progressLine } from "../text/ReplayProgress.ts"
import { mustBePeriod, mustLookAfter, nothingToPlay } from "./Playable.ts"
import { putReport, reportIsNew, type ReportFlags } from "./ReportOut.ts"
import { itemsOf, lossOf, opened, type SelectionFlags } from "./Tapes.ts"

export interface ReplayFlags extends SelectionFlags {
  readonly tape: ReadonlyArray<string>
  readonly balance: Option.Option<Money>
  readonly warmUp: Option.Option<number>
  readonly pessimism: Option.Option<number>
}

export interface BacktestFlags extends ReplayFlags, ReportFlags {
  readonly embedded: boolean
  readonly days: Option.Option<number>
}

/** Every strategy of the folder that is in force, or what is wrong with them. */
const strategiesFor = Effect.fn("cli.strategiesFor")(function* (folder: string, currency: CurrencyId) {
  const { errors, strategies } = yield* checkFiles([folder], { currency })
  if (errors.length > 0) return yield* cliError(badConfig, renderErrors(errors), "`haggle check` tells more")
  // a shadow is played when it is named alone
  const trading = strategies.filter(({ mode }) => mode !== "off" && mode !== "shadow")
  const inForce = trading.length > 0 ? trading : strategies.filter(({ mode }) => mode === "shadow")
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
  const rules = paperRules(settings)
  return {
    balance: Option.getOrElse(flags.balance, () => settings.paper.balance ?? settings.exchange.balance),
    paper: { ...rules, pessimism: Option.getOrElse(flags.pessimism, () => rules.pessimism) },
    engine: engineOptions(settings),
    from: Option.getOrUndefined(flags.from),
    to: Option.getOrUndefined(flags.to),
    warmUpMillis: Option.getOrElse(flags.warmUp, () => 0)
  }
}

/** What does not go together with the market that is chosen. */
const misfits = (flags: BacktestFlags): CliError | undefined => {
  const { embedded, days, from, item, pessimism, tape, to, warmUp } = flags
  if (!embedded && tape.length === 0)
    return cliError(
      badConfig,
      "no market to play: neither --tape nor --embedded is there",
      "name a tape with --tape FILE (`haggle record` writes them), or play the embedded market with --embedded"
    )
  if (!embedded)
    return Option.isNone(days)
      ? undefined
      : cliError(badConfig, "--days belongs to --embedded", "choose a part of a tape with --from and --to")
  if (tape.length > 0)
    return cliError(badConfig, "--embedded and --tape exclude each other", "choose one market")
  const ofTapes = Object.entries({ from, to, pessimism, "warm-up": warmUp })
    .filter(([, value]) => Option.isSome(value))
    .map(([name]) => `--${name}`)
  const [first] = item.length > 0 ? ["--item", ...ofTapes] : ofTapes
  return first === undefined
    ? undefined
    : cliError(
        badConfig,
        `${first} belongs to tapes: the embedded market is played from its first moment, and fills the orders itself`,
        "leave it out, or name a tape instead of --embedded"
      )
}

const daysPlayed = 7

/** The daemon itself on the embedded market. */
const onEmbedded = Effect.fnUntraced(function* ({ balance, days }: BacktestFlags, settings: Settings) {
  const { exchange } = settings
  const strategies = yield* strategiesFor(settings.strategies, exchange.currency)
  const { playEmbedded } = yield* Effect.promise(() => import("./BacktestEmbedded.ts"))
  const line = progressLine("market hours")
  return yield* playEmbedded({
    settings: {
      ...settings,
      exchange: { ...exchange, balance: Option.getOrElse(balance, () => exchange.balance) }
    },
    hours: Option.getOrElse(days, () => daysPlayed) * 24,
    strategies,
    tell: line.tell
  }).pipe(Effect.ensuring(line.clear))
})

const onTapes = Effect.fnUntraced(function* (flags: BacktestFlags, settings: Settings) {
  const tapes = yield* opened(flags.tape)
  const currency = tapes[0]?.meta.currency ?? settings.exchange.currency
  const strategies = yield* strategiesFor(settings.strategies, currency)
  const named = yield* itemsOf(tapes, flags.item)
  yield* mustLookAfter(tapes, named, strategies)
  for (const warning of warnings(tapes, strategies)) yield* Console.error(`haggle: ${warning}`)
  const line = progressLine()
  const options: BacktestOptions = {
    ...replaySettings(flags, settings),
    strategies,
    items: named.length === 0 ? undefined : new Set(named)
  }
  const result = yield* Effect.ensuring(backtest(tapes, options, line.tell), line.clear)
  return result ?? (yield* nothingToPlay(tapes))
})

export const run = Effect.fn("cli.backtest")(function* (flags: BacktestFlags, { settings }: ResolvedConfig) {
  smallHeap()
  const misfit = misfits(flags)
  if (misfit !== undefined) return yield* misfit
  yield* mustBePeriod(flags)
  yield* reportIsNew(flags)
  const began = performance.now()
  const played = Effect.gen(function* () {
    return flags.embedded ? yield* onEmbedded(flags, settings) : yield* onTapes(flags, settings)
  })
  const result = yield* Effect.scoped(played)
  const seconds = (performance.now() - began) / 1000
  yield* putReport(flags, result)
  if (!flags.json)
    yield* Console.error(
      `${result.books} books in ${seconds.toFixed(1)} s, ${Math.round(result.books / seconds)} a second`
    )
})
