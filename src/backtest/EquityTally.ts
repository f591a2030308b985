/**
 * How the account stood, at even times. Invariant: a point is made of what was true and seen at its moment, also when the replay has
 * gone past it in one stride.
 */
import { type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Money, money, times } from "../domain/Money.ts"
import { lotsCost, type Position, units } from "../domain/Position.ts"
import type { State } from "../domain/State.ts"
import type { EquityPoint, PricePoint } from "./Result.ts"

/** Points of a price chart and of the equity curve, about. */
const pointsWanted = 1_500
const shortestPointMillis = 60_000

/** How far apart the points of a run of this length stand. */
export const pointEvery = (spanMillis: number): number =>
  Math.max(shortestPointMillis, Math.ceil(spanMillis / pointsWanted))

/** What units held would bring: at the best ask, else at the best bid, else what they cost. */
export const worthOf = (position: Position, price: PricePoint | undefined, fees: FeeSchedule): Money => {
  const best = price?.ask ?? price?.bid
  return best === undefined ? lotsCost(position) : times(sellerReceives(fees, best), units(position))
}

/** The account whose points are made, as it is now. */
interface Account {
  readonly state: () => State
  /** What all open bids would cost. */
  readonly committed: () => Money
  readonly fees: FeeSchedule
}

/** Best prices of an item as they were last seen at a moment. */
export interface Priced {
  readonly priceAt: (now: number) => PricePoint | undefined
}

export class EquityTally {
  readonly points: Array<EquityPoint> = []
  private readonly account: Account
  private readonly items: ReadonlyMap<string, Priced>
  private readonly everyMillis: number
  private at: number

  constructor(account: Account, items: ReadonlyMap<string, Priced>, from: number, everyMillis: number) {
    this.account = account
    this.items = items
    this.everyMillis = everyMillis
    this.at = from
  }

  /** Points that are due before what happens now. */
  until(now: number): void {
    for (; this.at < now; this.at += this.everyMillis) this.point(this.at)
  }

  last(at: number): void {
    this.until(at)
    this.point(at)
  }

  private point(at: number): void {
    const { committed, fees } = this.account
    const state = this.account.state()
    let [stock, cost] = [0, 0]
    for (const [key, position] of Object.entries(state.positions)) {
      if (units(position) === 0) continue
      cost += lotsCost(position)
      stock += worthOf(position, this.items.get(key)?.priceAt(at), fees)
    }
    this.points.push({
      at: at as Millis,
      cash: state.ledger,
      stock: money(stock),
      cost: money(cost),
      committed: committed()
    })
  }
}
