/** The operator of a simulated daemon: says a word as soon as there is a daemon that hears it. */
import { Context, Effect } from "effect"

import { Control } from "../../src/engine/Control.ts"
import { sessionOf } from "../../src/market/Session.ts"
import { fieldsOf, type Running } from "./Daemon.ts"
import type { Word } from "./Plan.ts"

const againMillis = 2_000

export const operate = Effect.fn("Operate.operate")(function* (running: Running, word: Word["word"]) {
  for (;;) {
    const { daemon, fate, session } = running
    if (fate.quiet && word !== "resume") return
    if (daemon?.desk() !== undefined && session !== undefined && !daemon.life.dead) {
      if (word === "renew")
        return yield* Effect.orDie(session.replace(sessionOf(fieldsOf(running.exchange)), "the operator"))
      const control = Context.get(daemon.context, Control)
      // Whoever dies over a word did not obey it, or did: the journal knows.
      return yield* control
        .command({ word, who: "operator", why: "by plan" })
        .pipe(Effect.ignore, Effect.forkIn(daemon.layers), Effect.asVoid)
    }
    yield* Effect.sleep(againMillis)
  }
})
