// @effect-diagnostics strictEffectProvide:off
/** Calls by name, against canned answers and against a market served from the contract itself. */
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { call, type CallInput } from "../../src/market/Call.ts"
import { Redirected, TooManyRequests, Unavailable, WrongRequest } from "../../src/market/contract/Answers.ts"
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
    [{ operation: "orderbook", params: { qp: "[730" } }, "qp: expected JSON"]
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

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(
    MarketApi,
    "listings",
    Effect.fn(function* (handlers) {
      return handlers.handleAll({
        orderbook: ({ query }) => {
          const [app, name] = query.qp
          if (name === "fast") return Effect.fail(new TooManyRequests())
          if (name === "login") return Effect.fail(new Redirected({ location: "/login" }))
          if (name === "wrong") return Effect.fail(new WrongRequest())
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

  const form = { currency: "1", ...params, price_total: "285", quantity: "3" }
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, unknown]> = [
    ["orderbook", params, "success", { data: { success: true, data: orderBook } }],
    ["orderbook", { ...params, appid: "1" }, "unknownItem", { success: false }],
    ["orderbook", { ...params, market_hash_name: "fast" }, "rate-limited", null],
    ["orderbook", { ...params, market_hash_name: "login" }, "redirect", "/login"],
    ["orderbook", { ...params, market_hash_name: "wrong" }, "empty-array", []],
    ["orderbook", { ...params, market_hash_name: "down" }, "html", "<html>down</html>"],
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
