/**
 * The daemon's life in the foreground: it starts, listens to its owner, trades until its end or a signal, then says how it went.
 * Invariants: 1. however it ends, what is in flight is finished and journaled first. 2. on a real market a signal ends it within ten
 * seconds: what has no answer by then is settled by the next start.
 */
import { Console, Duration, Effect, Exit, Fiber, Option, Path, Scope } from "effect"

import { type Lent, serveControl } from "../../control/ControlServer.ts"
import { patiently } from "../../engine/Account.ts"
import { audit, patience } from "../../engine/Audit.ts"
import { beat, numbers } from "../../engine/Beat.ts"
import type { Desk, EngineOptions } from "../../engine/Desk.ts"
import { Journal, marketNow } from "../../engine/Journal.ts"
import { start } from "../../engine/Loop.ts"
import { unsettled } from "../../engine/Recover.ts"
import { Supervisor } from "../../engine/Supervisor.ts"
import { Market } from "../../market/Market.ts"
import { Notifier } from "../../notify/Notifier.ts"
import type { PaperRules } from "../../paper/PaperSee.ts"
import { Strategies } from "../../rules/Strategies.ts"
import { Store } from "../../store/Store.ts"
import type { Settings } from "../config/Settings.ts"
import { EndsBySignal } from "../Exit.ts"
import { statusLines, tell } from "../text/Live.ts"
import { line } from "../text/LiveLines.ts"
import { tellEnd, tellPeople, tellSummaries } from "../text/Notices.ts"
import { isEven, type Run, summarise, summaryText } from "../text/Summary.ts"
import { watchDisk } from "./DiskWatch.ts"
import { finished } from "./Embedded.ts"
import type { RunFlags } from "./RunFlags.ts"
import { record } from "./RunRecording.ts"
import { watchShadows } from "./RunShadows.ts"

interface DaemonOptions {
  readonly flags: RunFlags
  readonly mode: "embedded" | "dry-run" | "live"
  readonly seed: number | undefined
  readonly engine: EngineOptions
  readonly database: string
  /** Address of the market, or the name of the embedded world. */
  readonly market: string
  readonly recording: Settings["recording"]
  /** How orders are filled on paper, for shadows. */
  readonly paper: PaperRules
  readonly time: TimeControl
  /** How often people are told where we stand. */
  readonly summaryEvery: Duration.Duration | null
}

/** The hand on virtual time; on the wall's it does nothing. */
interface TimeControl {
  /** Lets no time pass while something outside of it is waited for. */
  readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Lets it run as fast as it can. */
  readonly unpaced: Effect.Effect<void>
  /** Nobody waits for it, and a run that was cut short goes on to the end that it was given. */
  readonly isVirtual: boolean
}

export const wallTime: TimeControl = { held: (self) => self, unpaced: Effect.void, isVirtual: false }

/** Trades until the end comes, then says how it went. */
export const daemon = Effect.fnUntraced(function* (options: DaemonOptions) {
  const { flags, time } = options
  const wallAtStart = yield* wallMillis
  const notifier = yield* Notifier
  const supervisor = yield* Supervisor
  const lent: Lent = { desk: undefined }
  const scope = yield* Scope.make()
  const stop = (why: string) =>
    Effect.gen(function* () {
      yield* supervisor.stopping
      yield* time.unpaced
      const quick = !time.isVirtual && why === bySignal
      yield* quick ? within(closingMillis, Scope.close(scope, Exit.void)) : Scope.close(scope, Exit.void)
      if (lent.desk === undefined) return yield* stoppedEarly(why)
      const last = yield* quick
        ? quickAudit(lent.desk)
        : audit(lent.desk, patience[time.isVirtual ? "embedded" : "live"])
      yield* lastWords(options, lent.desk, last, why, (yield* wallMillis) - wallAtStart)
    })
  const living = Effect.gen(function* () {
    yield* tellPeople()
    yield* time.held(serveControl(options.database, lent))
    const currency = yield* ownCurrency
    if (!flags.json) yield* Console.log(line(yield* marketNow, options.mode, modeWords(options)))
    if ((yield* (yield* Strategies).current).strategies.every(({ mode }) => mode === "off"))
      yield* Console.error(
        "haggle: no strategy is in force, so nothing is traded; a file put into the folder takes hold at once"
      )
    yield* tell({ currency, problemsOnly: flags.json })
    const meta = { currency, market: options.market }
    yield* Scope.provide(
      record(options.recording, { database: options.database, held: time.held, meta }),
      scope
    )
    yield* Scope.provide(watchShadows(options, currency), scope)
    const { desk, failed } = yield* Scope.provide(start(options.engine, options.mode), scope)
    lent.desk = desk
    if (!flags.json) yield* Scope.provide(Effect.forkScoped(statusLines(desk, currency)), scope)
    // a market that is practised on has no days for a disk to fill in
    if (!time.isVirtual) yield* Scope.provide(Effect.forkScoped(watchDisk(yield* writtenTo(options))), scope)
    if (options.summaryEvery !== null)
      yield* Scope.provide(Effect.forkScoped(tellSummaries(desk, currency, options.summaryEvery)), scope)
    yield* supervisor.ready
    yield* Effect.raceFirst(atEnd(flags, time), failed)
  })
  yield* living.pipe(
    Effect.onInterrupt(() =>
      Effect.gen(function* () {
        const signal = yield* EndsBySignal
        signal.ended = true
        yield* Effect.orDie(stop(bySignal))
      })
    ),
    Effect.andThen(stop(finished)),
    Effect.onError((cause) => tellEnd(cause)),
    Effect.ensuring(notifier.flushed)
  )
})

/** The wallet's; a daemon that comes back does not ask for what its books say. */
const ownCurrency = Effect.gen(function* () {
  const journal = yield* Journal
  const market = yield* Market
  const { currency } = yield* journal.state
  return currency ?? (yield* patiently(market.wallet)).currency
})

/** Folders that grow. */
const writtenTo = ({ database, recording }: DaemonOptions) =>
  Effect.map(Path.Path, (path) => {
    const folder = path.dirname(database)
    return recording.on && recording.folder !== null ? [folder, recording.folder] : [folder]
  })

/** What this is about and whether money is at stake, before anything else is said. */
const modeWords = ({ market, mode }: DaemonOptions): string => {
  switch (mode) {
    case "embedded":
      return `a market of our own, ${market}: no real money. Ctrl-C ends it`
    case "dry-run":
      return "orders are filled on paper; nothing is sent to the market. Ctrl-C ends it"
    case "live":
      return `real orders on ${market}. Ctrl-C ends it; what stands stays`
  }
}

/** Why a run stopped that was told to. */
const bySignal = "signal"

/** Of the ten seconds that a stop may take: for the mutation in flight to be answered, and for the last look at the account. */
const closingMillis = 6_000
const lookingMillis = 3_000

/** What the work came to; none when it took too long: it is then left to itself, for the process ends. */
const within = Effect.fnUntraced(function* <A, E, R>(millis: number, work: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkDetach(Effect.interruptible(work))
  return yield* Effect.raceFirst(
    Effect.interruptible(Effect.asSome(Fiber.join(fiber))),
    Effect.interruptible(Effect.as(Effect.sleep(Duration.millis(millis)), Option.none<A>()))
  )
})

/** A look at the account that a person waits for; without one the books are told as we have them. */
const quickAudit = Effect.fnUntraced(function* (desk: Desk) {
  const journal = yield* Journal
  const found = yield* within(lookingMillis, audit(desk, patience.live)).pipe(
    Effect.catchTag("MarketError", () => Effect.succeedNone)
  )
  if (Option.isSome(found)) return found.value
  yield* Console.error(
    "haggle: stopped without a last look at the market, which did not answer in time; the next start looks first"
  )
  const state = yield* journal.state
  return { state, wallet: undefined, units: undefined, unsettled: unsettled(state) }
})

/** Ends the entry of a run that has not come to trade. */
const stoppedEarly = Effect.fnUntraced(function* (why: string) {
  const journal = yield* Journal
  const store = yield* Store
  const [run] = yield* store.journal({ kinds: ["RunStarted", "RunStopped"], last: 1 })
  if (run?.event._tag === "RunStarted")
    yield* journal.append([{ _tag: "RunStopped", at: yield* marketNow, why }])
})

const lastWords = Effect.fnUntraced(function* (
  { flags, mode, seed }: DaemonOptions,
  desk: Desk,
  last: Run["audit"],
  why: string,
  ranMillis: number
) {
  const journal = yield* Journal
  const store = yield* Store
  const at = yield* marketNow
  yield* journal.append([{ _tag: "RunStopped", at, why }])
  yield* beat(desk, true)
  const summary = summarise({
    mode,
    seed,
    marketMillis: at - (last.state.openedAt ?? at),
    wallMillis: ranMillis,
    numbers: yield* numbers(desk),
    audit: last,
    view: desk.view,
    journalHash: yield* store.journalHash
  })
  yield* Console.log(flags.json ? JSON.stringify(summary) : `\n${summaryText(summary, last.state.currency)}`)
  if (!flags.json && mode !== "live")
    yield* Console.error("haggle: `haggle trades`, `positions`, `journal` and `why ID` tell more of it")
  if (!isEven(summary))
    yield* Console.error("haggle: the books do not agree with the market's: see `haggle status`")
})

/** Real time, also while the market's is virtual. */
const wallMillis: Effect.Effect<number> = Effect.sync(() => performance.now())

const atEnd = Effect.fnUntraced(function* ({ forMillis }: RunFlags, { isVirtual }: TimeControl) {
  if (forMillis === undefined) return yield* Effect.never
  const journal = yield* Journal
  const { openedAt } = yield* journal.state
  const now = yield* marketNow
  const since = isVirtual ? (openedAt ?? now) : now
  yield* Effect.sleep(Duration.millis(Math.max(0, since + forMillis - now)))
})
