/**
 * A copy of a database, also of one that a daemon works with: one file, whole, checked before it gets its name.
 * Invariants: 1. the daemon is not stopped: the copy is one read of the write-ahead log's last commit. 2. a file that is there is never
 * overwritten. 3. what has the name of a backup was read back: SQLite's integrity, the stamp, the journal's chain.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"

import BetterSqlite3 from "better-sqlite3"
import { Effect, Option } from "effect"

import { loadTip } from "./JournalSqlite.ts"
import { inspect, showStamp } from "./Migrations.ts"
import { errorOf, open } from "./Sqlite.ts"
import { Corrupt, Failed, Missing, type Stamp, StoreError } from "./Store.ts"

const ownerOnly = 0o600
/** All pages in one step: a step that another process writes in between of starts the copy anew. */
const allPages = 0x7fff_ffff

export interface Backup {
  readonly file: string
  readonly stamp: Stamp
  /** Events in the copy, and the digest of the last: equal to the original's at that event. */
  readonly events: number
  readonly digest: string
}

/** Copies a database to a file that is not there yet. */
export const backup = Effect.fn("Backup.backup")(function* (from: string, to: string) {
  if (!existsSync(from)) return yield* new StoreError({ reason: new Missing({ file: from }) })
  if (existsSync(to))
    return yield* new StoreError({
      reason: new Failed({ operation: "backup", detail: `${to} is there already; choose another name` })
    })
  const part = `${to}.part`
  return yield* copied(from, part).pipe(
    Effect.andThen(verified(from, part)),
    Effect.tap(() => attempt(to, () => renameSync(part, to))),
    Effect.map((read): Backup => ({ file: to, ...read })),
    Effect.ensuring(Effect.sync(() => rmSync(part, { force: true })))
  )
})

const attempt = <A>(file: string, run: () => A) => Effect.try({ try: run, catch: errorOf(file, "backup") })

const copied = (from: string, part: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* attempt(part, () => {
        mkdirSync(dirname(part), { recursive: true, mode: 0o700 })
        rmSync(part, { force: true })
        // nobody else may read it from its first byte on
        closeSync(openSync(part, "wx", ownerOnly))
      })
      const source = yield* opened(from, { readonly: true })
      yield* Effect.tryPromise({
        try: () => source.backup(part, { progress: () => allPages }),
        catch: errorOf(part, "backup")
      })
      const copy = yield* opened(part, {})
      // one file, without a write-ahead log beside it
      yield* attempt(part, () => copy.pragma("journal_mode = DELETE"))
    })
  )

const opened = (file: string, options: BetterSqlite3.Options) =>
  Effect.acquireRelease(
    attempt(file, () => new BetterSqlite3(file, options)),
    (handle) => Effect.sync(() => handle.close())
  )

const verified = (from: string, part: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const wrong = (detail: string) => new StoreError({ reason: new Corrupt({ file: from, detail }) })
      const sql = yield* open(part, { readOnly: true })
      const [check] = yield* sql<{ integrity_check: string }>`PRAGMA integrity_check(1)`.pipe(
        Effect.mapError(errorOf(part, "backup"))
      )
      if (check?.integrity_check !== "ok")
        return yield* wrong(check?.integrity_check ?? "no answer to the check")
      const [copy, original] = [
        yield* inspect(sql, part),
        yield* inspect(yield* open(from, { readOnly: true }), from)
      ]
      if (Option.isNone(copy) || Option.isNone(original)) return yield* wrong("it is empty")
      const { stamp } = copy.value
      if (showStamp(stamp) !== showStamp(original.value.stamp))
        return yield* wrong("the copy has another stamp")
      const { digest, seq } = yield* loadTip(sql, part)
      yield* attempt(part, () => {
        const handle = openSync(part, "r+")
        fsyncSync(handle)
        closeSync(handle)
      })
      return { stamp, events: seq, digest }
    })
  )
