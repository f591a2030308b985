/**
 * The store in a SQLite file: the daemon's, which writes, and the faces', which only look.
 * Invariants: 1. a file that is another account's, newer, damaged or not haggle's is left as it was found. 2. the lock is taken before
 * the file is looked at and given back after it is closed. 3. the state in memory changes only after the commit.
 */

import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
// The only place that asks for our own process: its id is written down for the message of a second instance.
import { pid } from "node:process"

import { Effect, Layer, Option, Ref, Schema, Semaphore } from "effect"
import { type SqlClient } from "effect/sql"

import type { Event } from "../domain/Event.ts"
import { stepsFrom, tipOf } from "./Chain.ts"
import { catchUp, loadTip, readJournal, writeSteps } from "./JournalSqlite.ts"
import { hold } from "./Lock.ts"
import { inspect, knownVersion, lastPid, prepare, showStamp } from "./Migrations.ts"
import { errorOf, open } from "./Sqlite.ts"
import { Corrupt, Failed, Heartbeat, Missing, OtherStamp, type Stamp, Store, StoreError } from "./Store.ts"

/** Events between two snapshots: a start folds at most so many, in some milliseconds. */
const snapshotEvents = 500

/** The write-ahead log is cut to this after a checkpoint; SQLite checkpoints by itself every thousand pages. */
const logBytes = 16 * 1024 * 1024
/** A file below this (of pages of 4 KiB) is not worth a vacuum. */
const tidyPages = 4_096

export interface SqliteOptions {
  readonly file: string
  readonly stamp: Stamp
  /** Events between two snapshots, 500 by default. */
  readonly snapshotEvery?: number
  /** Market time for which events are kept; for ever by default. */
  readonly keepMillis?: number
}

/** The daemon's store: creates the folder and the file where needed, holds the lock, writes. All reasons but Missing. */
export const layerSqlite = (options: SqliteOptions): Layer.Layer<Store, StoreError> =>
  Layer.effect(Store, makeWriter(options))

/** What a face reads of a running or stopped daemon: no lock, no write; `append` and `beat` fail, the state follows the daemon's. */
export const layerReadOnly = (file: string): Layer.Layer<Store, StoreError> =>
  Layer.effect(Store, makeReader(file))

const makeWriter = Effect.fnUntraced(function* ({
  file,
  keepMillis = Number.POSITIVE_INFINITY,
  snapshotEvery = snapshotEvents,
  stamp
}: SqliteOptions) {
  yield* Effect.try({
    try: () => mkdirSync(dirname(file), { recursive: true }),
    catch: errorOf(dirname(file), "create")
  })
  yield* hold(file, holderOf(file))
  const sql = yield* open(file, { readOnly: false })
  const found = yield* inspect(sql, file)
  if (Option.isSome(found)) {
    const [theirs, ours] = [showStamp(found.value.stamp), showStamp(stamp)]
    if (theirs !== ours)
      return yield* new StoreError({ reason: new OtherStamp({ file, found: theirs, wanted: ours }) })
    yield* quickCheck(sql, file)
  }
  yield* sql.unsafe("PRAGMA journal_mode = WAL").pipe(Effect.mapError(errorOf(file, "open")))
  yield* sql.unsafe(`PRAGMA journal_size_limit = ${logBytes}`).pipe(Effect.mapError(errorOf(file, "open")))
  yield* prepare(sql, file, stamp, pid)
  yield* tidy(sql, file)
  const tip = yield* Ref.make(yield* loadTip(sql, file))
  const oneByOne = yield* Semaphore.make(1)
  const failed = errorOf(file, "append")

  const append = Effect.fn("Store.append")(
    function* (events: ReadonlyArray<Event>) {
      const before = yield* Ref.get(tip)
      const steps = yield* Effect.fromResult(stepsFrom(before, events)).pipe(
        Effect.mapError((detail) => new StoreError({ reason: new Failed({ operation: "append", detail }) }))
      )
      const last = steps.at(-1)
      if (last === undefined) return before.state
      yield* sql
        .withTransaction(writeSteps(sql, steps, { snapshotEvery, keepMillis }))
        .pipe(Effect.mapError(failed))
      yield* Ref.set(tip, tipOf(last))
      return last.after
    },
    // Whoever is interrupted waits for the commit: the file and the memory are never a step apart.
    (write) => oneByOne.withPermit(Effect.uninterruptible(write))
  )

  const beat = Effect.fn("Store.beat")(
    function* (heart: Omit<Heartbeat, "pid">) {
      const body = yield* encodeBeat({ ...heart, pid })
      yield* sql`INSERT OR REPLACE INTO heartbeat ${sql.insert({ one: 1, body })}`
    },
    Effect.mapError(errorOf(file, "beat"))
  )

  return Store.of({
    stamp,
    state: Effect.map(Ref.get(tip), ({ state }) => state),
    append,
    journal: (query) => readJournal(sql, file, query),
    journalHash: Effect.map(Ref.get(tip), ({ digest }) => digest),
    beat,
    lastBeat: lastBeat(sql, file)
  })
})

const makeReader = Effect.fnUntraced(function* (file: string) {
  if (!existsSync(file)) return yield* new StoreError({ reason: new Missing({ file }) })
  const sql = yield* open(file, { readOnly: true })
  const found = yield* inspect(sql, file)
  // An empty file is what is there between the creation of a database and its first commit.
  if (Option.isNone(found)) return yield* new StoreError({ reason: new Missing({ file }) })
  const { stamp, version } = found.value
  if (version < knownVersion)
    return yield* new StoreError({
      reason: new Failed({
        operation: "open",
        detail: `version ${version} of the database; a run brings it to ${knownVersion}`
      })
    })
  const tip = yield* Ref.make(yield* loadTip(sql, file))
  const oneByOne = yield* Semaphore.make(1)
  const follow = oneByOne.withPermit(
    Effect.gen(function* () {
      const next = yield* catchUp(sql, file, yield* Ref.get(tip))
      yield* Ref.set(tip, next)
      return next
    })
  )
  const refuse = (operation: string) =>
    Effect.fail(
      new StoreError({ reason: new Failed({ operation, detail: "the database is open for reading only" }) })
    )
  return Store.of({
    stamp,
    // The port's state cannot fail: a read that does shows what was read last, and says so.
    state: follow.pipe(
      Effect.tapError((error) => Effect.logWarning("the state could not be read again", error)),
      Effect.catch(() => Ref.get(tip)),
      Effect.map(({ state }) => state)
    ),
    append: () => refuse("append"),
    journal: (query) => readJournal(sql, file, query),
    journalHash: Effect.map(follow, ({ digest }) => digest),
    beat: () => refuse("beat"),
    lastBeat: lastBeat(sql, file)
  })
})

const BeatText = Schema.fromJsonString(Heartbeat)
const encodeBeat = Schema.encodeEffect(BeatText)
const decodeBeat = Schema.decodeUnknownEffect(BeatText)

const lastBeat = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string) {
  const [row] = yield* sql<{ body: string }>`SELECT body FROM heartbeat`.pipe(
    Effect.mapError(errorOf(file, "lastBeat"))
  )
  if (row === undefined) return Option.none<Heartbeat>()
  return Option.some(
    yield* decodeBeat(row.body).pipe(
      Effect.mapError(
        (error) => new StoreError({ reason: new Corrupt({ file, detail: `heartbeat: ${error.message}` }) })
      )
    )
  )
})

/** Gives back what removed events leave behind, once that is most of a file worth the time. */
const tidy = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string) {
  const [found] = yield* sql<{ empty: number; pages: number }>`
    SELECT (SELECT freelist_count FROM pragma_freelist_count) AS empty, (SELECT page_count FROM pragma_page_count) AS pages`.pipe(
    Effect.mapError(errorOf(file, "tidy"))
  )
  if (found === undefined || found.pages < tidyPages || found.empty * 2 < found.pages) return
  yield* sql.unsafe("VACUUM").pipe(Effect.mapError(errorOf(file, "tidy")))
})

const quickCheck = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string) {
  const [result] = yield* sql<{ quick_check: string }>`PRAGMA quick_check(1)`.pipe(
    Effect.mapError(errorOf(file, "check"))
  )
  if (result?.quick_check !== "ok")
    return yield* new StoreError({
      reason: new Corrupt({ file, detail: result?.quick_check ?? "no answer to the check" })
    })
})

/** Who has the database, as far as the file itself tells. */
const holderOf = (file: string): Effect.Effect<number> =>
  Effect.scoped(Effect.flatMap(open(file, { readOnly: true }), lastPid)).pipe(Effect.orElseSucceed(() => 0))
