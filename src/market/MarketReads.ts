/** Reads of the market in domain types: order book, price overview, price history, wallet, one buy order. */
import { Effect, Option } from "effect"

import { type BuyOrderStatus } from "../domain/BuyOrder.ts"
import { type CurrencyId, parsePrice } from "../domain/Currency.ts"
import { type BuyOrderId, type Millis } from "../domain/Ids.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import { type Money } from "../domain/Money.ts"
import { parseLabel, type PriceHistory, priceHistory, salesPoint } from "../domain/Sales.ts"
import { type Account, accountOf } from "./AccountFacts.ts"
import { Ask } from "./Ask.ts"
import { bookOf, readOrderbook } from "./BookFacts.ts"
import { billingShapes } from "./contract/Account.ts"
import { eligibilityCookie, readEligibility } from "./contract/Eligibility.ts"
import { type BuyOrderStatusBody, buyOrderStatusShapes } from "./contract/Mutations.ts"
import {
  type PriceHistoryBody,
  pricehistoryShapes,
  type PriceOverviewBody,
  priceoverviewShapes
} from "./contract/Pricing.ts"
import { reader } from "./contract/Reading.ts"
import { isSet, numberOf } from "./contract/Wire.ts"
import { Http } from "./Http.ts"
import { MarketError, NoSuchItem, type PriceOverview, Undecodable } from "./Market.ts"
import { MarketConfig } from "./MarketConfig.ts"
import { Session } from "./Session.ts"

const readOverview = reader(priceoverviewShapes)
const readHistory = reader(pricehistoryShapes)
const readBilling = reader(billingShapes)
const readStatus = reader(buyOrderStatusShapes)

const differs = (operation: string, path: string, detail: string) =>
  new MarketError({ operation, reason: new Undecodable({ path, detail }) })

/** The account's facts: read again, or as they were read once. */
const makeAccount = Effect.gen(function* () {
  const ask = yield* Ask
  const session = yield* Session
  let known: Account | undefined

  /** Reads billing and remembers what it said. */
  const refreshed = Effect.fnUntraced(function* () {
    const { shape, value } = yield* ask.read(
      "billing",
      readBilling,
      ask.client.account.billing({ responseMode: "response-only" })
    )
    const account =
      shape === "success" ? accountOf(value.wallet_info, value.tax_rate) : accountOf(value, undefined)
    if (Option.isNone(account))
      return yield* differs("billing", "wallet_info.wallet_currency", "not a currency id")
    known = account.value
    yield* session.proven
    return account.value
  })

  const account = Effect.suspend(() => (known === undefined ? refreshed() : Effect.succeed(known)))
  /** A stranger gets a book as well, in the currency of where he asks from. */
  const isOurs = (currency: CurrencyId): boolean => known === undefined || known.wallet.currency === currency
  return { account, refreshed, isOurs }
})

export const makeReads = Effect.gen(function* () {
  const ask = yield* Ask
  const http = yield* Http
  const config = yield* MarketConfig
  const session = yield* Session
  const { account, isOurs, refreshed } = yield* makeAccount

  const orderBookOf = Effect.fn("Market.orderBook")(function* (item: Item) {
    const call = ask.client.listings.orderbook({
      query: { q: "Load", qp: [item.app, item.name] },
      headers: {},
      responseMode: "response-only"
    })
    const answer = yield* ask
      .read("orderbook", readOrderbook, call)
      .pipe(Effect.mapError((error) => (isUnknownItem(error) ? noSuchItem(item) : error)))
    const book = bookOf(answer)
    if (Option.isNone(book)) return yield* differs("orderbook", "eCurrency", "not a currency id")
    if (!isOurs(book.value.currency)) yield* session.doubt("orderbook: in another currency than the wallet")
    return book.value
  })

  const priceOverview = Effect.fn("Market.priceOverview")(function* (item: Item) {
    const { currency } = (yield* account).wallet
    const { country } = config
    const call = ask.client.pricing.priceoverview({
      query: { country, currency, appid: item.app, market_hash_name: item.name },
      headers: {},
      responseMode: "response-only"
    })
    const { value } = yield* ask.read("priceoverview", readOverview, call)
    const overview = overviewOf(value, currency)
    return typeof overview === "string"
      ? yield* differs("priceoverview", overview, `not a price of currency ${currency}`)
      : overview
  })

  const priceHistoryOf = Effect.fn("Market.priceHistory")(function* (item: Item) {
    const call = ask.client.pricing.pricehistory({
      query: { appid: item.app, market_hash_name: item.name },
      responseMode: "response-only"
    })
    const { value } = yield* ask.read("pricehistory", readHistory, call)
    const history = historyOf(value)
    return typeof history === "string" ? yield* differs("pricehistory", history, "not a time label") : history
  })

  const buyOrderStatus = Effect.fn("Market.buyOrderStatus")(function* (order: BuyOrderId) {
    const call = Effect.flatMap(http.sessionid, (sessionid) =>
      ask.client.mutations["buyorder-status"]({
        query: { sessionid, buy_orderid: order },
        responseMode: "response-only"
      })
    )
    const { value } = yield* ask.read("buyorder-status", readStatus, call)
    return statusOf(order, value)
  })

  return {
    eligibility: eligibilityOf(ask, http),
    orderBook: orderBookOf,
    priceOverview,
    priceHistory: priceHistoryOf,
    wallet: Effect.map(refreshed(), ({ wallet }) => wallet),
    buyOrderStatus,
    /** The account's facts, read once. */
    account
  }
})

/** The check leads back to the market and tells the rest by a cookie. */
const eligibilityOf = (ask: Ask["Service"], http: Http["Service"]) =>
  Effect.gen(function* () {
    yield* ask.redirect(
      "eligibility",
      ask.client.account.eligibility({ query: { goto: "/market/" }, responseMode: "response-only" })
    )
    const cookie = yield* http.cookie(eligibilityCookie)
    const told = Option.flatMap(Option.fromUndefinedOr(cookie), readEligibility)
    if (Option.isNone(told)) return yield* differs("eligibility", eligibilityCookie, "no such cookie")
    const { allowed, allowed_at_time = 0, reason = 0 } = told.value
    const from = allowed_at_time === 0 ? undefined : ((allowed_at_time * 1000) as Millis)
    return { mayTrade: isSet(allowed), from, reason }
  })

/** A failure without a code, or HTTP 400, is how the order book says that it does not know the item. */
const isUnknownItem = ({ reason }: MarketError): boolean =>
  (reason._tag === "NoData" && reason.detail === "success false") ||
  (reason._tag === "BadStatus" && reason.status === 400)

const noSuchItem = (item: Item): MarketError =>
  new MarketError({ operation: "orderbook", reason: new NoSuchItem({ item: itemKey(item) }) })

/** The name of the field that is no price of the currency, or the overview. */
const overviewOf = (body: PriceOverviewBody, currency: CurrencyId): PriceOverview | string => {
  const lowest = priceOf(body.lowest_price, currency)
  const median = priceOf(body.median_price, currency)
  if (Option.isNone(lowest)) return "lowest_price"
  if (Option.isNone(median)) return "median_price"
  return { lowest: lowest.value, median: median.value, volume: countOf(body.volume) }
}

const priceOf = (text: string | undefined, currency: CurrencyId): Option.Option<Money | undefined> =>
  text === undefined ? Option.some(undefined) : parsePrice(text, currency)

/** More units than any item has; what exceeds it is no count. */
const mostUnits = 1e15

/** Thousands separators of any kind are left out; absent means none. */
const countOf = (text: string | undefined): number =>
  Math.min(mostUnits, Number((text ?? "0").replaceAll(/\D/g, "")))

/** The path of the label that is none, or the history. */
const historyOf = ({ prices }: PriceHistoryBody): PriceHistory | string => {
  if (prices === null || prices === false) return priceHistory([])
  const points = []
  for (const [index, [label, median, volume]] of prices.entries()) {
    const at = parseLabel(label)
    if (Option.isNone(at)) return `prices[${index}][0]`
    points.push(salesPoint(at.value, median, countOf(volume)))
  }
  return priceHistory(points)
}

const statusOf = (id: BuyOrderId, body: BuyOrderStatusBody): BuyOrderStatus => ({
  id,
  active: isSet(body.active),
  quantity: numberOf(body.quantity),
  remaining: numberOf(body.quantity_remaining)
})
