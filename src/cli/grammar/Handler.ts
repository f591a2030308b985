/**
 * What every command does around its own work: resolve the configuration, set the log level, load its module on first use.
 * Invariant: no room of the house is imported before a command needs it, so that `--help` answers at once.
 */
import { Effect, type LogLevel, Option, References } from "effect"

import type { Override, ResolvedConfig } from "../config/Config.ts"
import type { Settings } from "../config/Settings.ts"
import { root } from "./Root.ts"

/** The module of a command; `json` is added to the flags that it declares. */
export interface CommandModule<Flags, E, R> {
  readonly run: (flags: Flags, config: ResolvedConfig) => Effect.Effect<void, E, R>
}

interface Shared {
  readonly json: boolean
}

/** The flags as the command line parsed them, without the shared ones. */
type Parsed<Flags> = Omit<Flags, keyof Shared>

/** Flags that set a value of the configuration, by the name they have in a command's flags. */
const settingOf: Readonly<Record<string, { readonly path: string; readonly flag: string }>> = {
  seed: { path: "exchange.seed", flag: "--seed" },
  speed: { path: "exchange.speed", flag: "--speed" },
  strategies: { path: "strategies", flag: "--strategies" },
  state: { path: "state", flag: "--state" },
  session: { path: "session.file", flag: "--session" },
  url: { path: "market.url", flag: "--url" },
  platformName: { path: "market.platformName", flag: "--platform-name" },
  logLevel: { path: "logLevel", flag: "--log-level" }
}

const overridesOf = (flags: object): ReadonlyArray<Override> =>
  Object.entries(flags).flatMap(([name, value]: readonly [string, unknown]) => {
    const setting = settingOf[name]
    if (setting === undefined || !Option.isOption(value) || Option.isNone(value)) return []
    const given: unknown = value.value
    return typeof given === "string" || typeof given === "number"
      ? [{ ...setting, value: String(given) }]
      : []
  })

const levels: Readonly<Record<Settings["logLevel"], LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
}

/** Loads a module of ours that is no part of `--help`; it is there or the installation is broken, which is a defect. */
const load = <A>(module: () => Promise<A>): Effect.Effect<A> => Effect.promise(module)

/** The handler of a command: `extra` are settings that a flag of another shape sets, e.g. `--live`. */
export const handler =
  <Flags extends Shared, E, R>(
    module: () => Promise<CommandModule<Flags, E, R>>,
    extra: (flags: Parsed<Flags>) => ReadonlyArray<Override> = () => [],
    /** The command itself tells what is wrong with the file; until then the defaults apply. */
    { tolerant = false }: { readonly tolerant?: boolean } = {}
  ) =>
  (flags: Parsed<Flags>) =>
    Effect.gen(function* () {
      const shared = yield* root
      const { resolve } = yield* load(() => import("../config/Config.ts"))
      const { explained } = yield* load(() => import("../text/ErrorText.ts"))
      const overrides = [...overridesOf(shared), ...overridesOf(flags), ...extra(flags)]
      const config = yield* resolve({ file: shared.config, overrides, tolerant })
      const { run } = yield* load(module)
      // Parsed<Flags> and Shared are Flags again, which a generic type cannot see
      const all = { ...flags, json: shared.json } as unknown as Flags
      yield* run(all, config).pipe(
        Effect.tapCause((cause) => Effect.logDebug("the command failed", cause)),
        Effect.mapError(explained),
        Effect.provideService(References.MinimumLogLevel, levels[config.settings.logLevel])
      )
    })
