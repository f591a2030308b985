/**
 * One thread of a sweep: opens the tapes and the strategy once, then plays one run after another as it is told.
 * Runs of one part of the time share what was decoded of it.
 * Invariant: every question has one answer, an outcome or a sentence.
 */
// the daemon's and the main thread's schemas are compiled as well
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import { parentPort, workerData } from "node:worker_threads"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Queue } from "effect"

import type { Outcome, Part, SweepJob } from "../../backtest/Sweep.ts"
import { played, type SweepSettings } from "../../backtest/SweepRun.ts"
import type { CurrencyId } from "../../domain/Currency.ts"
import { checkFiles } from "../../rules/StrategiesYaml.ts"
import { tapeCache } from "../../tape/Cache.ts"
import { messageOf } from "../Exit.ts"
import { opened } from "./Tapes.ts"

/** What a thread is given when it begins. */
export interface SweepTask {
  readonly strategy: string
  readonly currency: CurrencyId
  readonly tapes: ReadonlyArray<string>
  readonly settings: SweepSettings
}

export type SweepAnswer = { readonly outcome: Outcome } | { readonly failed: string }

const work = Effect.fnUntraced(function* (task: SweepTask, port: NonNullable<typeof parentPort>) {
  const jobs = yield* Queue.unbounded<SweepJob>()
  port.on("message", (job: SweepJob) => Queue.offerUnsafe(jobs, job))
  const ready = yield* Effect.exit(
    Effect.gen(function* () {
      const cache = tapeCache(yield* opened(task.tapes))
      const { strategies } = yield* checkFiles([task.strategy], { currency: task.currency })
      return { cache, strategy: strategies[0] }
    })
  )
  let part: Part | undefined
  while (true) {
    const job = yield* Queue.take(jobs)
    const exit = yield* Effect.exit(
      Effect.gen(function* () {
        const { cache, strategy } = yield* ready
        if (strategy === undefined) return yield* Effect.die(`${task.strategy} is broken now`)
        if (part?.from !== job.part.from || part.to !== job.part.to) cache.forget()
        part = job.part
        return yield* played(cache.tapes, strategy, task.settings, job)
      })
    )
    const answer: SweepAnswer = Exit.isSuccess(exit)
      ? { outcome: exit.value }
      : { failed: messageOf(Cause.squash(exit.cause)) }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage(answer)
  }
})

if (parentPort !== null)
  Effect.runFork(
    work(workerData as SweepTask, parentPort).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
