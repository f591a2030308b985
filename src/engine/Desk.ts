/**
 * What the engine remembers between two steps that is not in the journal: answers of the market, since when conditions hold.
 * Losing it loses nothing: it is read again. Invariants: 1. only the deciding fiber writes it, but for the planner, which the polling
 * fiber keeps. 2. every map is keyed by item, side or strategy, so it is bounded by the universe.
 */
import { Latch } from "effect"

import type { ConfirmationId } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { EquityPoint } from "../domain/Trail.ts"
import type { Held } from "../rules/Program.ts"
import { type CrashLoopRules, defaultCrashLoopRules } from "./CrashLoop.ts"
import { type PlanRules, defaultPlanRules } from "./Draft.ts"
import { defaultGuardRules, type GuardRules } from "./Guard.ts"
import { agreeing, type Differing } from "./LedgerWatch.ts"
import { emptyView, type View } from "./Observe.ts"
import { type PollPlanner, pollPlanner } from "./Polled.ts"
import type { PricePoint } from "./PriceTrail.ts"
import type { Progress } from "./Progress.ts"
import { notAsked, type SessionAsking } from "./SessionWatch.ts"
import { type TrackRules, defaultTrackRules, type Missing } from "./Track.ts"
import { noUniverses, type Universes } from "./Universe.ts"

export interface EngineOptions {
  /** How often our own orders are looked at while there are some, and while there are none. */
  readonly trackMillis: number
  readonly idleTrackMillis: number
  /** The history and wallet are read at least this often, even when nothing seems to have changed. */
  readonly reconcileMillis: number
  readonly plan: PlanRules
  readonly guard: GuardRules
  readonly track: TrackRules
  readonly crashLoop: CrashLoopRules
}

export const defaultOptions: EngineOptions = {
  trackMillis: 30_000,
  idleTrackMillis: 300_000,
  reconcileMillis: 600_000,
  plan: defaultPlanRules,
  guard: defaultGuardRules,
  track: defaultTrackRules,
  crashLoop: defaultCrashLoopRules
}

interface Metrics {
  polls: number
  evaluations: number
  steps: number
  passes: number
}

export interface Desk {
  readonly options: EngineOptions
  readonly view: View
  readonly held: Map<ItemKey, ReadonlyMap<string, Held>>
  /** Prices seen lately of items whose strategies ask for it. */
  readonly prices: Map<ItemKey, ReadonlyArray<PricePoint>>
  /** How strategies with a drawdown protection stood when it was last reckoned up, by name. */
  readonly equity: Map<string, EquityPoint>
  missing: Missing
  /** Last word of the guard per epoch key and strategy, so that only a change is journaled. */
  readonly refusedBefore: Map<string, string>
  /** What was last told of an item's decision, so that only a change is told. */
  readonly toldBefore: Map<ItemKey, string>
  /** Rules that notify or halt and that match just now, so that they speak once. */
  readonly signalling: Map<ItemKey, ReadonlySet<string>>
  /** Strategies in force and the items of each. */
  readonly universes: Universes
  lastPassAt: number
  lastHistoryAt: number
  lastWalletAt: number
  /** Wallet reads in a row that differed from the ledger by the same amount. */
  ledgerOff: Differing
  /** How often we changed something on an item: a book that was asked for before the last change is not believed. */
  readonly generations: Map<ItemKey, number>
  /** What is polled, and when. */
  readonly planner: PollPlanner
  /** Until when the market refuses us altogether, as last journaled. */
  bannedUntil: number | undefined
  session: SessionAsking
  /** Opened when a listing is staged and the list of confirmations has no permit left: it is read as soon as there is one. */
  readonly confirms: Latch.Latch
  /** What confirmations are about, by their id. */
  readonly subjects: Map<ConfirmationId, ReadonlyArray<string>>
  /** When the authenticator was last looked at for what is not ours, and what that was. */
  lastSweepAt: number
  orphans: string
  /** Opened when something should be polled before its time. */
  readonly hurry: Latch.Latch
  /** Opened when what is searched for may have changed. */
  readonly searches: Latch.Latch
  readonly metrics: Metrics
  /** When each loop showed progress last. */
  readonly progress: Progress
  /** Units held and fills known after the first look of this process: what the audit counts from. */
  baseline: { readonly units: number; readonly known: ReadonlySet<string> }
  /** Numbers of the processes before this one in the same run. */
  before: Readonly<Record<string, number>>
}

export const makeDesk = (
  options: EngineOptions,
  budgetsOf: Parameters<typeof pollPlanner>[0] = () => []
): Desk => ({
  options,
  view: emptyView(),
  held: new Map(),
  prices: new Map(),
  equity: new Map(),
  missing: new Map(),
  refusedBefore: new Map(),
  toldBefore: new Map(),
  signalling: new Map(),
  universes: noUniverses(),
  lastPassAt: Number.NEGATIVE_INFINITY,
  lastHistoryAt: Number.NEGATIVE_INFINITY,
  lastWalletAt: Number.NEGATIVE_INFINITY,
  ledgerOff: agreeing,
  generations: new Map(),
  planner: pollPlanner(budgetsOf),
  bannedUntil: undefined,
  session: notAsked,
  confirms: Latch.makeUnsafe(),
  subjects: new Map(),
  lastSweepAt: Number.NEGATIVE_INFINITY,
  orphans: "",
  hurry: Latch.makeUnsafe(),
  searches: Latch.makeUnsafe(),
  metrics: { polls: 0, evaluations: 0, steps: 0, passes: 0 },
  progress: new Map(),
  baseline: { units: 0, known: new Set() },
  before: {}
})
