/** Group Pricing: overview of the last 24 hours for anyone, the whole history for those who are logged in. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { type CurrencyId, currencyOf, formatPrice } from "../../domain/Currency.ts"
import { money } from "../../domain/Money.ts"
import { WrongRequest } from "../../market/contract/Answers.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { type PriceHistoryBody, type PriceOverviewBody } from "../../market/contract/Pricing.ts"
import { pricePoints } from "../Levels.ts"
import { exchanged } from "../Rates.ts"
import { lastDay } from "../SalesLog.ts"
import { askPrice } from "../Settle.ts"
import { itemIndex, type MarketItem, type World } from "../World.ts"
import { viewerIn, viewerOf } from "./Reader.ts"
import { asked } from "./Request.ts"

const overviewOf = (world: World, item: MarketItem, currency: CurrencyId): PriceOverviewBody => {
  const { median, units } = lastDay(item, world.now)
  const ask = item.asks[0]
  const shown = (amount: number): string =>
    formatPrice(money(Math.round(exchanged(amount, world.currency, currency))), currency)
  return {
    success: true,
    ...(ask === undefined
      ? {}
      : { lowest_price: formatPrice(askPrice(world, item, ask, currency).price, currency) }),
    ...(units === 0 ? {} : { median_price: shown(median), volume: grouped(units) })
  }
}

/** Thousands separated by commas. */
const grouped = (units: number): string => String(units).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

const historyOf = (world: World, item: MarketItem, currency: CurrencyId): PriceHistoryBody => {
  const { prefix, suffix } = currencyOf(currency)
  const prices = pricePoints(world, item, currency)
  return {
    success: true,
    price_prefix: prefix.trim(),
    price_suffix: suffix.trim(),
    // An item that was never sold has no array.
    prices: prices.length === 0 ? false : prices
  }
}

export const PricingHandlers = HttpApiBuilder.group(
  MarketApi,
  "pricing",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      priceoverview: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("priceoverview")
        const { world } = request
        const { currency } = yield* viewerIn(request, query.currency)
        const item = world.items[itemIndex(world, query.appid, query.market_hash_name)]
        return item === undefined ? ({ success: false } as const) : overviewOf(world, item, currency)
      }),
      pricehistory: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("pricehistory")
        const { world } = request
        if (request.session === undefined) return yield* new WrongRequest()
        const item = world.items[itemIndex(world, query.appid, query.market_hash_name)]
        return item === undefined
          ? ({ success: false } as const)
          : historyOf(world, item, viewerOf(request).currency)
      })
    })
  })
)
