/**
 * A folder in memory, and a watcher that tells of a file once it has been quiet, as the real one does, but in virtual time; now and then it
 * tells too early, as a late notice of an earlier write does.
 */
import { ByteSize, DateTime, Effect, FileSystem, Option, PlatformError, Queue } from "effect"

import type { FileEvent } from "../../src/rules/Watch.ts"

export const folder = "/strategies"
const quietMillis = 100

interface Stored {
  readonly text: string
  readonly writes: number
}

export interface Disk {
  readonly fileSystem: FileSystem.FileSystem
  readonly events: Queue.Queue<FileEvent>
  readonly files: ReadonlyMap<string, string>
  /** Each part replaces the file's text; between two parts passes so much time, less than a watcher waits. */
  readonly write: (name: string, parts: ReadonlyArray<string>, pauseMillis: number) => Effect.Effect<void>
  readonly remove: (name: string) => Effect.Effect<void>
  readonly rename: (from: string, to: string) => Effect.Effect<void>
  /** The folder is away for so long. */
  readonly away: (millis: number) => Effect.Effect<void>
}

const notFound = (path: string) =>
  PlatformError.systemError({
    _tag: "NotFound",
    module: "FileSystem",
    method: "open",
    pathOrDescriptor: path
  })

export const makeDisk = Effect.fnUntraced(function* (first: Readonly<Record<string, string>>) {
  const stored = new Map<string, Stored>(
    Object.entries(first).map(([name, text]) => [name, { text, writes: 0 }])
  )
  const events = yield* Queue.unbounded<FileEvent>()
  let isThere = true
  let writes = 0
  const nameOf = (path: string): string => path.slice(folder.length + 1)
  const at = (path: string) =>
    Effect.suspend(() => {
      const found = isThere ? stored.get(nameOf(path)) : undefined
      return found === undefined ? Effect.fail(notFound(path)) : Effect.succeed(found)
    })
  const fileSystem = FileSystem.makeNoop({
    exists: (path) => Effect.sync(() => isThere && (path === folder || stored.has(nameOf(path)))),
    readDirectory: () => Effect.sync(() => [...stored.keys()]),
    readFileString: (path) => Effect.map(at(path), ({ text }) => text),
    stat: (path) =>
      Effect.map(at(path), ({ text, writes }) => ({
        type: "File" as const,
        mtime: Option.some(DateTime.toDateUtc(DateTime.makeUnsafe(writes))),
        atime: Option.none(),
        birthtime: Option.none(),
        dev: 0n,
        ino: Option.none(),
        mode: 0o644,
        nlink: Option.none(),
        uid: Option.none(),
        gid: Option.none(),
        rdev: Option.none(),
        size: ByteSize.bytes(text.length),
        blksize: Option.none(),
        blocks: Option.none()
      }))
  })
  const put = (name: string, text: string) =>
    Effect.sync(() => {
      stored.set(name, { text, writes: ++writes })
    })
  const tell = (name: string) =>
    Effect.suspend(() => {
      const now = stored.get(name)
      return Queue.offer(
        events,
        now === undefined
          ? { _tag: "Gone", path: `${folder}/${name}` }
          : { _tag: "Written", path: `${folder}/${name}`, size: now.text.length, mtimeMillis: now.writes }
      )
    })
  const disk: Disk = {
    fileSystem,
    events,
    get files() {
      return new Map([...stored].map(([name, { text }]) => [name, text]))
    },
    write: Effect.fnUntraced(function* (name, parts, pauseMillis) {
      for (const [index, part] of parts.entries()) {
        if (index > 0) yield* Effect.sleep(pauseMillis)
        const before = stored.get(name)
        yield* put(name, part)
        // the notice of the text before this one arrives now
        if (before !== undefined)
          yield* Queue.offer(events, {
            _tag: "Written",
            path: `${folder}/${name}`,
            size: before.text.length,
            mtimeMillis: before.writes
          })
      }
      yield* Effect.sleep(quietMillis)
      yield* tell(name)
    }),
    remove: Effect.fnUntraced(function* (name) {
      stored.delete(name)
      yield* Effect.sleep(3 * quietMillis)
      yield* tell(name)
    }),
    rename: Effect.fnUntraced(function* (from, to) {
      const text = stored.get(from)?.text ?? ""
      stored.delete(from)
      yield* put(to, text)
      yield* Effect.sleep(quietMillis)
      yield* tell(to)
      yield* Effect.sleep(2 * quietMillis)
      yield* tell(from)
    }),
    away: Effect.fnUntraced(function* (millis) {
      isThere = false
      yield* Queue.offer(events, { _tag: "DirectoryGone" })
      for (const name of stored.keys())
        yield* Queue.offer(events, { _tag: "Gone", path: `${folder}/${name}` })
      yield* Effect.sleep(millis)
      isThere = true
      for (const name of stored.keys()) yield* tell(name)
      yield* Queue.offer(events, { _tag: "DirectoryBack" })
    })
  }
  return disk
})
