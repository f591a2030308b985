/** A run on the embedded market, in virtual time. */
import { Clock, Effect, Random } from "effect"

import { VirtualClock } from "../../clock/VirtualClock.ts"
import { meaningHash } from "../../domain/Ids.ts"
import { item as itemOf } from "../../domain/Item.ts"
import { measuredItem } from "../../exchange/Catalogue.ts"
import { defaultPeriodDays, type Recording } from "../../exchange/History.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import { namedItems } from "../../rules/Universe.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { notifierLayer } from "../config/NotifySettings.ts"
import { engineOptions, paperRules } from "../config/Options.ts"
import type { Settings } from "../config/Settings.ts"
import { daemon } from "./Daemon.ts"
import { worldFolder } from "./Embedded.ts"
import { embeddedWorld } from "./EmbeddedWorld.ts"
import { readRecordings } from "./History.ts"
import type { RunFlags } from "./RunFlags.ts"
import { layerSystemd } from "./Systemd.ts"

export const run = Effect.fn("cli.runEmbedded")(function* (flags: RunFlags, { settings }: ResolvedConfig) {
  const recordings = yield* recordingsOf(flags, settings)
  const { seed, speed } = settings.exchange
  const isDry = settings.mode === "dry-run"
  const world = `${isDry ? "dry-run" : "embedded"}-seed-${seed}${recordings.size === 0 ? "" : `-${recordingsName(recordings)}`}`
  const folder = yield* worldFolder(settings.state, world)
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
      paper: paperRules(settings),
      summaryEvery: settings.notify.summaryEvery
    })
  })
  yield* embeddedDaemon.pipe(
    Effect.provide([
      embeddedWorld({ ...folder, settings, world, recordings, speed, set: undefined }),
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
