/** Where a journal begins whose oldest events were removed: the state after them, and the digest that the next event chains to. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const base = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    `CREATE TABLE base (
      one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, digest TEXT NOT NULL, fold INTEGER NOT NULL, body TEXT NOT NULL
    )`
  )
})
