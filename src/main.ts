/** The process: the command line under Node's services, its ending as exit code and last words. */
import "effect/schema/SchemaJITCompiler/enable"
import process from "node:process"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Logger, Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"

import packageJson from "../package.json" with { type: "json" }
import { cli, joined, presenter } from "./cli/Cli.ts"
import { endingOf, EndsBySignal } from "./cli/Exit.ts"

const Services = Layer.mergeAll(
  NodeServices.layer,
  presenter,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  // stdout is for data
  Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
)

const runWith = Command.runWith(cli, { version: packageJson.version })

/** Ends with the exit code; an interrupt cuts the command, never the report of its ending. */
const main = Effect.uninterruptibleMask((restore) =>
  // @effect-diagnostics-next-line strictEffectProvide:off
  restore(runWith(joined(process.argv.slice(2))).pipe(Effect.provide(Services))).pipe(
    Effect.exit,
    Effect.flatMap((exit) => Effect.map(EndsBySignal, ({ ended }) => endingOf(exit, ended))),
    Effect.tap(({ message }) => (message === undefined ? Effect.void : Console.error(message))),
    Effect.map(({ exitCode }) => {
      process.exitCode = exitCode
    })
  )
)

/** The first SIGINT or SIGTERM ends the work in order, the second ends the process. */
const runMain = Runtime.makeRunMain(({ fiber }) => {
  let signals = 0
  const onSignal = () => {
    signals += 1
    if (signals > 1) process.exit(130)
    fiber.interruptUnsafe(fiber.id)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  // what was written before is out once this is
  fiber.addObserver(() => process.stdout.write("", () => process.exit()))
})

runMain(main, { disableErrorReporting: true })
