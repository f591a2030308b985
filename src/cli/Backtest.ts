/**
 * `haggle backtest`: plays recorded markets to the strategies as they are, and says what would have come of it.
 * Invariant: nothing is sent to any market, and no database is touched.
 */
import { Console, Duration, Effect, Option } from "effect"

import { backtest, type BacktestOptions } from "../backtest/Backtest.ts"
import type { BacktestResult } from "../backtest/Result.ts"
import type { Tape } from "../backtest/Tape.ts"
import type { Money } from "../domain/Money.ts"
import { defaultPaperRules } from "../paper/PaperSee.ts"
import { renderErrors } from "../rules/Source.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { checkFiles } from "../rules/StrategiesYaml.ts"
import type { ResolvedConfig } from "./Config.ts"
import { badConfig, cliError, notFound } from "./Exit.ts"
import { amount, moment } from "./Format.ts"
import { engineOptions } from "./Options.ts"
import { progressLine } from "./ReplayProgress.ts"
import type { Settings } from "./Settings.ts"
import { fields, table } from "./Table.ts"
import { itemsOf, lossOf, opened, type SelectionFlags } from "./Tapes.ts"

export interface BacktestFlags extends SelectionFlags {
  readonly json: boolean
  readonly tape: ReadonlyArray<string>
  readonly balance: Option.Option<Money>
  readonly warmUp: Option.Option<number>
  readonly pessimism: Option.Option<number>
}

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
  flags: Pick<BacktestFlags, "balance" | "warmUp" | "pessimism" | "from" | "to">,
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
  yield* Console.log(flags.json ? JSON.stringify(result) : textOf(result))
  if (!flags.json)
    yield* Console.error(
      `${result.books} books in ${seconds.toFixed(1)} s, ${Math.round(result.books / seconds)} a second`
    )
})

const textOf = (result: BacktestResult): string => {
  const { currency, equity, items, orders, trades } = result
  const total = (of: (one: BacktestResult["items"][number]) => number) =>
    items.reduce((sum, one) => sum + of(one), 0) as Money
  const last = equity.at(-1)
  const traded = items.filter(({ unitsBought, unitsSold }) => unitsBought + unitsSold > 0)
  const money = (of: (one: BacktestResult["items"][number]) => Money) => ({
    align: "right" as const,
    cell: (one: BacktestResult["items"][number]) => amount(of(one), currency)
  })
  return [
    fields([
      ["period", `${moment(result.from)} to ${moment(result.to)} UTC`],
      ["books", `${result.books} of ${items.length} items`],
      ["strategies", result.strategies.map(({ name, revision }) => `${name}@${revision}`).join(", ")],
      ["orders", `${orders.length}, ${trades.length} trades, ${result.refusals.length} refusals`],
      ["bought", `${total(({ unitsBought }) => unitsBought)} units`],
      ["sold", `${total(({ unitsSold }) => unitsSold)} units`],
      [
        "profit of sales",
        amount(
          total(({ realised }) => realised),
          currency
        )
      ],
      [
        "equity",
        last === undefined
          ? "–"
          : `${amount((last.cash + last.stock) as Money, currency)}, began with ${amount(result.settings.balance, currency)}`
      ],
      ["digest", result.digest]
    ]),
    table(
      [
        { title: "ITEM", cell: ({ item }) => item },
        { title: "BOOKS", align: "right", cell: ({ books }) => String(books) },
        { title: "BOUGHT", align: "right", cell: ({ unitsBought }) => String(unitsBought) },
        { title: "SOLD", align: "right", cell: ({ unitsSold }) => String(unitsSold) },
        { title: "PROFIT", ...money(({ realised }) => realised) },
        { title: "HELD", align: "right", cell: ({ unitsHeld }) => String(unitsHeld) },
        { title: "COST", ...money(({ costHeld }) => costHeld) },
        { title: "WORTH", ...money(({ worthHeld }) => worthHeld) }
      ],
      traded,
      "nothing was traded"
    )
  ].join("\n\n")
}
