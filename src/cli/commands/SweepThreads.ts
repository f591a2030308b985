/**
 * Runs of a sweep on threads: each thread plays one run at a time.
 * Invariants: 1. every job is answered once. 2. when the first one fails, or somebody ends the sweep, the threads end, too.
 */
import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import { env, execArgv } from "node:process"
import { setFlagsFromString } from "node:v8"
import { Worker } from "node:worker_threads"

import { Effect } from "effect"

import type { Outcome, SweepJob } from "../../backtest/Sweep.ts"
import { type CliError, cliError, failed } from "../Exit.ts"
import type { SweepAnswer, SweepTask } from "./SweepWorker.ts"

/** A thread finds what the main one has compiled only when it is told where: it then starts in half the time. */
const withCompiled = () => {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { env: { ...env, NODE_COMPILE_CACHE: dirname(folder) } }
}

/** The daemon's half spaces, with which `npm run haggle` starts, and V8's own: a tenth of the time of a sweep. Others are the user's. */
const [small, usual] = ["--max-semi-space-size=2", "--max-semi-space-size=16"] as const

const thread = (task: SweepTask) =>
  Effect.acquireRelease(
    Effect.sync(
      () => new Worker(new URL("SweepWorker.ts", import.meta.url), { workerData: task, ...withCompiled() })
    ),
    (worker) => Effect.promise(() => worker.terminate())
  )

const ask = (worker: Worker, job: SweepJob) =>
  Effect.callback<Outcome, CliError>((resume) => {
    const answered = (answer: Effect.Effect<Outcome, CliError>) => {
      silence()
      resume(answer)
    }
    const fail = (message: string) => answered(cliError(failed, `a run of the sweep failed: ${message}`))
    const onMessage = (answer: SweepAnswer) =>
      "outcome" in answer ? answered(Effect.succeed(answer.outcome)) : fail(answer.failed)
    const onError = (error: unknown) => fail(String(error))
    const onExit = () => fail("its thread ended")
    const silence = () => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit)
    }
    // a thread, not a window: there is no origin to name
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.on("message", onMessage).on("error", onError).on("exit", onExit).postMessage(job)
    return Effect.sync(silence)
  })

/** Plays all jobs; `done` hears each outcome with the job's number, as it comes. */
export const playAll = Effect.fn("cli.playAll")(function* <E, R>(
  task: SweepTask,
  jobs: ReadonlyArray<SweepJob>,
  threads: number,
  done: (outcome: Outcome, index: number) => Effect.Effect<void, E, R>
) {
  // for the threads that begin from now on
  if (execArgv.includes(small)) setFlagsFromString(usual)
  const left = jobs.entries()
  const serve = Effect.gen(function* () {
    const worker = yield* thread(task)
    for (const [index, job] of left)
      yield* Effect.flatMap(ask(worker, job), (outcome) => done(outcome, index))
  })
  const many = Math.min(threads, jobs.length)
  yield* Effect.all(
    Array.from({ length: many }, () => Effect.scoped(serve)),
    {
      concurrency: "unbounded",
      discard: true
    }
  )
})
