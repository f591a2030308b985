/**
 * One simulated world: the whole daemon over the embedded exchange in virtual time, some time of faults, then a quiet while, an
 * orderly stop and the referee's last word. Everything that happens in it follows from the plan.
 */
import { readdirSync, readFileSync } from "node:fs"
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
import { money } from "../../src/domain/Money.ts"
import { units } from "../../src/domain/Position.ts"
import type { State } from "../../src/domain/State.ts"
import { accountPass } from "../../src/engine/Account.ts"
import { audit, patience } from "../../src/engine/Audit.ts"
import { defaultOptions, type Desk } from "../../src/engine/Desk.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import { unsettled } from "../../src/engine/Recover.ts"
import type { AccountLimits } from "../../src/engine/Room.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import { FaultPlayer } from "../../src/exchange/Faults.ts"
import type { JournalError } from "../../src/exchange/Journal.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import { emptyLedger, layerMemory as ledgerMemory, type RateLedger } from "../../src/market/RateLedger.ts"
import { layer as ledgerSqlite } from "../../src/market/RateLedgerSqlite.ts"
import { mutationPatienceMillis, RateLimiter } from "../../src/market/RateLimiter.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { canary } from "./checkers/Liveness.ts"
import { boot, bury, type Daemon, noAccount, type Running, startAtMillis, type Tamper } from "./Daemon.ts"
import { secretsOf } from "./Leaks.ts"
import { billingWord, type Fate, fateOf } from "./Line.ts"
import type { Ending } from "./Occasion.ts"
import { operate } from "./Operate.ts"
import { owner } from "./Owner.ts"
import type { Caps, WorldPlan } from "./Plan.ts"
import { Referee } from "./Referee.ts"
import { atTheirTimes, makeShelf, type Shelf } from "./Shelf.ts"
import { canaryText } from "./Texts.ts"
import { unitsOf } from "./Truth.ts"

/** After so much of it a wish is put up that must be traded. */
const canaryAfterMillis = 2 * 60_000
/** How often the books are compared until they agree: fills go on while one reads. */
const comparisons = 40
const comparisonRestMillis = 5_000

export interface WorldOptions {
  readonly plan: WorldPlan
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
  /** By kind. */
  readonly faults: Readonly<Record<string, number>>
  readonly crashes: number
  /** How far each count that deaths hang on went. */
  readonly points: Fate["counts"]
  readonly edits: Shelf["counts"]
  readonly unknowns: Referee["unknowns"]
  readonly worstRecoveryMillis: number
  readonly counters: State["counters"]
}

export const playWorld = (options: WorldOptions): Effect.Effect<WorldReport> => {
  const { plan } = options
  const exchange: ExchangeOptions = {
    seed: plan.seed,
    startAtMillis,
    currency: plan.currency,
    balance: plan.balance,
    firstAccountHasItems: true,
    confirmPurchases: plan.confirmPurchases,
    confirmationCreator: plan.confirmationCreator
  }
  return Effect.scoped(inWorld(options)).pipe(
    Effect.provide(Layer.merge(virtualClock({ startAtMillis }), exchangeLayer(exchange))),
    Random.withSeed(`${plan.seed}`),
    Effect.orDie
  )
}

const inWorld = Effect.fnUntraced(function* (options: WorldOptions) {
  const { plan } = options
  const exchange = yield* Exchange
  const clock = yield* VirtualClock
  const [account] = exchange.accounts
  if (account === undefined) return yield* Effect.die(new Error("the exchange has no account"))
  const referee = new Referee(
    [...secretsOf(account), { name: "the billing address", value: billingWord }],
    plan.caps
  )
  const starter = unitsOf(yield* exchange.world, (yield* exchange.world).accounts[0] ?? noAccount())
  const running: Running = {
    tamper: options.tamper ?? {},
    exchange,
    clock,
    referee,
    faults: new FaultPlayer(plan.faults, { openedAt: startAtMillis }),
    fate: fateOf(plan),
    ledger: ledgerOf(options, account.accountId),
    shelf: yield* makeShelf(plan, referee),
    engine: {
      ...defaultOptions,
      // a simulated process dies more often than any real one, and no person is there to look why
      crashLoop: { ...defaultOptions.crashLoop, crashes: Number.POSITIVE_INFINITY },
      plan: {
        ...defaultOptions.plan,
        minBidAgeMillis: plan.minBidAgeMillis,
        minAskAgeMillis: plan.minAskAgeMillis
      },
      guard: { ...defaultOptions.guard, account: accountLimits(plan.caps) }
    },
    daemon: undefined,
    session: undefined,
    store: (yield* storesOf(options, account.accountId)).open
  }
  const noting = Logger.layer([
    Logger.map(Logger.formatLogFmt, (text) => {
      referee.see({ _tag: "Said", where: "a log line", text })
    })
  ])
  const ending = yield* played(running, plan, starter).pipe(
    Effect.provide(noting),
    Effect.provideService(References.MinimumLogLevel, "Trace")
  )
  for (const { name, text } of filesOf(options.folder))
    referee.see({ _tag: "Said", where: `the file ${name}`, text })
  const { fate, faults, shelf } = running
  const report: WorldReport = {
    seed: plan.seed,
    journalHash: ending.journalHash,
    violations: referee.violations,
    marketMillis: ending.now - startAtMillis,
    requests: referee.requests,
    faults: faults.log.counts,
    crashes: fate.deaths,
    points: fate.counts,
    edits: shelf.counts,
    unknowns: referee.unknowns,
    worstRecoveryMillis: referee.worstRecoveryMillis,
    counters: ending.counters
  }
  return report
})

/** Requests of all lives: in memory that outlives them, or in a file as the daemon keeps it. */
const ledgerOf = ({ folder, plan: { seed } }: WorldOptions, account: string): Layer.Layer<RateLedger> => {
  if (folder === undefined) return ledgerMemory(emptyLedger())
  const file = join(folder, `${seed}`, "requests.db")
  return Layer.orDie(ledgerSqlite({ file, market: "simulated", account, quotas: defaultQuotas }))
}

const accountLimits = ({ exposure, openOrders, spendPerDay }: Caps): AccountLimits => ({
  ...defaultOptions.guard.account,
  spendPerDay: spendPerDay === undefined ? undefined : money(spendPerDay),
  exposure: exposure === undefined ? undefined : money(exposure),
  openOrders
})

/** What lies on the disk, read as bytes. */
const filesOf = (folder: string | undefined) =>
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), "latin1") }))

/** Keeps one journal in memory, or opens a file again in every life. */
const storesOf = Effect.fnUntraced(function* ({ folder, plan: { seed } }: WorldOptions, account: string) {
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
  plan: WorldPlan,
  starter: ReadonlyMap<string, number>
) {
  const { exchange, fate, referee, shelf } = running
  const quietAt = startAtMillis + plan.minutes * 60_000
  const endAt = quietAt + plan.quietMinutes * 60_000
  const hands = yield* Effect.forkScoped(owner(exchange, plan.acts))
  const edits = yield* Effect.forkScoped(shelf.edits)
  yield* Effect.forkScoped(
    atTheirTimes(
      // What would be said in the quiet while is not: a halt could not be told from a bot that stands still.
      plan.words.filter(({ atSeconds }) => atSeconds < plan.minutes * 60),
      ({ word }) => operate(running, word)
    )
  )
  yield* Effect.forkScoped(quieten(running, plan))
  for (;;) {
    referee.see({ _tag: "Booted", now: yield* marketNow })
    const daemon = yield* boot(running)
    running.daemon = daemon
    const ended = yield* Effect.raceFirst(
      Effect.as(quietEnds(running, endAt), "time" as const),
      Effect.raceFirst(
        Effect.as(Deferred.await(daemon.life.death), "death" as const),
        Fiber.await(daemon.fiber)
      )
    )
    if (ended === "time") {
      yield* Fiber.interrupt(hands)
      yield* Fiber.interrupt(edits)
      return yield* stop(running, daemon, starter)
    }
    if (ended !== "death") failedItself(running, ended)
    running.daemon = undefined
    yield* bury(daemon)
    referee.see({ _tag: "Died", now: yield* marketNow })
    const down = plan.downSeconds[fate.deaths % plan.downSeconds.length] ?? plan.downSeconds[0]
    yield* Effect.sleep(down * 1_000)
  }
})

/** After a ban that the faults brought about, the bot has so long to trade again. */
const afterBanMillis = 8 * 60_000
/** Without faults no ban is this long: a bot that still rests is judged. */
const longestBanMillis = 3 * 3_600_000

/** Waits for the moment, or for the end of a ban or of a long rest of what is sent, and some more. */
const quietEnds = Effect.fnUntraced(function* (running: Running, endAt: number) {
  for (let end = endAt; ;) {
    const left = end - (yield* marketNow)
    if (left > 0) yield* Effect.sleep(left)
    const now = yield* marketNow
    const { daemon, referee } = running
    const limiter = daemon === undefined ? undefined : Context.get(daemon.context, RateLimiter)
    const banned = yield* limiter?.banned ?? Effect.undefined
    // one that is over since a moment counts as well
    const bannedUntil = Math.max(banned === undefined ? 0 : now, banned?.until ?? 0, referee.bannedUntil)
    const rest = limiter?.waitMillis("create-buyorder", now) ?? 0
    end = Math.max(bannedUntil, rest > mutationPatienceMillis ? now + rest : 0) + afterBanMillis
    if (end <= now || now > endAt + longestBanMillis) return
    if (bannedUntil + afterBanMillis > now) referee.see({ _tag: "LeftAlone", until: bannedUntil })
  }
})

/** Faults and deaths end, and a wish is put up that a bot which trades must carry out. */
const quieten = Effect.fnUntraced(function* (running: Running, plan: WorldPlan) {
  const { exchange, fate, referee, shelf } = running
  yield* Effect.sleep(plan.minutes * 60_000)
  fate.quiet = true
  referee.see({ _tag: "Quiet", now: yield* marketNow })
  yield* operate(running, "resume")
  yield* Effect.sleep(canaryAfterMillis)
  const { accounts, items } = yield* exchange.world
  const taken = new Set(accounts[0]?.orders.map(({ item }) => item))
  const [free] = items
    .filter(
      ({ asks, bids, of }, index) =>
        !taken.has(index) &&
        bids.length > 0 &&
        asks.length > 0 &&
        !plan.strategies.some(({ text }) => text.includes(JSON.stringify(of.name)))
    )
    .toSorted((a, b) => (a.bids[0]?.price ?? 0) - (b.bids[0]?.price ?? 0))
  if (free === undefined) return
  yield* shelf.edit({ name: canary, text: canaryText(free.of) })
})

/** A start that finds no market may give up and be tried again; nothing else may end a daemon. */
const failedItself = ({ fate, referee }: Running, exit: Exit.Exit<unknown, unknown>): void => {
  const text = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it ended"
  referee.see({ _tag: "Said", where: "an error", text })
  const excused = !fate.quiet && text.includes("MarketError")
  if (!excused) referee.violated(9, `the daemon ended: ${text.split("\n").slice(0, 3).join(" ")}`)
}

/** Stops as `haggle run` does, then compares the books until they agree or it is too late. */
const stop = Effect.fnUntraced(function* (
  { exchange, referee }: Running,
  { context, desk, files, layers, loop }: Daemon,
  starter: ReadonlyMap<string, number>
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
  referee.ended(ending)
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
    yield* accountPass(desk, { history: true, wallet: true, list: true })
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
