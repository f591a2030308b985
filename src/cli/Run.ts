/**
 * `haggle run`: the daemon on the embedded market in virtual time, or on a real market, until `--for` or a signal ends it.
 */
import { Clock, Console, Effect, Layer, Path, Random } from "effect"

import { layer as virtualClock, VirtualClock } from "../clock/VirtualClock.ts"
import { meaningHash } from "../domain/Ids.ts"
import { item as itemOf } from "../domain/Item.ts"
import { measuredItem } from "../exchange/Catalogue.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../exchange/Exchange.ts"
import { defaultPeriodDays, type Recording } from "../exchange/History.ts"
import { checkFiles } from "../rules/StrategiesYaml.ts"
import { namedItems } from "../rules/Universe.ts"
import { embedded, live } from "../Wiring.ts"
import type { ResolvedConfig } from "./Config.ts"
import { watchConfig } from "./ConfigWatch.ts"
import { daemon, wallTime } from "./Daemon.ts"
import { worldFolder, writableFolder } from "./Embedded.ts"
import { badConfig, cliError } from "./Exit.ts"
import { readRecordings } from "./History.ts"
import { ledgerFile } from "./LedgerFile.ts"
import { notifierLayer } from "./NotifySettings.ts"
import { engineOptions, keepMillis, marketOptions, paperOptions, quotas, sessionSource } from "./Options.ts"
import type { RunFlags } from "./RunFlags.ts"
import type { Settings } from "./Settings.ts"
import { layerSystemd } from "./Systemd.ts"

/** Milliseconds that a request travels on the embedded market, each way: what happens in between is the point of it. */
const latencyMillis = 60
/** When the embedded market's clock starts, unless the configuration says otherwise: 2026-01-05T00:00:00Z, a Monday. */
const defaultStartAt = 1_767_571_200_000

export const run = Effect.fn("cli.run")(function* (flags: RunFlags, config: ResolvedConfig) {
  yield* watchConfig(config, (text) => Console.error(`haggle: ${text}`))
  switch (config.settings.mode) {
    case "embedded":
      return yield* runEmbedded(flags, config)
    case "live":
      return yield* runLive(flags, config)
    case "dry-run":
      // without a real market's address the embedded one is read
      return yield* config.settings.market.url === null ? runEmbedded(flags, config) : runLive(flags, config)
  }
}, Effect.scoped)

const runEmbedded = Effect.fnUntraced(function* (flags: RunFlags, { settings }: ResolvedConfig) {
  const path = yield* Path.Path
  const recordings = yield* recordingsOf(flags, settings)
  const { balance, currency, seed, speed, startAt } = settings.exchange
  const isDry = settings.mode === "dry-run"
  const world = `${isDry ? "dry-run" : "embedded"}-seed-${seed}${recordings.size === 0 ? "" : `-${recordingsName(recordings)}`}`
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
  const layers = Layer.unwrap(
    Effect.map(VirtualClock, ({ held }) =>
      embedded({
        world,
        latencyMillis,
        market: marketOptions(settings, "http://embedded.invalid"),
        quotas: quotas(settings),
        strategies: path.resolve(settings.strategies),
        watch: true,
        database: folder.database,
        keepMillis: keepMillis(settings),
        ledger: folder.ledger,
        paper: isDry ? paperOptions(settings, path.dirname(folder.database), held) : undefined
      })
    )
  )
  // The clock goes on where the later of the two journals ended.
  const clock = Layer.unwrap(
    Effect.map(Exchange, ({ lastTime }) =>
      virtualClock({ startAtMillis: Math.max(lastTime, folder.lastAt ?? lastTime), speed })
    )
  )
  const { database } = folder
  const embeddedDaemon = Effect.flatMap(VirtualClock, ({ held, pace }) => {
    const time = { held, unpaced: pace(undefined), isVirtual: true }
    return daemon({
      flags,
      mode: isDry ? "dry-run" : "embedded",
      seed,
      database,
      market: world,
      time,
      engine: engineOptions(settings),
      recording: settings.recording,
      summaryEvery: settings.notify.summaryEvery
    })
  })
  yield* embeddedDaemon.pipe(
    Effect.provide([
      layers.pipe(Layer.provideMerge(clock), Layer.provideMerge(exchangeLayer(options))),
      layerSystemd,
      notifierLayer(settings.notify, yield* Clock.Clock)
    ]),
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
      "leave it out, or leave --live and market.url out"
    )
  const market = marketOptions(settings, settings.market.url)
  yield* writableFolder(settings.state)
  const mode = settings.mode === "dry-run" ? "dry-run" : "live"
  const folder = path.join(settings.state, `${mode}-${meaningHash(settings.session.file, market.baseUrl)}`)
  const database = path.join(folder, "haggle.db")
  const layers = live({
    market,
    quotas: quotas(settings),
    strategies: path.resolve(settings.strategies),
    watch: true,
    session: sessionSource(settings),
    samples: path.join(path.dirname(database), "drift"),
    database,
    keepMillis: keepMillis(settings),
    ledger: yield* ledgerFile(settings, market.baseUrl),
    paper: mode === "dry-run" ? paperOptions(settings, folder, wallTime.held) : undefined
  })
  yield* daemon({
    flags,
    mode,
    seed: undefined,
    database,
    market: market.baseUrl,
    time: wallTime,
    engine: engineOptions(settings),
    recording: settings.recording,
    summaryEvery: settings.notify.summaryEvery
  }).pipe(
    Effect.provide([layers, layerSystemd, notifierLayer(settings.notify, yield* Clock.Clock)]),
    Effect.scoped
  )
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
