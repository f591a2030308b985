/**
 * `npm run mutants [-- --seeds 300] [--only WORD] [--json]`: takes one promise after the other out of a copy of the daemon and simulates
 * until something is noticed; ends with 1 when something was not.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { execPath } from "node:process"

import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { type Mutant, mutants } from "./Patches.ts"

interface Found {
  readonly mutant: string
  readonly caught: boolean
  /** Seeds that were played until then. */
  readonly seeds: number
  readonly invariant: string
}

const copied = ["src", "test/simulate", "package.json", "tsconfig.json"] as const

const mutated = ({ file, from, name, to }: Mutant): string => {
  const folder = mkdtempSync(join(tmpdir(), "haggle-mutant-"))
  for (const path of copied) cpSync(resolve(path), join(folder, path), { recursive: true })
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  const path = join(folder, "src", file)
  const text = readFileSync(path, "utf8")
  if (text.split(from).length !== 2)
    throw new Error(
      `${file} does not hold the text of "${name}" once: bring test/simulate/Patches.ts up to date`
    )
  writeFileSync(
    path,
    text.replace(from, () => to)
  )
  return folder
}

const hunt = (mutant: Mutant, seeds: number): Effect.Effect<Found> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mutated(mutant)),
    (folder) =>
      Effect.sync(() => {
        const { stderr, stdout } = spawnSync(
          execPath,
          ["test/simulate/simulate.ts", "--seeds", `${seeds}`, "--until", `${mutant.breaks}`, "--json"],
          { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 }
        )
        if (stdout === "") throw new Error(stderr)
        const result = JSON.parse(stdout) as {
          seeds: number
          violations: ReadonlyArray<{ invariant: string }>
        }
        const first = result.violations.find(({ invariant }) => invariant.startsWith(`${mutant.breaks}:`))
        return {
          mutant: mutant.name,
          caught: first !== undefined,
          seeds: result.seeds,
          invariant: first?.invariant ?? ""
        }
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** Told already; only the exit code is left to set. */
class Missed extends Data.TaggedError("Missed") {}

const command = Command.make(
  "mutants",
  {
    seeds: Flag.Int("seeds").pipe(Flag.withDefault(300), Flag.withDescription("Most seeds per mutant")),
    only: Flag.String("only").pipe(
      Flag.withDefault(""),
      Flag.withDescription("Mutants whose name holds these words")
    ),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ json, only, seeds }) {
    const found = yield* Effect.forEach(
      mutants.filter(({ name }) => name.includes(only)),
      (mutant) => Effect.tap(hunt(mutant, seeds), (one) => (json ? Effect.void : Console.log(lineOf(one))))
    )
    if (json) yield* Console.log(JSON.stringify({ mutants: found }))
    if (found.some(({ caught }) => !caught)) return yield* new Missed()
  })
).pipe(Command.withDescription("Take promises out of the daemon and see that the simulation notices"))

const lineOf = ({ caught, invariant, mutant, seeds }: Found): string =>
  caught
    ? `${mutant}: noticed within ${seeds} seeds (${invariant})`
    : `${mutant}: NOT noticed in ${seeds} seeds`

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
