/** Rows of the groups Listings and Pricing. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"

import {
  answers,
  empty,
  error,
  limit,
  nullInstead,
  pageInstead,
  refusedAsTooFast,
  type Row,
  sentToLogin,
  success
} from "./Row.ts"
import { app, ask, bodyOf, glove, Shop, withoutTrade } from "./Shop.ts"

const market = { country: "US", language: "english", currency: 1 }
const item = { appid: app, market_hash_name: glove }
const unknown = { appid: app, market_hash_name: "No Such Case" }
const rows = { ...item, start: 0, count: 5, ...market }

const request = (change: object = {}) => ({
  body: {
    appid: app,
    strItemName: glove,
    filters: {},
    accessoryFilters: {},
    propertyFilters: {},
    start: 0,
    ...change
  }
})

/** The internal id that histogram and activity want: it stands in the listing page only. */
export const nameIdOf = Effect.fnUntraced(function* (name: string) {
  const { value } = yield* ask("listing-page", { appid: app, market_hash_name: name })
  const [, id] = /Market_LoadOrderSpread\(\s*(\d+)\s*\)/.exec(String(value)) ?? []
  return { ...market, item_nameid: id ?? "", norender: 1 }
})

const listingPage: Row = {
  operation: "listing-page",
  cases: [
    success(
      "answers a page with the item's id, its prices and its listings inside",
      Effect.map(answers("listing-page", item, [200, "html"]), ({ value }) => {
        for (const part of [
          /Market_LoadOrderSpread\(/,
          /var line1\s*=\s*\[\[/,
          /g_rgAssets\s*=/,
          /g_rgListingInfo\s*=/
        ])
          assert.match(String(value), part)
      })
    ),
    success(
      "answers the newer form, or the payload alone to a caller that accepts JSON alone",
      Effect.gen(function* () {
        const page = yield* answers("listing-page", item, [200, "html"])
        assert.include(String(page.value), "renderContext")
        yield* answers("listing-page", item, [200, "payload"], { accept: "application/json" })
      }),
      { options: { pages: "rendered" } }
    ),
    empty(
      "answers a page without listings of an item that nobody sells",
      Effect.map(answers("listing-page", item, [200, "html"]), ({ value }) =>
        assert.match(String(value), /Market_LoadOrderSpread\(/)
      ),
      { world: withoutTrade() }
    ),
    error(
      "redirects where the account's eligibility is not known",
      Effect.map(answers("listing-page", item, [302, "redirect"]), ({ value }) =>
        assert.match(String(value), /^\/market\/eligibilitycheck\/\?goto=/)
      ),
      { options: { checkEligibility: true } }
    ),
    error(
      "is a page of its own for an item that the market does not have",
      Effect.map(ask("listing-page", unknown), ({ shape, value }) => {
        assert.strictEqual(shape, "html")
        assert.notMatch(String(value), /Market_LoadOrderSpread\(/)
      })
    ),
    refusedAsTooFast("listing-page", item)
  ]
}

const listings: Row = {
  operation: "listings",
  cases: [
    success(
      "answers listings with price, fees and asset, dearer ones later",
      Effect.gen(function* () {
        const found = bodyOf(yield* answers("listings", item, [200, "success"], request()))
        assert.strictEqual(found.start, 0)
        const [first] = found.listings
        assert.strictEqual(first.unFee, first.unPlatformFee + first.unPublisherFee)
        const prices = found.listings.map(({ unPrice }: { readonly unPrice: number }) => unPrice)
        assert.deepStrictEqual(
          prices,
          prices.toSorted((a: number, b: number) => a - b)
        )
        const { total_count } = found
        const unMax = first.unPrice + first.unFee
        const cheap = bodyOf(
          yield* answers("listings", item, [200, "success"], request({ price: { eCurrency: 1, unMax } }))
        )
        assert.isAtMost(cheap.total_count, total_count)
      })
    ),
    empty("answers null past the end", answers("listings", item, [200, "null"], request({ start: 100_000 }))),
    error(
      "answers null to an item that the market does not have",
      answers("listings", unknown, [200, "null"], request({ strItemName: "No Such Case" }))
    ),
    nullInstead("listings", item, request()),
    refusedAsTooFast("listings", item, request())
  ]
}

const listingsRender: Row = {
  operation: "listings-render",
  cases: [
    success(
      "answers an envelope of rows, assets and listing infos",
      Effect.gen(function* () {
        const found = bodyOf(yield* answers("listings-render", rows, [200, "success"]))
        assert.deepInclude(found, { success: true, start: 0, pagesize: 5 })
        const [info] = Object.values<Record<string, unknown>>(found.listinginfo)
        assert.isNumber(info?.["price"])
        assert.include(found.results_html, `listing_${String(info?.["listingid"])}`)
      })
    ),
    success(
      "answers a fragment to a browser",
      answers("listings-render", rows, [200, "html"], { accept: "text/html,application/xhtml+xml" })
    ),
    empty(
      "answers an empty envelope past the end",
      Effect.map(answers("listings-render", { ...rows, start: 100_000 }, [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result), { listinginfo: [], assets: [] })
      )
    ),
    error(
      "refuses a currency that does not exist",
      answers("listings-render", { ...rows, currency: 36 }, [400, "empty-array"])
    ),
    pageInstead("listings-render", rows),
    refusedAsTooFast("listings-render", rows)
  ]
}

const book = (name: string) => ({ q: "Load", qp: JSON.stringify([app, name]) })

const orderbook: Row = {
  operation: "orderbook",
  cases: [
    success(
      "answers the best prices and quantities of each level",
      Effect.map(answers("orderbook", book(glove), [200, "success"]), (result) => {
        const { data } = bodyOf(result).data
        assert.deepInclude(data, {
          amtMaxBuyOrder: data.rgCompactBuyOrders[0],
          amtMinSellOrder: data.rgCompactSellOrders[0],
          eCurrency: 1
        })
      })
    ),
    success(
      "answers 304 to who has the body already, and another currency to a stranger",
      Effect.gen(function* () {
        yield* answers("orderbook", { ...book(glove), "if-none-match": "*" }, [304, "not-modified"])
        const mine = bodyOf(yield* answers("orderbook", book(glove), [200, "success"]))
        const theirs = bodyOf(yield* answers("orderbook", book(glove), [200, "success"], { as: "nobody" }))
        assert.deepStrictEqual([mine.data.data.eCurrency, theirs.data.data.eCurrency], [3, 1])
      }),
      { options: { currency: 3 } }
    ),
    empty(
      "answers empty sides where there is no order",
      Effect.map(answers("orderbook", book(glove), [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result).data.data, {
          amtMaxBuyOrder: null,
          amtMinSellOrder: null,
          rgCompactBuyOrders: [],
          rgCompactSellOrders: []
        })
      ),
      { world: withoutTrade() }
    ),
    error(
      "says no to an item that it does not have",
      answers("orderbook", book("No Such Case"), [200, "unknownItem"])
    ),
    pageInstead("orderbook", book(glove)),
    nullInstead("orderbook", book(glove)),
    refusedAsTooFast("orderbook", book(glove))
  ]
}

const histogram: Row = {
  operation: "histogram",
  cases: [
    success(
      "answers cumulative points that agree with the best prices",
      Effect.gen(function* () {
        const query = yield* nameIdOf(glove)
        const found = bodyOf(yield* answers("histogram", query, [200, "success"]))
        assert.strictEqual(found.success, 1)
        assert.strictEqual(Math.round(found.sell_order_graph[0][0] * 100), Number(found.lowest_sell_order))
        const sums = found.sell_order_graph.map((point: ReadonlyArray<number>) => point[1])
        assert.deepStrictEqual(
          sums,
          sums.toSorted((a: number, b: number) => a - b)
        )
      })
    ),
    empty(
      "answers empty graphs where there is no order",
      Effect.gen(function* () {
        const found = bodyOf(yield* answers("histogram", yield* nameIdOf(glove), [200, "success"]))
        assert.deepInclude(found, { sell_order_graph: [], buy_order_graph: [] })
      }),
      { world: withoutTrade() }
    ),
    error(
      "says no to an id that it does not have",
      answers("histogram", { ...market, item_nameid: "999999999", norender: 1 }, [200, "failed"])
    ),
    pageInstead("histogram", { ...market, item_nameid: "1" }),
    limit(
      "answers 429 to the eleventh distinct item of an hour, and goes on with the others",
      Effect.gen(function* () {
        const { exchange } = yield* Shop
        const names = exchange.items.filter((one) => one.app === app).map(({ name }) => name)
        const queries = yield* Effect.forEach(names.slice(0, 11), nameIdOf)
        for (const query of queries.slice(0, 10)) yield* answers("histogram", query, [200, "success"])
        yield* answers("histogram", queries[10] ?? {}, [429, "rate-limited"])
        yield* answers("histogram", queries[0] ?? {}, [200, "success"])
        yield* answers("histogram", queries[10] ?? {}, [200, "success"], { as: 1 })
      })
    )
  ]
}

const activity: Row = {
  operation: "activity",
  cases: [
    success(
      "answers what happened to the item's orders, the account's own among it",
      Effect.gen(function* () {
        const order = { currency: 1, ...item, price_total: 3, quantity: 1 }
        yield* answers("create-buyorder", order, [200, "placed"])
        const found = bodyOf(yield* answers("activity", yield* nameIdOf(glove), [200, "success"]))
        assert.isNotEmpty(found.activity)
        assert.isAbove(found.timestamp, 0)
      })
    ),
    empty(
      "answers no activity, and 0 as its moment, where there is none",
      Effect.gen(function* () {
        const found = bodyOf(yield* answers("activity", yield* nameIdOf(glove), [200, "success"]))
        assert.deepInclude(found, { activity: [], timestamp: 0 })
      }),
      { world: withoutTrade() }
    ),
    error(
      "says no to an id that it does not have",
      answers("activity", { ...market, item_nameid: "999999999" }, [200, "failed"])
    ),
    refusedAsTooFast("activity", { ...market, item_nameid: "1" })
  ]
}

const overview = { country: "US", currency: 1, ...item }

const priceoverview: Row = {
  operation: "priceoverview",
  cases: [
    success(
      "answers formatted prices in the currency that is asked for",
      Effect.gen(function* () {
        const dollars = bodyOf(yield* answers("priceoverview", overview, [200, "success"]))
        assert.match(dollars.lowest_price, /^\$\d+\.\d\d$/)
        const euros = bodyOf(yield* answers("priceoverview", { ...overview, currency: 3 }, [200, "success"]))
        assert.match(euros.lowest_price, /€$/)
      })
    ),
    empty(
      "leaves the volume out when nothing was sold",
      Effect.map(answers("priceoverview", overview, [200, "success"]), (result) =>
        assert.deepStrictEqual(bodyOf(result), { success: true })
      ),
      { world: withoutTrade() }
    ),
    error(
      "says no to an item that it does not have",
      answers("priceoverview", { ...overview, ...unknown }, [200, "failed"])
    ),
    error(
      "refuses a currency that does not exist",
      answers("priceoverview", { ...overview, currency: 36 }, [400, "empty-array"])
    ),
    limit(
      "answers 429 to the twenty-first request of a minute",
      Effect.gen(function* () {
        for (let count = 0; count < 20; count++) yield* answers("priceoverview", overview, [200, "success"])
        yield* answers("priceoverview", overview, [429, "rate-limited"])
        yield* answers("priceoverview", overview, [200, "success"], { as: 1 })
      })
    )
  ]
}

const pricehistory: Row = {
  operation: "pricehistory",
  cases: [
    success(
      "answers points with label, price and units",
      Effect.map(answers("pricehistory", item, [200, "success"]), (result) => {
        const { prices } = bodyOf(result)
        assert.isAbove(prices.length, 1000)
        assert.match(prices[0][0], /^[A-Z][a-z]{2} \d\d \d{4} \d\d: \+0$/)
      })
    ),
    empty(
      "answers no points of an item that was never sold",
      Effect.map(answers("pricehistory", item, [200, "success"]), (result) =>
        assert.notInclude(JSON.stringify(bodyOf(result).prices), "+0")
      ),
      { world: withoutTrade() }
    ),
    error("says no to an item that it does not have", answers("pricehistory", unknown, [200, "failed"])),
    error(
      "answers 400 with [] without a session",
      answers("pricehistory", item, [400, "empty-array"], { as: "nobody" })
    ),
    refusedAsTooFast("pricehistory", item)
  ]
}

const eligibility: Row = {
  operation: "eligibility",
  cases: [
    success(
      "redirects to where the caller wants to go",
      Effect.map(answers("eligibility", { goto: "/market/" }, [302, "redirect"]), ({ value }) =>
        assert.match(String(value), /\/market\/$/)
      )
    ),
    sentToLogin("eligibility", { goto: "/market/" }),
    error(
      "never redirects to another market",
      Effect.map(answers("eligibility", { goto: "//evil.test/" }, [302, "redirect"]), ({ value }) =>
        assert.notMatch(String(value), /^(?:https?:)?\/\/evil/)
      )
    ),
    refusedAsTooFast("eligibility", { goto: "/market/" })
  ],
  without: { empty: "it answers a redirect and nothing else" }
}

export const listingsAndPricing: ReadonlyArray<Row> = [
  listingPage,
  listings,
  listingsRender,
  orderbook,
  histogram,
  activity,
  priceoverview,
  pricehistory,
  eligibility
]
