/** The recording of a run: a fiber that puts what the engine sees onto tapes, beside trading and never in its way. */
import { Duration, Effect, Path, Stream } from "effect"

import type { Fill } from "../../domain/Fill.ts"
import { add, money } from "../../domain/Money.ts"
import { Activity } from "../../engine/Activity.ts"
import { makeRecorder, type RecorderOptions, rollBytes, type Seen } from "../../tape/Recorder.ts"
import type { Settings } from "../config/Settings.ts"

interface Recorded extends Pick<RecorderOptions, "meta" | "held"> {
  /** The tapes lie beside it, unless the configuration names a folder. */
  readonly database: string
}

const traded = ({ amount, at, fee, item, side, units }: Fill): Seen => {
  const price = money(Math.round((side === "Buy" ? amount : add(amount, fee)) / Math.max(1, units)))
  return {
    at,
    item,
    saw: { _tag: "Traded", trade: { side: side === "Buy" ? "bids" : "asks", price, units, at } }
  }
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
    Stream.runForEach((happening) => {
      if (happening._tag === "Observed") return take(happening)
      return happening._tag === "Journaled" && happening.event._tag === "Filled"
        ? take(traded(happening.event.fill))
        : Effect.void
    }),
    Effect.forkScoped({ startImmediately: true })
  )
})
