/** A thread that plays seeds: one task in, one answer out. */
// The schemas are compiled in the daemon, too.
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import { parentPort } from "node:worker_threads"

import { Effect } from "effect"

import type { WorldPlan } from "./Plan.ts"
import { playSeed } from "./Seed.ts"
import { shrink } from "./Shrink.ts"
import type { Task } from "./Workers.ts"
import { playWorld } from "./World.ts"

const breaks = (promise: string) => (plan: WorldPlan) =>
  Effect.map(playWorld({ plan }), ({ violations }) =>
    violations.some((violation) => violation.startsWith(`${promise}:`))
  )

const answer = (task: Task): Effect.Effect<unknown> =>
  task._tag === "Seed" ? playSeed(task) : shrink(task.plan, breaks(task.promise))

parentPort?.on("message", (task: Task) => {
  Effect.runPromise(answer(task)).then(
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    (result) => parentPort?.postMessage(result),
    (error: unknown) => {
      throw error
    }
  )
})
