import * as Net from "node:net"

import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"

import * as VirtualClock from "../../src/clock/VirtualClock.ts"
import { cookiesOf, credentialsOf } from "../../src/exchange/Accounts.ts"
import { sessionOf, signatureOf } from "../../src/exchange/Auth.ts"
import { Exchange, type ExchangeOptions, layer } from "../../src/exchange/Exchange.ts"
import { layerInProcess, serve, ServeError } from "../../src/exchange/Server.ts"
import { hour, minute, startAt } from "./Fixture.ts"

const glove = "Glove Case"
const origin = "http://market.test"

const options = (change: Partial<ExchangeOptions> = {}): ExchangeOptions => ({
  seed: 11,
  startAtMillis: startAt,
  firstAccountHasItems: true,
  ...change
})

/** A market in this process and its client, at the market's opening. */
const market = (change: Partial<ExchangeOptions> = {}) =>
  Layer.provideMerge(layerInProcess, layer(options(change)))

const withMarket = <A, E>(
  effect: Effect.Effect<A, E, Exchange | HttpClient.HttpClient>,
  change: Partial<ExchangeOptions> = {}
) => Effect.andThen(TestClock.setTime(startAt), Effect.provide(effect, market(change)))

interface As {
  /** Index of the account, undefined for nobody. */
  readonly account?: number | undefined
  readonly base?: string
}

const cookieOf = (exchange: Exchange["Service"], as: As): Record<string, string> => {
  const account = as.account === undefined ? undefined : exchange.accounts[as.account]
  return account === undefined
    ? {}
    : {
        cookie: Object.entries(account.cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join("; ")
      }
}

const send = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  as: As = { account: 0 }
) {
  const exchange = yield* Exchange
  const client = yield* HttpClient.HttpClient
  const response = yield* client.execute(
    request.pipe(
      HttpClientRequest.prependUrl(as.base ?? origin),
      HttpClientRequest.setHeaders(cookieOf(exchange, as))
    )
  )
  return yield* read(response)
})

const read = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.text, (text) => ({
    status: response.status,
    headers: response.headers,
    text,
    json: jsonOf(text)
  }))

// eslint-disable-next-line typescript/no-explicit-any -- bodies are looked into as a foreign client would
const jsonOf = (text: string): any => {
  const parsed = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))(text)
  return parsed._tag === "Some" ? parsed.value : undefined
}

const get = (path: string, query: Record<string, string | number> = {}, as?: As) =>
  send(HttpClientRequest.get(path).pipe(HttpClientRequest.setUrlParams(query)), as)

/** A form with the session's own CSRF value. */
const post = Effect.fnUntraced(function* (
  path: string,
  form: Record<string, string>,
  as: As = { account: 0 },
  kind: "url" | "multipart" = "url"
) {
  const exchange = yield* Exchange
  const sessionid = exchange.accounts[as.account ?? 0]!.sessionid
  const full = { sessionid, ...form }
  const data = new FormData()
  for (const [name, value] of Object.entries(full)) data.append(name, value)
  const body = kind === "url" ? HttpClientRequest.bodyUrlParams(full) : HttpClientRequest.bodyFormData(data)
  return yield* send(HttpClientRequest.post(path).pipe(body), as)
})

const orderForm = (change: Record<string, string> = {}) => ({
  currency: "1",
  appid: "730",
  market_hash_name: glove,
  price_total: "1000",
  quantity: "1",
  ...change
})

const create = (change: Record<string, string> = {}, as?: As, kind?: "url" | "multipart") =>
  post("/market/createbuyorder/", orderForm(change), as, kind)

/** A signed query of the authenticator; the clock moves on, because a key is good once. */
const confirm = Effect.fnUntraced(function* (
  path: string,
  tag: string,
  rest: Record<string, string> = {},
  change: { readonly t?: number; readonly k?: string; readonly p?: string } = {}
) {
  const exchange = yield* Exchange
  const { accountId, deviceId, identitySecret } = exchange.accounts[0]!
  yield* TestClock.adjust("2 seconds")
  const now = (yield* exchange.world).now
  const t = change.t ?? Math.floor(now / 1000)
  const k = change.k ?? signatureOf(identitySecret, t, tag)
  return yield* get(path, { p: change.p ?? deviceId, a: accountId, k, t, m: "react", tag, ...rest })
})

const firstAsset = (name = glove) =>
  Effect.flatMap(Exchange, (exchange) =>
    Effect.map(
      exchange.world,
      (world) => world.accounts[0]!.inventory.find(({ item }) => world.items[item]!.of.name === name)!.id
    )
  )

const sell = Effect.fnUntraced(function* (take: number) {
  const assetid = yield* firstAsset()
  return {
    assetid,
    ...(yield* post("/market/sellitem/", {
      appid: "730",
      contextid: "2",
      assetid,
      amount: "1",
      price: String(take)
    }))
  }
})

describe("reads", () => {
  it.effect("give the order book per level, best first, and say no to an unknown item", () =>
    withMarket(
      Effect.gen(function* () {
        const { json, status } = yield* get("/market/orderbook", {
          q: "Load",
          qp: JSON.stringify([730, glove])
        })
        assert.strictEqual(status, 200)
        const { data, success } = json.data
        assert.strictEqual(success, true)
        assert.strictEqual(data.eCurrency, 1)
        assert.strictEqual(data.rgCompactBuyOrders[0], data.amtMaxBuyOrder)
        assert.strictEqual(data.rgCompactSellOrders[0], data.amtMinSellOrder)
        assert.isBelow(data.amtMaxBuyOrder, data.amtMinSellOrder)
        const bids = data.rgCompactBuyOrders.filter((_: number, index: number) => index % 2 === 0)
        assert.deepStrictEqual(
          bids,
          bids.toSorted((a: number, b: number) => b - a)
        )
        const units = data.rgCompactBuyOrders.filter((_: number, index: number) => index % 2 === 1)
        assert.strictEqual(
          units.reduce((sum: number, one: number) => sum + one, 0),
          data.cBuyOrders
        )
        const unknown = yield* get("/market/orderbook", {
          q: "Load",
          qp: JSON.stringify([730, "No Such Case"])
        })
        assert.deepStrictEqual(unknown.json, { success: false })
      })
    )
  )

  it.effect("show an anonymous reader another currency than the wallet's", () =>
    withMarket(
      Effect.gen(function* () {
        const query = { q: "Load", qp: JSON.stringify([730, glove]) }
        assert.strictEqual((yield* get("/market/orderbook", query)).json.data.data.eCurrency, 23)
        assert.strictEqual((yield* get("/market/orderbook", query, {})).json.data.data.eCurrency, 1)
      }),
      { currency: 23 }
    )
  )

  it.effect("give formatted prices of the last day in the currency asked for", () =>
    withMarket(
      Effect.gen(function* () {
        const query = { country: "US", currency: 1, appid: 730, market_hash_name: glove }
        const { json } = yield* get("/market/priceoverview/", query, {})
        assert.strictEqual(json.success, true)
        assert.match(json.lowest_price, /^\$\d+\.\d\d$/)
        assert.match(json.median_price, /^\$\d+\.\d\d$/)
        assert.match(json.volume, /^[\d,]+$/)
        assert.match(
          (yield* get("/market/priceoverview/", { ...query, currency: 3 }, {})).json.lowest_price,
          /^[\d ]+,\d\d€$/
        )
        assert.strictEqual((yield* get("/market/priceoverview/", { ...query, currency: 36 }, {})).status, 400)
        assert.deepStrictEqual((yield* get("/market/priceoverview/", { ...query, appid: 1 }, {})).json, {
          success: false
        })
      })
    )
  )

  it.effect("give the price history to those who are logged in only", () =>
    withMarket(
      Effect.gen(function* () {
        const query = { appid: 730, market_hash_name: glove }
        const anonymous = yield* get("/market/pricehistory/", query, {})
        assert.deepStrictEqual([anonymous.status, anonymous.json], [400, []])
        const { json } = yield* get("/market/pricehistory/", query)
        assert.deepStrictEqual([json.success, json.price_prefix, json.price_suffix], [true, "$", ""])
        assert.isAbove(json.prices.length, 1000)
        for (const [label, price, units] of json.prices.slice(-50)) {
          assert.match(label, /^[A-Z][a-z]{2} \d\d \d{4} \d\d: \+0$/)
          assert.isAbove(price, 0)
          assert.match(units, /^\d+$/)
        }
      })
    )
  )

  it.effect("send those without a session to the login page", () =>
    withMarket(
      Effect.forEach(["/market/mylistings", "/market/myhistory", "/market/userbillinginfo"], (path) =>
        Effect.gen(function* () {
          const { headers, status } = yield* get(path, { norender: 1 }, {})
          assert.strictEqual(status, 302, path)
          assert.match(headers["location"] ?? "", /^\/login\/home\/\?goto=market/)
        })
      )
    )
  )

  it.effect("tell the wallet, its limits and its fees", () =>
    withMarket(
      Effect.gen(function* () {
        const { wallet_info } = (yield* get("/market/userbillinginfo")).json
        assert.deepInclude(wallet_info, {
          success: 1,
          wallet_currency: 23,
          wallet_balance: "4321",
          wallet_market_minimum: "7",
          wallet_max_balance: "1400000",
          wallet_trade_max_balance: "1260000"
        })
      }),
      { currency: 23, balance: 4321 }
    )
  )

  it.effect("answer pages to people and rows to clients", () =>
    withMarket(
      Effect.gen(function* () {
        yield* create()
        const page = yield* get("/market/mylistings")
        assert.match(page.headers["content-type"] ?? "", /^text\/html/)
        assert.include(page.text, "mybuyorder_65")
        const { json } = yield* get("/market/mylistings", { norender: 1 })
        assert.deepInclude(json.buy_orders[0], {
          appid: 730,
          hash_name: glove,
          wallet_currency: 1,
          price: "1000",
          quantity: "1",
          quantity_remaining: "1"
        })
        assert.match((yield* get("/market/myhistory")).text, /<!DOCTYPE html>/)
      })
    )
  )

  it.effect("carry the market's time in the Date header", () =>
    withMarket(
      Effect.gen(function* () {
        yield* TestClock.adjust(hour)
        const { headers } = yield* get("/market/orderbook", { q: "Load", qp: JSON.stringify([730, glove]) })
        assert.strictEqual(headers["date"], "Tue, 02 Jan 2024 11:00:00 GMT")
      })
    )
  )

  it.effect("answer a wrong request with a status of 4xx, never with success", () =>
    withMarket(
      Effect.gen(function* () {
        assert.strictEqual((yield* get("/market/orderbook", { q: "Load", qp: "nonsense" })).status, 400)
        assert.strictEqual(
          (yield* get("/market/pricehistory/", { appid: "x", market_hash_name: glove })).status,
          400
        )
        assert.strictEqual((yield* get("/market/nothing")).status, 404)
        assert.strictEqual((yield* send(HttpClientRequest.post("/market/createbuyorder/"))).status, 415)
      })
    )
  )
})

describe("quotas", () => {
  it.effect(
    "let twenty price overviews a minute through, and a thousand a day, and then answer 429 with null",
    () =>
      withMarket(
        Effect.gen(function* () {
          const ask = get("/market/priceoverview/", {
            country: "US",
            currency: 1,
            appid: 730,
            market_hash_name: glove
          })
          for (let count = 0; count < 20; count++) assert.strictEqual((yield* ask).status, 200)
          const refused = yield* ask
          assert.deepStrictEqual([refused.status, refused.text], [429, "null"])
          assert.strictEqual(refused.headers["retry-after"], undefined)
          let passed = 20
          while (passed < 1000) {
            yield* TestClock.adjust(minute)
            for (let count = 0; count < 20; count++) if ((yield* ask).status === 200) passed++
          }
          assert.strictEqual(passed, 1000)
          yield* TestClock.adjust(minute)
          assert.strictEqual((yield* ask).status, 429)
          assert.strictEqual(
            (yield* get(
              "/market/priceoverview/",
              { country: "US", currency: 1, appid: 730, market_hash_name: glove },
              { account: 1 }
            )).status,
            200
          )
          yield* TestClock.adjust(24 * hour)
          assert.strictEqual((yield* ask).status, 200)
        })
      )
  )
})

describe("mutations", () => {
  it.effect("place, watch and cancel a buy order, in both encodings", () =>
    withMarket(
      Effect.gen(function* () {
        for (const kind of ["url", "multipart"] as const) {
          const placed = yield* create({ price_total: "2000", quantity: "2" }, { account: 0 }, kind)
          assert.strictEqual(placed.json.success, 1, kind)
          const buy_orderid: string = placed.json.buy_orderid
          assert.match(buy_orderid, /^\d{10}$/)
          const sessionid = (yield* Exchange).accounts[0]!.sessionid
          const status = yield* get("/market/getbuyorderstatus", { sessionid, buy_orderid })
          assert.deepInclude(status.json, {
            success: 1,
            active: 1,
            purchased: 0,
            quantity: "2",
            quantity_remaining: "2",
            purchases: []
          })
          const again = yield* create()
          assert.strictEqual(again.json.success, 29)
          assert.isString(again.json.message)
          assert.deepStrictEqual(
            (yield* post("/market/cancelbuyorder/", { buy_orderid }, { account: 0 }, kind)).json,
            { success: 1 }
          )
          assert.strictEqual(
            (yield* get("/market/getbuyorderstatus", { sessionid, buy_orderid })).json.active,
            0
          )
          assert.deepStrictEqual((yield* post("/market/cancelbuyorder/", { buy_orderid })).json, {
            success: 42,
            error: null
          })
        }
      })
    )
  )

  it.effect("answer [] to a session or form value that is not accepted, and change nothing", () =>
    withMarket(
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* create({}, {})).json, [])
        assert.deepStrictEqual((yield* create({ sessionid: "0123456789abcdef01234567" })).json, [])
        assert.deepStrictEqual(
          (yield* post("/market/cancelbuyorder/", { sessionid: "x", buy_orderid: "1" })).json,
          []
        )
        const assetid = yield* firstAsset()
        const refused = yield* post("/market/sellitem/", {
          sessionid: "x",
          appid: "730",
          contextid: "2",
          assetid,
          amount: "1",
          price: "100"
        })
        assert.strictEqual(refused.json.success, false)
        assert.strictEqual((yield* post("/market/removelisting/1", { sessionid: "x" })).status, 400)
        assert.strictEqual((yield* post("/market/removelisting/1", {}, {})).status, 302)
        const world = yield* (yield* Exchange).world
        assert.strictEqual(
          world.accounts.every(({ listings, orders }) => listings.length + orders.length === 0),
          true
        )
      })
    )
  )

  it.effect("refuse numbers that are none", () =>
    withMarket(
      Effect.gen(function* () {
        for (const price_total of ["10.5", "-5", "1e3", "", "ten", "99999999999999999999"]) {
          assert.strictEqual((yield* create({ price_total })).json.success, 8, price_total)
        }
        assert.strictEqual((yield* create({ quantity: "1.5" })).json.success, 8)
        assert.strictEqual((yield* create({ price_total: "200000", quantity: "2" })).json.success, 25)
      })
    )
  )

  it.effect(
    "ask for a confirmation first where the market does so, and take the same form again afterwards",
    () =>
      withMarket(
        Effect.gen(function* () {
          const asked = yield* create()
          assert.strictEqual(asked.status, 406)
          assert.deepInclude(asked.json, { need_confirmation: true, success: 22 })
          const { confirmation_id } = asked.json.confirmation
          const { conf } = (yield* confirm("/mobileconf/getlist", "conf")).json
          assert.deepInclude(conf[0], { type: 12, creator_id: confirmation_id, headline: glove })
          assert.strictEqual((yield* create({ confirmation: confirmation_id })).status, 406)
          const allowed = yield* confirm("/mobileconf/ajaxop", "allow", {
            op: "allow",
            cid: conf[0].id,
            ck: conf[0].nonce
          })
          assert.deepStrictEqual(allowed.json, { success: true })
          assert.strictEqual((yield* create({ confirmation: confirmation_id })).json.success, 1)
        }),
        { confirmPurchases: true }
      )
  )
})

describe("a listing", () => {
  it.effect("is staged, confirmed, sold; the history ties it to money and assets", () =>
    withMarket(
      Effect.gen(function* () {
        const exchange = yield* Exchange
        const before = yield* exchange.truth(0)
        const { assetid, json } = yield* sell(700)
        assert.deepInclude(json, {
          success: true,
          requires_confirmation: 1,
          needs_mobile_confirmation: true,
          needs_email_confirmation: false
        })
        const staged = (yield* get("/market/mylistings", { norender: 1 })).json
        assert.strictEqual(staged.num_active_listings, 0)
        const [row] = staged.listings_to_confirm
        assert.deepInclude(row, { price: 700, fee: 105, status: 17 })
        assert.strictEqual(row.asset.id, assetid)
        assert.strictEqual(staged.assets["730"]["2"][assetid].market_hash_name, glove)
        const { conf } = (yield* confirm("/mobileconf/getlist", "conf")).json
        assert.deepInclude(conf[0], { type: 3, creator_id: assetid })
        const details = (yield* confirm(`/mobileconf/details/${conf[0].id}`, `details${conf[0].id}`)).json
        assert.strictEqual(details.success, true)
        assert.include(
          details.html,
          `BuildHover('confiteminfo', {"id":"${assetid}","appid":"730","contextid":"2","amount":"1"}, UserYou)`
        )
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/ajaxop", "allow", { op: "allow", cid: conf[0].id, ck: conf[0].nonce }))
            .json,
          { success: true }
        )
        // 8.05 is under the best bid of this market: it trades at once, at its own price.
        const { events, listings, purchases } = (yield* get("/market/myhistory", {
          norender: 1,
          start: 0,
          count: 10
        })).json
        assert.deepStrictEqual(
          events.map((event: { event_type: number }) => event.event_type),
          [3, 1]
        )
        const purchase = purchases[`${row.listingid}_${events[0].purchaseid}`]
        assert.deepInclude(purchase, {
          paid_amount: 700,
          paid_fee: 105,
          received_amount: 700,
          received_currencyid: "2001",
          platform_fee: 35,
          publisher_fee: 70,
          failed: 0
        })
        assert.strictEqual(purchase.asset.id, assetid)
        assert.notStrictEqual(purchase.asset.new_id, assetid)
        assert.strictEqual(listings[row.listingid].original_price, 700)
        const after = yield* exchange.truth(0)
        assert.strictEqual(after.balance - before.balance, 700)
        assert.strictEqual(after.units.get(`730/${glove}`), before.units.get(`730/${glove}`)! - 1)
      })
    )
  )

  it.effect("comes back under the id that the history names when it is removed", () =>
    withMarket(
      Effect.gen(function* () {
        const { assetid } = yield* sell(5000)
        const { listings_to_confirm } = (yield* get("/market/mylistings", { norender: 1 })).json
        const { listingid } = listings_to_confirm[0]
        const removed = yield* post(`/market/removelisting/${listingid}`, {}, { account: 0 }, "multipart")
        assert.deepStrictEqual([removed.status, removed.json], [200, []])
        const { assets, events } = (yield* get("/market/myhistory", { norender: 1 })).json
        assert.deepInclude(events[0], { event_type: 2, listingid })
        const rolledBack = assets["730"]["2"][assetid].rollback_new_id
        const world = yield* (yield* Exchange).world
        assert.isTrue(world.accounts[0]!.inventory.some(({ id }) => id === rolledBack))
        assert.strictEqual((yield* post(`/market/removelisting/${listingid}`, {})).json.success, 42)
      })
    )
  )

  it.effect("is told by pages: live ones by start and count, staged ones and orders whole", () =>
    withMarket(
      Effect.gen(function* () {
        for (let count = 0; count < 3; count++) yield* sell(90_000)
        const { conf } = (yield* confirm("/mobileconf/getlist", "conf")).json
        for (const { id, nonce } of conf.slice(0, 2))
          yield* confirm("/mobileconf/ajaxop", "allow", { op: "allow", cid: id, ck: nonce })
        const first = (yield* get("/market/mylistings", { norender: 1, start: 0, count: 1 })).json
        const second = (yield* get("/market/mylistings", { norender: 1, start: 1, count: 1 })).json
        assert.deepStrictEqual([first.total_count, first.listings.length, second.listings.length], [2, 1, 1])
        assert.notStrictEqual(first.listings[0].listingid, second.listings[0].listingid)
        assert.strictEqual(second.listings_to_confirm.length, 1)
      })
    )
  )
})

describe("signatures", () => {
  it.effect("are good for their tag, their time and one use", () =>
    withMarket(
      Effect.gen(function* () {
        const needAuth = { success: false, needauth: true }
        assert.strictEqual((yield* confirm("/mobileconf/getlist", "conf")).json.success, true)
        assert.deepStrictEqual((yield* confirm("/mobileconf/getlist", "list")).json, needAuth)
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/getlist", "conf", {}, { k: "AAAA" })).json,
          needAuth
        )
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/getlist", "conf", {}, { p: "android:other" })).json,
          needAuth
        )
        const seconds = startAt / 1000
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/getlist", "conf", {}, { t: seconds - 300 })).json,
          needAuth
        )
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/getlist", "conf", {}, { t: seconds + 300 })).json,
          needAuth
        )
        assert.strictEqual(
          (yield* confirm("/mobileconf/getlist", "conf", {}, { t: seconds + 60 })).json.success,
          true
        )
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/getlist", "conf", {}, { t: seconds + 60 })).json,
          needAuth
        )
        const op = { op: "allow", cid: "1", ck: "1" }
        assert.deepStrictEqual((yield* confirm("/mobileconf/ajaxop", "cancel", op)).json, needAuth)
        assert.deepStrictEqual((yield* confirm("/mobileconf/ajaxop", "conf", op)).json, needAuth)
        assert.notDeepEqual((yield* confirm("/mobileconf/ajaxop", "allow", op)).json, needAuth)
        const anonymous = yield* get(
          "/mobileconf/getlist",
          { p: "p", a: "a", k: "k", t: 1, m: "react", tag: "conf" },
          {}
        )
        assert.deepStrictEqual(anonymous.json, needAuth)
      })
    )
  )

  it.effect("may carry the tags of other clients where the market is lenient", () =>
    withMarket(
      Effect.gen(function* () {
        assert.strictEqual(
          (yield* confirm("/mobileconf/getlist", "getlist", {}, { p: "android:other" })).json.success,
          true
        )
        const { json } = yield* confirm("/mobileconf/ajaxop", "conf", { op: "allow", cid: "1", ck: "1" })
        assert.strictEqual(json.needauth, undefined)
        assert.deepStrictEqual(
          (yield* confirm("/mobileconf/ajaxop", "cancel", { op: "allow", cid: "1", ck: "1" })).json,
          { success: false, needauth: true }
        )
      }),
      { lenient: true }
    )
  )

  it("are those of the known vectors", () => {
    assert.strictEqual(
      signatureOf("GQP46b73Ws7gr8GmZFR0sDuau5c=", 1_617_591_917, "conf"),
      "NaL8EIMhfy/7vBounJ0CvpKbrPk="
    )
    assert.strictEqual(
      signatureOf("aWRlbnRpdHktc2VjcmV0LTEyMzQ=", 1_700_000_000, "allow"),
      "m/CyWI2HN6Rf8GQWBeANc91afxo="
    )
    assert.strictEqual(
      signatureOf(
        "aWRlbnRpdHktc2VjcmV0LTEyMzQ=",
        1_700_000_000,
        "details9999999999999999999999999999999999999999"
      ),
      "XvXQyQvAEQ1nxTU5QqtNQlp94Dk="
    )
  })
})

describe("sessions and names", () => {
  it("end with their token, and are those of the whole cookie", () => {
    const own = credentialsOf(11, 0, startAt)
    const of = (cookies: Record<string, string>, now: number) => sessionOf([own], "platform", cookies, now)
    const cookies = cookiesOf(own, "platform")
    assert.deepStrictEqual(of(cookies, own.expiresAt - 1), { account: 0, sessionid: own.sessionid })
    assert.strictEqual(of(cookies, own.expiresAt), undefined)
    assert.isDefined(of({ platformLoginSecure: `${own.accountId}||${own.token}` }, startAt))
    assert.strictEqual(of({ platformLoginSecure: `${own.accountId}%7C%7Cother` }, startAt), undefined)
    assert.strictEqual(of({ otherLoginSecure: cookies["platformLoginSecure"]! }, startAt), undefined)
    assert.strictEqual(of({}, startAt), undefined)
  })

  it.effect("carry the platform's own word", () =>
    withMarket(
      Effect.gen(function* () {
        const { accounts } = yield* Exchange
        assert.hasAllKeys(accounts[0]!.cookies, ["acmeLoginSecure", "sessionid"])
        assert.match(accounts[0]!.cookies["acmeLoginSecure"]!, /^\d{17}%7C%7C/)
        yield* sell(90_000)
        const { listings_to_confirm } = (yield* get("/market/mylistings", { norender: 1 })).json
        assert.strictEqual(listings_to_confirm[0].acme_fee, 4500)
        assert.strictEqual(listings_to_confirm[0].platform_fee, undefined)
      }),
      { platformName: "acme" }
    )
  )

  it.effect("have an empty inventory and the opening balance by default", () =>
    withMarket(
      Effect.gen(function* () {
        const exchange = yield* Exchange
        assert.strictEqual((yield* exchange.truth(0)).units.size, 0)
        assert.isAbove((yield* exchange.truth(1)).units.size, 10)
        assert.deepStrictEqual(exchange.accounts[0]!.wallet, { currency: 1, balance: 7777 as never })
        assert.strictEqual(exchange.accounts.length, 3)
        assert.isAtLeast(exchange.items.length, 12)
      }),
      { firstAccountHasItems: false, balance: 7777 }
    )
  )
})

describe("determinism", () => {
  it.effect("gives the same answers for the same seed and requests", () => {
    const run = withMarket(
      Effect.gen(function* () {
        const texts: Array<string> = []
        for (let turn = 0; turn < 4; turn++) {
          yield* TestClock.adjust(7 * minute)
          texts.push((yield* create({}, { account: 0 }, "multipart")).text)
          texts.push((yield* sell(900)).text)
          texts.push((yield* confirm("/mobileconf/getlist", "conf")).text)
          texts.push((yield* get("/market/mylistings", { norender: 1 })).text)
          texts.push((yield* get("/market/orderbook", { q: "Load", qp: JSON.stringify([730, glove]) })).text)
        }
        return texts
      })
    )
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* run, yield* run)
    })
  })
})

describe("virtual time", () => {
  it.live("stands still while a request is answered, whatever its encoding", () => {
    const clock = VirtualClock.layer({ startAtMillis: startAt })
    return Effect.gen(function* () {
      const woken = yield* Effect.forkChild(Effect.sleep("1 second"))
      for (const kind of ["multipart", "url"] as const) {
        const { json } = yield* create({}, { account: 0 }, kind)
        assert.strictEqual(json.success, kind === "multipart" ? 1 : 29)
      }
      yield* confirmNothing
      assert.strictEqual(yield* Clock.currentTimeMillis, startAt)
      assert.strictEqual(woken.pollUnsafe(), undefined)
    }).pipe(Effect.provide(Layer.provideMerge(market(), clock)))
  })
})

const confirmNothing = get("/mobileconf/getlist", { p: "p", a: "a", k: "k", t: 1, m: "react", tag: "conf" })

describe("a market on a socket", () => {
  const openedNow = Layer.unwrap(
    Effect.map(Clock.currentTimeMillis, (startAtMillis) => layer(options({ startAtMillis })))
  )

  it.live("answers the same as in process, on a free port of the loopback", () =>
    Effect.gen(function* () {
      const { port, url } = yield* serve({ port: 0 })
      assert.isAbove(port, 0)
      const as = { account: 0, base: url }
      const book = yield* get("/market/orderbook", { q: "Load", qp: JSON.stringify([730, glove]) }, as)
      assert.strictEqual(book.json.data.success, true)
      assert.match(book.headers["date"] ?? "", / GMT$/)
      const placed = yield* create({}, as, "multipart")
      assert.strictEqual(placed.json.success, 1)
      assert.deepStrictEqual(
        (yield* post("/market/cancelbuyorder/", { buy_orderid: placed.json.buy_orderid }, as)).json,
        { success: 1 }
      )
      assert.strictEqual((yield* get("/market/nothing", {}, as)).status, 404)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(openedNow, FetchHttpClient.layer)))
  )

  it.live("says which port is taken", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.callback<Net.Server>((resume) => {
          const server = Net.createServer()
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = taken.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const error = yield* Effect.flip(serve({ port }))
      assert.instanceOf(error, ServeError)
      assert.include(error.message, `port ${port}: it is in use`)
    }).pipe(Effect.scoped, Effect.provide(openedNow))
  )
})
