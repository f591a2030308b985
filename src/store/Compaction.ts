/**
 * Removes the oldest events of a journal behind the state that they fold to.
 * Invariants: 1. what is removed was folded and its digests checked first; the chain goes on from the base's digest. 2. no snapshot loses
 * the event that it belongs to. 3. trades stay for ever, and so does what belongs to an order or listing that still stands.
 */
import { Effect, Result, Schema } from "effect"
import { type SqlClient } from "effect/sql"

import { emptyState, State } from "../domain/State.ts"
import { emptyTip, stepOver, type Tip, tipOf } from "./Chain.ts"

/** Events that one round removes at most: twice what comes between two rounds, so that a backlog shrinks and no append waits for long. */
const roundsPerSnapshot = 2

const decodeState = Schema.decodeUnknownEffect(State)
const encodeState = Schema.encodeEffect(Schema.fromJsonString(State))
const withDefaults = Schema.encodeSync(State)(emptyState)

const parse = (body: string): Effect.Effect<object, string> =>
  Effect.try({ try: () => JSON.parse(body) as object, catch: String })

/** What the removed events fold to; the empty tip when none were. What an older version did not keep is as in an empty state. */
export const loadBase = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql<{ seq: number; digest: string; body: string }>`SELECT seq, digest, body FROM base`
  if (row === undefined) return emptyTip
  const state = yield* Effect.flatMap(parse(row.body), (written) =>
    decodeState({ ...withDefaults, ...written })
  ).pipe(Effect.mapError((why) => `the state at event ${row.seq} cannot be read: ${String(why)}`))
  const tip: Tip = { seq: row.seq, digest: row.digest, state }
  return tip
})

export interface CompactOptions {
  /** Events before this market time may go. */
  readonly before: number
  readonly snapshotEvery: number
  readonly fold: number
}

/** One round, for use inside a transaction: how many events went. */
export const compact = Effect.fn("Compaction.compact")(function* (
  sql: SqlClient.SqlClient,
  { before, fold, snapshotEvery }: CompactOptions
) {
  const [first] = yield* sql<{ at: number }>`SELECT at FROM events ORDER BY seq LIMIT 1`
  if (first === undefined || first.at >= before) return 0
  let tip = yield* loadBase(sql)
  const rows = yield* sql<{ seq: number; body: string; digest: string }>`
    SELECT seq, body, digest FROM events WHERE seq > ${tip.seq} AND at < ${before}
      AND seq < (SELECT MIN(seq) FROM snapshots)
    ORDER BY seq LIMIT ${roundsPerSnapshot * snapshotEvery}`
  for (const row of rows) {
    const step = stepOver(tip, row.body)
    // a journal that does not chain is left as it is: the next start says so
    if (Result.isFailure(step) || row.seq !== tip.seq + 1 || step.success.digest !== row.digest) return 0
    tip = tipOf(step.success)
  }
  if (rows.length === 0) return 0
  const body = yield* Effect.orDie(encodeState(tip.state))
  yield* sql`INSERT OR REPLACE INTO base ${sql.insert({ one: 1, seq: tip.seq, digest: tip.digest, fold, body })}`
  yield* sql`DELETE FROM mentions WHERE seq <= ${tip.seq}`
  yield* sql`DELETE FROM events WHERE seq <= ${tip.seq}`
  yield* sql`DELETE FROM orders WHERE closed_at < ${before}`
  yield* sql`DELETE FROM listings WHERE closed_at < ${before}`
  yield* sql`DELETE FROM intents WHERE changed_at < ${before}
    AND id NOT IN (SELECT intent FROM orders WHERE intent IS NOT NULL) AND id NOT IN (SELECT intent FROM listings)`
  return rows.length
})
