/**
 * `haggle run`: the daemon on the embedded market in virtual time, or on a real market, until `--for` or a signal ends it; then the audit
 * and the summary. Invariant: however it ends, what is in flight is finished and journaled first.
 */
import { Console, Duration, Effect, Exit, Layer, Path, Random, Scope } from "effect"

import { layer as virtualClock } from "../clock/VirtualClock.ts"
import { meaningHash } from "../domain/Ids.ts"
import { item as itemOf } from "../domain/Item.ts"
import { patiently } from "../engine/Account.ts"
import { audit, patience } from "../engine/Audit.ts"
import type { EngineOptions } from "../engine/Desk.ts"
import { Journal, marketNow } from "../engine/Journal.ts"
import { beat, numbers, start } from "../engine/Loop.ts"
import { measuredItem } from "../exchange/Catalogue.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../exchange/Exchange.ts"
import { defaultPeriodDays, type Recording } from "../exchange/History.ts"
import { Market } from "../market/Market.ts"
import { checkFiles } from "../rules/StrategiesYaml.ts"
import { namedItems } from "../rules/Universe.ts"
import { Store } from "../store/Store.ts"
import { embedded, live } from "../Wiring.ts"
import type { ResolvedConfig } from "./Config.ts"
import { finished, worldFolder, writableFolder } from "./Embedded.ts"
import { badConfig, cliError, EndsBySignal } from "./Exit.ts"
import { readRecordings } from "./History.ts"
import { statusLines, tell } from "./Live.ts"
import { engineOptions, marketOptions, quotas, sessionSource } from "./Options.ts"
import type { RunFlags } from "./RunFlags.ts"
import type { Settings } from "./Settings.ts"
import { isEven, summarise, summaryText } from "./Summary.ts"

/** Milliseconds that a request travels on the embedded market, each way: what happens in between is the point of it. */
const latencyMillis = 60
/** When the embedded market's clock starts, unless the configuration says otherwise: 2026-01-05T00:00:00Z, a Monday. */
const defaultStartAt = 1_767_571_200_000

export const run = Effect.fn("cli.run")(function* (flags: RunFlags, config: ResolvedConfig) {
  switch (config.settings.mode) {
    case "embedded":
      return yield* runEmbedded(flags, config)
    case "live":
      return yield* runLive(flags, config)
    case "dry-run":
      return yield* cliError(
        badConfig,
        "there is no dry-run in this version",
        "try strategies on the embedded market: leave --dry-run out, or set `mode: embedded`"
      )
  }
})

const runEmbedded = Effect.fnUntraced(function* (flags: RunFlags, { settings }: ResolvedConfig) {
  const path = yield* Path.Path
  const recordings = yield* recordingsOf(flags, settings)
  const { balance, currency, seed, speed, startAt } = settings.exchange
  const world = `embedded-seed-${seed}${recordings.size === 0 ? "" : `-${recordingsName(recordings)}`}`
  const folder = yield* worldFolder(settings.state, world)
  const options: ExchangeOptions = {
    seed,
    startAtMillis: startAt ?? defaultStartAt,
    journalDirectory: folder.exchange,
    platformName: settings.market.platformName,
    currency,
    balance,
    recordings
  }
  const layers = embedded({
    world,
    latencyMillis,
    market: marketOptions(settings, "http://embedded.invalid"),
    quotas: quotas(settings),
    strategies: path.resolve(settings.strategies),
    watch: true,
    database: folder.database
  })
  // The clock goes on where the later of the two journals ended.
  const clock = Layer.unwrap(
    Effect.map(Exchange, ({ lastTime }) =>
      virtualClock({ startAtMillis: Math.max(lastTime, folder.lastAt ?? lastTime), speed })
    )
  )
  yield* daemon({ flags, mode: "embedded", seed, engine: engineOptions(settings) }).pipe(
    Effect.provide(layers.pipe(Layer.provideMerge(clock), Layer.provideMerge(exchangeLayer(options)))),
    Random.withSeed(`run ${seed}`),
    Effect.scoped
  )
})

const runLive = Effect.fnUntraced(function* (flags: RunFlags, { settings }: ResolvedConfig) {
  const path = yield* Path.Path
  if (settings.market.url === null)
    return yield* cliError(
      badConfig,
      "no market to trade on: market.url is not set",
      "set market.url in config/haggle.yaml, or HAGGLE_MARKET_URL"
    )
  if (flags.history.length > 0)
    return yield* cliError(
      badConfig,
      "--history belongs to the embedded market",
      "leave it out, or leave --live out"
    )
  const market = marketOptions(settings, settings.market.url)
  yield* writableFolder(settings.state)
  const layers = live({
    market,
    quotas: quotas(settings),
    strategies: path.resolve(settings.strategies),
    watch: true,
    session: sessionSource(settings),
    database: path.join(
      settings.state,
      `live-${meaningHash(settings.session.file, market.baseUrl)}`,
      "haggle.db"
    )
  })
  yield* daemon({ flags, mode: "live", seed: undefined, engine: engineOptions(settings) }).pipe(
    Effect.provide(layers),
    Effect.scoped
  )
})

interface DaemonOptions {
  readonly flags: RunFlags
  readonly mode: "embedded" | "live"
  readonly seed: number | undefined
  readonly engine: EngineOptions
}

/** Trades until the end comes, then says how it went. */
const daemon = Effect.fnUntraced(function* (options: DaemonOptions) {
  const { flags } = options
  const wall = yield* wallMillis
  const store = yield* Store
  const market = yield* Market
  const { currency } = yield* patiently(market.wallet)
  yield* tell({ currency, problemsOnly: flags.json })
  const scope = yield* Scope.make()
  const { desk, failed } = yield* Scope.provide(start(options.engine, options.mode), scope)
  if (!flags.json) yield* Scope.provide(Effect.forkScoped(statusLines(desk, currency)), scope)
  const stop = (why: string) =>
    Effect.gen(function* () {
      yield* Scope.close(scope, Exit.void)
      const journal = yield* Journal
      const last = yield* audit(desk, patience[options.mode])
      yield* journal.append([{ _tag: "RunStopped", at: yield* marketNow, why }])
      const at = yield* marketNow
      yield* beat(desk, true)
      const summary = summarise({
        mode: options.mode,
        seed: options.seed,
        marketMillis: at - (last.state.openedAt ?? at),
        wallMillis: (yield* wallMillis) - wall,
        numbers: yield* numbers(desk),
        audit: last,
        view: desk.view,
        journalHash: yield* store.journalHash
      })
      yield* Console.log(flags.json ? JSON.stringify(summary) : `\n${summaryText(summary, currency)}`)
      if (!isEven(summary))
        yield* Console.error("haggle: the books do not agree with the market's: see `haggle status`")
    })
  yield* Effect.raceFirst(atEnd(flags, options.mode), failed).pipe(
    Effect.onInterrupt(() =>
      Effect.gen(function* () {
        const signal = yield* EndsBySignal
        signal.ended = true
        yield* Effect.orDie(stop("signal"))
      })
    )
  )
  yield* stop(finished)
})

/** Real time, also while the market's is virtual. */
const wallMillis: Effect.Effect<number> = Effect.sync(() => performance.now())

const atEnd = Effect.fnUntraced(function* ({ forMillis }: RunFlags, mode: DaemonOptions["mode"]) {
  if (forMillis === undefined) return yield* Effect.never
  const journal = yield* Journal
  const { openedAt } = yield* journal.state
  const now = yield* marketNow
  // An embedded run that was cut short goes on to the end that it was given.
  const since = mode === "embedded" ? (openedAt ?? now) : now
  yield* Effect.sleep(Duration.millis(Math.max(0, since + forMillis - now)))
})

const recordingsName = (recordings: ReadonlyMap<string, Recording>): string =>
  meaningHash(
    ...[...recordings].map(
      ([item, { periodDays, points }]) => `${item} ${periodDays} ${points.length} ${points.at(-1)?.join(" ")}`
    )
  )

const dayMillis = 86_400_000

/** A recording without an item is for the first one that the strategies name. */
const recordingsOf = Effect.fnUntraced(function* ({ forMillis, history }: RunFlags, settings: Settings) {
  if (history.length === 0) return new Map<string, Recording>()
  const { strategies } = yield* checkFiles([settings.strategies], { currency: settings.exchange.currency })
  const [first = itemOf(measuredItem.app, measuredItem.name)] = strategies.flatMap(({ universe }) =>
    namedItems(universe)
  )
  const periodDays = Math.max(defaultPeriodDays, Math.ceil((forMillis ?? 0) / dayMillis))
  return yield* readRecordings(history, first, periodDays)
})
