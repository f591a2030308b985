/**
 * `npm run secrets [-- --lives 6] [--seconds 20] [--seed 1] [--json]`: gives a real daemon secrets wherever it takes some, lets everything go
 * wrong, and searches all that it said and left behind for them; ends with 1 when one is found.
 */
import { stderr } from "node:process"

import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { faultKinds } from "../../src/exchange/FaultsKinds.ts"
import { type Searched, secretRun } from "./SecretRun.ts"

/** Told already; only the exit code is left to set. */
class Leaked extends Data.TaggedError("Leaked") {}

const textOf = (of: Searched): string => {
  const missing = faultKinds.filter((kind) => of.faults[kind] === undefined)
  const played = Object.values(of.faults).reduce((sum, count) => sum + count, 0)
  return [
    `${of.lives} lives, ${played} faults of ${faultKinds.length - missing.length} kinds${missing.length === 0 ? "" : ` (not: ${missing.join(", ")})`}`,
    `${of.events} lines of the daemon, ${of.faces} commands (${of.refused.length} ended otherwise than they should), ${of.files} files, ${Math.round(of.bytes / 1e5) / 10} MB searched for ${of.secrets} secrets`,
    ...of.refused.map((line) => `  ${line}`),
    ...(of.leaks.length === 0 ? ["no secret was found"] : of.leaks.map((leak) => `LEAKED ${leak}`))
  ].join("\n")
}

const command = Command.make(
  "secrets",
  {
    lives: Flag.Int("lives").pipe(
      Flag.withDefault(6),
      Flag.withDescription("How often the daemon is started")
    ),
    seconds: Flag.Int("seconds").pipe(Flag.withDefault(20), Flag.withDescription("How long each life lasts")),
    seed: Flag.Int("seed").pipe(
      Flag.withDefault(1),
      Flag.withDescription("Chance of the faults and the words")
    ),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ json, lives, seconds, seed }) {
    const tell = (line: string): void => void stderr.write(`${line}\n`)
    const searched = yield* Effect.promise(() => secretRun({ lives, lifeSeconds: seconds, seed, tell }))
    yield* Console.log(json ? JSON.stringify(searched) : textOf(searched))
    if (searched.leaks.length > 0) return yield* new Leaked()
  })
).pipe(Command.withDescription("Search all that a daemon says and leaves behind for its secrets"))

Command.run(command, { version: "1" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain())
