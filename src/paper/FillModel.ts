/**
 * When an order of ours that nobody but us can see would have been filled: by its place in the queue, as the books and the sales of others
 * show that the queue was served.
 * Invariants: 1. a fill is at a price that the book allowed, never better: a listing's own if it stood there before, else ours. 2. units of a book
 * are taken once. 3. units at better prices, and those that stood at our price when we came, are served before us. 4. more pessimism never
 * fills more. 5. what is known to have come to a real order of ours is not estimated.
 */
import { type Money } from "../domain/Money.ts"
import type { Level, OrderBook } from "../domain/OrderBook.ts"
import { Coming, type Known } from "./Known.ts"
import { luck, tradedOver } from "./Trades.ts"

/** How much of others' estimated trade is left out: 0 nothing, 1 all of it, so that only what crosses our price in plain sight fills. */
export interface FillRules {
  readonly pessimism: number
}

/** The buying or the selling side of the book. */
export type QueueSide = "bids" | "asks"

/** A resting order of ours. */
export interface Queued {
  readonly side: QueueSide
  /** What the buyer pays per unit. */
  readonly price: Money
  readonly units: number
  /** Units of others at our price that came before us; a share of them may have gone. */
  readonly ahead: number
  /** How much of the next unit trades have come to: it is ours at 1. Below 0 when luck is bad. */
  readonly owed: number
  /** Which order it is, and how often its luck was drawn. */
  readonly number: number
  readonly drawn: number
}

/** Units of others that we have taken on paper and that the real book still shows, by price. */
export type Taken = ReadonlyMap<number, number>

interface QueueFill {
  readonly price: Money
  readonly units: number
}

export interface Advanced {
  readonly order: Queued
  /** Units of the fills that came through the queue, not by crossing. */
  readonly queued: number
  readonly fills: ReadonlyArray<QueueFill>
}

/** 1 where a higher price is better to be in the queue with. */
const direction = (side: QueueSide): 1 | -1 => (side === "bids" ? 1 : -1)
const other = (side: QueueSide): QueueSide => (side === "bids" ? "asks" : "bids")

const unitsAt = (levels: ReadonlyArray<Level>, price: number): number =>
  levels.find((level) => level.price === price)?.units ?? 0

const unitsOf = (all: ReadonlyArray<{ readonly units: number }>): number =>
  all.reduce((sum, { units }) => sum + units, 0)

/** Units of others at prices strictly better than ours. */
const better = (levels: ReadonlyArray<Level>, { price, side }: Pick<Queued, "price" | "side">): number => {
  let units = 0
  for (const level of levels) {
    if ((level.price - price) * direction(side) <= 0) break
    units += level.units
  }
  return units
}

/** An order that joins the queue of this book behind everybody at its price. */
export const join = (
  of: Pick<Queued, "side" | "price" | "units" | "number">,
  book: Pick<OrderBook, QueueSide>
): Queued => ({ ...of, ahead: unitsAt(book[of.side], of.price), drawn: 0, owed: luck(of.number, 0) })

/** The order after so many trades have come to it, and its units that they filled. */
const servedBy = (order: Queued, trades: number): { readonly order: Queued; readonly whole: number } => {
  // luck alone fills nothing
  if (trades <= 0) return { order, whole: 0 }
  let { drawn, owed, units } = order
  owed += trades
  while (owed >= 1 && units > 0) {
    units--
    drawn++
    owed += luck(order.number, drawn) - 1
  }
  return { order: { ...order, drawn, owed: Math.min(1, owed), units }, whole: order.units - units }
}

/**
 * Units that the head of the queue lost between two books: from the best level on, as long as a level lost all of its units. What went
 * deeper while better prices stood was taken back, not traded.
 */
export const served = (before: ReadonlyArray<Level>, after: ReadonlyArray<Level>): number => {
  let units = 0
  for (const level of before) {
    const left = unitsAt(after, level.price)
    units += Math.max(0, level.units - left)
    if (left > 0) return units
  }
  return units
}

/**
 * Units that still stand because ours were served in their stead: so many from the best level on, those first that went. Without them our
 * own trade would move the prices that we see away from us: up while we sell, down while we buy.
 */
export const sparedOf = (
  before: ReadonlyArray<Level>,
  after: ReadonlyArray<Level>,
  units: number
): ReadonlyArray<Level> => {
  let left = units
  const spared: Array<Level> = []
  for (const { price, units } of before) {
    const more = Math.min(left, Math.max(0, units - unitsAt(after, price)))
    if (more > 0) spared.push({ price, units: more })
    left -= more
    if (left === 0) return spared
  }
  // nothing went in plain sight: the best level was served and filled up again
  const [best] = before
  return best === undefined ? spared : [...spared, { price: best.price, units: left }]
}

/** What of the units that we took the book still shows. */
const stillThere = (taken: Taken, levels: ReadonlyArray<Level>): Taken =>
  taken.size === 0
    ? taken
    : new Map(
        levels.flatMap(({ price, units }) => {
          const known = Math.min(taken.get(price) ?? 0, units)
          return known > 0 ? [[price, known] as const] : []
        })
      )

/**
 * Takes what crosses our price. What stood there before costs its own price, and so does what comes to a listing of ours; whoever came to our
 * bid since then would have asked for what it offers.
 */
const cross = (
  order: Queued,
  before: ReadonlyArray<Level>,
  after: ReadonlyArray<Level>,
  taken: Taken
): Advanced & { readonly taken: Taken } => {
  const gone = new Map(taken)
  const fills: Array<QueueFill> = []
  let wanted = order.units
  for (const level of after) {
    if (wanted === 0 || (order.price - level.price) * direction(order.side) < 0) break
    const known = gone.get(level.price) ?? 0
    const units = Math.min(wanted, level.units - known)
    if (units <= 0) continue
    const stood = order.side === "bids" && unitsAt(before, level.price) > 0
    fills.push({ price: stood ? level.price : order.price, units })
    wanted -= units
    gone.set(level.price, known + units)
  }
  return { order: { ...order, units: wanted }, fills, queued: 0, taken: fills.length === 0 ? taken : gone }
}

/** An order and the share of the time between the looks that it was live for. */
export interface Live {
  readonly order: Queued
  readonly share: number
}

/** What happened between two looks at a book. */
export interface Meanwhile {
  /** That of our orders. */
  readonly side: QueueSide
  readonly before: OrderBook
  readonly after: OrderBook
  /** Units of others traded on this side, as sales tell it; undefined when they do not. */
  readonly flow: number | undefined
  /** Units that only we know to be in this side of the book before. */
  readonly spared: ReadonlyArray<Level>
  readonly taken: Taken
  /** Real orders of ours at the look after, and what they traded between the looks. */
  readonly known?: Known | undefined
}

/**
 * What became of our resting orders of one side between two looks at the book. What serves one of ours serves no other: the best price goes
 * first, then the oldest.
 */
export const advance = (
  orders: ReadonlyArray<Live>,
  { after, before, flow, known, side, spared, taken }: Meanwhile,
  rules: FillRules
): { readonly orders: ReadonlyArray<Advanced>; readonly taken: Taken } => {
  const [was, is] = [before[side], after[side]]
  const believed = 1 - rules.pessimism
  const seen = served(was, is) * believed
  let gone: Taken = stillThere(taken, after[other(side)])
  const coming = new Coming(side, direction(side), known)
  let ours = 0
  const results = new Map<Live, Advanced>()
  for (const live of orders.toSorted((a, b) => (b.order.price - a.order.price) * direction(side))) {
    const { order, share } = live
    const over = (first: number) =>
      tradedOver(seen * share, flow === undefined ? undefined : flow * share * believed, first)
    const front = better(was, order) + better(spared, order) + ours
    const turn = front + order.ahead
    const came = coming.take(order.price, order.units)
    const certain = unitsOf(came)
    const estimated = coming.isAllFor(order.price)
      ? 0
      : Math.max(0, over(turn) - over(turn + order.units) - certain)
    const { order: waited, whole } = servedBy({ ...order, units: order.units - certain }, estimated)
    const still = unitsAt(is, order.price) + unitsAt(spared, order.price)
    const ahead = Math.min(Math.max(0, order.ahead - over(front) + over(turn)), still)
    const waiting: Queued = { ...waited, ahead }
    ours += order.units
    const { fills, order: left, taken: now } = cross(waiting, before[other(side)], after[other(side)], gone)
    gone = now
    const fromQueue = whole === 0 ? [] : [{ price: order.price, units: whole }]
    const really = came.map(({ price, units }) => ({
      price: side === "bids" && unitsAt(before[other(side)], price) > 0 ? price : order.price,
      units
    }))
    results.set(live, { order: left, fills: [...really, ...fromQueue, ...fills], queued: whole })
  }
  return { orders: orders.flatMap((order) => results.get(order) ?? []), taken: gone }
}
