/**
 * `npm run bench -- [--only NAME] [--json]`: what the parts cost on this machine, each against something everybody knows. Each row has a
 * process of its own, as each job of haggle has: what V8 learned of one costs the next one up to a third of its time.
 */
// The schemas are compiled in the daemon, too.
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import { spawn } from "node:child_process"
import { execPath } from "node:process"
import { fileURLToPath } from "node:url"

import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"

import { byteRows } from "./Bytes.ts"
import type { Row } from "./Measure.ts"
import { millionRows } from "./Millions.ts"
import { planningRows } from "./Planning.ts"
import { pureRows } from "./Pure.ts"
import { replayRows } from "./Replays.ts"
import { ruleRows } from "./Rules.ts"
import { runningRows } from "./Running.ts"
import { slidingRows } from "./Sliding.ts"
import { sweepRows } from "./Sweeping.ts"
import { tapeRows } from "./Tapes.ts"

const measured = {
  ...byteRows,
  ...pureRows,
  ...planningRows,
  ...ruleRows,
  ...slidingRows,
  ...tapeRows,
  ...replayRows,
  ...millionRows,
  ...runningRows,
  ...sweepRows
}
const names = Object.keys(measured) as ReadonlyArray<keyof typeof measured>

const here = fileURLToPath(import.meta.url)

/** The row as a process measures it that does nothing else. */
const apart = (name: string): Effect.Effect<Row> =>
  Effect.callback<Row>((resume) => {
    const child = spawn(execPath, [here, "--only", name, "--json"], { stdio: ["ignore", "pipe", "inherit"] })
    let out = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.once("close", (code) =>
      resume(
        code === 0
          ? Effect.succeed((JSON.parse(out) as { readonly rows: readonly [Row] }).rows[0])
          : Effect.die(new Error(`the row ${name} ended with ${code}`))
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const command = Command.make(
  "bench",
  {
    only: Flag.Literals("only", names).pipe(Flag.optional, Flag.withDescription("Measure this row alone")),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ json, only }) {
    const rows: Array<Row> = []
    for (const name of Option.isSome(only) ? [only.value] : names) {
      const row = yield* Option.isSome(only) ? measured[name] : apart(name)
      rows.push(row)
      if (!json) yield* Console.log(lineOf(row))
    }
    if (json) yield* Console.log(JSON.stringify({ rows }))
  })
).pipe(Command.withDescription("Measure what the parts cost"))

const lineOf = ({ against, bar, name, ok, unit, value }: Row): string => {
  const ratios = Object.entries(against).map(([other, ratio]) => `${ratio}× ${other}`)
  const verdict = bar === null ? "" : `, bar ${bar}: ${ok ? "ok" : "MISSED"}`
  return `${name.padEnd(16)}${String(value).padStart(10)} ${unit} (${ratios.join(", ")}${verdict})`
}

Command.run(command, { version: "1" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
