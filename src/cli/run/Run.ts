/**
 * `haggle run`: the daemon on the embedded market in virtual time, or on a real market, until `--for` or a signal ends it.
 * Invariant: only what the mode needs is loaded; the exchange alone weighs 8 MB.
 */
import { Console, Effect } from "effect"

import type { ResolvedConfig } from "../config/Config.ts"
import { watchConfig } from "../config/ConfigWatch.ts"
import type { RunFlags } from "./RunFlags.ts"

const onEmbedded = (flags: RunFlags, config: ResolvedConfig) =>
  Effect.flatMap(
    Effect.promise(() => import("./RunEmbedded.ts")),
    ({ run }) => run(flags, config)
  )

const onReal = (flags: RunFlags, config: ResolvedConfig) =>
  Effect.flatMap(
    Effect.promise(() => import("./RunLive.ts")),
    ({ run }) => run(flags, config)
  )

export const run = Effect.fn("cli.run")(function* (flags: RunFlags, config: ResolvedConfig) {
  yield* watchConfig(config, (text) => Console.error(`haggle: ${text}`))
  switch (config.settings.mode) {
    case "embedded":
      return yield* onEmbedded(flags, config)
    case "live":
      return yield* onReal(flags, config)
    case "dry-run":
      // without a real market's address the embedded one is read
      return yield* config.settings.market.url === null ? onEmbedded(flags, config) : onReal(flags, config)
  }
}, Effect.scoped)
