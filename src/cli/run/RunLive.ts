/** A run on a real market, or an exchange on a socket. */
import { Clock, Effect, Path } from "effect"

import { meaningHash } from "../../domain/Ids.ts"
import { live } from "../../Wiring.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { notifierLayer } from "../config/NotifySettings.ts"
import {
  engineOptions,
  keepMillis,
  marketOptions,
  paperOptions,
  paperRules,
  quotas,
  sessionSource
} from "../config/Options.ts"
import { badConfig, cliError } from "../Exit.ts"
import { daemon, wallTime } from "./Daemon.ts"
import { writableFolder } from "./Embedded.ts"
import { ledgerFile } from "./LedgerFile.ts"
import type { RunFlags } from "./RunFlags.ts"
import { layerSystemd } from "./Systemd.ts"

export const run = Effect.fn("cli.runLive")(function* (flags: RunFlags, { settings }: ResolvedConfig) {
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
    paper: paperRules(settings),
    summaryEvery: settings.notify.summaryEvery
  }).pipe(
    Effect.provide([layers, layerSystemd, notifierLayer(settings.notify, yield* Clock.Clock)]),
    Effect.scoped
  )
})
