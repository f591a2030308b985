/**
 * What happens to the files of a directory, from the operating system. Invariants: 1. all of its waiting is on real time inside
 * chokidar, never on Effect's clock, which may be virtual: a change is told once the file has been quiet for a moment.
 * 2. watching has begun when the queue is handed out: nothing that happens after it is missed.
 */
import { watch } from "chokidar"
import { Effect, Queue, type Scope } from "effect"

export type FileEvent =
  | { readonly _tag: "Written"; readonly path: string }
  | { readonly _tag: "Gone"; readonly path: string }
  /** The system refused something; later events may still come. */
  | { readonly _tag: "Failed"; readonly why: string }

/** A file that has not grown for this long is complete; also joins the several writes of one save. */
const quietMillis = 100
const lookEveryMillis = 25

/** Events of the files directly in the directory; ends with the scope. */
export const fileEvents = (directory: string): Effect.Effect<Queue.Dequeue<FileEvent>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<FileEvent>()
    const opened = Effect.callback<ReturnType<typeof watch>>((resume) => {
      const watcher = watch(directory, {
        depth: 0,
        ignoreInitial: true,
        // an editor that replaces a file instead of writing it is a change, not a removal
        atomic: quietMillis,
        awaitWriteFinish: { stabilityThreshold: quietMillis, pollInterval: lookEveryMillis }
      })
      watcher.on("add", (path) => Queue.offerUnsafe(queue, { _tag: "Written", path }))
      watcher.on("change", (path) => Queue.offerUnsafe(queue, { _tag: "Written", path }))
      watcher.on("unlink", (path) => Queue.offerUnsafe(queue, { _tag: "Gone", path }))
      watcher.on("error", (cause) => Queue.offerUnsafe(queue, { _tag: "Failed", why: String(cause) }))
      watcher.once("ready", () => resume(Effect.succeed(watcher)))
    })
    yield* Effect.acquireRelease(opened, (watcher) => Effect.promise(() => watcher.close()))
    return queue
  })
