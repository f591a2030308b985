/**
 * `npm run cookbook -- [--seed S] [--json]`: the cookbook trades for a day of the embedded market; prints what each strategy decided, and
 * ends with 1 when one decided nothing that it is named for, or when an order is stuck at the end.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"

import { type Proof, prove } from "./Proof.ts"

class Idle extends Data.TaggedError("Idle") {}

const tableOf = ({ rows, stuck, unsettled }: Proof): string =>
  [
    ...rows.map(({ decisions, ok, strategy }) => {
      const told = Object.entries(decisions).map(([what, count]) => `${what} ×${count}`)
      return `${ok ? "✔" : "✘"} ${strategy.padEnd(20)} ${told.join(", ")}`
    }),
    `unsettled ${unsettled}, stuck ${stuck.length}`
  ].join("\n")

const command = Command.make(
  "cookbook",
  {
    seed: Flag.Int("seed").pipe(Flag.withDefault(3), Flag.withDescription("Which market")),
    json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one object"))
  },
  Effect.fnUntraced(function* ({ json, seed }) {
    const proof = yield* Effect.sync(() => prove(seed))
    yield* Console.log(json ? JSON.stringify(proof) : tableOf(proof))
    if (!proof.ok) return yield* new Idle()
  })
)

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
