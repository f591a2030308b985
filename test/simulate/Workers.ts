/**
 * Seeds on several threads. Invariant: which thread plays a seed changes nothing: a seed is a function of its number, and results are
 * handed out by seed.
 */
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"

import { Effect, Queue, type Scope } from "effect"

import type { WorldPlan } from "./Plan.ts"
import type { SeedResult } from "./Seed.ts"

export type Task =
  | { readonly _tag: "Seed"; readonly seed: number; readonly minutes?: number; readonly plan?: WorldPlan }
  /** Makes the plan smaller while it breaks the promise of this number. */
  | { readonly _tag: "Shrink"; readonly plan: WorldPlan; readonly promise: string }

export interface Crew {
  readonly play: (task: Extract<Task, { _tag: "Seed" }>) => Effect.Effect<SeedResult>
  readonly shrink: (task: Extract<Task, { _tag: "Shrink" }>) => Effect.Effect<WorldPlan>
  readonly size: number
}

/** As many threads as the machine has cores, or `size`. */
export const crew = Effect.fn("Workers.crew")(function* (size: number = availableParallelism()) {
  const idle = yield* Queue.unbounded<Worker>()
  for (let count = 0; count < size; count++) yield* Queue.offer(idle, yield* hired)
  const done = (task: Task) =>
    Effect.acquireUseRelease(
      Queue.take(idle),
      (worker) => answerOf(worker, task),
      (worker) => Queue.offer(idle, worker)
    )
  const made: Crew = {
    play: (task) => Effect.map(done(task), (answer) => answer as SeedResult),
    shrink: (task) => Effect.map(done(task), (answer) => answer as WorldPlan),
    size
  }
  return made
})

const hired: Effect.Effect<Worker, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => new Worker(new URL("worker.ts", import.meta.url))),
  (worker) => Effect.promise(() => worker.terminate())
)

const answerOf = (worker: Worker, task: Task): Effect.Effect<unknown> =>
  Effect.callback<unknown>((resume) => {
    const answered = (answer: unknown) => {
      worker.off("error", failed)
      resume(Effect.succeed(answer))
    }
    const failed = (error: unknown) => {
      worker.off("message", answered)
      resume(Effect.die(error))
    }
    worker.once("message", answered)
    worker.once("error", failed)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(task)
  })
