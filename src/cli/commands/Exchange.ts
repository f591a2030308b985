/**
 * `haggle exchange`: the embedded market on a port of the loopback, until a signal.
 * Invariants: 1. the first line on stdout is the address with the accounts, written once requests are answered. 2. a signal is its
 * normal end. 3. its clock starts now (unless `exchange.startAt` says otherwise), so that a client's own clock is right at speed 1.
 */
import { Clock, Console, Effect, Layer, Option, Path } from "effect"

import type { CurrencyId } from "../../domain/Currency.ts"
import { item } from "../../domain/Item.ts"
import { measuredItem } from "../../exchange/Catalogue.ts"
import { Exchange, type ExchangeAccount, type ExchangeOptions, layer } from "../../exchange/Exchange.ts"
import * as Faults from "../../exchange/Faults.ts"
import { faultLine, type Report } from "../../exchange/FaultsLog.ts"
import { serve } from "../../exchange/Server.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { untilSignal } from "../Exit.ts"
import { readRecordings } from "../run/History.ts"
import { pacedClock } from "../run/PacedClock.ts"
import type { HistoryFile } from "../run/RunFlags.ts"
import { amount } from "../text/Format.ts"
import { table } from "../text/Table.ts"
import { faultPlan, type FaultFlags } from "./FaultPlan.ts"

export interface ExchangeFlags extends FaultFlags {
  readonly json: boolean
  readonly port: number
  readonly pace: number
  readonly lenient: boolean
  readonly accounts: number
  readonly currencies: ReadonlyArray<CurrencyId>
  readonly confirmPurchases: boolean
  readonly history: ReadonlyArray<HistoryFile>
  readonly keep: Option.Option<string>
}

const optionsOf = Effect.fnUntraced(function* (flags: ExchangeFlags, { settings }: ResolvedConfig) {
  const path = yield* Path.Path
  const { balance, currency, seed, startAt } = settings.exchange
  const journal = Option.map(flags.keep, (folder) => path.join(folder, `exchange-seed-${seed}`))
  return {
    seed,
    startAtMillis: startAt ?? (yield* Clock.currentTimeMillis),
    currency,
    balance,
    platformName: settings.market.platformName,
    lenient: flags.lenient,
    accounts: flags.accounts,
    currencies: flags.currencies,
    confirmPurchases: flags.confirmPurchases,
    // so that a client can sell before it has bought
    firstAccountHasItems: true,
    recordings: yield* readRecordings(flags.history, item(measuredItem.app, measuredItem.name)),
    ...Option.match(journal, { onNone: () => ({}), onSome: (journalDirectory) => ({ journalDirectory }) })
  } satisfies ExchangeOptions
})

const text = (url: string, accounts: ReadonlyArray<ExchangeAccount>, items: number): string =>
  [
    `the embedded market is at ${url} with ${items} items; Ctrl-C ends it`,
    "",
    table<ExchangeAccount>(
      [
        { title: "ACCOUNT", cell: (row) => row.accountId },
        { title: "WALLET", align: "right", cell: ({ wallet }) => amount(wallet.balance, wallet.currency) }
      ],
      accounts,
      ""
    ),
    "",
    "haggle exchange --json prints the accounts' cookies and secrets for clients"
  ].join("\n")

/** Faults as they are played, on stderr: a line for people, an object for machines. */
const toStderr =
  (json: boolean): Report =>
  (entry) =>
    Console.error(json ? JSON.stringify(entry) : faultLine(entry))

const serving = Effect.fnUntraced(function* (flags: ExchangeFlags, startAt: number | null) {
  const { accounts, items, lastTime } = yield* Exchange
  // making the world takes a while, by which the market would be behind its clients' clocks
  const clock = yield* pacedClock(Math.max(lastTime, startAt ?? (yield* Clock.currentTimeMillis)), flags.pace)
  const { url } = yield* serve({ port: flags.port }).pipe(Effect.provideService(Clock.Clock, clock))
  yield* Console.log(
    flags.json ? JSON.stringify({ url, accounts, items }) : text(url, accounts, items.length)
  )
  return yield* Effect.never
})

export const run = Effect.fn("cli.exchange")(function* (flags: ExchangeFlags, config: ResolvedConfig) {
  const options = yield* optionsOf(flags, config)
  const faults = Faults.layer(yield* faultPlan(flags), { report: toStderr(flags.json) })
  const served = Effect.scoped(serving(flags, config.settings.exchange.startAt)).pipe(
    // a command is an entry point
    Effect.provide([Layer.fresh(layer(options)), faults])
  )
  return yield* untilSignal(served)
})
