/**
 * The journal and its read model as SQL: writing steps, following a journal to its end, and searching it.
 * Invariants: 1. a snapshot is only a shortcut: one that another fold wrote, or that does not belong to its event, is passed over.
 * 2. every row that is folded is checked against its number and digest.
 */
import { Effect, Result, Schema } from "effect"
import { type SqlClient, type SqlError, type Statement } from "effect/sql"

import { itemKey } from "../domain/Item.ts"
import { State } from "../domain/State.ts"
import { readBody, type Step, stepOver, type Tip, tipOf } from "./Chain.ts"
import type { Change } from "./Change.ts"
import { compact, loadBase } from "./Compaction.ts"
import { intentIdOf, itemOf, mentionsOf } from "./Mentions.ts"
import { changesOf } from "./ReadModel.ts"
import { errorOf } from "./Sqlite.ts"
import { Corrupt, type Entry, type JournalQuery, StoreError } from "./Store.ts"

/** Which fold wrote a snapshot. Raise it with every change of what the fold of a journal gives. */
const foldVersion = 14
const snapshotsKept = 2
/** Rows that are read at once while folding, so that a long journal does not have to fit into memory. */
const pageRows = 1_000

const State_ = Schema.fromJsonString(State)
const encodeState = Schema.encodeEffect(State_)
const decodeState = Schema.decodeUnknownEffect(State_)

export interface WriteOptions {
  /** Events between two snapshots. */
  readonly snapshotEvery: number
  /** Events older than this, in market time, are removed behind the state that they fold to. */
  readonly keepMillis: number
}

/** Writes steps and what follows from them; for use inside a transaction. */
export const writeSteps = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  steps: ReadonlyArray<Step>,
  { keepMillis, snapshotEvery }: WriteOptions
) {
  for (const step of steps) {
    yield* writeEvent(sql, step)
    for (const change of changesOf(step)) yield* writeChange(sql, change)
  }
  const last = steps.at(-1)
  if (last === undefined) return
  const { seq } = last.entry
  if (Math.floor(seq / snapshotEvery) > Math.floor((seq - steps.length) / snapshotEvery))
    yield* writeSnapshot(sql, last)
  else return
  const before = last.entry.event.at - keepMillis
  yield* compact(sql, { before, snapshotEvery, fold: foldVersion }).pipe(
    // not to be had without the state that it goes on from: the journal only grows
    Effect.catchIf(
      (error): error is string => typeof error === "string",
      (why) => Effect.logWarning(`the journal is not shortened: ${why}`)
    )
  )
})

const writeEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { body, digest, entry: { event, seq } }: Step
) {
  const item = itemOf(event)
  yield* sql`INSERT INTO events ${sql.insert({
    seq,
    at: event.at,
    kind: event._tag,
    item: item === undefined ? null : itemKey(item),
    intent: intentIdOf(event) ?? null,
    body,
    digest
  })}`
  for (const id of mentionsOf(event)) yield* sql`INSERT INTO mentions ${sql.insert({ id, seq })}`
})

const writeChange = (sql: SqlClient.SqlClient, change: Change): Effect.Effect<unknown, SqlError.SqlError> => {
  const table = sql(change.table)
  switch (change._tag) {
    case "Insert":
      return sql`INSERT INTO ${table} ${sql.insert(change.row)}`
    case "Upsert":
      return sql`INSERT OR REPLACE INTO ${table} ${sql.insert(change.row)}`
    case "Update":
      return sql`UPDATE ${table} SET ${sql.update(change.row)} WHERE ${sql(change.key)} = ${change.id}`
  }
}

const writeSnapshot = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { after, digest, entry: { seq } }: Step
) {
  const body = yield* Effect.orDie(encodeState(after))
  yield* sql`INSERT INTO snapshots ${sql.insert({ seq, digest, fold: foldVersion, body })}`
  yield* sql`DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ${snapshotsKept})`
})

/** The end of the journal in the database: the newest good snapshot and the fold of what follows it. */
export const loadTip = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string) {
  const snapshots = yield* sql<{ seq: number; digest: string; body: string }>`
    SELECT seq, snapshots.digest, snapshots.body FROM snapshots JOIN events USING (seq)
    WHERE fold = ${foldVersion} AND snapshots.digest = events.digest ORDER BY seq DESC`.pipe(
    Effect.mapError(errorOf(file, "load"))
  )
  for (const { body, digest, seq } of snapshots) {
    const state = yield* Effect.result(decodeState(body))
    if (Result.isSuccess(state)) return yield* catchUp(sql, file, { seq, digest, state: state.success })
    yield* Effect.logWarning(`the snapshot at event ${seq} cannot be read; starting from an earlier one`)
  }
  const base = yield* loadBase(sql).pipe(
    Effect.mapError((error) =>
      typeof error === "string"
        ? new StoreError({ reason: new Corrupt({ file, detail: error }) })
        : errorOf(file, "load")(error)
    )
  )
  return yield* catchUp(sql, file, base)
})

/** Folds what was written after the tip. */
export const catchUp = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string, from: Tip) {
  let tip = from
  for (;;) {
    const rows = yield* sql<{ seq: number; body: string; digest: string }>`
      SELECT seq, body, digest FROM events WHERE seq > ${tip.seq} ORDER BY seq LIMIT ${pageRows}`.pipe(
      Effect.mapError(errorOf(file, "load"))
    )
    for (const row of rows) {
      const corrupt = (detail: string) => new StoreError({ reason: new Corrupt({ file, detail }) })
      if (row.seq !== tip.seq + 1) return yield* corrupt(`event ${tip.seq + 1} is missing`)
      const step = yield* Effect.fromResult(stepOver(tip, row.body)).pipe(
        Effect.mapError((detail) => corrupt(`event ${row.seq} cannot be read: ${detail}`))
      )
      if (step.digest !== row.digest)
        return yield* corrupt(`event ${row.seq} was changed after it was written`)
      tip = tipOf(step)
    }
    if (rows.length < pageRows) return tip
  }
})

/** The entries that a query asks for, in order. */
export const readJournal = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  file: string,
  query: JournalQuery
) {
  if (query.kinds?.length === 0) return []
  const where: Array<Statement.Fragment> = [sql`seq > ${query.after ?? 0}`]
  if (query.kinds !== undefined) where.push(sql`kind IN ${sql.in(query.kinds)}`)
  if (query.about !== undefined) where.push(sql`seq IN (SELECT seq FROM mentions WHERE id = ${query.about})`)
  const newest = query.last === undefined ? sql`` : sql`ORDER BY seq DESC LIMIT ${Math.max(0, query.last)}`
  const rows = yield* sql<{ seq: number; body: string }>`
    SELECT * FROM (SELECT seq, body FROM events WHERE ${sql.and(where)} ${newest}) ORDER BY seq`.pipe(
    Effect.mapError(errorOf(file, "journal"))
  )
  const entries: Array<Entry> = []
  for (const row of rows) {
    const event = yield* Effect.fromResult(readBody(row.body)).pipe(
      Effect.mapError(
        (detail) =>
          new StoreError({
            reason: new Corrupt({ file, detail: `event ${row.seq} cannot be read: ${detail}` })
          })
      )
    )
    entries.push({ seq: row.seq, event })
  }
  return entries
})
