/** `haggle release ITEM|ID [REASON]`: lets go what the daemon could not settle and put before a person; its item is free again. */
import { Console, Effect, Option } from "effect"

import { released } from "../../domain/Operator.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"
import { toDaemon, toDatabase, user } from "./Operator.ts"

export interface ReleaseFlags extends DatabaseFlags {
  readonly target: string
  readonly reason: Option.Option<string>
}

export const run = Effect.fn("cli.release")(function* (flags: ReleaseFlags, config: ResolvedConfig) {
  const { target } = flags
  const speaker = { who: yield* user, why: Option.getOrElse(flags.reason, () => "") }
  yield* withDatabase(flags, config, ({ file, nowMillis }) =>
    Effect.gen(function* () {
      const live = yield* toDaemon(file, (daemon) => daemon.release({ payload: { target, ...speaker } }))
      const stored = Effect.map(
        toDatabase(file, nowMillis, (state, at) => released(state, target, speaker, at)),
        ({ events }) => events.map(({ intent }) => intent)
      )
      const intents = live ?? (yield* stored)
      yield* Console.log(
        flags.json
          ? JSON.stringify({ database: file, running: live !== undefined, released: intents })
          : `let go: ${intents.join(", ")}; what shows up of it after all is followed as ours for an hour`
      )
    })
  )
})
