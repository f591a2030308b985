/**
 * The journal in a folder: `market.log` and `world.json`. Every call is synchronous on purpose: under virtual time nothing else may run,
 * and the clock may not move, between a command and its line on the disk.
 * Invariants: 1. an append returns after fsync. 2. a snapshot replaces the old one in one rename, and the folder is synced.
 * 3. a torn last line is cut off before anything is appended.
 */

import * as Fs from "node:fs"
import { join } from "node:path"

import { Effect, Option, type Scope } from "effect"

import {
  Damaged,
  type Journal,
  JournalError,
  readLog,
  sealed,
  type Snapshot,
  Unwritable,
  unsealed
} from "./Journal.ts"
import { type World } from "./World.ts"

const attempt = <A>(path: string, run: () => A): Effect.Effect<A, JournalError> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new JournalError({
        reason: new Unwritable({ path, detail: cause instanceof Error ? cause.message : String(cause) })
      })
  })

const writeAll = (file: number, text: string): void => {
  const bytes = new TextEncoder().encode(text)
  for (let done = 0; done < bytes.length;) done += Fs.writeSync(file, bytes, done)
  Fs.fsyncSync(file)
}

const syncFolder = (folder: string): void => {
  const handle = Fs.openSync(folder, "r")
  Fs.fsyncSync(handle)
  Fs.closeSync(handle)
}

const writeSnapshot = (folder: string, snapshot: Snapshot): void => {
  const [path, draft] = [join(folder, "world.json"), join(folder, "world.json.new")]
  const file = Fs.openSync(draft, "w", 0o600)
  writeAll(file, sealed(JSON.stringify(snapshot)))
  Fs.closeSync(file)
  Fs.renameSync(draft, path)
  syncFolder(folder)
}

/** A snapshot that is missing or damaged is no loss: the log has everything. */
const readSnapshot = (path: string): Snapshot | undefined => {
  if (!Fs.existsSync(path)) return undefined
  const text = unsealed(Fs.readFileSync(path, "utf8").replace(/\n$/, ""))
  if (Option.isNone(text)) return undefined
  const { number, world } = JSON.parse(text.value) as { readonly number: number; readonly world: World }
  return world.format === 3 ? { number, world } : undefined
}

/** Opens or begins the journal in the folder; closed with the scope. */
export const journalFiles = Effect.fn("JournalFiles.open")(function* (
  folder: string
): Effect.fn.Return<Journal, JournalError, Scope.Scope> {
  const path = join(folder, "market.log")
  yield* attempt(folder, () => Fs.mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const text = yield* attempt(path, () => (Fs.existsSync(path) ? Fs.readFileSync(path, "utf8") : ""))
  const { entries, soundLength } = yield* readLog(path, text)
  const snapshot = yield* attempt(path, () => readSnapshot(join(folder, "world.json")))
  // Lines are on the disk before a snapshot that contains them: one that knows more than the log means that the log was cut.
  if (snapshot !== undefined && snapshot.number >= entries.length) {
    return yield* new JournalError({ reason: new Damaged({ path, line: entries.length + 1 }) })
  }
  const file = yield* Effect.acquireRelease(
    attempt(path, () => {
      // Lines are ASCII but for names of items, so that the length in bytes has to be counted.
      if (soundLength < text.length) Fs.truncateSync(path, Buffer.byteLength(text.slice(0, soundLength)))
      const opened = Fs.openSync(path, "a", 0o600)
      syncFolder(folder)
      return opened
    }),
    (opened) => Effect.sync(() => Fs.closeSync(opened))
  )
  return {
    recovered: { snapshot, entries, dropped: text.length - soundLength },
    append: (entry) => attempt(path, () => writeAll(file, sealed(JSON.stringify(entry)))),
    snapshot: (taken) => attempt(folder, () => writeSnapshot(folder, taken))
  }
})
