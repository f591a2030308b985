/**
 * One strategy alone on paper, beside the running daemon: it is shown what the daemon sees, and decides by the engine's own step as in a
 * backtest. Invariants: 1. it has no market: nothing can be sent. 2. it begins with what the daemon held of an item when it first saw it, and with
 * its wallet. 3. memory is bounded by the items and by the newest trades.
 */
import { append, open, replayDesk, type ReplayDesk } from "../backtest/ReplayDesk.ts"
import { observe, serveOrders } from "../backtest/ReplayStep.ts"
import type { CurrencyId } from "../domain/Currency.ts"
import type { Event } from "../domain/Event.ts"
import type { Facts } from "../domain/Facts.ts"
import { type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { add, type Money, subtract, sum, times, zero } from "../domain/Money.ts"
import { bestAsk, bestBid } from "../domain/OrderBook.ts"
import { lotsCost, type Position, units } from "../domain/Position.ts"
import { positionOf, type State } from "../domain/State.ts"
import type { EngineOptions } from "../engine/Desk.ts"
import { inForce, relist } from "../engine/Universe.ts"
import type { Known } from "../paper/Known.ts"
import { seeSales } from "../paper/PaperQuote.ts"
import type { PaperRules } from "../paper/PaperSee.ts"
import { asItself, type CompiledStrategy } from "../rules/Strategies.ts"
import type { TrackMemory } from "./ShadowFile.ts"
import { type Figures, kept, type PaperTrade } from "./ShadowReport.ts"

export interface TrackOptions {
  readonly currency: CurrencyId
  readonly engine: EngineOptions
  readonly paper: PaperRules
}

/** Ids on paper begin here, so that none is one of a dry-run's own account. */
const firstId = 1_000_000_000

export class PaperTrack {
  private readonly strategy: CompiledStrategy
  private readonly desk: ReplayDesk
  private readonly taken: Map<string, Money>
  private orders: number
  private refused: number
  private readonly trades: Array<PaperTrade>

  constructor(
    strategy: CompiledStrategy,
    { currency, engine, paper }: TrackOptions,
    begins: { readonly at: Millis; readonly balance: Money; readonly fees: FeeSchedule },
    before?: TrackMemory
  ) {
    this.strategy = asItself(strategy)
    const { at, balance, fees } = begins
    const options = { strategies: [this.strategy], currency, balance, paper, engine }
    const desk = replayDesk(options, (event) => this.heard(event))
    this.desk = { ...desk, wallet: { ...desk.wallet, fees } }
    this.taken = new Map(Object.entries(before?.taken ?? {}))
    this.orders = before?.orders ?? 0
    this.refused = before?.refused ?? 0
    this.trades = [...(before?.trades ?? [])]
    if (before === undefined) {
      this.desk.paper = { ...this.desk.paper, next: firstId }
      open(this.desk, options, [], at)
    } else {
      this.desk.state = before.state
      this.desk.paper = before.paper
      append(this.desk, [{ _tag: "RunStarted", at, mode: "shadow" }])
      inForce(this.desk.universes, options.strategies, this.desk.state)
    }
  }

  /** A look at an item as the daemon has it, and the daemon's own state; `known` when its orders really stood there. */
  see(facts: Facts, real: State, known: Known | undefined): void {
    const { desk } = this
    const { book, description, history, item, now, offers, overview } = facts
    const key = itemKey(item)
    this.takeFound(real)
    // after a change of the daemon's the book is away for a moment
    if (book._tag === "Unseen") return
    this.takeOver(key, facts, real)
    const { view } = desk
    const before = { book: view.books.get(key), history: view.histories.get(key) }
    view.overviews.set(key, overview)
    view.offers.set(key, offers)
    view.descriptions.set(key, description)
    view.histories.set(key, history)
    if (history._tag === "Seen" && (before.history?._tag !== "Seen" || before.history.at !== history.at))
      desk.paper = seeSales(desk.paper, item, history.value, now)
    if (before.book?._tag !== "Seen" || before.book.at !== book.at)
      serveOrders(desk, key, { at: book.at, book: book.value }, known)
    observe(desk, key, now)
  }

  /** Whether the strategy has something to decide there. */
  looksAfter(key: ItemKey): boolean {
    const roll = this.desk.universes.rolls.get(this.strategy.name)
    return roll !== undefined && (roll.trading.has(key) || roll.selling.has(key))
  }

  private heard(event: Event): void {
    if (event._tag === "IntentRecorded") this.orders++
    else if (event._tag === "GuardRefused" || event._tag === "Refused") this.refused++
    else if (event._tag === "Filled") {
      const { amount, at, item, side, units: traded } = event.fill
      this.trades.push({ at, item: itemKey(item), side, units: traded, amount })
      if (this.trades.length > kept) this.trades.shift()
    }
  }

  /** What searches found belongs to the market, not to a strategy. */
  private takeFound({ strategies: { found } }: State): void {
    const { desk } = this
    if (desk.state.strategies.found === found) return
    desk.state = { ...desk.state, strategies: { ...desk.state.strategies, found } }
    relist(desk.universes, desk.state)
  }

  private takeOver(key: ItemKey, { book, item }: Facts, real: State): void {
    if (this.taken.has(key)) return
    const { desk } = this
    const { name } = this.strategy
    const { fees: _fees, realised: _realised, ...had } = positionOf(real, key)
    const position: Position = {
      ...had,
      lots: had.lots.map((lot) => Object.assign({}, lot, { strategy: name })),
      unitsBought: 0,
      unitsSold: 0,
      realised: zero,
      fees: zero
    }
    const price = book._tag === "Seen" ? (bestAsk(book.value) ?? bestBid(book.value)) : undefined
    this.taken.set(key, subtract(this.worth(position, price), lotsCost(position)))
    if (units(position) === 0) return
    desk.state = { ...desk.state, positions: { ...desk.state.positions, [key]: position } }
    const assets = Object.fromEntries(position.holdings.map(({ asset }) => [asset, item]))
    desk.paper = { ...desk.paper, inventory: { ...desk.paper.inventory, ...assets } }
  }

  private worth(position: Position, price: Money | undefined): Money {
    return price === undefined
      ? lotsCost(position)
      : times(sellerReceives(this.desk.wallet.fees, price), units(position))
  }

  get memory(): TrackMemory {
    const { orders, refused, taken, trades } = this
    const { paper, state } = this.desk
    return { state, paper, taken: Object.fromEntries(taken), orders, refused, trades: [...trades] }
  }

  get figures(): Figures {
    const { state, view } = this.desk
    const items = [...this.taken].map(([key, taken]) => {
      const position = positionOf(state, key as ItemKey)
      const book = view.books.get(key as ItemKey)
      const price = book?._tag === "Seen" ? (bestAsk(book.value) ?? bestBid(book.value)) : undefined
      const gain = subtract(add(position.realised, this.worth(position, price)), lotsCost(position))
      const profit = subtract(gain, taken)
      return { item: key, bought: position.unitsBought, sold: position.unitsSold, profit }
    })
    return {
      profit: sum(items.map(({ profit }) => profit)),
      realised: sum([...this.taken.keys()].map((key) => positionOf(state, key as ItemKey).realised)),
      bought: items.reduce((total, { bought }) => total + bought, 0),
      sold: items.reduce((total, { sold }) => total + sold, 0),
      held: [...this.taken.keys()].reduce(
        (total, key) => total + units(positionOf(state, key as ItemKey)),
        0
      ),
      orders: this.orders,
      refused: this.refused,
      items: items.filter(({ bought, profit, sold }) => bought + sold > 0 || profit !== 0),
      trades: [...this.trades]
    }
  }
}
