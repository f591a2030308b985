/**
 * A book as somebody reads it: price levels in the reader's currency, best first, and the published sales likewise.
 * Invariants: 1. quantities are per level; all levels together are the whole book. 2. an ask's level is what buying it charges; an order
 * shows the price that its owner gave to a reader with the same currency. 3. no conversion shows a bid that meets an ask.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { defaultFees } from "../domain/Fee.ts"
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

const bidPrice = (
  { accounts, currency: base }: World,
  bid: Resting,
  currency: CurrencyId,
  below: number
): number => {
  const owner = accounts[bid.account]
  const own = owner?.currency === currency ? owner.orders.find(({ id }) => id === bid.ref) : undefined
  if (own !== undefined) return own.price
  return currency === base ? bid.price : Math.min(below, limitIn(bid.price, base, currency))
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

export const levelsOf = (world: World, item: MarketItem, currency: CurrencyId): Levels => {
  const asks = grouped(item.asks, (ask) => askPrice(world, item, ask, currency).price, 1)
  const below = (asks[0]?.price ?? Infinity) - defaultFees(currency).increment
  return { asks, bids: grouped(item.bids, (bid) => bidPrice(world, bid, currency, below), -1) }
}

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
