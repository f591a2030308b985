/**
 * The shadows of a run: a fiber that hears what the engine tells and plays their part beside it, and keeps what came of it in a file.
 * Invariants: 1. it has no way to the market. 2. it is beside trading and never in its way: a slow one loses looks.
 */
import { Duration, Effect, Path, Stream } from "effect"

import type { CurrencyId } from "../../domain/Currency.ts"
import { Activity } from "../../engine/Activity.ts"
import type { EngineOptions } from "../../engine/Desk.ts"
import { Journal } from "../../engine/Journal.ts"
import type { PaperRules } from "../../paper/PaperSee.ts"
import { Strategies } from "../../rules/Strategies.ts"
import { readKept, shadowFile, writeKept } from "../../shadow/ShadowFile.ts"
import { Shadows } from "../../shadow/Shadows.ts"

interface Watched {
  readonly database: string
  readonly mode: "embedded" | "dry-run" | "live"
  readonly engine: EngineOptions
  readonly paper: PaperRules
  readonly time: { readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
}

/** Market time between two words on the disk. */
const keptEvery = Duration.minutes(5)

export const watchShadows = Effect.fn("RunShadows.watch")(function* (
  { database, engine, mode, paper, time }: Watched,
  currency: CurrencyId
) {
  const [activity, journal, strategies] = [yield* Activity, yield* Journal, yield* Strategies]
  const file = shadowFile(yield* Path.Path, database)
  const before = yield* time.held(readKept(file))
  const shadows = new Shadows({ currency, engine, paper }, mode !== "dry-run", before)
  let { strategies: inForce } = yield* strategies.current
  let told = 0
  const keep = Effect.gen(function* () {
    const kept = shadows.kept(yield* journal.state)
    if (kept.length === 0 || told === shadows.looks) return
    told = shadows.looks
    yield* time
      .held(writeKept(file, kept))
      .pipe(
        Effect.catch(({ message }) => Effect.logWarning(`what came of the shadows is not kept: ${message}`))
      )
  })
  yield* Effect.addFinalizer(() => keep)
  yield* activity.happenings.pipe(
    Stream.runForEach((happening) =>
      Effect.gen(function* () {
        if (
          happening._tag === "Journaled" &&
          (happening.event._tag === "StrategyLoaded" || happening.event._tag === "StrategyRemoved")
        )
          inForce = (yield* strategies.current).strategies
        shadows.hear(happening, inForce, yield* journal.state)
      })
    ),
    Effect.forkScoped({ startImmediately: true })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(keptEvery), keep)))
})
