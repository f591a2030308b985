/** The process: the command line under Node's services, its ending as exit code and last words. */
import "effect/schema/SchemaJITCompiler/enable"
import process from "node:process"
import { setFlagsFromString } from "node:v8"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Duration, Effect, Layer, Logger, Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"

import packageJson from "../package.json" with { type: "json" }
import { endingOf, EndsBySignal } from "./cli/Exit.ts"
import { cli, joined, presenter } from "./cli/grammar/Cli.ts"

const Services = Layer.mergeAll(
  NodeServices.layer,
  presenter,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  // stdout is for data
  Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
)

const runWith = Command.runWith(cli, { version: packageJson.version })

/** A process this young has a heap far from its limit. */
const youngSeconds = 1
/** What a compiler takes that is at it, and more. */
const calmFor = Duration.millis(50)

/**
 * Waits until nothing is being compiled any more. A compiler's thread that finds the heap full waits for the main one to collect; once that
 * waits for the threads to end, both wait for ever (a known fault of Node's), and the small heap of a long run is often full.
 */
const calm = Effect.suspend(() => {
  if (process.uptime() < youngSeconds) return Effect.void
  for (const compiler of ["sparkplug", "maglev", "turbofan"]) setFlagsFromString(`--no-${compiler}`)
  return Effect.sleep(calmFor)
})

/** Ends with the exit code; an interrupt cuts the command, never the report of its ending. */
const main = Effect.uninterruptibleMask((restore) =>
  // @effect-diagnostics-next-line strictEffectProvide:off
  restore(runWith(joined(process.argv.slice(2))).pipe(Effect.provide(Services))).pipe(
    Effect.exit,
    Effect.flatMap((exit) => Effect.map(EndsBySignal, ({ ended }) => endingOf(exit, ended))),
    Effect.tap(({ message }) => (message === undefined ? Effect.void : Console.error(message))),
    Effect.map(({ exitCode }) => {
      process.exitCode = exitCode
    }),
    Effect.andThen(calm)
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
