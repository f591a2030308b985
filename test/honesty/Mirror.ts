/**
 * A run without the daemon: the engine's own step, as a replay takes it, on the embedded market's world itself. Traded really, every order on paper
 * stands in the world too, and what it trades there is what the account is told; tried, the world stays as it is and paper fills.
 * Days take seconds instead of minutes, because nothing goes over HTTP or to a disk.
 */
import { open, type ReplayDesk, replayDesk } from "../../src/backtest/ReplayDesk.ts"
import { observe, serveOrders } from "../../src/backtest/ReplayStep.ts"
import { engineOptions, paperRules } from "../../src/cli/config/Options.ts"
import { defaults } from "../../src/cli/config/Settings.ts"
import { seen } from "../../src/domain/Facts.ts"
import { sellerReceives } from "../../src/domain/Fee.ts"
import { AppId, Millis } from "../../src/domain/Ids.ts"
import { type Item, type ItemKey, itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { bestBid, type OrderBook } from "../../src/domain/OrderBook.ts"
import { lotsCost, units } from "../../src/domain/Position.ts"
import type { Traded } from "../../src/domain/Standing.ts"
import { positionOf } from "../../src/domain/State.ts"
import { advance } from "../../src/exchange/Advance.ts"
import { dayMillis, hourMillis } from "../../src/exchange/Process.ts"
import { background, type MarketItem, type World } from "../../src/exchange/World.ts"
import type { Known } from "../../src/paper/Known.ts"
import { seeSales } from "../../src/paper/PaperQuote.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { namedItems } from "../../src/rules/Universe.ts"
import { Market, worldOf } from "../exchange/Fixture.ts"
import { bookOf, historyOf } from "./Single.ts"

/** What a run came to; profit in minor units, after fees, with what is still held at the bids. */
export interface Came {
  /** Bought and sold together. */
  readonly units: number
  readonly profit: number
}

/** The account is looked at this often, as by the daemon. */
const tickMillis = 30_000
const historyMillis = 1.5 * hourMillis
const plenty = money(1_000_000_000)
/** Monday, 2026-01-05, as a run. */
const startAt = 1_767_571_200_000

/** An order of the paper account that stands in the world. */
interface Mirrored {
  readonly side: Traded["side"]
  readonly ref: string
  readonly price: Traded["price"]
  left: number
}

/** One item's orders in the world. */
class Mirror {
  readonly orders = new Map<string, Mirrored>()
  private trades: ReadonlyArray<Traded> = []
  private readonly index: number
  private readonly item: Item

  constructor(item: Item, index: number) {
    this.item = item
    this.index = index
  }

  /** What became of them by now. */
  known(world: World, at: number): Known {
    for (const one of this.orders.values()) this.count(world, one, at)
    const standing = (side: Traded["side"]) =>
      [...this.orders.values()]
        .filter((one) => one.side === side && one.left > 0)
        .map(({ left, price }) => ({ price, units: left }))
    const { trades } = this
    // told once: what is older than a look is of no look to come
    this.trades = trades.filter((trade) => trade.at > at - hourMillis)
    return { bids: standing("bids"), asks: standing("asks"), trades }
  }

  private count(world: World, one: Mirrored, at: number): void {
    const account = world.accounts[0]
    const left =
      one.side === "bids"
        ? (account?.orders.find(({ id }) => id === one.ref)?.remaining ?? 0)
        : (account?.listings.filter(({ id }) => id === one.ref).length ?? 0)
    const gone = one.left - left
    one.left = left
    // seen now; a market's seconds are rounded down
    const trade = { side: one.side, price: one.price, units: gone, at: Millis.make(at - 999) }
    if (gone > 0) this.trades = [...this.trades, trade]
  }

  /** Puts into the world what the account on paper has put up, and takes back what it has taken back. */
  follow(market: Market, { listings, orders }: ReplayDesk["paper"], at: number): void {
    const isOurs = (one: { readonly item: Item }) => itemKey(one.item) === itemKey(this.item)
    const bids = orders.filter(isOurs)
    const asks = listings.filter((one) => isOurs(one) && one.liveAt !== undefined)
    const wanted = new Set<string>([...bids, ...asks].map(({ id }) => id))
    for (const [id, { ref, side }] of this.orders) {
      if (wanted.has(id)) continue
      this.orders.delete(id)
      if (side === "bids") market.do({ _tag: "CancelBuyOrder", account: 0, order: ref })
      else market.do({ _tag: "RemoveListing", account: 0, listing: ref })
    }
    for (const { id, price, remaining } of bids) {
      if (this.orders.has(id)) continue
      const reply = market.buy(0, this.item.name, price, remaining)
      if (reply._tag === "OrderPlaced")
        this.stands(market, id, { side: "bids", ref: reply.order, price, left: remaining }, at)
    }
    for (const { buyerPays: price, id, sellerReceives } of asks) {
      const owns = market.account(0).inventory.some(({ item }) => item === this.index)
      if (this.orders.has(id) || !owns) continue
      const ref = market.sell(0, this.item.name, sellerReceives)
      this.stands(market, id, { side: "asks", ref, price, left: 1 }, at)
    }
  }

  private stands(market: Market, id: string, one: Mirrored, at: number): void {
    this.orders.set(id, one)
    this.count(market.world, one, at)
  }
}

interface Watched {
  readonly key: ItemKey
  readonly item: Item
  readonly index: number
  readonly everyMillis: number
  readonly mirror: Mirror
  lookedAt: number
  historyAt: number
  book: OrderBook
}

export interface MirrorOptions {
  readonly seed: number
  readonly days: number
  readonly strategies: ReadonlyArray<CompiledStrategy>
  readonly pessimism: number | undefined
  /** Traded in the world, or tried beside it. */
  readonly really: boolean
}

/** Half the shortest freshness of the book that a strategy of the item asks for, as the daemon polls. */
const everyMillisOf = (strategies: ReadonlyArray<CompiledStrategy>, key: ItemKey): number =>
  strategies
    .filter(({ universe }) => namedItems(universe).some((item) => itemKey(item) === key))
    .reduce((least, { reads }) => Math.min(least, (reads.get("book") ?? Infinity) / 2), hourMillis)

const watchedOf = (world: World, strategies: ReadonlyArray<CompiledStrategy>): ReadonlyArray<Watched> =>
  strategies
    .flatMap(({ universe }) => namedItems(universe))
    .map((item) => {
      const index = world.items.findIndex(({ of }) => of.app === item.app && of.name === item.name)
      const [key, never] = [itemKey(item), Number.NEGATIVE_INFINITY]
      return {
        key,
        item,
        index,
        everyMillis: everyMillisOf(strategies, key),
        mirror: new Mirror(item, index),
        lookedAt: never,
        historyAt: never,
        book: bookOf(itemAt(world, index))
      }
    })

/** The embedded market of a run, where only what the strategies name is awake: the days of an item depend on no other. */
const worldFor = (seed: number, strategies: ReadonlyArray<CompiledStrategy>): World => {
  const world = worldOf({ seed, startAt, accounts: 1, balance: plenty, firstAccountHasItems: false })
  const named = new Set(strategies.flatMap(({ universe }) => namedItems(universe)).map(itemKey))
  const asleep = { nextStepAt: Infinity, nextOrderAt: Infinity }
  const isNamed = ({ of }: MarketItem) => named.has(itemKey({ app: AppId.make(of.app), name: of.name }))
  return {
    ...world,
    items: world.items.map((item) => (isNamed(item) ? item : Object.assign({}, item, asleep)))
  }
}

const itemAt = (world: World, index: number): MarketItem => {
  const item = world.items[index]
  if (item === undefined) throw new RangeError(`the embedded market has no item ${index}`)
  return item
}

/** The book without us. */
const othersIn = (world: World, index: number): OrderBook => {
  const { asks, bids } = itemAt(world, index)
  const others = (side: MarketItem["bids"]) => side.filter(({ account }) => account === background)
  return bookOf({ bids: others(bids), asks: others(asks) })
}

/** Plays the strategies for so many days. */
export const mirrored = ({ days, pessimism, really, seed, strategies }: MirrorOptions): Came => {
  const market = new Market(worldFor(seed, strategies))
  const all = watchedOf(market.world, strategies)
  const rules = paperRules(defaults)
  const options = {
    strategies,
    currency: defaults.exchange.currency,
    balance: defaults.exchange.balance,
    paper: { ...rules, pessimism: pessimism ?? rules.pessimism },
    engine: engineOptions(defaults)
  }
  const desk = replayDesk(options, () => undefined)
  const from = market.world.now
  open(
    desk,
    options,
    all.map(({ key }) => key),
    Millis.make(from)
  )
  for (let at = from; at < from + days * dayMillis; at += tickMillis) {
    market.world = advance(market.world, at).world
    for (const one of all) tick(desk, market, one, Millis.make(at), really)
  }
  return cameOf(desk, all)
}

const tick = (desk: ReplayDesk, market: Market, one: Watched, at: Millis, really: boolean): void => {
  const { everyMillis, index, item, key, mirror } = one
  const isLook = at - one.lookedAt >= everyMillis
  if (!isLook && !really) return
  if (at - one.historyAt >= historyMillis) {
    one.historyAt = at
    const history = historyOf(itemAt(market.world, index))
    desk.view.histories.set(key, seen(history, at))
    desk.paper = seeSales(desk.paper, item, history, at)
  }
  if (isLook) {
    one.lookedAt = at
    one.book = othersIn(market.world, index)
  }
  // between two looks only the account is looked at
  serveOrders(desk, key, { at, book: one.book }, really ? mirror.known(market.world, at) : undefined)
  if (isLook) observe(desk, key, at)
  if (really) mirror.follow(market, desk.paper, at)
}

const cameOf = (desk: ReplayDesk, all: ReadonlyArray<Watched>): Came => {
  let [traded, profit] = [0, 0]
  for (const { book, key } of all) {
    const position = positionOf(desk.state, key)
    const { realised, unitsBought, unitsSold } = position
    const held = units(position)
    traded += unitsBought + unitsSold
    profit += realised
    if (held > 0)
      profit += held * sellerReceives(desk.wallet.fees, bestBid(book) ?? money(0)) - lotsCost(position)
  }
  return { units: traded, profit }
}
