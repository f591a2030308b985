/**
 * What happens to the files of a directory, from the operating system. Invariants: 1. all of its waiting is on real time, in chokidar and
 * in one timer here, never on Effect's clock, which may be virtual. 2. a change is told once the file has been quiet for a moment, with the
 * size and time that it had then. 3. watching has begun when the queue is handed out: nothing that happens after it is missed.
 */
import { setTimeout as wait } from "node:timers/promises"

import { type FSWatcher, watch } from "chokidar"
import { Cause, Effect, Latch, Queue, type Scope } from "effect"

export type FileEvent =
  | { readonly _tag: "Written"; readonly path: string; readonly size: number; readonly mtimeMillis: number }
  | { readonly _tag: "Gone"; readonly path: string }
  /** The directory itself is gone, and there again: its files are told anew before. */
  | { readonly _tag: "DirectoryGone" }
  | { readonly _tag: "DirectoryBack" }
  /** The system refused something; later events may still come. */
  | { readonly _tag: "Failed"; readonly why: string }

/** A file that has not changed for this long is complete; also joins the several writes of one save. */
const quietMillis = 100
const lookEveryMillis = 25
/** Longer than a change is held back, so that a renamed file is told under its new name before the old one is gone. */
const atomicMillis = 3 * quietMillis
/** The system's own notices get lost: on network drives, and when a symbolic link to the directory is turned to another one. */
const pollMillis = 2_000
/** What is put back into a directory is put back within this time. */
const backMillis = 1_000

const optionsOf = (again: boolean, usePolling: boolean) => ({
  depth: 0,
  ignoreInitial: !again,
  alwaysStat: true,
  // an editor that replaces a file instead of writing it is a change, not a removal
  atomic: atomicMillis,
  awaitWriteFinish: { stabilityThreshold: quietMillis, pollInterval: lookEveryMillis },
  ...(usePolling ? { usePolling, interval: pollMillis } : {})
})

/** One watcher of one life of the directory; `root` hears whether the directory is there. */
const watcherOf = (
  directory: string,
  options: ReturnType<typeof optionsOf>,
  events: Queue.Queue<FileEvent>,
  root: Queue.Queue<boolean>
): Effect.Effect<void, never, Scope.Scope> => {
  const opened = Effect.callback<FSWatcher>((resume) => {
    const watcher = watch(directory, options)
    const tell = (event: FileEvent) => Queue.offerUnsafe(events, event)
    const hear = (there: boolean) => (path: string) => {
      if (path === directory) Queue.offerUnsafe(root, there)
    }
    for (const kind of ["add", "change"] as const)
      watcher.on(kind, (path, stats) =>
        tell({
          _tag: "Written",
          path,
          size: stats?.size ?? 0,
          mtimeMillis: Math.trunc(stats?.mtimeMs ?? 0)
        })
      )
    watcher.on("unlink", (path) => tell({ _tag: "Gone", path }))
    watcher.on("unlinkDir", hear(false))
    watcher.on("addDir", hear(true))
    watcher.on("error", (cause) => tell({ _tag: "Failed", why: String(cause) }))
    watcher.once("ready", () => resume(Effect.succeed(watcher)))
  })
  return Effect.asVoid(Effect.acquireRelease(opened, (watcher) => Effect.promise(() => watcher.close())))
}

/** Events of the files directly in the directory; ends with the scope. */
export const fileEvents = (directory: string): Effect.Effect<Queue.Dequeue<FileEvent>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const events = yield* Queue.unbounded<FileEvent>()
    const root = yield* Queue.unbounded<boolean>()
    const ready = yield* Latch.make()
    const until = (there: boolean) => Effect.repeat(Queue.take(root), { until: (now) => now === there })
    // chokidar does not look into a directory that was put back under its name: a new one does
    const life = (again: boolean) =>
      Effect.gen(function* () {
        for (const usePolling of [false, true])
          yield* watcherOf(directory, optionsOf(again, usePolling), events, root)
        if (again) {
          yield* Effect.promise(() => wait(backMillis, undefined, { ref: false }))
          yield* Queue.offer(events, { _tag: "DirectoryBack" })
        }
        yield* ready.open
        yield* until(false)
        yield* Queue.offer(events, { _tag: "DirectoryGone" })
        yield* until(true)
      }).pipe(Effect.scoped)
    yield* Effect.andThen(life(false), Effect.forever(life(true))).pipe(
      // whoever follows the events must not wait for ever for the next one
      Effect.onError((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.andThen(Queue.failCause(events, cause), ready.open)
      ),
      Effect.forkScoped
    )
    yield* ready.await
    return events
  })
