/** Group Listings: the compact order book. Anonymous readers get it in the first currency, as on the real markets. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { type CurrencyId } from "../../domain/Currency.ts"
import { type OrderBookData } from "../../market/contract/Listings.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { exchanged } from "../Rates.ts"
import { itemIndex, type MarketItem, type Resting, type World } from "../World.ts"
import { asked } from "./Request.ts"

/** Levels per side that are sent; the counts are of the whole book. */
const levelsShown = 100
const anonymousCurrency: CurrencyId = 1

const compact = (world: World, side: ReadonlyArray<Resting>, currency: CurrencyId): ReadonlyArray<number> => {
  const levels = new Map<number, number>()
  for (const { price, units } of side) {
    const shown = exchanged(price, world.currency, currency)
    levels.set(shown, (levels.get(shown) ?? 0) + units)
  }
  return [...levels].slice(0, levelsShown).flat()
}

const unitsOf = (side: ReadonlyArray<Resting>): number => side.reduce((sum, { units }) => sum + units, 0)

const bookOf = (world: World, item: MarketItem, currency: CurrencyId): OrderBookData => {
  const [bid, ask] = [item.bids[0], item.asks[0]]
  return {
    amtMaxBuyOrder: bid === undefined ? null : exchanged(bid.price, world.currency, currency),
    amtMinSellOrder: ask === undefined ? null : exchanged(ask.price, world.currency, currency),
    eCurrency: currency,
    cBuyOrders: unitsOf(item.bids),
    cSellOrders: unitsOf(item.asks),
    rgCompactBuyOrders: compact(world, item.bids, currency),
    rgCompactSellOrders: compact(world, item.asks, currency)
  }
}

export const ListingsHandlers = HttpApiBuilder.group(
  MarketApi,
  "listings",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      orderbook: Effect.fnUntraced(function* ({ query }) {
        const { session, world } = yield* asked("orderbook")
        const item = world.items[itemIndex(world, query.qp[0], query.qp[1])]
        if (item === undefined) return { success: false } as const
        const currency = session === undefined ? anonymousCurrency : world.currency
        return { data: { success: true, data: bookOf(world, item, currency) } } as const
      })
    })
  })
)
