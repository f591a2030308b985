/**
 * A backtest without a tape: the daemon itself trades on the embedded market, as fast as it can, in a folder of its own that is gone
 * afterwards. Invariants: 1. nothing of it touches the databases of runs. 2. the same seed, days and strategies give the same result.
 */
import { Duration, Effect, FileSystem, Random, Scope, Stream } from "effect"

import type { BacktestResult } from "../../backtest/Result.ts"
import { resultOf } from "../../backtest/ResultOf.ts"
import { Watched } from "../../backtest/Watched.ts"
import { patiently } from "../../engine/Account.ts"
import { Activity } from "../../engine/Activity.ts"
import { audit, patience } from "../../engine/Audit.ts"
import { Journal, marketNow } from "../../engine/Journal.ts"
import { start } from "../../engine/Loop.ts"
import { Market } from "../../market/Market.ts"
import { asItself, type CompiledStrategy } from "../../rules/Strategies.ts"
import { Store } from "../../store/Store.ts"
import { engineOptions } from "../config/Options.ts"
import type { Settings } from "../config/Settings.ts"
import { cliError, failed } from "../Exit.ts"
import { embeddedWorld } from "../run/EmbeddedWorld.ts"

const hourMillis = 3_600_000

/** Told each market hour. */
type Tell = (hours: { readonly books: number; readonly ofBooks: number }) => Effect.Effect<void>

export interface EmbeddedOptions {
  readonly settings: Settings
  readonly hours: number
  readonly strategies: ReadonlyArray<CompiledStrategy>
  readonly tell: Tell
}

/** Why its figures are better than a real market's would be. */
const kind = "the embedded market is kind, because hardly anybody there competes for the best place"

const trade = Effect.fnUntraced(function* ({ hours, settings, tell }: EmbeddedOptions) {
  const activity = yield* Activity
  const market = yield* Market
  const wallet = yield* patiently(market.wallet)
  const watched = new Watched(hours * hourMillis, wallet.fees)
  yield* activity.happenings.pipe(
    Stream.runForEach((happening) => Effect.sync(() => watched.hear(happening))),
    Effect.forkScoped({ startImmediately: true })
  )
  const scope = yield* Scope.fork(yield* Effect.scope)
  const { desk, failed: died } = yield* Scope.provide(start(engineOptions(settings), "embedded"), scope)
  const listed = desk.universes.listed
  const passing = Effect.gen(function* () {
    for (let hour = 0; hour < hours; hour++) {
      yield* Effect.sleep(Duration.millis(Math.min(1, hours - hour) * hourMillis))
      yield* tell({ books: hour + 1, ofBooks: hours })
    }
  })
  yield* Effect.raceFirst(passing, died)
  yield* Scope.close(scope, yield* Effect.exit(Effect.void))
  // what is in flight is settled, as at the end of a run
  yield* audit(desk, patience.embedded)
  const to = yield* marketNow
  // a moment later everything that was told has been heard
  yield* Effect.sleep(Duration.millis(1))
  const { state } = yield* Journal
  const store = yield* Store
  const [last] = yield* store.journal({ last: 1 })
  if (last?.seq !== watched.events)
    return yield* Effect.die(new Error(`${last?.seq} events were journaled and ${watched.events} heard`))
  const { opening } = yield* state
  return { played: watched.played(to, listed), balance: opening }
})

/** The strategies' days on the embedded market of the configured seed. */
export const playEmbedded = Effect.fn("cli.playEmbedded")(function* (options: EmbeddedOptions) {
  const { settings, strategies } = options
  const { currency, seed } = settings.exchange
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs
    .makeTempDirectoryScoped({ prefix: "haggle-backtest-" })
    .pipe(
      Effect.mapError(() => cliError(failed, "no folder for the run can be made", "check the room in /tmp"))
    )
  const world = `embedded-seed-${seed}`
  const layers = embeddedWorld({
    settings: { ...settings, mode: "embedded" },
    world,
    database: `${folder}/haggle.db`,
    ledger: `${folder}/requests.db`,
    exchange: undefined,
    lastAt: undefined,
    recordings: new Map(),
    speed: undefined,
    set: strategies.map(asItself)
  })
  const { balance, played } = yield* trade(options).pipe(
    Effect.provide(layers),
    Random.withSeed(`run ${seed}`),
    Effect.scoped
  )
  const result: BacktestResult = resultOf(played, {
    currency,
    tapes: [{ file: `embedded market, seed ${seed}`, market: world, synthetic: kind }],
    strategies,
    settings: { balance, warmUpMillis: 0 }
  })
  return result
})
