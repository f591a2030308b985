/** The recording of a run: a fiber that puts what the engine sees onto tapes, beside trading and never in its way. */
import { Effect, Stream } from "effect"

import { makeRecorder, type RecorderOptions } from "../backtest/Recorder.ts"
import { Activity } from "../engine/Activity.ts"

/** Records until the scope closes. */
export const record = Effect.fn("RunRecording.record")(function* (options: RecorderOptions) {
  const activity = yield* Activity
  const take = yield* makeRecorder(options)
  yield* activity.happenings.pipe(
    Stream.runForEach((happening) => (happening._tag === "Observed" ? take(happening) : Effect.void)),
    Effect.forkScoped({ startImmediately: true })
  )
})
