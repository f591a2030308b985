/** Runs a command of the command line in this process, as `main.ts` does, and tells what it printed and how it ended. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"

import { endingOf } from "../../src/cli/Exit.ts"
import { cli, presenter } from "../../src/cli/grammar/Cli.ts"

export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

export const haggleWith = (
  env: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Effect.Effect<Ran> =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(Command.runWith(cli, { version: "test" })(args))
    const { exitCode, message } = endingOf(exit, false)
    const [out, err] = [yield* TestConsole.logLines, yield* TestConsole.errorLines]
    return {
      exitCode,
      out: out.join("\n"),
      err: [...err, ...(message === undefined ? [] : [message])].join("\n")
    }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        Layer.fresh(TestConsole.layer),
        NodeServices.layer,
        presenter,
        ConfigProvider.layer(ConfigProvider.fromEnv({ env }))
      )
    )
  )

export const haggle = (...args: ReadonlyArray<string>): Effect.Effect<Ran> => haggleWith({}, ...args)
