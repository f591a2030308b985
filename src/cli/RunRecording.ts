/** The recording of a run: a fiber that puts what the engine sees onto tapes, beside trading and never in its way. */
import { Duration, Effect, Path, Stream } from "effect"

import { makeRecorder, type RecorderOptions, rollBytes } from "../backtest/Recorder.ts"
import { Activity } from "../engine/Activity.ts"
import type { Settings } from "./Settings.ts"

interface Recorded extends Pick<RecorderOptions, "meta" | "held"> {
  /** The tapes lie beside it, unless the configuration names a folder. */
  readonly database: string
}

const megabyte = 1024 * 1024

/** Records until the scope closes; does nothing when the configuration does not want it. */
export const record = Effect.fn("RunRecording.record")(function* (
  { folder, keep, keepMegabytes, on, rollEvery }: Settings["recording"],
  { database, held, meta }: Recorded
) {
  if (!on) return
  const path = yield* Path.Path
  const activity = yield* Activity
  const take = yield* makeRecorder({
    folder: folder ?? path.join(path.dirname(database), "tapes"),
    meta,
    held,
    rollMillis: Duration.toMillis(rollEvery),
    rollBytes,
    keepMillis: Duration.toMillis(keep),
    keepBytes: keepMegabytes * megabyte
  })
  yield* activity.happenings.pipe(
    Stream.runForEach((happening) => (happening._tag === "Observed" ? take(happening) : Effect.void)),
    Effect.forkScoped({ startImmediately: true })
  )
})
