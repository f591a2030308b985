/**
 * Sales matched with the purchases that they sold, oldest first: what one trade cost, brought and lasted.
 * Invariants: 1. the amounts of all trades and of what is still open are the amounts of all fills, to the minor unit. 2. a sale of more than
 * was bought costs nothing for the excess and is told as such. 3. trades ascend by the time of their sale.
 */
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { type Money, money, subtract, sum, zero } from "../domain/Money.ts"
import type { By, Trade } from "./Result.ts"

/** What of a fill matters here. */
export type TradedUnits = Pick<
  Trade,
  "at" | "item" | "side" | "units" | "amount" | "fee" | "strategy" | "rule"
>

/** Units bought by one fill and sold by one fill. */
export interface RoundTrip {
  readonly item: ItemKey
  readonly units: number
  readonly boughtAt: Millis
  readonly soldAt: Millis
  readonly cost: Money
  readonly proceeds: Money
  readonly profit: Money
  /** Fees of the sale. */
  readonly fee: Money
  /** Rules that bought and sold; what was not bought within the run has no `entry`. */
  readonly entry: string | undefined
  readonly exit: string
}

/** What was bought and is not sold yet. */
export interface OpenLot {
  readonly item: ItemKey
  readonly units: number
  readonly boughtAt: Millis
  readonly cost: Money
  readonly entry: string
}

export interface Matched {
  readonly trips: ReadonlyArray<RoundTrip>
  readonly open: ReadonlyArray<OpenLot>
}

/** `strategy#rule`. */
export const ruleOf = ({ rule, strategy }: By): string => `${strategy}#${rule}`

/** A part of an amount that belongs to all units; rounded down, so that the rest stays with what is left. */
const shareOf = (amount: Money, part: number, of: number): Money =>
  part === of ? amount : money(Math.floor((amount * part) / of))

interface Left {
  units: number
  proceeds: Money
  fee: Money
}

const take = (left: Left, units: number): { readonly proceeds: Money; readonly fee: Money } => {
  const proceeds = shareOf(left.proceeds, units, left.units)
  const fee = shareOf(left.fee, units, left.units)
  left.units -= units
  left.proceeds = subtract(left.proceeds, proceeds)
  left.fee = subtract(left.fee, fee)
  return { proceeds, fee }
}

/** Appends the trades of one sale and gives the lots that are left. */
const sell = (
  fill: TradedUnits,
  lots: ReadonlyArray<OpenLot>,
  trips: Array<RoundTrip>
): ReadonlyArray<OpenLot> => {
  const left: Left = { units: fill.units, proceeds: fill.amount, fee: fill.fee }
  const rest: Array<OpenLot> = []
  const sale = { item: fill.item, soldAt: fill.at, exit: ruleOf(fill) }
  for (const lot of lots) {
    const units = Math.min(left.units, lot.units)
    if (units === 0) {
      rest.push(lot)
      continue
    }
    const cost = shareOf(lot.cost, units, lot.units)
    const { fee, proceeds } = take(left, units)
    const profit = subtract(proceeds, cost)
    const { boughtAt, entry } = lot
    trips.push({ ...sale, units, boughtAt, cost, proceeds, profit, fee, entry })
    if (units < lot.units) rest.push({ ...lot, units: lot.units - units, cost: subtract(lot.cost, cost) })
  }
  if (left.units > 0) {
    const { fee, proceeds, units } = left
    trips.push({
      ...sale,
      units,
      boughtAt: fill.at,
      cost: zero,
      proceeds,
      profit: proceeds,
      fee,
      entry: undefined
    })
  }
  return rest
}

/** The trades that fills in ascending time make, item by item. */
export const matched = (trades: Iterable<TradedUnits>): Matched => {
  const trips: Array<RoundTrip> = []
  const byItem = new Map<ItemKey, ReadonlyArray<OpenLot>>()
  for (const fill of trades) {
    const lots = byItem.get(fill.item) ?? []
    if (fill.side === "Sell") byItem.set(fill.item, sell(fill, lots, trips))
    else {
      const { amount, at, item, units } = fill
      byItem.set(item, [...lots, { item, units, boughtAt: at, cost: amount, entry: ruleOf(fill) }])
    }
  }
  return { trips, open: [...byItem.values()].flat() }
}

/** What trades say together. */
export interface TripFigures {
  readonly trips: number
  readonly units: number
  readonly profit: Money
  readonly fees: Money
  /** Trades with a profit above zero, of all; undefined without trades. */
  readonly winRate: number | undefined
  /** What winners won for each minor unit that losers lost; undefined when nothing was lost. */
  readonly profitFactor: number | undefined
  /** Mean time between buying and selling, weighted by units; undefined without trades. */
  readonly holdingMillis: number | undefined
  readonly best: Money
  readonly worst: Money
}

export const figuresOf = (trips: ReadonlyArray<RoundTrip>): TripFigures => {
  let [units, won, lost, wins, held, best, worst] = [0, 0, 0, 0, 0, 0, 0]
  for (const { boughtAt, profit, soldAt, units: traded } of trips) {
    units += traded
    held += traded * (soldAt - boughtAt)
    if (profit > 0) {
      wins++
      won += profit
    } else lost -= profit
    best = Math.max(best, profit)
    worst = Math.min(worst, profit)
  }
  return {
    trips: trips.length,
    units,
    profit: money(won - lost),
    fees: sum(trips.map(({ fee }) => fee)),
    winRate: trips.length === 0 ? undefined : wins / trips.length,
    profitFactor: lost === 0 ? undefined : won / lost,
    holdingMillis: units === 0 ? undefined : held / units,
    best: money(best),
    worst: money(worst)
  }
}
