/**
 * The daemon's life in the foreground: it starts, listens to its owner, trades until its end or a signal, then says how it went.
 * Invariant: however it ends, what is in flight is finished and journaled first.
 */
import { Console, Duration, Effect, Exit, Scope } from "effect"

import type { RecorderOptions } from "../backtest/Recorder.ts"
import { type Lent, serveControl } from "../control/ControlServer.ts"
import type { CurrencyId } from "../domain/Currency.ts"
import { patiently } from "../engine/Account.ts"
import { audit, patience } from "../engine/Audit.ts"
import type { EngineOptions } from "../engine/Desk.ts"
import { Journal, marketNow } from "../engine/Journal.ts"
import { beat, numbers, start } from "../engine/Loop.ts"
import { Market } from "../market/Market.ts"
import { Store } from "../store/Store.ts"
import { finished } from "./Embedded.ts"
import { EndsBySignal } from "./Exit.ts"
import { statusLines, tell } from "./Live.ts"
import type { RunFlags } from "./RunFlags.ts"
import { record } from "./RunRecording.ts"
import { isEven, summarise, summaryText } from "./Summary.ts"

interface DaemonOptions {
  readonly flags: RunFlags
  readonly mode: "embedded" | "live"
  readonly seed: number | undefined
  readonly engine: EngineOptions
  readonly database: string
  /** How it is recorded, when it is; told the wallet's currency. */
  readonly recording: (currency: CurrencyId) => RecorderOptions | undefined
  /** Lets no virtual time pass while something outside of it is waited for. */
  readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Trades until the end comes, then says how it went. */
export const daemon = Effect.fnUntraced(function* (options: DaemonOptions) {
  const { flags } = options
  const wall = yield* wallMillis
  const store = yield* Store
  const market = yield* Market
  const lent: Lent = { desk: undefined }
  yield* options.held(serveControl(options.database, lent))
  const { currency } = yield* patiently(market.wallet)
  yield* tell({ currency, problemsOnly: flags.json })
  const scope = yield* Scope.make()
  const recording = options.recording(currency)
  if (recording !== undefined) yield* Scope.provide(record(recording), scope)
  const { desk, failed } = yield* Scope.provide(start(options.engine, options.mode), scope)
  lent.desk = desk
  if (!flags.json) yield* Scope.provide(Effect.forkScoped(statusLines(desk, currency)), scope)
  const stop = (why: string) =>
    Effect.gen(function* () {
      yield* Scope.close(scope, Exit.void)
      const journal = yield* Journal
      const last = yield* audit(desk, patience[options.mode])
      yield* journal.append([{ _tag: "RunStopped", at: yield* marketNow, why }])
      const at = yield* marketNow
      yield* beat(desk, true)
      const summary = summarise({
        mode: options.mode,
        seed: options.seed,
        marketMillis: at - (last.state.openedAt ?? at),
        wallMillis: (yield* wallMillis) - wall,
        numbers: yield* numbers(desk),
        audit: last,
        view: desk.view,
        journalHash: yield* store.journalHash
      })
      yield* Console.log(flags.json ? JSON.stringify(summary) : `\n${summaryText(summary, currency)}`)
      if (!isEven(summary))
        yield* Console.error("haggle: the books do not agree with the market's: see `haggle status`")
    })
  yield* Effect.raceFirst(atEnd(flags, options.mode), failed).pipe(
    Effect.onInterrupt(() =>
      Effect.gen(function* () {
        const signal = yield* EndsBySignal
        signal.ended = true
        yield* Effect.orDie(stop("signal"))
      })
    )
  )
  yield* stop(finished)
})

/** Real time, also while the market's is virtual. */
const wallMillis: Effect.Effect<number> = Effect.sync(() => performance.now())

const atEnd = Effect.fnUntraced(function* ({ forMillis }: RunFlags, mode: DaemonOptions["mode"]) {
  if (forMillis === undefined) return yield* Effect.never
  const journal = yield* Journal
  const { openedAt } = yield* journal.state
  const now = yield* marketNow
  // An embedded run that was cut short goes on to the end that it was given.
  const since = mode === "embedded" ? (openedAt ?? now) : now
  yield* Effect.sleep(Duration.millis(Math.max(0, since + forMillis - now)))
})
