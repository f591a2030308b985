/**
 * effect/sql's SqlClient over one better-sqlite3 handle.
 * Invariants: 1. every statement completes synchronously, so that the store works the same on a virtual clock. 2. one connection behind
 * one semaphore; a transaction begins with BEGIN IMMEDIATE. 3. a commit that returned is on disk (synchronous=FULL).
 */

import BetterSqlite3 from "better-sqlite3"
import { Effect, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { Migrator, SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"

import { Corrupt, Failed, NotWritable, StoreError } from "./Store.ts"

/** Distinct statements of a store are few dozens; more means that a value was written into the text of one. */
const preparedLimit = 256
const busyTimeoutMillis = 5_000
/** Pages in memory; the library's own 16 MB would fill with a journal that is hardly ever read again. */
const cacheKibibytes = 2_048

export interface OpenOptions {
  readonly readOnly: boolean
}

/** Opens the file, which is created unless `readOnly`; closed with the scope. Looks at nothing in it yet. */
export const open: (
  file: string,
  options: OpenOptions
) => Effect.Effect<SqlClient.SqlClient, StoreError, Scope.Scope> = Effect.fnUntraced(function* (
  file,
  { readOnly }
) {
  const database = yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const handle = new BetterSqlite3(file, {
          readonly: readOnly,
          fileMustExist: readOnly,
          timeout: busyTimeoutMillis
        })
        handle.pragma("foreign_keys = ON")
        handle.pragma(`cache_size = -${cacheKibibytes}`)
        handle.pragma("synchronous = FULL")
        return handle
      },
      catch: errorOf(file, "open")
    }),
    (handle) => Effect.sync(() => handle.close())
  )
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connect(database)),
    semaphore: yield* Semaphore.make(1),
    isTransaction: () => database.inTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    compiler: Statement.makeCompilerSqlite(),
    driver: "better-sqlite3",
    spanAttributes: [["db.system.name", "sqlite"]],
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true
  }).pipe(Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))
})

const connect = (database: BetterSqlite3.Database): SqlConnection.Connection => {
  const prepared = new Map<string, BetterSqlite3.Statement>()
  const prepare = (sql: string): BetterSqlite3.Statement => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    if (prepared.size >= preparedLimit) prepared.clear()
    prepared.set(sql, statement)
    return statement
  }
  const attempt = <A>(run: () => A): Effect.Effect<A, SqlError.SqlError> =>
    Effect.try({
      try: run,
      catch: (cause) =>
        new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { operation: "execute" }) })
    })
  const rows = (
    statement: BetterSqlite3.Statement,
    params: ReadonlyArray<unknown>
  ): ReadonlyArray<object> => {
    if (statement.reader) return statement.all(...params) as ReadonlyArray<object>
    statement.run(...params)
    return []
  }
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    attempt(() => {
      const found = rows(prepare(sql), params)
      return transform === undefined ? found : transform(found)
    })
  const values: SqlConnection.Connection["executeValues"] = (sql, params) =>
    // Reading as arrays is a mode of the statement, so this takes one of its own.
    attempt(
      () =>
        database
          .prepare(sql)
          .raw()
          .all(...params) as ReadonlyArray<ReadonlyArray<unknown>>
    )
  return {
    execute,
    executeRaw: (sql, params) => execute(sql, params, undefined),
    executeStream: (sql, params, transform) => Stream.fromIterableEffect(execute(sql, params, transform)),
    executeValues: values,
    executeValuesUnprepared: values,
    executeUnprepared: (sql, params) => attempt(() => rows(database.prepare(sql), params))
  }
}

/** The port's error for anything that a file or database operation threw. */
export const errorOf =
  (file: string, operation: string) =>
  (cause: unknown): StoreError => {
    const root = rootOf(cause)
    const detail = root instanceof Error ? root.message : String(root)
    const code = root instanceof Error && "code" in root ? String(root.code) : ""
    if (corruptCodes.test(code)) return new StoreError({ reason: new Corrupt({ file, detail }) })
    if (unwritableCodes.test(code)) return new StoreError({ reason: new NotWritable({ path: file, detail }) })
    return new StoreError({ reason: new Failed({ operation, detail }) })
  }

const corruptCodes = /^SQLITE_(?:CORRUPT|NOTADB|FORMAT)/
const unwritableCodes =
  /^(?:SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|ENOENT)/

const rootOf = (cause: unknown): unknown => {
  if (cause instanceof SqlError.SqlError) return rootOf(cause.reason.cause)
  if (cause instanceof Migrator.MigrationError && cause.cause !== undefined) return rootOf(cause.cause)
  return cause
}
