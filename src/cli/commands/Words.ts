/**
 * `haggle pause`, `resume`, `drain` and `halt`: the operator's word, to the running daemon or into the database for its next start.
 */
import { Console, Effect, Option } from "effect"

import { type Command, commanded, type Control, type ControlWord, showControl } from "../../domain/Control.ts"
import { haltedStrategies } from "../../domain/Trail.ts"
import { openOrders } from "../../store/Queries.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"
import { toDaemon, toDatabase, user } from "./Operator.ts"

export interface WordFlags extends DatabaseFlags {
  readonly reason: Option.Option<string>
}

const consequence: Readonly<Record<Control["_tag"], string>> = {
  Trading: "the rules decide again",
  Paused: "nothing new is sent; what is in flight is settled, and what stands on the market stays",
  Draining: "our bids are cancelled, nothing is bought, what is held is sold; then it pauses",
  Halted: "our bids are cancelled and nothing else is sent, until `haggle resume`"
}

const said = (word: ControlWord) =>
  Effect.fn(`cli.${word}`)(function* (flags: WordFlags, config: ResolvedConfig) {
    const command: Command = {
      word,
      who: yield* user,
      why: Option.getOrElse(flags.reason, () => "")
    }
    yield* withDatabase(flags, config, ({ file, nowMillis }) =>
      Effect.gen(function* () {
        const live = yield* toDaemon(file, (daemon) => daemon.control({ payload: command }))
        const stored = toDatabase(file, nowMillis, ({ control, trails }, at) =>
          commanded(control, command, at, haltedStrategies(trails).length > 0)
        )
        const control = live ?? (yield* stored).state.control
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
