/** `haggle run`: from the flags as they were typed to the daemon. */
import { setFlagsFromString } from "node:v8"

import { Effect, Option } from "effect"

import type { ResolvedConfig } from "./Config.ts"
import { badConfig, cliError } from "./Exit.ts"
import { run as runDaemon } from "./Run.ts"
import type { HistoryFile } from "./RunFlags.ts"

interface TypedFlags {
  readonly json: boolean
  readonly live: boolean
  readonly dryRun: boolean
  readonly for: Option.Option<number>
  readonly history: ReadonlyArray<HistoryFile>
}

/**
 * V8 lets a heap grow to a multiple of what lives in it before it looks for garbage, the more the larger the machine: 72 MB of a daemon
 * became 580. This much more is enough; a tenth more time is the price. Young objects have a limit that only the command line sets.
 */
const heapGrowingPercent = 30

export const run = Effect.fn("cli.run")(function* (flags: TypedFlags, config: ResolvedConfig) {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  if (flags.live && flags.dryRun)
    return yield* cliError(badConfig, "--live and --dry-run exclude each other", "choose one")
  yield* runDaemon(
    { json: flags.json, forMillis: Option.getOrUndefined(flags.for), history: flags.history },
    config
  )
})
