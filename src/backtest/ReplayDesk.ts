/**
 * What a replay works on: the state that its journal folds into, the account on paper, what was seen of the market so far.
 * Invariants: 1. the state changes by events alone, the same that a run writes. 2. the view holds nothing later than the moment that is
 * played: it is filled by the clock of the tape and by nobody else.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import type { Event } from "../domain/Event.ts"
import { seen } from "../domain/Facts.ts"
import { defaultFees } from "../domain/Fee.ts"
import { apply } from "../domain/Fold.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemOfKey } from "../domain/Item.ts"
import { type Money, zero } from "../domain/Money.ts"
import { emptyState, type State } from "../domain/State.ts"
import type { EquityPoint } from "../domain/Trail.ts"
import type { Wallet } from "../domain/Wallet.ts"
import type { Desk, EngineOptions } from "../engine/Desk.ts"
import { emptyView, type View } from "../engine/Observe.ts"
import type { PricePoint } from "../engine/PriceTrail.ts"
import { loadedEvent } from "../engine/Reload.ts"
import type { Missing } from "../engine/Track.ts"
import { inForce, noUniverses, type Universes } from "../engine/Universe.ts"
import type { PaperRules } from "../paper/PaperSee.ts"
import { type PaperState, paperState } from "../paper/PaperState.ts"
import { asItself, type CompiledStrategy } from "../rules/Strategies.ts"
import { searchesOf } from "../rules/Universe.ts"

export interface ReplayOptions {
  /** In order of precedence. */
  readonly strategies: ReadonlyArray<CompiledStrategy>
  readonly currency: CurrencyId
  readonly balance: Money
  readonly paper: PaperRules
  readonly engine: Pick<EngineOptions, "plan" | "guard" | "track">
}

export interface ReplayDesk extends Pick<Desk, "held" | "refusedBefore" | "signalling"> {
  readonly options: ReplayOptions["engine"]
  readonly paperRules: PaperRules
  readonly wallet: Omit<Wallet, "balance">
  readonly view: View
  readonly universes: Universes
  readonly prices: Map<ItemKey, ReadonlyArray<PricePoint>>
  readonly equity: Map<string, EquityPoint>
  missing: Missing
  state: State
  paper: PaperState
  /** Hears every event with the state before it and after. */
  readonly heard: (event: Event, before: State, desk: ReplayDesk) => void
}

/** Whose journal it is, in the ids of its intents. */
export const replayAccount = "backtest"

export const replayDesk = (
  { balance, currency, engine, paper }: ReplayOptions,
  heard: ReplayDesk["heard"]
): ReplayDesk => ({
  options: engine,
  paperRules: paper,
  wallet: { currency, delayed: zero, country: "", fees: defaultFees(currency) },
  view: emptyView(),
  universes: noUniverses(),
  held: new Map(),
  refusedBefore: new Map(),
  signalling: new Map(),
  prices: new Map(),
  equity: new Map(),
  missing: new Map(),
  state: emptyState,
  paper: paperState(balance),
  heard
})

/** Writes events down: the one place where the state changes. */
export const append = (desk: ReplayDesk, events: ReadonlyArray<Event>): void => {
  for (const event of events) {
    const before = desk.state
    desk.state = apply(before, event)
    desk.heard(event, before, desk)
  }
}

/**
 * Opens the ledger and puts the strategies in force. What a search would have found then nobody knows: it finds every item of the tape that
 * is of its application.
 */
export const open = (
  desk: ReplayDesk,
  { balance, currency, strategies }: ReplayOptions,
  items: ReadonlyArray<ItemKey>,
  at: Millis
): void => {
  const searches = new Map(
    strategies.flatMap(({ universe }) => searchesOf(universe)).map((one) => [one.key, one])
  )
  const of = items.map(itemOfKey)
  append(desk, [
    { _tag: "LedgerOpened", at, balance, currency },
    { _tag: "RunStarted", at, mode: "backtest" },
    ...strategies.map((one) => loadedEvent(one, at)),
    ...[...searches.values()].map(({ about, app, key: search }): Event => ({
      _tag: "UniverseFound",
      at,
      search,
      about,
      joined: of.filter((one) => one.app === app),
      left: [],
      problems: []
    }))
  ])
  inForce(desk.universes, strategies.map(asItself), desk.state)
}

/** The wallet as it is now. */
export const lookAtWallet = (desk: ReplayDesk, now: Millis): Wallet => {
  const wallet = { ...desk.wallet, balance: desk.paper.balance }
  desk.view.wallet = seen(wallet, now)
  return wallet
}
