/**
 * The ledger in a SQLite file of its own, shared by all processes on this machine that name the same file.
 * Invariants: 1. transactions are short and immediate, so processes take turns. 2. nothing is forced to the disk per request: what was
 * committed outlives the process, also by kill -9; a loss of power may forget what the system had not written out yet. 3. the file is
 * readable by its owner only and holds no secret: an account id, an address, operations and times.
 */

import { chmodSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

import BetterSqlite3 from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"

import { Operation } from "../domain/Operation.ts"
import { briefIn, type Quotas } from "./Quotas.ts"
import { type Entry, RateLedger, remembersBrieflyMillis, remembersMillis } from "./RateLedger.ts"

export class LedgerError extends Schema.TaggedError<LedgerError>()("LedgerError", {
  file: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `the ledger of requests ${this.file} cannot be used (${this.detail}): name another file with market.ledger`
  }
}

/** Whose requests are counted, and where they go. */
export interface LedgerOwner {
  readonly file: string
  /** The market's address: budgets of one have nothing to do with another's. */
  readonly market: string
  readonly account: string
  /** Budgets by which entries are judged to be of no use any more; processes that share a file should have the same. */
  readonly quotas: Quotas
}

/** Longer than any transaction of another process takes, by far. */
const busyMillis = 5_000
/** Between two clean-ups of what nobody counts any more. */
const tidyMillis = 600_000

const schema = `
  CREATE TABLE IF NOT EXISTS owners (
    id INTEGER PRIMARY KEY, market TEXT NOT NULL, account TEXT NOT NULL, UNIQUE (market, account)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, kind TEXT NOT NULL, operation TEXT NOT NULL,
    at INTEGER NOT NULL, item TEXT
  ) STRICT;
`

interface Row {
  readonly id: number
  readonly owner: number
  readonly kind: Entry["kind"]
  readonly operation: string
  readonly at: number
  readonly item: string | null
}

const isOperation = Schema.is(Operation)

/** Fails when the file cannot be opened. */
export const layer = (owner: LedgerOwner): Layer.Layer<RateLedger, LedgerError> =>
  Layer.effect(
    RateLedger,
    Effect.acquireRelease(
      attempt(owner.file, () => open(owner.file)),
      (handle) => Effect.sync(() => handle.close())
    ).pipe(Effect.flatMap((handle) => attempt(owner.file, () => serviceOf(handle, owner))))
  )

const attempt = <A>(file: string, run: () => A) =>
  Effect.try({ try: run, catch: (cause) => errorOf(file, cause) })

const errorOf = (file: string, cause: unknown): LedgerError =>
  new LedgerError({ file, detail: cause instanceof Error ? cause.message : String(cause) })

const open = (file: string): BetterSqlite3.Database => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = new BetterSqlite3(file, { timeout: busyMillis })
  chmodSync(file, 0o600)
  // 2 MB of pages, for the library's own 16 would fill
  handle.pragma("cache_size = -2048")
  handle.pragma("journal_mode = WAL")
  handle.pragma("synchronous = NORMAL")
  handle.exec(schema)
  return handle
}

const serviceOf = (handle: BetterSqlite3.Database, { account, file, market, quotas }: LedgerOwner) => {
  handle.prepare("INSERT OR IGNORE INTO owners (market, account) VALUES (?, ?)").run(market, account)
  const owners = handle.prepare("SELECT id FROM owners WHERE market = ?").pluck()
  const mine = Number(
    handle.prepare("SELECT id FROM owners WHERE market = ? AND account = ?").pluck().get(market, account)
  )
  const news = handle.prepare("SELECT * FROM entries WHERE id > ? ORDER BY id")
  const insert = handle.prepare(
    "INSERT INTO entries (owner, kind, operation, at, item) VALUES (?, ?, ?, ?, ?)"
  )
  const brief = briefIn(quotas)
  const forget = handle.prepare(
    `DELETE FROM entries WHERE at < ?
      OR (at < ? AND kind IN ('sent', 'late') AND operation IN (${brief.map(() => "?").join(", ")}))`
  )
  let read = 0
  let tidiedAt = -Infinity
  const entriesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Entry> => {
    if (rows.length === 0) return []
    const here = new Set(owners.all(market) as ReadonlyArray<number>)
    return rows.flatMap(({ at, item, kind, operation, owner }) =>
      here.has(owner) && isOperation(operation)
        ? [{ kind, operation, at, mine: owner === mine, ...(item === null ? {} : { item }) }]
        : []
    )
  }
  const transaction = handle.transaction(
    (now: number, decide: Parameters<RateLedger["Service"]["transact"]>[1]) => {
      if (now - tidiedAt > tidyMillis) {
        forget.run(now - remembersMillis, now - remembersBrieflyMillis, ...brief)
        tidiedAt = now
      }
      const rows = news.all(read) as ReadonlyArray<Row>
      read = rows.at(-1)?.id ?? read
      const entry = decide(entriesOf(rows))
      if (entry === undefined) return
      const { at, item, kind, operation } = entry
      read = Number(insert.run(mine, kind, operation, at, item ?? null).lastInsertRowid)
    }
  )
  return RateLedger.of({
    transact: (now, decide) => {
      try {
        transaction.immediate(now, decide)
      } catch (cause) {
        throw errorOf(file, cause)
      }
    }
  })
}
