/**
 * A daemon on the embedded market whose strategies are edited at random moments, and a witness of everything it decides and journals.
 * The same seed gives the same run.
 */
import { Effect, FileSystem, Layer, Path, Queue, Random, Stream } from "effect"

import { layer as virtualClock } from "../../src/clock/VirtualClock.ts"
import type { Event } from "../../src/domain/Event.ts"
import { placedOf } from "../../src/domain/Slot.ts"
import { Activity } from "../../src/engine/Activity.ts"
import { audit, patience } from "../../src/engine/Audit.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { start } from "../../src/engine/Loop.ts"
import { Exchange, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import { settings } from "../../src/market/MarketConfig.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import { emptyLedger, layerMemory as ledgerMemory } from "../../src/market/RateLedger.ts"
import { layerOf as sessionOf } from "../../src/market/Session.ts"
import { layer as strategiesLayer } from "../../src/rules/StrategiesYaml.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { engine } from "../../src/Wiring.ts"
import { inProcess } from "../../src/WiringEmbedded.ts"
import { dice } from "../simulate/Dice.ts"
import { folder, makeDisk } from "./Disk.ts"
import { edit, type Edited, firstTexts, mend } from "./Edits.ts"

const startAtMillis = 1_767_571_200_000
const latencyMillis = 60

export interface Report {
  readonly violations: ReadonlyArray<string>
  readonly edits: Readonly<Record<string, number>>
  readonly loaded: number
  readonly rejected: number
  readonly removed: number
  /** Times that a search found something else than before. */
  readonly found: number
  readonly decisions: number
  readonly placed: number
  readonly cancelled: number
  readonly unitsBought: number
  readonly sold: number
  readonly marketHours: number
  readonly journalHash: string
}

/** Holds what the daemon does against what was on the disk. */
class Witness {
  readonly violations: Array<string> = []
  readonly counts: Record<string, number> = {}
  decisions = 0
  readonly #whole: ReadonlySet<string>
  /** Revision in force by strategy name, as the journal tells it. */
  readonly #inForce = new Map<string, string>()
  constructor(whole: ReadonlySet<string>) {
    this.#whole = whole
  }
  #judge(what: string, strategy: string, revision: string): void {
    if (!this.#whole.has(revision)) this.violations.push(`${what} by ${strategy}@${revision}: no whole file`)
    if (this.#inForce.get(strategy) !== revision)
      this.violations.push(`${what} by ${strategy}@${revision}: not in force`)
  }
  decided(strategy: string, revision: string): void {
    this.decisions++
    this.#judge("a decision", strategy, revision)
  }
  journaled(event: Event): void {
    this.counts[event._tag] = (this.counts[event._tag] ?? 0) + 1
    if (event._tag === "StrategyLoaded") {
      this.#inForce.set(event.name, event.revision)
      if (!this.#whole.has(event.revision))
        this.violations.push(`loaded ${event.name}@${event.revision}: no whole file`)
    }
    if (event._tag === "StrategyRemoved") this.#inForce.delete(event.name)
    if (event._tag === "IntentRecorded" && event.intent._tag !== "CancelBid") {
      const { origin } = event.intent.reason
      this.#judge(event.intent._tag, origin.strategy, origin.revision)
    }
  }
}

const layers = (exchange: Exchange["Service"], edited: Edited) => {
  const [account] = exchange.accounts
  if (account === undefined) throw new Error("the exchange has no account")
  const strategies = strategiesLayer({
    directory: folder,
    target: { currency: 1 },
    events: Effect.succeed(edited.disk.events)
  }).pipe(
    Layer.provide(Layer.merge(Layer.succeed(FileSystem.FileSystem, edited.disk.fileSystem), Path.layer))
  )
  return engine(
    { market: settings({ baseUrl: "http://embedded.invalid" }), quotas: defaultQuotas },
    strategies
  ).pipe(
    Layer.provideMerge(layerMemory({ account: account.accountId, mode: "embedded", market: "reload" })),
    Layer.provide(ledgerMemory(emptyLedger())),
    Layer.provide(sessionOf(account)),
    Layer.provide(inProcess(latencyMillis))
  )
}

/** What stands on the market against what the daemon knows of. */
const lost = Effect.fnUntraced(function* (exchange: Exchange["Service"]) {
  const world = yield* Effect.orDie(exchange.world)
  const state = yield* (yield* Store).state
  const [account] = world.accounts
  const [theirs, ours] = [account?.orders ?? [], Object.values(state.bids)]
  const known = new Map(
    ours.flatMap((slot) => (slot._tag === "Open" ? [[`${slot.open.order}`, slot] as const] : []))
  )
  const [asks, listings] = [Object.keys(state.asks), (account?.listings ?? []).map(({ asset }) => `${asset}`)]
  return [
    ...theirs.filter(({ id }) => !known.has(`${id}`)).map(({ id }) => `order ${id} stands unknown`),
    ...[...known.keys()]
      .filter((id) => !theirs.some((order) => order.id === id))
      .map((id) => `order ${id} is only ours`),
    ...ours
      .filter((slot) => slot._tag !== "Open")
      .map((slot) => `a bid is ${slot._tag}: ${placedOf(slot)?.id}`),
    ...listings.filter((asset) => !asks.includes(asset)).map((asset) => `listing of ${asset} stands unknown`),
    ...asks.filter((asset) => !listings.includes(asset)).map((asset) => `listing of ${asset} is only ours`)
  ]
})

const run = Effect.fnUntraced(function* (
  exchange: Exchange["Service"],
  edited: Edited,
  seed: number,
  edits: number
) {
  const chance = dice("reload", seed)
  const witness = new Witness(edited.whole)
  const activity = yield* Activity
  const store = yield* Store
  yield* Effect.forkScoped(
    Stream.runForEach(activity.happenings, (happening) =>
      Effect.sync(() => {
        if (happening._tag === "Journaled") witness.journaled(happening.event)
        if (happening._tag === "Decided")
          witness.decided(happening.decision.strategy, happening.decision.revision)
      })
    ),
    { startImmediately: true }
  )
  const { desk, failed } = yield* start(defaultOptions, "embedded")
  const editing = Effect.gen(function* () {
    for (let count = 0; count < edits; count++) yield* edit(chance, edited)
    yield* mend(chance, edited)
    // long enough for every cancel, and for what a fault of ours would leave behind to show
    yield* Effect.sleep("10 minutes")
  })
  yield* Effect.raceFirst(editing, failed)
  const { journalHash } = store
  const settled = yield* audit(desk, patience.embedded)
  const { state } = settled
  const even = [
    ...(settled.wallet === state.ledger ? [] : [`wallet ${settled.wallet} and ledger ${state.ledger}`]),
    ...(settled.unsettled === 0 ? [] : [`${settled.unsettled} intents are unsettled`]),
    ...Object.keys(state.strategies.rejected).map((file) => `${file} is refused though it was mended`)
  ]
  const names = new Set(desk.universes.strategies.map(({ name }) => name))
  const orphans = Object.values(state.bids).flatMap((slot) => {
    const name = placedOf(slot)?.reason.origin.strategy ?? ""
    return names.has(name) || state.strategies.kept.includes(name) ? [] : [`a bid of ${name} outlived it`]
  })
  const entries = yield* store.journal({ last: 1 })
  const report: Report = {
    violations: [...witness.violations, ...even, ...orphans, ...(yield* lost(exchange))],
    edits: edited.counts,
    loaded: witness.counts["StrategyLoaded"] ?? 0,
    rejected: witness.counts["StrategyRejected"] ?? 0,
    removed: witness.counts["StrategyRemoved"] ?? 0,
    found: witness.counts["UniverseFound"] ?? 0,
    decisions: witness.decisions,
    placed: state.counters.placed,
    cancelled: state.counters.cancelled,
    unitsBought: state.counters.unitsBought,
    sold: state.counters.sold,
    marketHours: ((entries[0]?.event.at ?? startAtMillis) - startAtMillis) / 3_600_000,
    journalHash: yield* journalHash
  }
  return report
})

/** Plays so many edits. */
export const prove = (seed: number, edits: number): Effect.Effect<Report> =>
  Effect.gen(function* () {
    const exchange = yield* Exchange
    const whole = new Set<string>()
    const disk = yield* makeDisk(firstTexts(dice("first", seed), { whole }))
    const edited: Edited = { disk, whole, counts: {} }
    const report = yield* run(exchange, edited, seed, edits).pipe(Effect.provide(layers(exchange, edited)))
    yield* Queue.shutdown(disk.events)
    return report
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.merge(virtualClock({ startAtMillis }), exchangeLayer({ seed, startAtMillis, balance: 30_000 }))
    ),
    Random.withSeed(`${seed}`),
    Effect.orDie
  )
