/**
 * One process per database: a lock that the operating system holds for us and drops when the process ends, however it ends.
 * Invariants: 1. a process that is gone, also by kill -9, holds nothing; there is no stale lock to judge, and no reused pid to be
 * mistaken for its holder. 2. the lock file is empty and stays where it is: deleting it would let two processes lock two files.
 */

import BetterSqlite3 from "better-sqlite3"
import { Effect, type Scope } from "effect"

import { errorOf } from "./Sqlite.ts"
import { InUse, StoreError } from "./Store.ts"

/** Where the lock of a database is. */
const lockFile = (file: string): string => `${file}.lock`

/**
 * Holds the database's lock until the scope closes. Fails with InUse when another holds it, naming the process that `holder` finds.
 * The lock is an open exclusive SQLite transaction on an empty file: the same on every platform that the database itself runs on.
 */
export const hold = (
  file: string,
  holder: Effect.Effect<number>
): Effect.Effect<void, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const lock = lockFile(file)
    const handle = yield* Effect.acquireRelease(
      Effect.try({ try: () => new BetterSqlite3(lock, { timeout: 0 }), catch: errorOf(lock, "lock") }),
      (open) => Effect.sync(() => open.close())
    )
    const refused = yield* Effect.try({
      try: () => handle.exec("BEGIN EXCLUSIVE"),
      catch: (cause) => (isBusy(cause) ? "busy" : errorOf(lock, "lock")(cause))
    }).pipe(Effect.match({ onSuccess: () => undefined, onFailure: (why) => why }))
    if (refused === undefined) return
    if (refused !== "busy") return yield* refused
    return yield* new StoreError({ reason: new InUse({ file, pid: yield* holder }) })
  })

const isBusy = (cause: unknown): boolean =>
  cause instanceof BetterSqlite3.SqliteError &&
  (cause.code.startsWith("SQLITE_BUSY") || cause.code === "SQLITE_LOCKED")
