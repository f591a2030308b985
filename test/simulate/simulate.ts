/**
 * `npm run simulate -- --seeds N [--seed FIRST] [--json]`: plays worlds full of crashes and faults and says whether the bot kept its
 * promises; ends with 1 when it did not.
 */
// The schemas are compiled in the daemon, too.
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { type Simulation, simulate } from "./Simulation.ts"
import type { WorldReport } from "./World.ts"

const command = Command.make(
  "simulate",
  {
    seeds: Flag.Int("seeds").pipe(Flag.withDefault(20), Flag.withDescription("How many worlds to play")),
    seed: Flag.Int("seed").pipe(Flag.withDefault(1), Flag.withDescription("The first world's seed")),
    hours: Flag.Finite("hours").pipe(
      Flag.withDefault(2),
      Flag.withDescription("Market hours of faults per world")
    ),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ hours, json, seed, seeds }) {
    const onWorld = (report: WorldReport) => Console.error(lineOf(report))
    const result = yield* simulate({ first: seed, seeds, hours, ...(json ? {} : { onWorld }) })
    yield* Console.log(json ? JSON.stringify(result) : textOf(result))
    if (result.violations.length > 0) return yield* new Broken()
  })
).pipe(Command.withDescription("Play simulated worlds and check the bot's promises"))

/** Told already; only the exit code is left to set. */
class Broken extends Data.TaggedError("Broken") {}

const lineOf = ({ counters, crashes, seed, unknowns, violations }: WorldReport): string =>
  [
    `world ${seed}:`,
    `${counters.recorded} intents,`,
    `${counters.unitsBought} bought, ${counters.sold} sold,`,
    `${crashes} crashes,`,
    `${unknowns.raised} unknown`,
    ...violations.map((violation) => `\n  VIOLATED ${violation}`)
  ].join(" ")

const textOf = (result: Simulation): string => {
  const { crashes, faults, marketDays, requests, unknowns, violations, worlds, worstRecoverySeconds } = result
  const odd = Object.values(faults).reduce((sum, count) => sum + count, 0)
  return [
    `${worlds} worlds, ${marketDays} market days, ${requests} requests, ${odd} faults, ${crashes} crashes`,
    `${unknowns.raised} unknown outcomes, ${unknowns.settled} settled, ${unknowns.quarantined} quarantined`,
    `worst recovery ${worstRecoverySeconds} s`,
    violations.length === 0 ? "every promise was kept" : `${violations.length} violations:`,
    ...violations.map(({ invariant, replay }) => `  ${invariant}\n    ${replay}`)
  ].join("\n")
}

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
