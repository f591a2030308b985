/**
 * One simulated world: the whole daemon over the embedded exchange in virtual time, some market hours of faults, then a quiet while, an
 * orderly stop and the referee's last word. Everything that happens in it follows from the seed.
 */
import { join } from "node:path"

import {
  Cause,
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Random,
  References,
  Scope
} from "effect"

import { layer as virtualClock, VirtualClock } from "../../src/clock/VirtualClock.ts"
import { units } from "../../src/domain/Position.ts"
import type { State } from "../../src/domain/State.ts"
import { accountPass } from "../../src/engine/Account.ts"
import { audit, patience } from "../../src/engine/Audit.ts"
import { defaultOptions, type Desk } from "../../src/engine/Desk.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import { unsettled } from "../../src/engine/Recover.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import type { JournalError } from "../../src/exchange/Journal.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { boot, bury, type Daemon, noAccount, type Running, startAtMillis, type Tamper } from "./Daemon.ts"
import { type Dice, dice } from "./Dice.ts"
import { type Faults, faultsOf } from "./Faults.ts"
import { owner } from "./Owner.ts"
import { type Ending, Referee } from "./Referee.ts"
import { makeShelf } from "./Shelf.ts"
import { unitsOf } from "./Truth.ts"

const hourMillis = 3_600_000
const quietMillis = 20 * 60_000
/** How often the books are compared until they agree: fills go on while one reads. */
const comparisons = 40
const comparisonRestMillis = 5_000

export interface WorldOptions {
  readonly seed: number
  readonly hours: number
  /** A folder for a SQLite journal; in memory without. */
  readonly folder?: string
  readonly tamper?: Tamper
}

export interface WorldReport {
  readonly seed: number
  readonly journalHash: string
  readonly violations: ReadonlyArray<string>
  readonly marketMillis: number
  readonly requests: number
  readonly faults: Faults["counts"]
  readonly crashes: number
  readonly edits: number
  readonly unknowns: Referee["unknowns"]
  readonly worstRecoveryMillis: number
  readonly counters: State["counters"]
}

export const playWorld = (options: WorldOptions): Effect.Effect<WorldReport> => {
  const chance = dice(options.seed, "world")
  const exchange: ExchangeOptions = {
    seed: options.seed,
    startAtMillis,
    balance: chance.between(3_000, 40_000),
    firstAccountHasItems: true,
    confirmPurchases: chance.hits(0.25),
    confirmationCreator: chance.pick(["asset", "listing"])
  }
  return Effect.scoped(inWorld(options, chance)).pipe(
    Effect.provide(Layer.merge(virtualClock({ startAtMillis }), exchangeLayer(exchange))),
    Random.withSeed(`${options.seed}`),
    Effect.orDie
  )
}

const inWorld = Effect.fnUntraced(function* (options: WorldOptions, chance: Dice) {
  const exchange = yield* Exchange
  const clock = yield* VirtualClock
  const [account] = exchange.accounts
  if (account === undefined) return yield* Effect.die(new Error("the exchange has no account"))
  const logins = Object.values(account.cookies).flatMap((cookie) => cookie.split("%7C%7C").slice(1))
  const referee = new Referee([account.identitySecret, account.sessionid, ...logins])
  const starter = unitsOf(yield* exchange.world, (yield* exchange.world).accounts[0] ?? noAccount())
  const running: Running = {
    tamper: options.tamper ?? {},
    exchange,
    clock,
    referee,
    faults: faultsOf(options.seed),
    shelf: yield* makeShelf(dice(options.seed, "shelf"), referee),
    engine: {
      ...defaultOptions,
      // a simulated process dies more often than any real one, and no person is there to look why
      crashLoop: { ...defaultOptions.crashLoop, crashes: Number.POSITIVE_INFINITY },
      plan: {
        ...defaultOptions.plan,
        minBidAgeMillis: chance.between(20, 120) * 1_000,
        minAskAgeMillis: chance.between(60, 900) * 1_000
      }
    },
    store: (yield* storesOf(options, account.accountId)).open
  }
  const noting = Logger.layer([
    Logger.map(Logger.formatLogFmt, (line) => {
      referee.said("a log line", line)
    })
  ])
  const ending = yield* played(running, options, chance, starter).pipe(
    Effect.provide(noting),
    Effect.provideService(References.MinimumLogLevel, "Trace")
  )
  const report: WorldReport = {
    seed: options.seed,
    journalHash: ending.journalHash,
    violations: referee.violations,
    marketMillis: ending.now - startAtMillis,
    requests: referee.requests,
    faults: running.faults.counts,
    crashes: running.faults.deaths,
    edits: running.shelf.changes(),
    unknowns: referee.unknowns,
    worstRecoveryMillis: referee.worstRecoveryMillis,
    counters: ending.counters
  }
  return report
})

/** Keeps one journal in memory, or opens a file again in every life. */
const storesOf = Effect.fnUntraced(function* ({ folder, seed }: WorldOptions, account: string) {
  const stamp = { account, mode: "embedded", market: `simulated-${seed}` } as const
  const serviceOf = Effect.map((context: Context.Context<Store>) => Context.get(context, Store))
  const memory = yield* serviceOf(Layer.build(layerMemory(stamp)))
  const open: Running["store"] =
    folder === undefined
      ? Effect.succeed(memory)
      : Effect.suspend(() => {
          const file = join(folder, `${seed}`, "haggle.db")
          return serviceOf(Effect.orDie(Layer.build(Layer.fresh(layerSqlite({ file, stamp })))))
        })
  return { open }
})

/** Life after life until the time is over, then the end in order. */
const played = Effect.fnUntraced(function* (
  running: Running,
  options: WorldOptions,
  chance: Dice,
  starter: ReadonlyMap<string, number>
) {
  const { exchange, faults, referee, shelf } = running
  const quietAt = startAtMillis + options.hours * hourMillis
  const endAt = quietAt + quietMillis
  const hands = yield* Effect.forkScoped(
    chance.hits(0.4) ? owner(exchange, dice(options.seed, "owner")) : Effect.never
  )
  const edits = yield* Effect.forkScoped(shelf.edits)
  yield* Effect.forkScoped(
    Effect.andThen(
      Effect.sleep(quietAt - startAtMillis),
      Effect.sync(() => {
        faults.quiet = true
      })
    )
  )
  for (;;) {
    referee.booted(yield* marketNow)
    const daemon = yield* boot(running)
    const ended = yield* Effect.raceFirst(
      Effect.as(Effect.sleep(Math.max(0, endAt - (yield* marketNow))), "time" as const),
      Effect.raceFirst(
        Effect.as(Deferred.await(daemon.life.death), "death" as const),
        Fiber.await(daemon.fiber)
      )
    )
    if (ended === "time") {
      yield* Fiber.interrupt(hands)
      yield* Fiber.interrupt(edits)
      return yield* stop(running, daemon, starter, quietAt)
    }
    if (ended !== "death") failedItself(running, ended)
    yield* bury(daemon)
    referee.died(yield* marketNow)
    yield* Effect.sleep(chance.between(...faults.temper.downSeconds) * 1_000)
  }
})

/** A start that finds no market may give up and be tried again; nothing else may end a daemon. */
const failedItself = ({ faults, referee }: Running, exit: Exit.Exit<unknown, unknown>): void => {
  const text = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it ended"
  referee.said("an error", text)
  const excused = !faults.quiet && text.includes("MarketError")
  if (!excused) referee.violated(9, `the daemon ended: ${text.split("\n").slice(0, 3).join(" ")}`)
}

/** Stops as `haggle run` does, then compares the books until they agree or it is too late. */
const stop = Effect.fnUntraced(function* (
  { exchange, referee }: Running,
  { context, desk, files, layers, loop }: Daemon,
  starter: ReadonlyMap<string, number>,
  quietSince: number
) {
  yield* Scope.close(loop, Exit.void)
  const found = desk()
  const store = Context.get(context, Store)
  const endingNow = Effect.gen(function* () {
    const state = yield* store.state
    const world = yield* exchange.world
    return { now: yield* marketNow, world, starter, state: viewOf(state) }
  })
  if (found === undefined) referee.violated(9, "the daemon never came up again")
  else yield* compared(found, referee, endingNow).pipe(Effect.provideContext(context), Effect.ignore)
  const ending = yield* endingNow
  referee.ended(ending, quietSince)
  const journalHash = yield* store.journalHash
  const { counters } = yield* store.state
  yield* Scope.close(layers, Exit.void)
  yield* Scope.close(files, Exit.void)
  return { journalHash, counters, now: ending.now }
})

const compared = Effect.fnUntraced(function* (
  desk: Desk,
  referee: Referee,
  endingNow: Effect.Effect<Ending, JournalError>
) {
  yield* audit(desk, patience.embedded)
  for (let count = 0; count < comparisons; count++) {
    yield* accountPass(desk, { full: true })
    if (referee.differences(yield* endingNow).length === 0) return
    yield* Effect.sleep(comparisonRestMillis)
  }
})

const viewOf = (state: State) => ({
  ledger: state.ledger as number,
  units: new Map(Object.entries(state.positions).map(([key, position]) => [key, units(position)])),
  orders: new Set(
    Object.values(state.bids).flatMap((slot) => (slot._tag === "Open" ? [slot.open.order as string] : []))
  ),
  assets: new Set(
    Object.entries(state.asks).flatMap(([asset, slot]) =>
      slot._tag === "Staged" || slot._tag === "Confirming" || slot._tag === "Live" ? [asset] : []
    )
  ),
  unsettled: unsettled(state)
})
