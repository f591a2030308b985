/**
 * Single orders on the embedded market and on paper beside it: the same hour of the same seed, once with the order really there and once as
 * the books without it would have filled it. So the model is judged order by order, without a strategy that goes other ways after every fill.
 */
import { buyerPays, defaultFees, sellerReceives } from "../../src/domain/Fee.ts"
import { AppId, Millis } from "../../src/domain/Ids.ts"
import type { Item } from "../../src/domain/Item.ts"
import { type Money, money } from "../../src/domain/Money.ts"
import { bestAsk, bestBid, type OrderBook, orderBook } from "../../src/domain/OrderBook.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import { advance } from "../../src/exchange/Advance.ts"
import { isLively } from "../../src/exchange/CatalogueItem.ts"
import { dayMillis } from "../../src/exchange/Process.ts"
import type { MarketItem, World } from "../../src/exchange/World.ts"
import type { QueueSide } from "../../src/paper/FillModel.ts"
import { seeSales } from "../../src/paper/PaperQuote.ts"
import { defaultPaperRules, seeBook } from "../../src/paper/PaperSee.ts"
import { type PaperState, paperState } from "../../src/paper/PaperState.ts"
import { Market, worldOf } from "../exchange/Fixture.ts"

/** Better (above 0) or worse than the best of others, in half spreads. */
export const offsets = [1, 0.6, 0.3, 0.1, 0, -0.15, -0.4, -0.8] as const

export interface SingleOptions {
  readonly seed: number
  /** Orders are put up this often, at every offset on every item. */
  readonly rounds: number
  /** How long each of them stands. */
  readonly holdMillis: number
  readonly pessimism: number
}

/** Units that orders of a kind filled. */
export interface Filled {
  readonly side: QueueSide
  readonly offset: number
  orders: number
  real: number
  paper: number
}

const unitsOfEach = 4
const lookMillis = 30_000
const fees = defaultFees(1)
const plenty = money(1_000_000_000)

export const bookOf = ({ asks, bids }: Pick<MarketItem, QueueSide>): OrderBook => {
  const levels = (side: MarketItem["bids"]) =>
    side.map(({ price, units }) => ({ price: money(price), units }))
  return orderBook({ currency: 1, bids: levels(bids), asks: levels(asks) })
}

export const historyOf = ({ daily, hourly }: Pick<MarketItem, "daily" | "hourly">) =>
  priceHistory(
    [...daily, ...hourly].map(([at, median, units]) => salesPoint(Millis.make(at), median / 100, units))
  )

interface Order {
  readonly index: number
  readonly item: Item
  readonly price: Money
}

/** A round's orders of one kind: one per item where such a price does not trade at once. */
const ordersOf = (world: World, items: ReadonlyArray<number>, side: QueueSide, offset: number) =>
  items.flatMap((index): ReadonlyArray<Order> => {
    const { of } = world.items[index] as MarketItem
    const book = bookOf(world.items[index] as MarketItem)
    const [bid, ask] = [bestBid(book), bestAsk(book)]
    if (bid === undefined || ask === undefined) return []
    const half = (ask - bid) / 2
    const wanted = Math.round(side === "bids" ? bid + offset * half : ask - offset * half)
    const price = side === "bids" ? money(wanted) : buyerPays(fees, sellerReceives(fees, money(wanted)))
    const isAlone = side === "bids" ? price < ask : price > bid
    return isAlone && price > fees.floor * 3
      ? [{ index, item: { app: AppId.make(of.app), name: of.name }, price }]
      : []
  })

/** Units that each order fills when it is really there. */
const really = (world: World, side: QueueSide, orders: ReadonlyArray<Order>, until: number) => {
  const market = new Market(world)
  for (const { item, price } of orders)
    if (side === "bids") market.buy(0, item.name, price, unitsOfEach)
    else for (let unit = 0; unit < unitsOfEach; unit++) market.sell(0, item.name, sellerReceives(fees, price))
  const after = advance(market.world, until).world.accounts[0]
  return orders.map(({ index }) => {
    const left =
      side === "bids"
        ? (after?.orders.find((one) => one.item === index)?.remaining ?? 0)
        : (after?.listings.filter((one) => one.item === index).length ?? 0)
    return unitsOfEach - left
  })
}

const onPaper = (world: World, side: QueueSide, orders: ReadonlyArray<Order>, number: number): PaperState => {
  const liveAt = Millis.make(world.now)
  let state = paperState(plenty)
  for (const [place, { index, item, price }] of orders.entries()) {
    const id = (unit: number) => `paper-${number + place * unitsOfEach + unit}` as never
    state = seeSales(state, item, historyOf(world.items[index] as MarketItem), liveAt)
    const quantity = unitsOfEach
    const bid = { id: id(0), item, price, quantity, remaining: quantity, liveAt }
    const asks = Array.from({ length: unitsOfEach }, (_, unit) => ({
      id: id(unit),
      item,
      asset: id(unit),
      context: defaultPaperRules.context,
      sellerReceives: sellerReceives(fees, price),
      buyerPays: price,
      createdAt: liveAt,
      liveAt,
      confirmation: id(unit)
    }))
    state =
      side === "bids"
        ? { ...state, orders: [...state.orders, bid] }
        : { ...state, listings: [...state.listings, ...asks] }
  }
  return state
}

const paperFilled = (state: PaperState, side: QueueSide, { item }: Order): number => {
  const isMine = (one: { readonly item: Item }) => one.item.name === item.name
  const left =
    side === "bids" ? (state.orders.find(isMine)?.remaining ?? 0) : state.listings.filter(isMine).length
  return unitsOfEach - left
}

/** All rounds of a seed. */
export const singles = ({ holdMillis, pessimism, rounds, seed }: SingleOptions): ReadonlyArray<Filled> => {
  let world = worldOf({ seed, accounts: 1, balance: plenty, firstAccountHasItems: true })
  const { inventory } = world.accounts[0] ?? { inventory: [] }
  const owned = new Set(inventory.map(({ item }) => item))
  const items = [...owned].filter((index) => {
    const { of } = world.items[index] as MarketItem
    return of.commodity && isLively(of)
  })
  const rules = { ...defaultPaperRules, pessimism }
  const all = (["bids", "asks"] as const).flatMap((side) =>
    offsets.map((offset): Filled => ({ side, offset, orders: 0, real: 0, paper: 0 }))
  )
  let number = seed * 1_000_000
  // books settle first
  world = advance(world, world.now + dayMillis / 2).world
  for (let round = 0; round < rounds; round++) {
    const until = world.now + holdMillis
    const played = all.map((filled) => {
      const orders = ordersOf(world, items, filled.side, filled.offset)
      const real = really(world, filled.side, orders, until)
      const state = onPaper(world, filled.side, orders, number)
      number += orders.length * unitsOfEach
      return { filled, orders, real, state }
    })
    for (let at = world.now; at <= until; at += lookMillis) {
      world = advance(world, at).world
      for (const one of played)
        for (const { index, item } of one.orders) {
          const look = { at: Millis.make(at), book: bookOf(world.items[index] as MarketItem) }
          one.state = seeBook(one.state, item, look, fees, rules)
        }
    }
    for (const { filled, orders, real, state } of played)
      for (const [place, order] of orders.entries()) {
        filled.orders++
        filled.real += real[place] ?? 0
        filled.paper += paperFilled(state, filled.side, order)
      }
  }
  return all
}
