/** The root command with the flags that every command takes. */
import { Command, Flag } from "effect/cli"

import { logLevels } from "../config/Settings.ts"

export const root = Command.make("haggle").pipe(
  Command.withSharedFlags({
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print data alone on stdout, one object, or one per line for streams"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    config: Flag.String("config").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Configuration file (default config/haggle.yaml)"),
      Flag.optional
    ),
    logLevel: Flag.Literals("log-level", logLevels).pipe(
      Flag.withMetavar("LEVEL"),
      Flag.withDescription(`Least level of the log on stderr: ${logLevels.join(", ")}`),
      Flag.optional
    )
  })
)
