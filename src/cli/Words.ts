/**
 * `haggle pause`, `resume`, `drain` and `halt`: the operator's word, to the running daemon or into the database for its next start.
 * Invariants: 1. when the command ends with 0 the word is on disk. 2. a running daemon has it in force before it answers.
 */
import { userInfo } from "node:os"

import { Console, Effect, Option, Schema } from "effect"

import type { Contradicted, NotWritten } from "../control/ControlApi.ts"
import { connect } from "../control/ControlClient.ts"
import { type Command, commanded, type Control, type ControlWord, showControl } from "../domain/Control.ts"
import type { Millis } from "../domain/Ids.ts"
import { haltedStrategies } from "../domain/Trail.ts"
import { openOrders } from "../store/Queries.ts"
import { Store } from "../store/Store.ts"
import { layerSqlite } from "../store/StoreSqlite.ts"
import type { ResolvedConfig } from "./Config.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"
import { cliError, failed } from "./Exit.ts"

export interface WordFlags extends DatabaseFlags {
  readonly reason: Option.Option<string>
}

const contradicted = (message: string) => cliError(failed, message)

const isTold = Schema.is(Schema.Struct({ _tag: Schema.Literals(["Contradicted", "NotWritten"]) }))

/** What a running daemon made of the word; undefined when none runs on the database. */
const toDaemon = Effect.fnUntraced(function* (file: string, command: Command) {
  const daemon = yield* connect(file)
  if (daemon === undefined) return undefined
  return yield* daemon
    .control({ payload: command })
    .pipe(
      Effect.mapError((error) =>
        isTold(error)
          ? contradicted((error as Contradicted | NotWritten).message)
          : cliError(
              failed,
              `the daemon (process ${daemon.found.pid}) took the word and did not answer`,
              "see `haggle status` for what is in force"
            )
      )
    )
})

/** The word in the database of a daemon that does not run: in force from its next start. */
const toDatabase = Effect.fnUntraced(function* (file: string, command: Command, nowMillis: number) {
  const stamp = yield* Effect.map(Store, (store) => store.stamp)
  return yield* Effect.gen(function* () {
    const store = yield* Store
    const { control, trails } = yield* store.state
    const stopped = haltedStrategies(trails).length > 0
    const events = yield* Effect.fromResult(commanded(control, command, nowMillis as Millis, stopped)).pipe(
      Effect.mapError(contradicted)
    )
    const after = yield* store.append(events)
    return after.control
  }).pipe(Effect.provide(layerSqlite({ file, stamp })))
})

const consequence: Readonly<Record<Control["_tag"], string>> = {
  Trading: "the rules decide again",
  Paused: "nothing new is sent; what is in flight is settled, and what stands on the market stays",
  Draining: "our bids are cancelled, nothing is bought, what is held is sold; then it pauses",
  Halted: "our bids are cancelled and nothing else is sent, until `haggle resume`"
}

/** Who speaks; a user without a name in the system's list is still the owner of the database. */
const user: Effect.Effect<string> = Effect.try({
  try: () => userInfo().username,
  catch: () => undefined
}).pipe(Effect.orElseSucceed(() => "the operator"))

const said = (word: ControlWord) =>
  Effect.fn(`cli.${word}`)(function* (flags: WordFlags, config: ResolvedConfig) {
    const command: Command = {
      word,
      who: yield* user,
      why: Option.getOrElse(flags.reason, () => "")
    }
    yield* withDatabase(flags, config, ({ file, nowMillis }) =>
      Effect.gen(function* () {
        const live = yield* toDaemon(file, command)
        const control = live ?? (yield* toDatabase(file, command, nowMillis))
        const running = live !== undefined
        const store = yield* Store
        const openBids = openOrders(yield* store.state).filter(({ state }) => state !== "Foreign").length
        if (flags.json)
          return yield* Console.log(JSON.stringify({ database: file, running, control, openBids }))
        yield* Console.log(`${showControl(control)}: ${consequence[control._tag]}`)
        if (!running) yield* Console.error("haggle: not running; it is in force from the next start")
      })
    )
  })

export const pause = { run: said("pause") }
export const resume = { run: said("resume") }
export const drain = { run: said("drain") }
export const halt = { run: said("halt") }
