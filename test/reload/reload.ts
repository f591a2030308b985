/**
 * `npm run reloads -- [--count N] [--seed S] [--json]`: edits the strategies of a running embedded market so many times, a third of them
 * broken, and says whether a step saw half a file or an order was lost; ends with 1 when one did.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { prove } from "./Proof.ts"

class Violated extends Data.TaggedError("Violated") {}

const command = Command.make(
  "reloads",
  {
    count: Flag.Int("count").pipe(Flag.withDefault(1000), Flag.withDescription("How many edits")),
    seed: Flag.Int("seed").pipe(Flag.withDefault(1), Flag.withDescription("Which run")),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ count, json, seed }) {
    const report = yield* prove(seed, count)
    yield* Console.log(json ? JSON.stringify(report) : JSON.stringify(report, undefined, 2))
    if (report.violations.length > 0) return yield* new Violated()
  })
)

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
