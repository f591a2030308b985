/**
 * The first shape of a database: the journal, and the read model beside it that an operator can query with sqlite3.
 * Amounts are minor units of the wallet's currency; times are milliseconds since 1970 of the market's clock.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  // Whose database this is (account, mode, market) and which process had it open last.
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,

  // The journal. Everything below it can be made again from it.
  `CREATE TABLE events (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, item TEXT, intent TEXT, body TEXT NOT NULL, digest TEXT NOT NULL
  )`,
  `CREATE INDEX events_by_kind ON events (kind, seq)`,
  // Which events name an intent, order, listing, asset, fill or confirmation.
  `CREATE TABLE mentions (
    id TEXT NOT NULL, seq INTEGER NOT NULL REFERENCES events (seq), PRIMARY KEY (id, seq)
  ) WITHOUT ROWID`,
  // States at a sequence number, only to start faster; the newest two.
  `CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, digest TEXT NOT NULL, fold INTEGER NOT NULL, body TEXT NOT NULL)`,
  `CREATE TABLE heartbeat (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL)`,

  `CREATE TABLE intents (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, item TEXT NOT NULL, state TEXT NOT NULL, detail TEXT,
    price INTEGER, quantity INTEGER, order_id TEXT, asset TEXT, listing TEXT,
    strategy TEXT NOT NULL, revision TEXT NOT NULL, rule TEXT NOT NULL, because TEXT NOT NULL, saw TEXT NOT NULL,
    recorded_at INTEGER NOT NULL, changed_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE orders (
    id TEXT PRIMARY KEY, item TEXT NOT NULL, state TEXT NOT NULL, price INTEGER NOT NULL, quantity INTEGER NOT NULL,
    remaining INTEGER NOT NULL, intent TEXT, strategy TEXT, opened_at INTEGER, closed_at INTEGER
  ) WITHOUT ROWID`,
  `CREATE TABLE listings (
    intent TEXT PRIMARY KEY, listing TEXT, asset TEXT NOT NULL, item TEXT NOT NULL, state TEXT NOT NULL,
    seller_receives INTEGER NOT NULL, buyer_pays INTEGER NOT NULL, strategy TEXT NOT NULL, opened_at INTEGER NOT NULL, closed_at INTEGER
  ) WITHOUT ROWID`,
  `CREATE TABLE positions (
    item TEXT PRIMARY KEY, units INTEGER NOT NULL, assets INTEGER NOT NULL, cost INTEGER NOT NULL, avg_cost INTEGER,
    units_bought INTEGER NOT NULL, units_sold INTEGER NOT NULL, realised INTEGER NOT NULL, fees INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE trades (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, side TEXT NOT NULL, item TEXT NOT NULL, units INTEGER NOT NULL, amount INTEGER NOT NULL,
    fee INTEGER NOT NULL, asset TEXT NOT NULL, listing TEXT NOT NULL, intent TEXT, strategy TEXT
  ) WITHOUT ROWID`,
  `CREATE TABLE ledger (
    one INTEGER PRIMARY KEY CHECK (one = 1), currency INTEGER, opening INTEGER NOT NULL, balance INTEGER NOT NULL
  )`,

  `CREATE VIEW journal AS
    SELECT seq, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS time, kind, item, intent, body FROM events`
]

export const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
