/**
 * `npm run kill9 -- --kills 200 [--seed 1] [--json]`: kills the real process at random moments while it trades over a socket, and compares
 * both sides at the end; ends with 1 when they differ.
 */
import { stderr } from "node:process"

import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { kill9 } from "./Kill9.ts"

/** Told already; only the exit code is left to set. */
class Differs extends Data.TaggedError("Differs") {}

const command = Command.make(
  "kill9",
  {
    kills: Flag.Int("kills").pipe(Flag.withDefault(200), Flag.withDescription("How often it is killed")),
    seed: Flag.Int("seed").pipe(Flag.withDefault(1), Flag.withDescription("Chance of moments and faults")),
    longest: Flag.Int("longest").pipe(
      Flag.withDefault(6_000),
      Flag.withDescription("Longest life of a process, milliseconds")
    ),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ json, kills, longest, seed }) {
    const killed = yield* kill9({
      kills,
      seed,
      longestMillis: longest,
      settleSeconds: 100,
      onKill: (count) => (count % 10 === 0 ? void stderr.write(`${count} kills\n`) : undefined)
    })
    const { afterIntents, differences, faults, intents, sold, unitsBought, unknown } = killed
    yield* Console.log(
      json
        ? JSON.stringify(killed)
        : [
            `${kills} kills, ${afterIntents} of them after a decision; ${faults} faults; ${intents} intents, ${unknown} unknown, ${unitsBought} bought, ${sold} sold`,
            differences.length === 0
              ? "both sides are equal"
              : `${differences.join("\n")}\nsee ${killed.folder ?? ""}`
          ].join("\n")
    )
    if (differences.length > 0) return yield* new Differs()
  })
).pipe(Command.withDescription("Kill the real process at random moments and compare both sides"))

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
