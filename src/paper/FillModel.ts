/**
 * When an order of ours that nobody but us can see would have been filled: by its place in the queue, as the books and the sales of others
 * show that the queue was served.
 * Invariants: 1. a fill is at a price that the book allowed: a listing's own price, never better. 2. units of a book are taken once. 3. units
 * at better prices, and those that stood at our price when we came, are served before us. 4. more pessimism never fills more.
 */
import { type Money } from "../domain/Money.ts"
import type { Level, OrderBook } from "../domain/OrderBook.ts"

/** How much of what a book shows is believed to have been trade; 0 believes all, 1 only what crossed our price in plain sight. */
export interface FillRules {
  readonly pessimism: number
}

export const defaultFillRules: FillRules = { pessimism: 0.3 }

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
  /** Part of a unit that trades have come to and that is not whole yet. */
  readonly owed: number
}

/** Units of others that we have taken on paper and that the real book still shows, by price. */
export type Taken = ReadonlyMap<number, number>

export interface QueueFill {
  readonly price: Money
  readonly units: number
}

export interface Advanced {
  readonly order: Queued
  readonly fills: ReadonlyArray<QueueFill>
}

/** 1 where a higher price is better to be in the queue with. */
const direction = (side: QueueSide): 1 | -1 => (side === "bids" ? 1 : -1)
const other = (side: QueueSide): QueueSide => (side === "bids" ? "asks" : "bids")

const unitsAt = (levels: ReadonlyArray<Level>, price: number): number =>
  levels.find((level) => level.price === price)?.units ?? 0

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
  of: Pick<Queued, "side" | "price" | "units">,
  book: Pick<OrderBook, QueueSide> | undefined
): Queued => ({ ...of, ahead: book === undefined ? 0 : unitsAt(book[of.side], of.price), owed: 0 })

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

/** Takes what crosses our price: for a bid the asks at or under it at their own prices, for a listing the bids at or over it at ours. */
const cross = (order: Queued, book: OrderBook, taken: Taken): Advanced & { readonly taken: Taken } => {
  const levels = book[other(order.side)]
  const still = new Map<number, number>()
  const fills: Array<QueueFill> = []
  let wanted = order.units
  for (const level of levels) {
    const known = Math.min(taken.get(level.price) ?? 0, level.units)
    const reaches = (order.price - level.price) * direction(order.side) >= 0
    const units = reaches ? Math.min(wanted, level.units - known) : 0
    if (units > 0) {
      fills.push({ price: order.side === "bids" ? level.price : order.price, units })
      wanted -= units
    }
    if (known + units > 0) still.set(level.price, known + units)
  }
  return { order: { ...order, units: wanted }, fills, taken: still }
}

/**
 * What became of our resting orders of one side between two looks at the book. `flow` is how many units of others were traded on this side
 * meanwhile, as far as sales tell it. What serves one of ours serves no other: the best price goes first, then the oldest.
 */
export const advance = (
  orders: ReadonlyArray<Queued>,
  before: OrderBook,
  after: OrderBook,
  flow: number,
  taken: Taken,
  rules: FillRules
): { readonly orders: ReadonlyArray<Advanced>; readonly taken: Taken } => {
  const [first] = orders
  if (first === undefined) return { orders: [], taken }
  const { side } = first
  const [was, is] = [before[side], after[side]]
  let traded = Math.max(served(was, is), flow) * (1 - rules.pessimism)
  let gone = taken
  const results = new Map<Queued, Advanced>()
  for (const order of orders.toSorted((a, b) => (b.price - a.price) * direction(side))) {
    const forUs = Math.max(0, traded - better(was, order))
    const reached = Math.min(order.units - order.owed, Math.max(0, forUs - order.ahead))
    const whole = Math.floor(order.owed + reached)
    const waiting: Queued = {
      ...order,
      units: order.units - whole,
      owed: order.owed + reached - whole,
      ahead: Math.min(Math.max(0, order.ahead - forUs), unitsAt(is, order.price))
    }
    traded -= reached
    const { fills, order: left, taken: now } = cross(waiting, after, gone)
    gone = now
    const served = whole === 0 ? [] : [{ price: order.price, units: whole }]
    results.set(order, { order: left, fills: [...served, ...fills] })
  }
  return { orders: orders.flatMap((order) => results.get(order) ?? []), taken: gone }
}
