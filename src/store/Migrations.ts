/**
 * Brings a database to the shape that this version knows, one numbered migration after the other in one transaction.
 * Invariants: 1. a migration that was released is never edited; a new one follows it. 2. a database that is newer, or is not haggle's,
 * is left exactly as it was found.
 */
import { Effect, Option } from "effect"
import { Migrator, SqlClient } from "effect/sql"

import { journal } from "./migrations/0001Journal.ts"
import { base } from "./migrations/0002Base.ts"
import { errorOf } from "./Sqlite.ts"
import { Corrupt, type Stamp, StoreError, TooNew } from "./Store.ts"

const migrations = { "1_journal": journal, "2_base": base }

/** The newest shape that this version can read and write. */
export const knownVersion = Object.keys(migrations).length

export interface Inspection {
  readonly version: number
  readonly stamp: Stamp
}

/** What the file is, without writing to it: None for an empty one, TooNew or Corrupt for what we must not touch. */
export const inspect = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string) {
  const tables = yield* sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`.pipe(
    Effect.mapError(errorOf(file, "inspect"))
  )
  if (tables.length === 0) return Option.none<Inspection>()
  const names = new Set(tables.map((table) => table.name))
  const foreign = new StoreError({
    reason: new Corrupt({ file, detail: "a SQLite database, but not one of haggle" })
  })
  if (!names.has("migrations") || !names.has("meta")) return yield* foreign
  const [newest] = yield* sql<{
    version: number | null
  }>`SELECT MAX(migration_id) AS version FROM migrations`.pipe(Effect.mapError(errorOf(file, "inspect")))
  const version = newest?.version ?? 0
  if (version > knownVersion)
    return yield* new StoreError({ reason: new TooNew({ file, found: version, known: knownVersion }) })
  const rows = yield* sql<{ name: string; value: string }>`SELECT name, value FROM meta`.pipe(
    Effect.mapError(errorOf(file, "inspect"))
  )
  const stamp = stampOf(new Map(rows.map((row) => [row.name, row.value])))
  return stamp === undefined ? yield* foreign : Option.some<Inspection>({ version, stamp })
})

/** Migrates and stamps in one transaction each; `pid` is the process that has the database from now on. */
export const prepare = (sql: SqlClient.SqlClient, file: string, stamp: Stamp, pid: number) =>
  sql
    .withTransaction(
      Effect.gen(function* () {
        yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })
        yield* sql`INSERT OR REPLACE INTO meta ${sql.insert([
          { name: "account", value: stamp.account },
          { name: "mode", value: stamp.mode },
          { name: "market", value: stamp.market },
          { name: "pid", value: `${pid}` }
        ])}`
      })
    )
    .pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.mapError(errorOf(file, "migrate")))

/** The process that opened the database last; 0 when nobody can tell. */
export const lastPid = (sql: SqlClient.SqlClient): Effect.Effect<number> =>
  sql<{ value: string }>`SELECT value FROM meta WHERE name = 'pid'`.pipe(
    Effect.map(([row]) => Number.parseInt(row?.value ?? "0", 10) || 0),
    Effect.orElseSucceed(() => 0)
  )

const stampOf = (meta: ReadonlyMap<string, string>): Stamp | undefined => {
  const [account, mode, market] = [meta.get("account"), meta.get("mode"), meta.get("market")]
  if (account === undefined || market === undefined) return undefined
  return mode === "embedded" || mode === "dry-run" || mode === "live" ? { account, mode, market } : undefined
}

/** A stamp as a person reads it: `account/mode/market`. */
export const showStamp = (stamp: Stamp): string => `${stamp.account}/${stamp.mode}/${stamp.market}`
