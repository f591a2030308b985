/**
 * How an operator's word reaches the daemon: through its door when it runs, into its database when it does not.
 * Invariants: 1. when the command ends with 0 the word is on disk. 2. a running daemon has it in force before it answers.
 */
import { userInfo } from "node:os"

import { Effect, type Result, Schema } from "effect"

import { connect } from "../../control/ControlClient.ts"
import type { Event } from "../../domain/Event.ts"
import type { Millis } from "../../domain/Ids.ts"
import type { State } from "../../domain/State.ts"
import { Store } from "../../store/Store.ts"
import { layerSqlite } from "../../store/StoreSqlite.ts"
import { cliError, failed } from "../Exit.ts"

/** Who speaks; a user without a name in the system's list is still the owner of the database. */
export const user: Effect.Effect<string> = Effect.try({
  try: () => userInfo().username,
  catch: () => undefined
}).pipe(Effect.orElseSucceed(() => "the operator"))

type Running = NonNullable<Effect.Success<ReturnType<typeof connect>>>

const isTold = Schema.is(
  Schema.Struct({
    _tag: Schema.Literals(["Contradicted", "NotWritten", "NotAnswered"]),
    message: Schema.String
  })
)

/** What the running daemon made of a word; undefined when none runs on the database. */
export const toDaemon = Effect.fn("Operator.toDaemon")(function* <A, E, R>(
  file: string,
  say: (daemon: Running) => Effect.Effect<A, E, R>
) {
  const daemon = yield* connect(file)
  if (daemon === undefined) return undefined
  return yield* Effect.mapError(say(daemon), (error) =>
    isTold(error)
      ? cliError(failed, error.message)
      : cliError(
          failed,
          `the daemon (process ${daemon.found.pid}) took the word and did not answer`,
          "see `haggle status` for what is in force"
        )
  )
})

/** Writes what a word makes into the database of a daemon that does not run: in force from its next start. */
export const toDatabase = Effect.fn("Operator.toDatabase")(function* <E extends Event>(
  file: string,
  nowMillis: number,
  say: (state: State, at: Millis) => Result.Result<ReadonlyArray<E>, string>
) {
  const stamp = yield* Effect.map(Store, (store) => store.stamp)
  return yield* Effect.gen(function* () {
    const store = yield* Store
    const events = yield* Effect.fromResult(say(yield* store.state, nowMillis as Millis)).pipe(
      Effect.mapError((message) => cliError(failed, message))
    )
    return { events, state: yield* store.append(events) }
  }).pipe(Effect.provide(layerSqlite({ file, stamp })))
})
