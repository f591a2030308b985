/**
 * `npm run simulate -- --seeds N [--seed FIRST] [--json]`: plays worlds full of crashes and faults and says whether the bot kept its
 * promises; ends with 1 when it did not. A failing seed is told with the command that plays it again, and with one that plays less of it.
 */
import { readFileSync } from "node:fs"

import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"

import type { WorldPlan } from "./Plan.ts"
import type { SeedResult } from "./Seed.ts"
import { type Simulation, simulate } from "./Simulation.ts"
import { crew } from "./Workers.ts"

const command = Command.make(
  "simulate",
  {
    seeds: Flag.Int("seeds").pipe(Flag.withDefault(20), Flag.withDescription("How many seeds to play")),
    seed: Flag.Int("seed").pipe(Flag.withDefault(1), Flag.withDescription("The first seed")),
    minutes: Flag.Int("minutes").pipe(
      Flag.optional,
      Flag.withDescription("Market minutes of faults per world, instead of as many as the seed draws")
    ),
    plan: Flag.File("plan").pipe(
      Flag.optional,
      Flag.withDescription("A smaller plan that was written before")
    ),
    jobs: Flag.Int("jobs").pipe(Flag.optional, Flag.withDescription("Threads, instead of one per core")),
    until: Flag.Int("until").pipe(
      Flag.optional,
      Flag.withDescription("Stop when the promise of this number is broken")
    ),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ jobs, json, minutes, plan, seed, seeds, until }) {
    const workers = yield* crew(Option.getOrUndefined(jobs))
    const result = yield* simulate(workers, {
      first: seed,
      seeds,
      ...(Option.isSome(until) ? { until: until.value } : {}),
      shrinks: Option.isNone(until) && Option.isNone(plan),
      ...(Option.isSome(minutes) ? { minutes: minutes.value } : {}),
      ...(Option.isSome(plan) ? { plan: readPlan(plan.value) } : {}),
      ...(json ? {} : { onSeed: (one: SeedResult) => Console.error(lineOf(one)) })
    })
    yield* Console.log(json ? JSON.stringify(result) : textOf(result))
    if (result.violations.length > 0) return yield* new Broken()
  }, Effect.scoped)
).pipe(Command.withDescription("Play simulated worlds and check the bot's promises"))

/** Told already; only the exit code is left to set. */
class Broken extends Data.TaggedError("Broken") {}

const readPlan = (file: string): WorldPlan => JSON.parse(readFileSync(file, "utf8")) as WorldPlan

const lineOf = ({ broken, reports, seed }: SeedResult): string => {
  const total = (field: (report: SeedResult["reports"][number]) => number) =>
    reports.reduce((sum, report) => sum + field(report), 0)
  return [
    `seed ${seed}:`,
    `${reports.length} ${reports.length === 1 ? "world" : "worlds"},`,
    `${total((of) => of.counters.recorded)} intents,`,
    `${total((of) => of.counters.unitsBought)} bought, ${total((of) => of.counters.sold)} sold,`,
    `${total((of) => of.crashes)} crashes,`,
    `${total((of) => of.unknowns.raised)} unknown`,
    ...broken.flatMap(({ violations }) => violations.map((violation) => `\n  VIOLATED ${violation}`))
  ].join(" ")
}

const textOf = (result: Simulation): string => {
  const { crashes, faults, marketDays, reloads, requests, unknowns, violations, worlds } = result
  const odd = Object.values(faults).reduce((sum, count) => sum + count, 0)
  return [
    `${worlds} worlds, ${marketDays} market days, ${requests} requests, ${result.intents} intents, ${reloads.all} reloads`,
    `${crashes} crashes, ${odd} faults: ${list(faults)}`,
    `${unknowns.raised} unknown outcomes, ${unknowns.settled} settled, ${unknowns.quarantined} quarantined`,
    ...Object.entries(unknowns.how).map(([how, count]) => `  ${count} × ${how}`),
    `worst recovery ${result.worstRecoverySeconds} s`,
    violations.length === 0 ? "every promise was kept" : `${violations.length} violations:`,
    ...violations.map(({ invariant, replay, smaller }) =>
      [`  ${invariant}`, `    ${replay}`]
        .concat(smaller === undefined ? [] : `    less of it: ${smaller}`)
        .join("\n")
    )
  ].join("\n")
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")

Command.run(command, { version: "1" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
