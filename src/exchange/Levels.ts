/**
 * A book as somebody reads it: price levels in the reader's currency, best first, and the published sales likewise.
 * Invariants: 1. quantities are per level; all levels together are the whole book. 2. an ask's level is what buying it charges; an order
 * shows the price that its owner gave to a reader with the same currency.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { type Millis } from "../domain/Ids.ts"
import { formatLabel } from "../domain/SalesLabel.ts"
import { converted, limitIn } from "./Rates.ts"
import { published } from "./SalesLog.ts"
import { askPrice } from "./Settle.ts"
import { type MarketItem, type Resting, type World } from "./World.ts"

export interface Level {
  readonly price: number
  readonly units: number
}

export interface Levels {
  readonly bids: ReadonlyArray<Level>
  readonly asks: ReadonlyArray<Level>
}

const bidPrice = ({ accounts, currency: base }: World, bid: Resting, currency: CurrencyId): number => {
  const owner = accounts[bid.account]
  const own = owner?.currency === currency ? owner.orders.find(({ id }) => id === bid.ref) : undefined
  return own === undefined ? limitIn(bid.price, base, currency) : own.price
}

const grouped = (
  side: ReadonlyArray<Resting>,
  priceOf: (order: Resting) => number,
  order: 1 | -1
): ReadonlyArray<Level> => {
  const levels = new Map<number, number>()
  for (const one of side) {
    const price = priceOf(one)
    levels.set(price, (levels.get(price) ?? 0) + one.units)
  }
  return [...levels]
    .map(([price, units]) => ({ price, units }))
    .toSorted((a, b) => order * (a.price - b.price))
}

export const levelsOf = (world: World, item: MarketItem, currency: CurrencyId): Levels => ({
  bids: grouped(item.bids, (bid) => bidPrice(world, bid, currency), -1),
  asks: grouped(item.asks, (ask) => askPrice(world, item, ask, currency).price, 1)
})

/** [label, median in major units with up to three decimals, units] of all published sales. */
export const pricePoints = (
  world: World,
  item: MarketItem,
  currency: CurrencyId
): ReadonlyArray<readonly [string, number, string]> =>
  published(item).map(([at, median, units]) => [
    formatLabel(at as Millis),
    Math.round(converted(median, world.currency, currency) * 10) / 1000,
    String(units)
  ])
