/** A run on the embedded market, in virtual time. */
import { Clock, Effect, Layer, Path, Random } from "effect"

import { layer as virtualClock, VirtualClock } from "../clock/VirtualClock.ts"
import { meaningHash } from "../domain/Ids.ts"
import { item as itemOf } from "../domain/Item.ts"
import { measuredItem } from "../exchange/Catalogue.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../exchange/Exchange.ts"
import { defaultPeriodDays, type Recording } from "../exchange/History.ts"
import { checkFiles } from "../rules/StrategiesYaml.ts"
import { namedItems } from "../rules/Universe.ts"
import { embedded } from "../WiringEmbedded.ts"
import type { ResolvedConfig } from "./Config.ts"
import { daemon } from "./Daemon.ts"
import { worldFolder } from "./Embedded.ts"
import { readRecordings } from "./History.ts"
import { notifierLayer } from "./NotifySettings.ts"
import { engineOptions, keepMillis, marketOptions, paperOptions, quotas } from "./Options.ts"
import type { RunFlags } from "./RunFlags.ts"
import type { Settings } from "./Settings.ts"
import { layerSystemd } from "./Systemd.ts"

/** Milliseconds that a request travels on the embedded market, each way: what happens in between is the point of it. */
const latencyMillis = 60
/** When the embedded market's clock starts, unless the configuration says otherwise: 2026-01-05T00:00:00Z, a Monday. */
const defaultStartAt = 1_767_571_200_000

export const run = Effect.fn("cli.runEmbedded")(function* (flags: RunFlags, { settings }: ResolvedConfig) {
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
