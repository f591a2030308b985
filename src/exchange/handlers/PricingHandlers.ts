/** Group Pricing: overview of the last 24 hours for anyone, the whole history for those who are logged in. */
import { Effect, Option, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { CurrencyId, currencyOf, formatPrice } from "../../domain/Currency.ts"
import { type Millis } from "../../domain/Ids.ts"
import { money } from "../../domain/Money.ts"
import { formatLabel } from "../../domain/SalesLabel.ts"
import { WrongRequest } from "../../market/contract/Answers.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { type PriceHistoryBody, type PriceOverviewBody } from "../../market/contract/Pricing.ts"
import { exchanged } from "../Rates.ts"
import { lastDay, published } from "../SalesLog.ts"
import { itemIndex, type MarketItem, type World } from "../World.ts"
import { asked } from "./Request.ts"

const decodeCurrency = Schema.decodeUnknownOption(CurrencyId)

const overviewOf = (world: World, item: MarketItem, currency: CurrencyId): PriceOverviewBody => {
  const show = (amount: number): string =>
    formatPrice(money(Math.round(exchanged(amount, world.currency, currency))), currency)
  const { median, units } = lastDay(item, world.now)
  const ask = item.asks[0]
  return {
    success: true,
    ...(ask === undefined ? {} : { lowest_price: show(ask.price) }),
    ...(units === 0 ? {} : { median_price: show(Math.round(median)), volume: grouped(units) })
  }
}

/** Thousands separated by commas. */
const grouped = (units: number): string => String(units).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

const historyOf = (world: World, item: MarketItem): PriceHistoryBody => {
  const { prefix, suffix } = currencyOf(world.currency)
  return {
    success: true,
    price_prefix: prefix.trim(),
    price_suffix: suffix.trim(),
    prices: published(item).map(
      ([at, median, units]) =>
        [formatLabel(at as Millis), Math.round(median * 10) / 1000, String(units)] as const
    )
  }
}

export const PricingHandlers = HttpApiBuilder.group(
  MarketApi,
  "pricing",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      priceoverview: Effect.fnUntraced(function* ({ query }) {
        const { world } = yield* asked("priceoverview")
        const currency = decodeCurrency(query.currency)
        if (Option.isNone(currency)) return yield* new WrongRequest()
        const item = world.items[itemIndex(world, query.appid, query.market_hash_name)]
        return item === undefined ? ({ success: false } as const) : overviewOf(world, item, currency.value)
      }),
      pricehistory: Effect.fnUntraced(function* ({ query }) {
        const { session, world } = yield* asked("pricehistory")
        if (session === undefined) return yield* new WrongRequest()
        const item = world.items[itemIndex(world, query.appid, query.market_hash_name)]
        return item === undefined ? ({ success: false } as const) : historyOf(world, item)
      })
    })
  })
)
