// @effect-diagnostics strictEffectProvide:off
/** What is on offer, and purchases, against canned answers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"

import { type ConfirmationId } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import type { Offer } from "../../src/domain/Offer.ts"
import { DriftCount, layer as driftLayer } from "../../src/market/DriftCount.ts"
import { Market } from "../../src/market/Market.ts"
import { layer } from "../../src/market/MarketHttp.ts"
import { purchaseToEnd } from "../../src/market/Purchase.ts"
import { emptyFilter } from "../../src/market/SearchFilter.ts"
import { type Answering, clientOf, elapsing, layerFor, type Seen, session } from "./support.ts"

const gloves = item(730, "Glove Case")
const billing = {
  wallet_info: { success: 1, wallet_currency: 1, wallet_country: "US", wallet_balance: "10412" }
}

/** Answers by path; billing is always as it should be. */
const against = <A, E>(
  answer: (request: Seen) => Answering,
  program: (market: Market["Service"], seen: ReadonlyArray<Seen>) => Effect.Effect<A, E, Market | DriftCount>,
  given: Parameters<typeof layerFor>[1] = {}
) => {
  const seen: Array<Seen> = []
  const client = clientOf(seen, (request) =>
    request.path === "/market/userbillinginfo" ? { body: billing } : answer(request)
  )
  const market = layer.pipe(Layer.provideMerge(driftLayer), Layer.provideMerge(layerFor(client, given)))
  return elapsing(Effect.flatMap(Market, (one) => program(one, seen))).pipe(Effect.provide(market))
}

const row = {
  listingid: "549032738418292987",
  unPrice: 1794,
  unFee: 269,
  eCurrency: 1,
  strSubtotal: "$20.63",
  bMine: false,
  asset: {
    appid: 730,
    contextid: "2",
    assetid: "34",
    classid: "1",
    instanceid: "0",
    amount: 1,
    asset_properties: [
      { propertyid: 2, float_value: "0.0712" },
      { propertyid: 1, int_value: 661 },
      { propertyid: 5, string_value: "tag" }
    ],
    asset_accessories: [{ name: "Sticker | A" }, { classid: "9" }]
  },
  description: { appid: 730, classid: "1", market_hash_name: "Glove Case" }
}
const offer: Offer = {
  listing: "549032738418292987" as never,
  item: gloves,
  asset: "34" as never,
  context: "2",
  units: 1,
  currency: 1,
  subtotal: money(1794),
  fee: money(269),
  isMine: false,
  properties: new Map<number, number | string>([
    [2, 0.0712],
    [1, 661],
    [5, "tag"]
  ]),
  accessories: ["Sticker | A"]
}
const entry = {
  strHash: "Glove Case",
  cSellOrders: 12,
  cBuyOrders: 30,
  eCurrency: 1,
  strMinSellSubtotal: "$20.63",
  asset_description: { appid: 730, classid: "1", market_hash_name: "Glove Case" }
}

const types = {
  appid: 730,
  name: "Type",
  localized_name: "Type",
  tags: {
    GAME_Type_Case: { localized_name: "Container", matches: "1" },
    GAME_Type_Knife: { localized_name: "Knife", matches: "0" }
  }
}

const described = { appid: 730, classid: "1", market_hash_name: "Glove Case", commodity: 1 }

describe("offers", () => {
  it.effect("listings of an item carry what a purchase repeats, properties and accessories", () =>
    against(
      () => ({
        body: {
          start: 30,
          total_count: 61,
          facets: [types],
          more: true,
          listings: [{ ...row, description: described }]
        }
      }),
      (market, seen) =>
        Effect.gen(function* () {
          const filter = {
            ...emptyFilter,
            tags: { Exterior: ["WearCategory0", "WearCategory1"] },
            price: { currency: 1, max: 2063 },
            start: 30
          }
          const page = yield* market.offers.listings(gloves, filter)
          const description = {
            tags: new Map([["Type", ["GAME_Type_Case"]]]),
            commodity: true,
            marketable: undefined
          }
          assert.deepStrictEqual(page, { rows: [offer], total: 61, next: 31, description })
          const [asked] = seen
          assert.strictEqual(asked?.path, "/market/listings/730/Glove%20Case")
          assert.deepStrictEqual(asked?.query.getAll("category_Exterior"), ["WearCategory0", "WearCategory1"])
          assert.strictEqual(asked?.query.get("price_max"), "2063")
          assert.deepStrictEqual(JSON.parse(asked?.body ?? ""), [
            {
              appid: 730,
              strItemName: "Glove Case",
              filters: { Exterior: ["WearCategory0", "WearCategory1"] },
              accessoryFilters: {},
              propertyFilters: {},
              price: { eCurrency: 1, unMax: 2063 },
              start: 30
            }
          ])
        })
    )
  )

  it.effect("null is an empty page of a search and of listings", () =>
    against(
      () => ({ body: null }),
      (market) =>
        Effect.gen(function* () {
          const empty = { rows: [], total: 0, next: undefined }
          assert.deepStrictEqual(yield* market.offers.search(emptyFilter), empty)
          assert.deepStrictEqual(yield* market.offers.listings(gloves), { ...empty, description: undefined })
          assert.deepStrictEqual(yield* market.offers.searchByText(emptyFilter), empty)
          assert.deepStrictEqual(yield* market.offers.recent, [])
          assert.strictEqual(
            (yield* Effect.flip(market.offers.histogram("1"))).message,
            "histogram: NoData (Null where data was due)"
          )
        })
    )
  )

  it.effect("null with another status than 200 is no empty page", () =>
    against(
      ({ path }) => ({ status: path.includes("search") ? 300 : 400, body: null }),
      (market) =>
        Effect.gen(function* () {
          assert.strictEqual(
            (yield* Effect.flip(market.offers.suggestions("x"))).message,
            "suggestions: BadStatus 300"
          )
          assert.strictEqual(
            (yield* Effect.flip(market.offers.listings(gloves))).message,
            "listings: BadStatus 400"
          )
        })
    )
  )

  it.effect("a search gives catalogue items, or listing rows when asked for them", () =>
    against(
      ({ body }) =>
        body.includes("disableGrouping")
          ? { body: { start: 0, total_count: 1, facets: [], more: false, listings: [row] } }
          : {
              body: {
                start: 0,
                total_count: 12,
                facets: [],
                grouping: 1,
                results: [entry, { ...entry, strMinSellSubtotal: "?" }]
              }
            },
      (market, seen) =>
        Effect.gen(function* () {
          const found = yield* market.offers.search({ ...emptyFilter, app: gloves.app, text: "glove" })
          assert.deepStrictEqual(found, {
            rows: [
              { item: gloves, sellOrders: 12, buyOrders: 30, lowest: money(2063) },
              { item: gloves, sellOrders: 12, buyOrders: 30, lowest: undefined }
            ],
            total: 12,
            next: 2
          })
          assert.strictEqual(seen[0]?.query.toString(), "appid=730&q=glove")
          const rows = yield* market.offers.searchListings(emptyFilter)
          assert.deepStrictEqual(rows, { rows: [offer], total: 1, next: undefined })
        })
    )
  )

  it.effect("the older search gives the ask, never what a seller would get", () =>
    against(
      () => ({
        body: {
          success: true,
          start: 0,
          pagesize: 10,
          total_count: 11,
          results: [
            {
              name: "Handschuhkiste",
              hash_name: "Glove Case",
              sell_listings: 5,
              sell_price: 1509,
              sell_price_text: "$15.09",
              sale_price_text: "$14.44",
              asset_description: { appid: 730 }
            }
          ]
        }
      }),
      (market, seen) =>
        Effect.gen(function* () {
          const { rows } = yield* market.offers.searchByText({
            ...emptyFilter,
            sort: "Price",
            direction: "Ascending"
          })
          assert.deepStrictEqual(rows, [
            { item: gloves, sellOrders: 5, buyOrders: undefined, lowest: money(1509) }
          ])
          assert.strictEqual(
            seen[0]?.query.toString(),
            "query=&start=0&count=10&norender=1&sort_column=price&sort_dir=asc&search_descriptions=0"
          )
        })
    )
  )

  it.effect("vocabularies come from the facet operations", () =>
    against(
      ({ path }) =>
        path.includes("appfacets")
          ? {
              body: {
                success: true,
                facets: {
                  Weapon: {
                    appid: 730,
                    name: "Weapon",
                    localized_name: "Waffe",
                    tags: { weapon_ak47: { localized_name: "AK-47", matches: "1,704" } }
                  }
                }
              }
            }
          : {
              body: {
                success: true,
                facets: [
                  {
                    internal_type: "GAME_Tool_Sticker",
                    localized_type: "Sticker",
                    facets: [{ name: "Sticker | A" }, null]
                  },
                  { other: 1 }
                ]
              }
            },
      (market) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* market.offers.tags(gloves.app), [
            {
              name: "Weapon",
              label: "Waffe",
              values: [{ name: "weapon_ak47", label: "AK-47", matches: 1704 }]
            }
          ])
          assert.deepStrictEqual(yield* market.offers.accessories(gloves.app), [
            {
              name: "GAME_Tool_Sticker",
              label: "Sticker",
              values: [{ name: "Sticker | A", label: "Sticker | A", matches: undefined }]
            }
          ])
        })
    )
  )

  it.effect("popular and recent listings leave out what is sold or not described", () => {
    const listing = (id: string, price: number) => ({
      listingid: id,
      price,
      fee: 27,
      converted_price: 4,
      converted_fee: 2,
      converted_currencyid: "2003",
      asset: { appid: 730, contextid: "2", id, amount: "1" }
    })
    const described = {
      "1": { appid: 730, contextid: "2", id: "1", amount: "1", market_hash_name: "Glove Case" }
    }
    return against(
      () => ({
        body: {
          success: true,
          more: false,
          stop: true,
          results_html: "",
          listinginfo: { "1": listing("1", 186), "2": listing("2", 186), "3": listing("3", 0) },
          assets: { "730": { "2": { ...described, "3": { ...described["1"], id: "3" } } } }
        }
      }),
      (market, seen) =>
        Effect.gen(function* () {
          const recent = yield* market.offers.recent
          assert.deepStrictEqual(
            recent.map(({ currency, fee, listing: id, subtotal }) => [id, currency, subtotal, fee]),
            [["1", 3, 4, 2]]
          )
          assert.deepStrictEqual(yield* market.offers.popular, recent)
          assert.strictEqual(seen.at(-1)?.query.get("count"), "20")
        })
    )
  })

  it.effect("the name id of the older page opens histogram and activity", () =>
    against(
      ({ path }) => {
        if (path.startsWith("/market/listings/"))
          return {
            body: "<html><script>var g_rgAssets = []; Market_LoadOrderSpread( 176185984 );</script></html>",
            headers: { "content-type": "text/html" }
          }
        return path.endsWith("itemordersactivity")
          ? {
              body: {
                success: 1,
                activity: [
                  { type: "BuyOrder", quantity: "1", price: "$20.63", time: 1_700_000_000 },
                  { type: "New", quantity: 2, price: "?" },
                  "<div></div>"
                ],
                timestamp: 0
              }
            }
          : {
              body: {
                success: 1,
                highest_buy_order: "13",
                lowest_sell_order: "14",
                buy_order_graph: [
                  [0.13, 95, ""],
                  [0.12, 438, ""]
                ],
                sell_order_graph: [[0.14, 1, ""]],
                buy_order_count: "832",
                sell_order_count: 0
              }
            }
      },
      (market, seen) =>
        Effect.gen(function* () {
          const id = yield* market.offers.itemNameId(gloves)
          assert.strictEqual(id, "176185984")
          const book = yield* market.offers.histogram(id)
          assert.deepStrictEqual(
            [book.bids, book.asks, book.bidUnits],
            [
              [
                { price: money(13), units: 95 },
                { price: money(12), units: 343 }
              ],
              [{ price: money(14), units: 1 }],
              832
            ]
          )
          assert.deepStrictEqual(yield* market.offers.activity(id), [
            { kind: "BuyOrder", units: 1, price: money(2063), at: 1_700_000_000_000 as never },
            { kind: "New", units: 2, price: undefined, at: undefined }
          ])
          assert.strictEqual(seen.at(-1)?.query.get("item_nameid"), id)
        })
    )
  )

  it.effect("a newer page, which has no name id, and another page are errors, not an id", () =>
    against(
      ({ path }) => ({
        body: path.includes("Old")
          ? "<html>maintenance</html>"
          : "<html><script>var g_rgAssets = [];</script></html>"
      }),
      (market) =>
        Effect.gen(function* () {
          const missing = yield* Effect.flip(market.offers.itemNameId(gloves))
          assert.strictEqual(missing.reason._tag, "NoSuchItem")
          const other = yield* Effect.flip(market.offers.itemNameId(item(730, "Old")))
          assert.strictEqual(other.reason._tag, "Undecodable")
        })
    )
  )

  it.effect("a listing of an unknown currency is undecodable, with its path", () =>
    against(
      () => ({ body: { start: 0, total_count: 1, facets: [], listings: [row, { ...row, eCurrency: 36 }] } }),
      (market) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(market.offers.listings(gloves))
          assert.strictEqual(
            error.message,
            "listings: Undecodable at listings[1].eCurrency: neither a known currency nor a name"
          )
        })
    )
  )
})

describe("a purchase", () => {
  const bought = {
    wallet_info: { success: 1, wallet_currency: 1, wallet_country: "US", wallet_balance: "8349" }
  }

  it.effect("repeats the row's amounts, their sum, and comes from the item's page", () =>
    against(
      () => ({ body: bought }),
      (market, seen) =>
        Effect.gen(function* () {
          const outcome = yield* market.purchase({ offer })
          assert.deepStrictEqual(outcome, { _tag: "Accepted", value: { balance: money(8349) } })
          const sent = seen.at(-1)
          assert.strictEqual(sent?.path, "/market/buylisting/549032738418292987")
          assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(sent?.body)), {
            sessionid: session.sessionid,
            currency: "1",
            subtotal: "1794",
            fee: "269",
            total: "2063",
            quantity: "1",
            tradefee_tax: "0",
            confirmation: "0",
            save_my_address: "0"
          })
          assert.strictEqual(sent?.headers["referer"], "http://market.test/market/listings/730/Glove%20Case")
        })
    )
  )

  it.effect("adds the tax on the fee where the account pays one", () => {
    const seen: Array<Seen> = []
    const taxed = {
      ...billing,
      tax_rate: { success: true, tradefee_addtax: 1, tradefee_taxrate: 8, tax_region: "x" }
    }
    const client = clientOf(seen, ({ path }) => ({
      body: path === "/market/userbillinginfo" ? taxed : bought
    }))
    return Effect.gen(function* () {
      const market = yield* Market
      yield* market.purchase({ offer })
      const form = new URLSearchParams(seen.at(-1)?.body)
      assert.deepStrictEqual([form.get("tradefee_tax"), form.get("total")], ["22", "2085"])
      yield* elapsing(market.purchase({ offer: { ...offer, fee: money(2) } }))
      assert.strictEqual(new URLSearchParams(seen.at(-1)?.body).get("tradefee_tax"), "0")
    }).pipe(Effect.provide(Layer.provideMerge(layer, layerFor(client))))
  })

  it.effect("is not sent in another currency than the wallet's, nor for our own listing", () =>
    against(
      () => "refused",
      (market, seen) =>
        Effect.gen(function* () {
          const foreign = yield* market.purchase({ offer: { ...offer, currency: 3 } })
          const own = yield* market.purchase({ offer: { ...offer, isMine: true } })
          for (const one of [foreign, own]) assert.strictEqual(one._tag === "Refused" && one.code, "NotSent")
          assert.isFalse(seen.some(({ path }) => path.includes("buylisting")))
        })
    )
  )

  const answers: ReadonlyArray<readonly [string, Answering, string]> = [
    [
      "502 with a message is refused",
      { status: 502, body: { message: "There was a problem purchasing your item." } },
      "Refused Failed"
    ],
    [
      "somebody was faster",
      { status: 502, body: { message: "Somebody else has already purchased it" } },
      "Refused InvalidState"
    ],
    [
      "too little money",
      { status: 502, body: { message: "your wallet does not have sufficient funds" } },
      "Refused InsufficientFunds"
    ],
    [
      "it may be ours already",
      { status: 502, body: { message: "You've already purchased this item" } },
      "Unknown ServerError"
    ],
    ["a message with HTTP 200 is refused", { body: { message: "no" } }, "Refused Failed"],
    ["a code is kept", { body: { success: 107, message: "no" } }, "Refused InsufficientFunds"],
    [
      "a message next to success 1 contradicts itself",
      { body: { success: 1, message: "no" } },
      "Unknown Undecodable"
    ],
    [
      "a completed wallet with a message contradicts itself",
      { body: { ...bought, message: "no" } },
      "Unknown Undecodable"
    ],
    [
      "a wallet that was not charged says nothing",
      { body: { wallet_info: { success: 2 } } },
      "Unknown Undecodable"
    ],
    [
      "502 without a message says nothing",
      { status: 502, body: "<html>Bad Gateway</html>" },
      "Unknown ServerError"
    ],
    [
      "406 waits for its confirmation",
      { status: 406, body: { need_confirmation: true, confirmation: { confirmation_id: "9" }, success: 22 } },
      "Pending 9"
    ],
    ["429 is too fast", { status: 429, body: null }, "Refused RateLimited"],
    ["the login is gone", { status: 302, headers: { location: "/login/home" } }, "Refused NotLoggedOn"],
    ["no answer leaves a doubt", "reset", "Unknown Disconnected"]
  ]
  for (const [name, answer, expected] of answers)
    it.effect(name, () =>
      against(
        () => answer,
        (market, seen) =>
          Effect.gen(function* () {
            const outcome = yield* market.purchase({ offer })
            const detail =
              outcome._tag === "Refused"
                ? outcome.code
                : outcome._tag === "Unknown"
                  ? outcome.reason
                  : outcome._tag === "Pending"
                    ? outcome.confirmation
                    : ""
            assert.strictEqual(`${outcome._tag} ${detail}`, expected)
            assert.strictEqual(seen.filter(({ path }) => path.includes("buylisting")).length, 1)
          })
      )
    )

  it.effect("that wants a confirmation is confirmed by that one and posted again with its id", () => {
    const confirmations = ["3", "12", "12"].map((type, index) => ({
      id: `10${index}`,
      nonce: `n${index}`,
      creator_id: index === 1 ? "9" : "8",
      type: Number(type),
      headline: ""
    }))
    return against(
      ({ body, path }) => {
        if (path.endsWith("getlist")) return { body: { success: true, conf: confirmations } }
        if (path.endsWith("ajaxop")) return { body: { success: true } }
        return new URLSearchParams(body).get("confirmation") === "9"
          ? { body: bought }
          : {
              status: 406,
              body: { need_confirmation: true, confirmation: { confirmation_id: "9" }, success: 22 }
            }
      },
      (_, seen) =>
        Effect.gen(function* () {
          const outcome = yield* purchaseToEnd({ offer })
          assert.strictEqual(outcome._tag, "Accepted")
          const decision = seen.find(({ path }) => path.endsWith("ajaxop"))
          assert.deepStrictEqual(
            ["op", "cid", "ck"].map((name) => decision?.query.get(name)),
            ["allow", "101", "n1"]
          )
          assert.strictEqual(seen.filter(({ path }) => path.includes("buylisting")).length, 2)
        })
    )
  })

  it.effect("stays pending when its confirmation is refused, and is not posted again", () =>
    against(
      ({ path }) => {
        if (path.endsWith("getlist"))
          return {
            body: { success: true, conf: [{ id: "1", nonce: "2", creator_id: "9", type: 12, headline: "" }] }
          }
        if (path.endsWith("ajaxop")) return { body: { success: false, message: "no" } }
        return {
          status: 406,
          body: { need_confirmation: true, confirmation: { confirmation_id: "9" }, success: 22 }
        }
      },
      (_, seen) =>
        Effect.gen(function* () {
          const outcome = yield* purchaseToEnd({ offer })
          assert.deepStrictEqual(outcome, { _tag: "Pending", confirmation: "9" as ConfirmationId })
          assert.strictEqual(seen.filter(({ path }) => path.includes("buylisting")).length, 1)
        })
    )
  )
})

describe("the eligibility check", () => {
  const told = (value: object): string =>
    `webTradeEligibility=${encodeURIComponent(JSON.stringify(value))}; path=/market`
  const checks: ReadonlyArray<readonly [string, Answering, unknown]> = [
    [
      "tells by its cookie that the account may trade",
      {
        status: 302,
        headers: { location: "/market/", "set-cookie": told({ allowed: 1, reason: 0, allowed_at_time: 0 }) }
      },
      { mayTrade: true, from: undefined, reason: 0 }
    ],
    [
      "tells why and until when it may not",
      {
        status: 302,
        headers: {
          location: "/market/",
          "set-cookie": told({ allowed: 0, reason: 16_416, allowed_at_time: 5 })
        }
      },
      { mayTrade: false, from: 5000, reason: 16_416 }
    ],
    [
      "a redirect without the cookie tells nothing",
      { status: 302, headers: { location: "/market/" } },
      "Undecodable"
    ],
    [
      "a redirect to the login is an expired session",
      { status: 302, headers: { location: "/login/home" } },
      "SessionExpired"
    ],
    ["a page tells nothing", { body: "<html></html>" }, "NoData"]
  ]
  for (const [name, answer, expected] of checks)
    it.effect(name, () =>
      against(
        () => answer,
        (market) =>
          Effect.gen(function* () {
            const found = yield* Effect.result(market.eligibility)
            assert.deepStrictEqual(
              found._tag === "Success" ? found.success : found.failure.reason._tag,
              expected as never
            )
          })
      )
    )
})

describe("departures from the contract", () => {
  it.effect("are counted by operation and path, most frequent first", () =>
    against(
      () => ({
        body: {
          start: 0,
          total_count: 2,
          facets: [],
          more: false,
          fresh: 1,
          listings: [{ ...row, shine: 5 }]
        }
      }),
      (market) =>
        Effect.gen(function* () {
          yield* market.offers.listings(gloves)
          yield* market.offers.listings(gloves)
          const { departures } = yield* DriftCount
          const found = (yield* departures).filter(({ operation }) => operation === "listings")
          assert.deepStrictEqual(
            found.map(({ count, kind, path }) => `${kind} ${path} ${count}`).toSorted(),
            ["missing listings[].description.marketable 2", "unknown fresh 2", "unknown listings[].shine 2"]
          )
        })
    )
  )
})
