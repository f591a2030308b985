/**
 * How the account stood, at even times. Invariant: a point is made of what was true and seen at its moment, also when the replay has
 * gone past it in one stride.
 */
import { type FeeSchedule, sellerReceives } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Money, money, times } from "../domain/Money.ts"
import { lotsCost, type Position, units } from "../domain/Position.ts"
import { committedOf } from "../paper/PaperSee.ts"
import type { ItemTally } from "./ItemTally.ts"
import type { ReplayDesk } from "./ReplayDesk.ts"
import type { EquityPoint, PricePoint } from "./Result.ts"

/** What units held would bring: at the best ask, else at the best bid, else what they cost. */
export const worthOf = (position: Position, price: PricePoint | undefined, fees: FeeSchedule): Money => {
  const best = price?.ask ?? price?.bid
  return best === undefined ? lotsCost(position) : times(sellerReceives(fees, best), units(position))
}

export class EquityTally {
  readonly points: Array<EquityPoint> = []
  private readonly desk: ReplayDesk
  private readonly items: ReadonlyMap<string, ItemTally>
  private readonly everyMillis: number
  private at: number

  constructor(desk: ReplayDesk, items: ReadonlyMap<string, ItemTally>, from: number, everyMillis: number) {
    this.desk = desk
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
    const { paper, state, wallet } = this.desk
    let [stock, cost] = [0, 0]
    for (const [key, position] of Object.entries(state.positions)) {
      if (units(position) === 0) continue
      cost += lotsCost(position)
      stock += worthOf(position, this.items.get(key)?.priceAt(at), wallet.fees)
    }
    this.points.push({
      at: at as Millis,
      cash: state.ledger,
      stock: money(stock),
      cost: money(cost),
      committed: committedOf(paper)
    })
  }
}
