/** `haggle run`: from the flags as they were typed to the daemon. */
import { Effect, Option } from "effect"

import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError } from "../Exit.ts"
import { run as runDaemon } from "./Run.ts"
import type { HistoryFile } from "./RunFlags.ts"
import { smallHeap } from "./SmallHeap.ts"

interface TypedFlags {
  readonly json: boolean
  readonly live: boolean
  readonly dryRun: boolean
  readonly for: Option.Option<number>
  readonly history: ReadonlyArray<HistoryFile>
}

export const run = Effect.fn("cli.run")(function* (flags: TypedFlags, config: ResolvedConfig) {
  smallHeap()
  if (flags.live && flags.dryRun)
    return yield* cliError(badConfig, "--live and --dry-run exclude each other", "choose one")
  yield* runDaemon(
    { json: flags.json, forMillis: Option.getOrUndefined(flags.for), history: flags.history },
    config
  )
})
