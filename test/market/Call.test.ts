// @effect-diagnostics strictEffectProvide:off
/** Calls by name, against canned answers and against a market served from the contract itself. */
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { call, type CallInput } from "../../src/market/Call.ts"
import {
  Forbidden,
  NotFound,
  NotLoggedOn,
  NotModified,
  Redirected,
  ServerFault,
  TooManyRequests,
  Unavailable,
  WrongRequest
} from "../../src/market/contract/Answers.ts"
import { MarketApi } from "../../src/market/contract/MarketApi.ts"
import { registry } from "../../src/market/contract/Operations.ts"
import { layerTransport } from "../../src/market/MarketHttp.ts"
import { type Answering, clientOf, layerFor, type Seen, session } from "./support.ts"

const against = (answer: (request: Seen) => Answering, input: CallInput, seen: Array<Seen> = []) =>
  call(input).pipe(Effect.provide(Layer.provideMerge(layerTransport, layerFor(clientOf(seen, answer)))))

const params = { appid: "730", market_hash_name: "Glove Case" }

describe("a call", () => {
  it.effect("fills in constants, the session and the signature", () =>
    Effect.gen(function* () {
      const seen: Array<Seen> = []
      yield* against(() => ({ body: null }), { operation: "orderbook", params }, seen)
      assert.strictEqual(
        seen[0]?.query.toString(),
        new URLSearchParams({ q: "Load", qp: '[730,"Glove Case"]' }).toString()
      )
      yield* against(
        () => ({ body: { success: 1 } }),
        { operation: "cancel-buyorder", params: {}, body: { buy_orderid: "7" } },
        seen
      )
      assert.strictEqual(seen[1]?.body, `sessionid=${session.sessionid}&buy_orderid=7`)
      yield* against(
        () => ({ body: { success: true } }),
        { operation: "confirmation-op", params: { op: "allow", cid: "1", ck: "2" } },
        seen
      )
      assert.deepStrictEqual(
        ["p", "a", "m", "tag", "op", "cid", "ck"].map((name) => seen[2]?.query.get(name)),
        ["android:device", session.accountId, "react", "allow", "allow", "1", "2"]
      )
      assert.isNotEmpty(seen[2]?.query.get("k"))
      yield* against(
        () => ({ body: { success: true, html: "" } }),
        { operation: "confirmation-details", params: { confirmationid: "12" } },
        seen
      )
      assert.strictEqual(seen[3]?.path, "/mobileconf/details/12")
      assert.strictEqual(seen[3]?.query.get("tag"), "details12")
      yield* against(() => ({ body: null }), { operation: "mylistings", params: {} }, seen)
      assert.strictEqual(seen[4]?.query.toString(), "norender=1")
    })
  )

  const refused: ReadonlyArray<readonly [CallInput, string]> = [
    [{ operation: "nonsense", params: {} }, "unknown operation: nonsense"],
    [{ operation: "pricehistory", params: { appid: "730" } }, "pricehistory needs --param market_hash_name"],
    [
      { operation: "pricehistory", params: { ...params, colour: "red" } },
      "pricehistory has no parameter colour"
    ],
    [{ operation: "pricehistory", params: { ...params, appid: "x" } }, "appid: expected an integer"],
    [{ operation: "confirmation-op", params: { op: "burn", cid: "1", ck: "2" } }, "op: one of allow, cancel"],
    [{ operation: "orderbook", params: { qp: "[730" } }, "qp: expected JSON"],
    [{ operation: "search", params: { colour: "x" } }, "search has no parameter colour"],
    [{ operation: "search", params: {}, body: [{}, {}] }, "an array of exactly one"],
    [{ operation: "search", params: { filters: "{" } }, "filters: expected JSON"],
    [{ operation: "listings", params: { appid: "730" } }, "listings needs --param market_hash_name"]
  ]
  for (const [input, message] of refused)
    it.effect(`is not sent: ${message}`, () =>
      Effect.gen(function* () {
        const seen: Array<Seen> = []
        const error = yield* Effect.flip(against(() => ({ body: null }), input, seen))
        assert.strictEqual(error._tag, "CallRefused")
        assert.include(error._tag === "CallRefused" ? error.message : "", message)
        assert.isEmpty(seen)
      })
    )

  const answers: ReadonlyArray<readonly [Answering, string]> = [
    [{ body: null }, "null"],
    [{ status: 429, body: null }, "rate-limited"],
    [{ status: 400, body: [] }, "empty-array"],
    [{ status: 302, headers: { location: "/login" } }, "redirect"],
    [{ body: "<html></html>" }, "html"],
    [{ body: "" }, "empty"],
    [{ body: "{" }, "not-json"],
    [{ body: { data: 1 } }, "differs"],
    [{ body: { success: false } }, "unknownItem"]
  ]
  for (const [answer, shape] of answers)
    it.effect(`tells that the answer was ${shape}`, () =>
      Effect.gen(function* () {
        const result = yield* against(() => answer, { operation: "orderbook", params })
        assert.strictEqual(result.shape, shape)
      })
    )

  it.effect("answers with our field names whatever the deployment's are", () =>
    Effect.gen(function* () {
      const event = { listingid: "1", event_type: 1, time_event: 5, acmeid_actor: "9", hidden: 1 }
      const body = { success: true, pagesize: 1, total_count: 1, start: 0, assets: [], events: [event] }
      const below = layerFor(
        clientOf([], () => ({ body })),
        { settings: { platformName: "acme" } }
      )
      const result = yield* call({ operation: "myhistory", params: {} }).pipe(
        Effect.provide(Layer.provideMerge(layerTransport, below))
      )
      assert.deepStrictEqual(result.value, {
        ...body,
        events: [{ listingid: "1", event_type: 1, time_event: 5, accountid_actor: "9" }]
      })
    })
  )
})

const orderBook = { amtMaxBuyOrder: 5, amtMinSellOrder: null, eCurrency: 1, cBuyOrders: 2, cSellOrders: 0 }
const page = { success: true, pagesize: 10, total_count: 0, start: 0, assets: [] } as const

const entry = {
  strHash: "A",
  cSellOrders: 1,
  asset_description: { appid: 730, classid: "1", market_hash_name: "A" }
}
const row = {
  listingid: "5",
  unPrice: 87,
  unFee: 13,
  eCurrency: 1,
  asset: { appid: 730, contextid: "2", assetid: "34", amount: 1 }
}
const legacy = { success: true, results_html: "", listinginfo: [], assets: [] } as const
const graph = { highest_buy_order: null, lowest_sell_order: "5", buy_order_graph: [] }

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(
    MarketApi,
    "discovery",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        home: () => Effect.succeed("<html>home</html>"),
        "search-page": ({ query }) =>
          query.q === "payload"
            ? Effect.succeed({ success: 2, message: "no" })
            : Effect.succeed(`<html>${(query.category_Type ?? []).join()}</html>`),
        search: ({ payload: [asked], query }) => {
          if (asked.strQuery === "nothing") return Effect.succeed(null)
          const tags = [...(query["category_Any Name"] ?? []), ...(asked.filters?.["Any Name"] ?? [])]
          const found = { start: asked.start ?? 0, total_count: tags.length, facets: [] }
          return Effect.succeed(
            asked.disableGrouping === true
              ? { ...found, more: false, listings: [row] }
              : { ...found, grouping: 1, results: [entry] }
          )
        },
        "search-render": ({ query }) =>
          Effect.succeed({
            success: true as const,
            start: query.start ?? 0,
            pagesize: query.count ?? 10,
            total_count: query.price_min ?? 0,
            results_html: `${query.sort_column} ${query.sort_dir}`
          }),
        suggestions: ({ query }) =>
          Effect.succeed({
            results: [{ market_name: query.q, market_hash_name: query.q, app_id: query.appid ?? 0 }],
            apps: []
          }),
        appfacets: ({ params }) =>
          Effect.succeed({
            success: true as const,
            facets: {
              Type: {
                appid: params.appid,
                name: "Type",
                localized_name: "Type",
                tags: { a: { localized_name: "A", matches: "5" } }
              }
            }
          }),
        appaccessories: () => Effect.succeed({ success: true as const, facets: [] }),
        popular: ({ query }) =>
          query.norender === 1
            ? Effect.succeed({ ...legacy, stop: query.count === 3 })
            : Effect.succeed("<html>popular</html>"),
        recent: ({ query }) => Effect.succeed(query.country === "US" ? null : { ...legacy, more: false })
      })
    })
  ),
  HttpApiBuilder.group(
    MarketApi,
    "listings",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        "listing-page": ({ params }) =>
          params.appid === 1
            ? Effect.fail(new Redirected({ location: "/market/listings/1/G1" }))
            : Effect.succeed(`<html>${params.market_hash_name}</html>`),
        listings: ({ params, payload: [asked], query }) =>
          Effect.succeed(
            asked.strItemName === params.market_hash_name && asked.appid === params.appid
              ? {
                  start: asked.start,
                  total_count: asked.price?.unMin ?? query.price_min ?? 0,
                  facets: [],
                  more: false,
                  listings: [row]
                }
              : null
          ),
        "listings-render": ({ params, query }) =>
          Effect.succeed({
            ...legacy,
            start: query.start,
            pagesize: String(query.count),
            total_count: params.appid
          }),
        histogram: ({ headers }) =>
          headers["if-none-match"] === '"1"'
            ? Effect.fail(new NotModified())
            : Effect.succeed({ success: 1 as const, ...graph, sell_order_graph: [[0.05, 3, "3"]] as const }),
        activity: ({ query }) =>
          Effect.succeed({ success: 1 as const, activity: [query.item_nameid], timestamp: 0 }),
        orderbook: ({ query }) => {
          const [app, name] = query.qp
          if (name === "fast") return Effect.fail(new TooManyRequests())
          if (name === "login") return Effect.fail(new Redirected({ location: "/login" }))
          if (name === "wrong") return Effect.fail(new WrongRequest())
          if (name === "gone") return Effect.fail(new NotLoggedOn())
          if (name === "forbidden") return Effect.fail(new Forbidden({ page: "<html>no</html>" }))
          if (name === "stale") return Effect.fail(new NotFound({ page: "<html>404</html>" }))
          if (name === "fault") return Effect.fail(new ServerFault({ page: "<html>500</html>" }))
          if (name === "down") return Effect.fail(new Unavailable({ page: "<html>down</html>" }))
          return Effect.succeed(
            app === 1 ? { success: false as const } : { data: { success: true as const, data: orderBook } }
          )
        }
      })
    })
  ),
  HttpApiBuilder.group(
    MarketApi,
    "pricing",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        priceoverview: ({ query }) =>
          Effect.succeed({ success: true as const, lowest_price: `${query.currency}` }),
        pricehistory: () =>
          Effect.succeed({
            success: true as const,
            price_prefix: "$",
            price_suffix: "",
            prices: [["Dec 06 2018 01: +0", 0.1, "5"] as const]
          })
      })
    })
  ),
  HttpApiBuilder.group(
    MarketApi,
    "account",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        eligibility: ({ query }) => Effect.fail(new Redirected({ location: `/${query.goto}` })),
        billing: () =>
          Effect.succeed({
            wallet_info: { success: 1, wallet_currency: 1, wallet_country: "US", wallet_balance: "5" }
          }),
        mylistings: ({ query }) => Effect.succeed({ ...page, start: query.start ?? 0 }),
        myhistory: ({ query }) => Effect.succeed({ ...page, start: query.count ?? 0 })
      })
    })
  ),
  HttpApiBuilder.group(
    MarketApi,
    "mutations",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        buylisting: ({ params, payload }) =>
          params.listingid === "502"
            ? Effect.fail({ message: "The listing may have been removed" })
            : params.listingid === "406"
              ? Effect.succeed({
                  need_confirmation: true as const,
                  confirmation: { confirmation_id: payload.total },
                  success: 22
                })
              : Effect.succeed({ wallet_info: { success: 1 as const, wallet_balance: payload.subtotal } }),
        "create-buyorder": ({ payload }) =>
          Effect.succeed(
            payload.confirmation === "0"
              ? {
                  need_confirmation: true as const,
                  confirmation: { confirmation_id: payload.price_total },
                  success: 22
                }
              : { success: 1 as const, buy_orderid: payload.market_hash_name }
          ),
        "buyorder-status": ({ query }) =>
          Effect.succeed({
            success: 1 as const,
            active: 1 as const,
            purchased: 0,
            quantity: query.buy_orderid,
            quantity_remaining: "1",
            purchases: []
          }),
        "cancel-buyorder": ({ payload }) => Effect.succeed({ success: 79, error: payload.buy_orderid }),
        sellitem: ({ payload }) => Effect.succeed({ success: false as const, message: payload.assetid }),
        removelisting: ({ params, payload }) =>
          Effect.succeed(
            params.listingid === "5" && payload.sessionid === session.sessionid ? ([] as const) : null
          )
      })
    })
  ),
  HttpApiBuilder.group(
    MarketApi,
    "confirmations",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        confirmations: ({ query }) =>
          Effect.succeed({ success: query.tag === "conf" && query.t === 0 } as { success: true }),
        "confirmation-details": ({ params }) =>
          Effect.succeed({ success: true as const, html: params.confirmationid }),
        "confirmation-op": () => Effect.succeed({ success: false as const, message: "no" })
      })
    })
  )
)

const Served = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpRouter.toHttpEffect(
      HttpApiBuilder.layer(MarketApi).pipe(
        Layer.provide(Handlers),
        Layer.provide(NodeHttpServer.layerHttpServices)
      )
    ),
    (handler) =>
      HttpClient.make((request) =>
        HttpClientRequest.toWeb(request).pipe(
          Effect.flatMap((web) =>
            Effect.provideService(
              Effect.scoped(handler),
              HttpServerRequest.HttpServerRequest,
              HttpServerRequest.fromWeb(web)
            )
          ),
          Effect.map((response) => HttpServerResponse.toClientResponse(response, { request })),
          Effect.orDie
        )
      )
  )
)

describe("a market served from the contract", () => {
  const served = (input: CallInput) =>
    Effect.flatMap(HttpClient.HttpClient, (client) =>
      call(input).pipe(Effect.provide(Layer.provideMerge(layerTransport, layerFor(client))))
    ).pipe(Effect.provide(Served))

  const purchase = { currency: "1", subtotal: "87", fee: "13", total: "100", quantity: "1" }
  const form = { currency: "1", ...params, price_total: "285", quantity: "3" }
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, unknown]> = [
    ["orderbook", params, "success", { data: { success: true, data: orderBook } }],
    ["orderbook", { ...params, appid: "1" }, "unknownItem", { success: false }],
    ["orderbook", { ...params, market_hash_name: "fast" }, "rate-limited", null],
    ["orderbook", { ...params, market_hash_name: "login" }, "redirect", "/login"],
    ["orderbook", { ...params, market_hash_name: "wrong" }, "empty-array", []],
    ["orderbook", { ...params, market_hash_name: "down" }, "html", "<html>down</html>"],
    ["orderbook", { ...params, market_hash_name: "gone" }, "empty", null],
    ["orderbook", { ...params, market_hash_name: "forbidden" }, "html", "<html>no</html>"],
    ["orderbook", { ...params, market_hash_name: "stale" }, "html", "<html>404</html>"],
    ["orderbook", { ...params, market_hash_name: "fault" }, "html", "<html>500</html>"],
    ["home", {}, "html", "<html>home</html>"],
    ["search-page", { category_Type: '["a","b"]' }, "html", "<html>a,b</html>"],
    ["search-page", { q: "payload" }, "failed", { success: 2, message: "no" }],
    [
      "search",
      { appid: "730", "category_Any Name": '["x","y"]', start: "10" },
      "grouped",
      { start: 10, total_count: 4, facets: [], grouping: 1, results: [entry] }
    ],
    [
      "search",
      { disableGrouping: "true" },
      "listings",
      { start: 0, total_count: 0, facets: [], more: false, listings: [row] }
    ],
    ["search", { q: "nothing" }, "null", null],
    [
      "search-render",
      { query: "", sort_column: "price", sort_dir: "asc", price_min: "7", count: "10" },
      "rendered",
      { success: true, start: 0, pagesize: 10, total_count: 7, results_html: "price asc" }
    ],
    [
      "suggestions",
      { q: "x", appid: "730" },
      "success",
      { results: [{ market_name: "x", market_hash_name: "x", app_id: 730 }], apps: [] }
    ],
    [
      "appfacets",
      { appid: "730" },
      "success",
      {
        success: true,
        facets: {
          Type: {
            appid: 730,
            name: "Type",
            localized_name: "Type",
            tags: { a: { localized_name: "A", matches: "5" } }
          }
        }
      }
    ],
    ["appaccessories", { appid: "730" }, "success", { success: true, facets: [] }],
    ["popular", { currency: "1", count: "3" }, "success", { ...legacy, stop: true }],
    ["popular", { currency: "1", norender: "0" }, "html", "<html>popular</html>"],
    ["recent", { currency: "1" }, "null", null],
    ["recent", { currency: "1", country: "DE" }, "success", { ...legacy, more: false }],
    ["listing-page", { ...params, market_hash_name: "★ Ü/(x)" }, "html", "<html>★ Ü/(x)</html>"],
    ["listing-page", { ...params, appid: "1" }, "redirect", "/market/listings/1/G1"],
    [
      "listings",
      { ...params, price_currency: "1", price_min: "9" },
      "success",
      { start: 0, total_count: 9, facets: [], more: false, listings: [row] }
    ],
    [
      "listings-render",
      { ...params, start: "0", count: "10", currency: "1" },
      "success",
      { ...legacy, start: 0, pagesize: "10", total_count: 730 }
    ],
    [
      "histogram",
      { currency: "1", item_nameid: "7" },
      "success",
      { success: 1, ...graph, sell_order_graph: [[0.05, 3, "3"]] }
    ],
    ["histogram", { currency: "1", item_nameid: "7", "if-none-match": '"1"' }, "not-modified", null],
    [
      "activity",
      { currency: "1", item_nameid: "7" },
      "success",
      { success: 1, activity: ["7"], timestamp: 0 }
    ],
    ["eligibility", { goto: "market" }, "redirect", "/market"],
    [
      "buylisting",
      { listingid: "1", ...purchase },
      "bought",
      { wallet_info: { success: 1, wallet_balance: "87" } }
    ],
    [
      "buylisting",
      { listingid: "502", ...purchase },
      "failed",
      { message: "The listing may have been removed" }
    ],
    [
      "buylisting",
      { listingid: "406", ...purchase },
      "needConfirmation",
      { need_confirmation: true, confirmation: { confirmation_id: "100" }, success: 22 }
    ],
    ["priceoverview", { ...params, currency: "3" }, "success", { success: true, lowest_price: "3" }],
    [
      "pricehistory",
      params,
      "success",
      { success: true, price_prefix: "$", price_suffix: "", prices: [["Dec 06 2018 01: +0", 0.1, "5"]] }
    ],
    [
      "billing",
      {},
      "success",
      { wallet_info: { success: 1, wallet_currency: 1, wallet_country: "US", wallet_balance: "5" } }
    ],
    ["mylistings", { start: "20" }, "success", { ...page, start: 20 }],
    ["myhistory", { count: "7" }, "success", { ...page, start: 7 }],
    [
      "create-buyorder",
      { ...form, confirmation: "0" },
      "needConfirmation",
      { need_confirmation: true, confirmation: { confirmation_id: "285" }, success: 22 }
    ],
    [
      "create-buyorder",
      { ...form, market_hash_name: "Ü | ★ (x)" },
      "placed",
      { success: 1, buy_orderid: "Ü | ★ (x)" }
    ],
    [
      "buyorder-status",
      { buy_orderid: "9" },
      "success",
      { success: 1, active: 1, purchased: 0, quantity: "9", quantity_remaining: "1", purchases: [] }
    ],
    ["cancel-buyorder", { buy_orderid: "9" }, "failed", { success: 79, error: "9" }],
    [
      "sellitem",
      { appid: "730", contextid: "2", assetid: "34", amount: "1", price: "87" },
      "failed",
      { success: false, message: "34" }
    ],
    ["removelisting", { listingid: "5" }, "removed", []],
    ["confirmations", {}, "success", { success: true }],
    ["confirmation-details", { confirmationid: "a/b" }, "success", { success: true, html: "a/b" }],
    ["confirmation-op", { op: "cancel", cid: "1", ck: "2" }, "failed", { success: false, message: "no" }]
  ]
  for (const [operation, params, shape, value] of cases)
    it.effect(`${operation} ${JSON.stringify(params)} is ${shape}`, () =>
      Effect.gen(function* () {
        const result = yield* served({ operation, params })
        assert.deepStrictEqual([result.shape, result.value], [shape, value])
      })
    )

  it("every operation of the registry is called above", () => {
    assert.deepStrictEqual(
      registry
        .map(({ operation }) => operation)
        .filter((operation) => !cases.some(([called]) => called === operation)),
      []
    )
  })
})
