/**
 * Writes down what a replay did while it goes on: orders, trades, refusals, a digest of every event.
 * Invariant: it listens and changes nothing, so that a replay with another tally is the same replay.
 */
import type { Event, EventOf } from "../domain/Event.ts"
import type { IntentId, Millis } from "../domain/Ids.ts"
import type { Intent } from "../domain/Intent.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { subtract } from "../domain/Money.ts"
import { totalOf } from "../domain/Offer.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { Position } from "../domain/Position.ts"
import { placedOf } from "../domain/Slot.ts"
import { positionOf, type State } from "../domain/State.ts"
import type { View } from "../engine/Observe.ts"
import type { OrderOutcome, RefusalSeen, Trade } from "./Result.ts"

type Growing<A> = { -readonly [K in keyof A]: A[K] }

/** Where an event was heard: the state after it, and what was seen of the market by then. */
interface Desk {
  readonly state: State
  readonly view: Pick<View, "books">
}

export class Tally {
  readonly orders: Array<Growing<OrderOutcome>> = []
  readonly trades: Array<Trade> = []
  readonly refusals: Array<RefusalSeen> = []
  private hash: readonly [number, number] = [0x9e37_79b9, 0x85eb_ca6b]
  /** By intent, as long as they may still change. */
  private readonly open = new Map<string, Growing<OrderOutcome>>()
  /** When the item's book was seen before the one that is played. */
  readonly lookedAt = new Map<ItemKey, number>()

  readonly heard = (event: Event, before: State, desk: Desk): void => {
    this.hash = chained(this.hash, JSON.stringify(event))
    switch (event._tag) {
      case "IntentRecorded":
        return this.began(event.intent, desk)
      case "Refused":
        return this.ended(event.intent, "Refused", event.at)
      case "Filled":
        return this.filled(event, before, desk.state)
      case "BidClosed": {
        const slot = before.bids[itemKey(event.item)]
        return this.ended(slot === undefined ? undefined : placedOf(slot)?.id, "Cancelled", event.at)
      }
      case "ListingClosed": {
        const slot = before.asks[event.asset]
        const listed = slot !== undefined && "ask" in slot ? slot.ask?.listed.id : undefined
        return this.ended(listed, "Cancelled", event.at)
      }
      case "GuardRefused": {
        const { at, code, item, message, origin, side } = event
        const { rule, strategy } = origin
        this.refusals.push({ at, item: itemKey(item), side, code, message, strategy, rule })
        return undefined
      }
      default:
        return undefined
    }
  }

  /** Of every event so far, 16 hex digits. */
  get digest(): string {
    return this.hash.map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("")
  }

  private began(intent: Intent, { view }: Desk): void {
    const what = orderOf(intent)
    if (what === undefined) return
    const { at, id, reason } = intent
    const { rule, strategy } = reason.origin
    const item = itemKey(intent.item)
    const book = view.books.get(item)
    const order: Growing<OrderOutcome> = {
      intent: id,
      item,
      ...what,
      at,
      filled: 0,
      ahead: book?._tag === "Seen" ? unitsAhead(book.value, what) : 0,
      bookAgeMillis: book?._tag === "Seen" ? at - book.at : 0,
      because: reason.because,
      strategy,
      rule,
      end: "Open",
      endedAt: undefined
    }
    this.orders.push(order)
    this.open.set(id, order)
  }

  private ended(intent: string | undefined, end: OrderOutcome["end"], at: Millis): void {
    const order = intent === undefined ? undefined : this.open.get(intent)
    if (order === undefined) return
    order.end = order.filled >= order.units ? "Filled" : end
    order.endedAt = at
    this.open.delete(order.intent)
  }

  private filled(
    { at, fill, intent = "" as IntentId, strategy = "" }: EventOf<"Filled">,
    before: State,
    after: State
  ): void {
    const item = itemKey(fill.item)
    const order = this.open.get(intent)
    if (order !== undefined) {
      order.filled += fill.units
      if (order.kind === "Purchase") this.ended(intent, "Filled", at)
    }
    const [had, has] = [positionOf(before, item), positionOf(after, item)]
    const { amount, fee, id, side, units } = fill
    const profit = subtract(has.realised, had.realised)
    const heldMillis = heldFor(had, units, fill.at)
    this.trades.push({
      id,
      intent,
      item,
      side,
      at: fill.at,
      units,
      amount,
      fee,
      strategy,
      rule: order?.rule ?? "",
      bookAgeMillis: fill.at - (this.lookedAt.get(item) ?? fill.at),
      closed: side === "Buy" ? undefined : { cost: subtract(amount, profit), profit, heldMillis }
    })
  }
}

/** Two 32-bit multiplicative hashes; big integers would cost more than the replay. */
const chained = ([one, other]: readonly [number, number], text: string): readonly [number, number] => {
  let [a, b] = [one, other]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x0100_0193)
    b = Math.imul((b ^ unit) + (b >>> 15), 0x85eb_ca77)
  }
  return [a, b]
}

const orderOf = (intent: Intent): Pick<OrderOutcome, "kind" | "price" | "units"> | undefined => {
  switch (intent._tag) {
    case "PlaceBid":
      return { kind: "Bid", price: intent.price, units: intent.quantity }
    case "ListAsset":
      return { kind: "Listing", price: intent.buyerPays, units: 1 }
    case "BuyListing":
      return { kind: "Purchase", price: totalOf(intent), units: intent.units }
    default:
      return undefined
  }
}

const unitsAhead = (book: OrderBook, { kind, price }: Pick<OrderOutcome, "kind" | "price">): number => {
  const isBid = kind === "Bid"
  let units = 0
  for (const level of isBid ? book.bids : book.asks) {
    if (isBid ? level.price < price : level.price > price) break
    units += level.units
  }
  return kind === "Purchase" ? 0 : units
}

/** How long the oldest units were held on average. */
const heldFor = ({ lots }: Position, count: number, at: Millis): number => {
  let [left, millis] = [count, 0]
  for (const lot of lots) {
    const taken = Math.min(left, lot.units)
    millis += taken * (at - lot.at)
    left -= taken
    if (left === 0) break
  }
  return count === left ? 0 : millis / (count - left)
}
