// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

import { type BuyOrderId, type ConfirmationId, type ListingId } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { Market, type MarketError } from "../../src/market/Market.ts"
import { layer } from "../../src/market/MarketHttp.ts"
import { RateLimiter } from "../../src/market/RateLimiter.ts"
import { type Answering, clientOf, elapsing, layerFor, type Seen, session } from "./support.ts"

const gloves = item(730, "Glove Case")
const wallet = {
  success: 1,
  wallet_currency: 1,
  wallet_country: "US",
  wallet_balance: "10412",
  wallet_delayed_balance: 5,
  wallet_fee_percent: "0.05",
  wallet_publisher_fee_percent_default: "0.10",
  wallet_market_minimum: "1",
  wallet_currency_increment: "1"
}
const billing = { body: { wallet_info: wallet } }
const book = {
  amtMaxBuyOrder: 95,
  amtMinSellOrder: null,
  eCurrency: 1,
  cBuyOrders: 40,
  cSellOrders: 0,
  rgCompactBuyOrders: [95, 7, 94, 3],
  rgCompactSellOrders: []
}
const noListings = {
  success: true,
  pagesize: 100,
  total_count: 0,
  start: 0,
  assets: [],
  listings: [],
  buy_orders: []
}

/** Runs a program against canned answers; requests are collected in `seen`. */
const against = <A, E>(
  answer: (request: Seen) => Answering,
  program: (seen: ReadonlyArray<Seen>) => Effect.Effect<A, E, Market | RateLimiter>,
  given: Parameters<typeof layerFor>[1] = {}
) => {
  const seen: Array<Seen> = []
  const below = layerFor(clientOf(seen, answer), given)
  return program(seen).pipe(Effect.provide(Layer.provideMerge(layer, below)))
}

const reasonOf = (error: MarketError) => error.reason._tag

describe("reads", () => {
  it.effect("an order book in either envelope, an empty side included", () =>
    against(
      ({ query }) => ({
        body: query.get("qp")?.includes("bare")
          ? { success: true, data: book }
          : { data: { success: true, data: book } }
      }),
      (seen) =>
        Effect.gen(function* () {
          const market = yield* Market
          const found = yield* market.orderBook(gloves)
          assert.deepStrictEqual(found, {
            currency: 1,
            bids: [
              { price: money(95), units: 7 },
              { price: money(94), units: 3 }
            ],
            asks: [],
            bidUnits: 40,
            askUnits: 0
          })
          assert.deepStrictEqual(yield* market.orderBook(item(730, "bare")), found)
          const [first] = seen
          assert.strictEqual(first?.query.get("q"), "Load")
          assert.strictEqual(first?.query.get("qp"), '[730,"Glove Case"]')
          assert.strictEqual(
            first?.headers["cookie"],
            "platformLoginSecure=76561197960287930%7C%7Ctoken; sessionid=0123456789abcdef01234567"
          )
        })
    )
  )

  const failures: ReadonlyArray<readonly [string, Answering, string]> = [
    ["null", { body: null }, "NoData"],
    ["an HTML page", { body: "<html></html>" }, "NoData"],
    ["the login page", { body: "<html><title>Sign In</title>" }, "SessionExpired"],
    ["a redirect to the login", { status: 302, headers: { location: "/login/home" } }, "SessionExpired"],
    ["HTTP 401", { status: 401, body: "" }, "SessionExpired"],
    [
      "a header that says so",
      { body: { data: { success: true, data: book } }, headers: { "x-notloggedin": "1" } },
      "SessionExpired"
    ],
    ["HTTP 429", { status: 429, body: null }, "RateLimited"],
    ["success 84", { body: { success: 84 } }, "RateLimited"],
    ["success false", { body: { success: false } }, "NoSuchItem"],
    ["HTTP 400", { status: 400, body: [] }, "NoSuchItem"],
    [
      "another shape",
      { body: { data: { success: true, data: { ...book, eCurrency: "USD" } } } },
      "Undecodable"
    ],
    [
      "a currency that does not exist",
      { body: { success: true, data: { ...book, eCurrency: 36 } } },
      "Undecodable"
    ]
  ]
  for (const [name, answer, reason] of failures)
    it.effect(`${name} is ${reason}`, () =>
      against(
        () => answer,
        (seen) =>
          Effect.gen(function* () {
            const error = yield* Effect.flip((yield* Market).orderBook(gloves))
            assert.strictEqual(reasonOf(error), reason)
            assert.strictEqual(seen.length, 1)
          })
      )
    )

  it.effect("a server error is asked twice more, then told", () =>
    against(
      () => ({ status: 503, body: "<html></html>" }),
      (seen) =>
        Effect.gen(function* () {
          const error = yield* elapsing(Effect.flip((yield* Market).orderBook(gloves)))
          assert.strictEqual(error.message, "orderbook: BadStatus 503")
          assert.strictEqual(seen.length, 3)
        })
    )
  )

  it.effect("no answer within the time-out is Unreachable, and waiting for a permit does not count", () =>
    against(
      () => "hang",
      () =>
        Effect.gen(function* () {
          const error = yield* elapsing(Effect.flip((yield* Market).orderBook(gloves)))
          assert.strictEqual(reasonOf(error), "Unreachable")
        }),
      { settings: { timeoutMillis: 1000 } }
    )
  )

  it.effect("a refusal cools the operation down once per answer", () =>
    against(
      () => ({ status: 429, body: null }),
      () =>
        Effect.gen(function* () {
          yield* Effect.flip((yield* Market).orderBook(gloves))
          const usage = (yield* (yield* RateLimiter).usage).get("orderbook")
          assert.deepStrictEqual([usage?.requests, usage?.rateLimited, usage?.state], [1, 1, "resting"])
        })
    )
  )

  it.effect("the wallet, and prices in its currency", () =>
    against(
      ({ path }) =>
        path === "/market/userbillinginfo"
          ? billing
          : { body: { success: true, lowest_price: "$1.05", volume: "1,204" } },
      (seen) =>
        Effect.gen(function* () {
          const market = yield* Market
          assert.deepStrictEqual(yield* market.wallet, {
            currency: 1,
            balance: money(10412),
            delayed: money(5),
            country: "US",
            fees: { platformRate: 0.05, publisherRate: 0.1, floor: money(1), increment: 1 }
          })
          assert.deepStrictEqual(yield* market.priceOverview(gloves), {
            lowest: money(105),
            median: undefined,
            volume: 1204
          })
          assert.strictEqual(seen.length, 2)
          assert.strictEqual(seen[1]?.query.get("currency"), "1")
        })
    )
  )

  it.effect("a price history in time order; none for an item that never sold", () =>
    against(
      ({ query }) => ({
        body: {
          success: true,
          price_prefix: "",
          price_suffix: "₸",
          prices:
            query.get("market_hash_name") === "new"
              ? false
              : [
                  ["Nov 28 2013 01: +0", 86.37, "57"],
                  ["Nov 29 2013 01: +0", 43.364, "1,010"]
                ]
        }
      }),
      () =>
        Effect.gen(function* () {
          const market = yield* Market
          const { points } = yield* market.priceHistory(gloves)
          assert.deepStrictEqual(
            points.map(({ at, median, units }) => [at, median, units].join(" ")),
            ["1385600400000 8637 57", "1385686800000 4336.4 1010"]
          )
          assert.deepStrictEqual((yield* market.priceHistory(item(730, "new"))).points, [])
        })
    )
  )

  it.effect("pricehistory answers HTTP 400 to a stranger", () =>
    against(
      () => ({ status: 400, body: [] }),
      () =>
        Effect.gen(function* () {
          assert.strictEqual(
            reasonOf(yield* Effect.flip((yield* Market).priceHistory(gloves))),
            "SessionExpired"
          )
        })
    )
  )

  it.effect("a buy order's status, numbers as strings", () =>
    against(
      () => ({
        body: {
          success: 1,
          active: 1,
          purchased: 0,
          quantity: "200",
          quantity_remaining: "143",
          purchases: []
        }
      }),
      (seen) =>
        Effect.gen(function* () {
          const status = yield* (yield* Market).buyOrderStatus("7" as BuyOrderId)
          assert.deepStrictEqual(status, {
            id: "7" as BuyOrderId,
            active: true,
            quantity: 200,
            remaining: 143
          })
          assert.strictEqual(seen[0]?.query.get("sessionid"), session.sessionid)
        })
    )
  )
})

describe("what is open", () => {
  const asset = (id: string) => ({
    appid: 730,
    contextid: "2",
    id,
    amount: "1",
    market_hash_name: "Glove Case"
  })
  const row = (id: number) => ({
    listingid: String(id),
    price: 100,
    fee: 15,
    asset: asset(`a${id}`),
    time_created: 1_700_000_000
  })

  it.effect("is read from all pages, orders once", () =>
    against(
      ({ query }) => {
        const start = Number(query.get("start"))
        return {
          body: {
            ...noListings,
            total_count: 150,
            start,
            listings: Array.from({ length: start === 0 ? 100 : 50 }, (_, index) => row(start + index)),
            listings_to_confirm: [
              { ...row(900), asset: { appid: 730, contextid: "2", id: "a900", amount: 1 } }
            ],
            assets: { "730": { "2": { a900: asset("a900") } } },
            buy_orders: [
              {
                appid: 730,
                hash_name: "Glove Case",
                wallet_currency: 1,
                price: "95",
                quantity: "3",
                quantity_remaining: "2",
                buy_orderid: "7"
              }
            ]
          }
        }
      },
      (seen) =>
        Effect.gen(function* () {
          const open = yield* (yield* Market).ownOpen
          assert.strictEqual(seen.length, 2)
          assert.deepStrictEqual(open.buyOrders, [
            { id: "7" as BuyOrderId, item: gloves, price: money(95), quantity: 3, remaining: 2 }
          ])
          assert.strictEqual(open.listings.length, 151)
          assert.deepStrictEqual(
            open.listings.find(({ id }) => id === "900"),
            {
              id: "900" as ListingId,
              asset: "a900",
              context: "2",
              item: gloves,
              stage: "Staged",
              sellerReceives: money(100),
              buyerPays: money(115),
              createdAt: 1_700_000_000_000
            } as never
          )
        })
    )
  )

  it.effect("a page without its rows is an error, not an empty list", () =>
    against(
      () => ({
        body: { success: true, pagesize: 10, total_count: 0, start: 0, assets: [], results_html: "" }
      }),
      () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip((yield* Market).ownOpen)
          assert.strictEqual(reasonOf(error), "Undecodable")
        })
    )
  )

  it.effect("nothing is believed when billing says that the session is gone", () =>
    against(
      ({ path }) =>
        path === "/market/mylistings"
          ? { body: noListings }
          : { status: 302, headers: { location: "/login" } },
      () =>
        Effect.gen(function* () {
          assert.strictEqual(reasonOf(yield* Effect.flip((yield* Market).ownOpen)), "SessionExpired")
        })
    )
  )

  it.effect("nothing is believed when billing answers, which is asked after every empty answer", () =>
    against(
      ({ path }) => (path === "/market/mylistings" ? { body: noListings } : billing),
      (seen) =>
        Effect.gen(function* () {
          const market = yield* Market
          assert.deepStrictEqual(yield* market.ownOpen, { buyOrders: [], listings: [] })
          assert.strictEqual(seen.filter(({ path }) => path === "/market/userbillinginfo").length, 1)
          yield* market.ownOpen
          assert.strictEqual(seen.filter(({ path }) => path === "/market/userbillinginfo").length, 2)
        })
    )
  )
})

describe("what happened", () => {
  const purchase = (listing: string, rest: object = {}) => ({
    listingid: listing,
    purchaseid: "1",
    paid_amount: 100,
    paid_fee: 15,
    currencyid: "2001",
    received_amount: 100,
    received_currencyid: "2001",
    needs_rollback: 0,
    failed: 0,
    asset: {
      appid: 730,
      contextid: "2",
      id: `a${listing}`,
      amount: "1",
      new_id: `n${listing}`,
      new_contextid: "2"
    },
    ...rest
  })
  const event = (listing: string, event_type: number) => ({
    listingid: listing,
    purchaseid: "1",
    event_type,
    time_event: 1_700_000_000,
    time_event_fraction: 263_000_000
  })
  const described = (id: string, rest: object = {}) => ({
    appid: 730,
    contextid: "2",
    id,
    amount: "1",
    market_hash_name: "Glove Case",
    ...rest
  })
  const page = {
    success: true,
    pagesize: 100,
    total_count: 6,
    start: 0,
    events: [event("10", 4), event("11", 3), event("12", 3), event("13", 4), event("14", 2), event("15", 1)],
    purchases: {
      "10_1": purchase("10"),
      "11_1": purchase("11", { currencyid: "2023", paid_amount: 50, paid_fee: 8, received_amount: 25 }),
      "12_1": purchase("12", { failed: 1 }),
      "13_1": purchase("13", { needs_rollback: 1 })
    },
    listings: {
      "14": {
        listingid: "14",
        price: 90,
        fee: 14,
        asset: { appid: 730, contextid: "2", id: "a14", amount: "1" }
      }
    },
    assets: {
      "730": {
        "2": {
          a10: described("a10"),
          a11: described("a11"),
          a12: described("a12"),
          a13: described("a13"),
          a14: described("a14", { rollback_new_id: "r14" })
        }
      }
    }
  }

  it.effect("is fills and returned listings; failed purchases are none", () =>
    against(
      () => ({ body: page }),
      () =>
        Effect.gen(function* () {
          const { fills, returned } = yield* (yield* Market).ownHistory(() => false)
          assert.deepStrictEqual(
            fills.map(({ amount, asset, fee, id, side, units }) =>
              [id, side, asset, units, amount, fee].join(" ")
            ),
            ["10_1 Buy n10 1 115 15", "11_1 Sell a11 1 25 4"]
          )
          assert.strictEqual(fills[0]?.at, 1_700_000_000_263)
          assert.deepStrictEqual(
            returned.map(({ asset, listing, returnedAs }) => [listing, asset, returnedAs]) as ReadonlyArray<
              ReadonlyArray<string>
            >,
            [["14", "a14", "r14"]]
          )
        })
    )
  )

  /** What the history says of the market's clock when ours stands there. */
  const behindAt = (oursMillis: number) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(oursMillis)
      return (yield* (yield* Market).ownHistory(() => false)).behind
    })

  it.effect(
    "tells how far the clock that dated it is behind ours, and nothing of one that agrees or runs ahead",
    () =>
      Effect.forEach([1_700_000_120_500, 1_700_000_003_000, 1_699_999_000_000], (ours) =>
        against(
          () => ({ body: page, headers: { date: "Tue, 14 Nov 2023 22:13:20 GMT" } }),
          () =>
            Effect.map(behindAt(ours), (behind) =>
              assert.strictEqual(behind, ours === 1_700_000_120_500 ? 120_000 : undefined)
            )
        )
      )
  )

  it.effect("is read back until a page holds only known entries", () =>
    against(
      ({ query }) => ({ body: { ...page, total_count: 5000, start: Number(query.get("start")) } }),
      (seen) =>
        Effect.gen(function* () {
          const market = yield* Market
          yield* market.ownHistory((id) => ["10_1", "11_1", "14"].includes(id))
          assert.strictEqual(seen.length, 1)
          let asked = 0
          yield* market.ownHistory(() => (asked += 1) > 6)
          assert.isAbove(seen.length, 2)
          assert.strictEqual(seen[2]?.query.get("start"), "6")
        })
    )
  )
})

describe("mutations", () => {
  const order = { item: gloves, price: money(95), quantity: 3 }

  it.effect("a buy order is posted once as multipart with the document's fields", () =>
    against(
      ({ path }) =>
        path === "/market/userbillinginfo" ? billing : { body: { success: 1, buy_orderid: "6579193752" } },
      (seen) =>
        Effect.gen(function* () {
          const outcome = yield* (yield* Market).placeBuyOrder(order)
          assert.deepStrictEqual(outcome, { _tag: "Accepted", value: "6579193752" as BuyOrderId })
          const [, posted] = seen
          assert.strictEqual(posted?.method, "POST")
          assert.match(posted?.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/)
          assert.strictEqual(
            posted?.headers["referer"],
            "http://market.test/market/listings/730/Glove%20Case"
          )
          assert.strictEqual(posted?.headers["origin"], "http://market.test")
          const form = yield* Effect.promise(() =>
            new Response(posted?.body, {
              headers: { "content-type": posted?.headers["content-type"] ?? "" }
            }).formData()
          )
          assert.deepStrictEqual(Object.fromEntries(form), {
            sessionid: session.sessionid,
            currency: "1",
            appid: "730",
            market_hash_name: "Glove Case",
            price_total: "285",
            tradefee_tax: "0",
            quantity: "3",
            confirmation: "0",
            save_my_address: "0"
          })
        })
    )
  )

  it.effect("a purchase that waits for its confirmation is posted again with it", () =>
    against(
      ({ body, path }) =>
        path === "/market/userbillinginfo"
          ? billing
          : body.includes("confirmation=26")
            ? { body: { success: 1, buy_orderid: "8" } }
            : {
                status: 406,
                body: { need_confirmation: true, confirmation: { confirmation_id: "26" }, success: 22 }
              },
      () =>
        Effect.gen(function* () {
          const market = yield* Market
          const first = yield* market.placeBuyOrder(order)
          assert.deepStrictEqual(first, { _tag: "Pending", confirmation: "26" as ConfirmationId })
          const second = yield* elapsing(
            market.placeBuyOrder({ ...order, confirmation: "26" as ConfirmationId })
          )
          assert.strictEqual(second._tag, "Accepted")
        }),
      { settings: { buyOrderEncoding: "urlencoded" } }
    )
  )

  it.effect("a success without an order id is Unknown", () =>
    against(
      ({ path }) => (path === "/market/userbillinginfo" ? billing : { body: { success: 1 } }),
      () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* (yield* Market).placeBuyOrder(order))._tag, "Unknown")
        })
    )
  )

  it.effect("nothing is sent while the wallet is unknown", () =>
    against(
      () => ({ status: 302, headers: { location: "/login" } }),
      (seen) =>
        Effect.gen(function* () {
          const outcome = yield* (yield* Market).placeBuyOrder(order)
          assert.strictEqual(outcome._tag === "Refused" && outcome.code, "NotSent")
          assert.isTrue(seen.every(({ method }) => method === "GET"))
        })
    )
  )

  const lost: ReadonlyArray<readonly [string, Answering, string]> = [
    ["a time-out", "hang", "Unknown TimedOut"],
    ["a reset connection", "reset", "Unknown Disconnected"],
    ["HTTP 500", { status: 500, body: "" }, "Unknown ServerError"],
    ["a connection that was refused", "refused", "Refused NotSent"]
  ]
  for (const [name, answer, expected] of lost)
    it.effect(`after ${name} nothing is sent again: ${expected}`, () =>
      against(
        () => answer,
        (seen) =>
          Effect.gen(function* () {
            const outcome = yield* elapsing((yield* Market).cancelBuyOrder("7" as BuyOrderId))
            const told =
              outcome._tag === "Unknown" ? outcome.reason : outcome._tag === "Refused" ? outcome.code : ""
            assert.strictEqual(`${outcome._tag} ${told}`, expected)
            assert.strictEqual(seen.length, 1)
            assert.notInclude(JSON.stringify(outcome), session.sessionid)
          })
      )
    )

  it.effect("an asset is listed from the inventory page and a listing removed from the market's", () =>
    against(
      ({ path }) =>
        path === "/market/sellitem/"
          ? { body: { success: true, requires_confirmation: 1, needs_mobile_confirmation: true } }
          : { body: [] },
      (seen) =>
        Effect.gen(function* () {
          const market = yield* Market
          const staged = yield* market.listAsset({
            item: gloves,
            asset: "34" as never,
            context: "2",
            sellerReceives: money(87)
          })
          assert.deepStrictEqual(staged, { _tag: "Accepted", value: { needsConfirmation: true } })
          assert.strictEqual(
            seen[0]?.body,
            `sessionid=${session.sessionid}&appid=730&contextid=2&assetid=34&amount=1&price=87`
          )
          assert.strictEqual(
            seen[0]?.headers["referer"],
            "http://market.test/profiles/76561197960287930/inventory"
          )
          const removed = yield* elapsing(market.removeListing("99" as ListingId))
          assert.strictEqual(removed._tag, "Accepted")
          assert.strictEqual(seen[1]?.path, "/market/removelisting/99")
        })
    )
  )
})

describe("confirmations", () => {
  const hover = JSON.stringify({
    id: "34013019921",
    appid: 730,
    contextid: "2",
    amount: 1,
    descriptions: [{ value: 'a } in "text"' }]
  })
  const answer = ({ path, query }: Seen): Answering => {
    if (path === "/mobileconf/getlist")
      return {
        body: {
          success: true,
          conf: [
            { id: "5", nonce: "6", creator_id: "7", type: 3, headline: "Sell" },
            { id: "8", nonce: "9", creator_id: "10", type: 5, headline: null }
          ]
        }
      }
    if (path === "/mobileconf/details/5")
      return {
        body: { success: true, html: `<script>BuildHover( 'confiteminfo', ${hover}, UserYou );</script>` }
      }
    return {
      body: {
        success: query.get("op") === query.get("tag") && query.get("cid") === "5" && query.get("ck") === "6"
      }
    }
  }

  it.effect("are listed, explained and allowed, each signed for its own tag", () =>
    against(answer, (seen) =>
      Effect.gen(function* () {
        const market = yield* Market
        const [first, other] = yield* market.confirmations
        if (first === undefined) return assert.fail("no confirmation")
        assert.deepStrictEqual(
          [first.kind, first.creator, other?.kind, other?.headline],
          ["Listing", "7", "Other", ""]
        )
        assert.deepStrictEqual(yield* market.confirmationSubjects(first), ["34013019921"])
        const allowed = yield* elapsing(market.allowConfirmation(first))
        assert.strictEqual(allowed._tag, "Accepted")
        assert.deepStrictEqual(
          seen.map(({ query }) => query.get("tag")),
          ["conf", "details5", "allow"]
        )
        assert.isTrue(
          seen.every(({ query }) => query.get("k") !== null && query.get("a") === session.accountId)
        )
      })
    )
  )

  it.effect("needauth is an expired session", () =>
    against(
      () => ({ body: { success: false, needauth: true } }),
      () =>
        Effect.gen(function* () {
          assert.strictEqual(reasonOf(yield* Effect.flip((yield* Market).confirmations)), "SessionExpired")
        })
    )
  )

  it.effect("cannot be asked for without a secret, and no request is wasted on trying", () => {
    const { identitySecret: _, ...withoutSecret } = session
    return against(
      answer,
      (seen) =>
        Effect.gen(function* () {
          assert.strictEqual(reasonOf(yield* Effect.flip((yield* Market).confirmations)), "SessionExpired")
          assert.strictEqual(seen.length, 0)
        }),
      { session: withoutSecret }
    )
  })
})

describe("cookies and the platform's word", () => {
  it.effect("a cookie that an answer sets is sent from then on, and its CSRF value repeated", () =>
    against(
      ({ path }) =>
        path === "/market/orderbook"
          ? { body: { success: true, data: book }, headers: { "set-cookie": "sessionid=fresh; Path=/" } }
          : { body: { success: 1 } },
      (seen) =>
        Effect.gen(function* () {
          const market = yield* Market
          yield* market.orderBook(gloves)
          yield* market.cancelBuyOrder("7" as BuyOrderId)
          assert.include(seen[1]?.headers["cookie"], "sessionid=fresh")
          assert.strictEqual(seen[1]?.body, "sessionid=fresh&buy_orderid=7")
        })
    )
  )

  it.effect("the login cookie is sent under the deployment's name", () =>
    against(
      () => ({ body: { success: true, data: book } }),
      (seen) =>
        Effect.gen(function* () {
          yield* (yield* Market).orderBook(gloves)
          assert.match(seen[0]?.headers["cookie"] ?? "", /^acmeLoginSecure=/)
        }),
      { settings: { platformName: "acme" } }
    )
  )
})
