/**
 * What we hold of one item: lots in the order they were bought (FIFO) and the assets in our inventory.
 * Invariants: 1. units of lots = assets held. 2. the cost of all lots plus the cost of all units sold = what was paid, to the minor unit.
 */
import { Schema } from "effect"

import { type Fill } from "./Fill.ts"
import { AssetId, FillId, Millis } from "./Ids.ts"
import { add, Money, money, subtract, sum, zero } from "./Money.ts"

/** Units bought together and what is left of their cost, minor units, fees included. */
const Lot = Schema.Struct({
  fill: FillId,
  at: Millis,
  units: Schema.Natural,
  cost: Money,
  strategy: Schema.optionalKey(Schema.String)
})
type Lot = typeof Lot.Type

/** One asset of ours; its id changes when a listing comes back. */
const Holding = Schema.Struct({ asset: AssetId, context: Schema.String, since: Millis })
type Holding = typeof Holding.Type

export const Position = Schema.Struct({
  lots: Schema.Array(Lot),
  holdings: Schema.Array(Holding),
  unitsBought: Schema.Natural,
  unitsSold: Schema.Natural,
  /** Received minus FIFO cost of all sales, minor units. */
  realised: Money,
  /** Market fees inside the prices of all our fills, both sides, minor units. */
  fees: Money
})
export type Position = typeof Position.Type

export const emptyPosition: Position = {
  lots: [],
  holdings: [],
  unitsBought: 0,
  unitsSold: 0,
  realised: zero,
  fees: zero
}

export const units = (position: Position): number =>
  position.lots.reduce((count, lot) => count + lot.units, 0)
export const lotsCost = (position: Position): Money => sum(position.lots.map((lot) => lot.cost))

/** Cost per unit held, rounded up so that a floor built on it never sells below cost; undefined without units. */
export const avgCost = (position: Position): Money | undefined => {
  const held = units(position)
  return held === 0 ? undefined : money(Math.ceil(lotsCost(position) / held))
}

/** The position after a fill; a sale consumes the oldest lots first. A sale of more than we know costs nothing for the excess. */
export const fold = (position: Position, fill: Fill, strategy: string | undefined): Position =>
  fill.side === "Buy" ? bought(position, fill, strategy) : sold(position, fill)

const bought = (position: Position, fill: Fill, strategy: string | undefined): Position => ({
  ...position,
  lots: [
    ...position.lots,
    {
      fill: fill.id,
      at: fill.at,
      units: fill.units,
      cost: fill.amount,
      ...(strategy === undefined ? {} : { strategy })
    }
  ],
  holdings: [...position.holdings, { asset: fill.asset, context: fill.context, since: fill.at }],
  unitsBought: position.unitsBought + fill.units,
  fees: add(position.fees, fill.fee)
})

const sold = (position: Position, fill: Fill): Position => {
  const { cost, lots } = consume(position.lots, fill.units)
  return {
    ...position,
    lots,
    holdings: position.holdings.filter((holding) => holding.asset !== fill.asset),
    unitsSold: position.unitsSold + fill.units,
    realised: add(position.realised, subtract(fill.amount, cost)),
    fees: add(position.fees, fill.fee)
  }
}

/** Takes units off the oldest lots; the cost of a part of a lot is rounded down, its rest stays on the lot. */
const consume = (
  lots: ReadonlyArray<Lot>,
  count: number
): { readonly cost: Money; readonly lots: ReadonlyArray<Lot> } => {
  let left = count
  let cost = zero
  const rest: Array<Lot> = []
  for (const lot of lots) {
    const taken = Math.min(left, lot.units)
    const part = taken === lot.units ? lot.cost : money(Math.floor((lot.cost * taken) / lot.units))
    left -= taken
    cost = add(cost, part)
    if (taken < lot.units) rest.push({ ...lot, units: lot.units - taken, cost: subtract(lot.cost, part) })
  }
  return { cost, lots: rest }
}

/** A listing came back: the asset has a new id from now on. */
export const returned = (position: Position, asset: AssetId, returnedAs: AssetId): Position => ({
  ...position,
  holdings: position.holdings.map((holding) =>
    holding.asset === asset ? { ...holding, asset: returnedAs } : holding
  )
})
