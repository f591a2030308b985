/**
 * Looks after the room on the disks that the daemon writes to: a journal that cannot grow ends it. Invariant: people are told once when it
 * becomes little, and once when there is enough again.
 */
import { statfs } from "node:fs/promises"

import { Effect } from "effect"

import { marketNow } from "../../engine/Journal.ts"
import { Notifier } from "../../notify/Notifier.ts"

const megabyte = 1024 * 1024
/** Days of journal, tapes and backups; and so much more before it counts as enough, so that it is not told again and again. */
const littleBytes = 512 * megabyte
const enoughBytes = 2 * littleBytes
const between = "5 minutes"

/** Free bytes under a path; undefined where the system does not tell. */
type FreeBytes = (path: string) => Effect.Effect<number | undefined>

const freeBytes: FreeBytes = (path) =>
  Effect.promise(() =>
    statfs(path).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => undefined
    )
  )

/** Looks for ever at the disks of these folders. */
export const watchDisk = Effect.fn("DiskWatch.watchDisk")(function* (
  folders: ReadonlyArray<string>,
  free: FreeBytes = freeBytes
) {
  const notifier = yield* Notifier
  const little = new Set<string>()
  for (;;) {
    for (const folder of folders) {
      const bytes = yield* free(folder)
      if (bytes === undefined || bytes < littleBytes === little.has(folder)) continue
      const isLittle = bytes < littleBytes
      if (!isLittle && bytes < enoughBytes) continue
      if (isLittle) little.add(folder)
      else little.delete(folder)
      const text = `${Math.floor(bytes / megabyte)} MB are left for ${folder}${isLittle ? ": make room, or the journal cannot be written and the daemon ends" : ""}`
      if (isLittle) yield* Effect.logWarning(text)
      yield* notifier.notify({
        at: yield* marketNow,
        urgency: isLittle ? "critical" : "info",
        kind: isLittle ? "DiskLow" : "DiskEnough",
        about: `disk ${folder}`,
        title: isLittle ? "The disk is almost full" : "There is room on the disk again",
        text
      })
    }
    yield* Effect.sleep(between)
  }
})
