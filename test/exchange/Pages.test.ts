import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"

import { Exchange } from "../../src/exchange/Exchange.ts"
import { namesOf } from "../../src/market/contract/Platform.ts"
import { readHomePage } from "../../src/market/html/HomePage.ts"
import { readListingPage } from "../../src/market/html/ListingPage.ts"
import { readHistoryRows, readOwnRows } from "../../src/market/html/OwnRows.ts"
import { readSearchPage } from "../../src/market/html/SearchPage.ts"
import {
  ask,
  get,
  glove,
  listingPath,
  listingsBody,
  post,
  priced,
  purchaseForm,
  rifle,
  settle,
  withMarket
} from "./Asking.ts"

/** Elements without an end tag. */
const empty = new Set(["meta", "input", "br", "path", "polyline"])

/** What a validator would say first: tags that do not close each other, ids that stand twice, anything fetched from elsewhere. */
const faultsOf = (html: string): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const bare = html.replaceAll(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, "")
  const open: Array<string> = []
  for (const [tag, end, name] of bare.matchAll(/<(\/?)([a-zA-Z0-9]+)(?:"[^"]*"|[^">])*>/g)) {
    if (end === "/") {
      if (open.pop() !== name) faults.push(`${tag} closes another`)
    } else if (!empty.has(name!) && !tag.endsWith("/>")) open.push(name!)
  }
  if (open.length > 0) faults.push(`open: ${open.join(" ")}`)
  const ids = [...bare.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
  if (new Set(ids).size !== ids.length) faults.push("an id stands twice")
  for (const [, address] of bare.matchAll(/\s(?:src|href|action)="([^"]*)"/g))
    if (!/^(?:\/|javascript:\w+\()/.test(address!)) faults.push(`leads away: ${address}`)
  return faults
}

/** An account with a sale, a purchase, an order, a live and a staged listing. */
const busyAccount = Effect.gen(function* () {
  const exchange = yield* Exchange
  const assets = (name: string) => exchange.accounts[0]!.assets.filter(({ item }) => item.name === name)
  const list = (asset: string, price: number) =>
    post("/market/sellitem/", {
      appid: "730",
      contextid: "2",
      assetid: asset,
      amount: "1",
      price: String(price)
    })
  const [first, second, third] = assets(glove)
  yield* list(first!.asset, 300)
  yield* settle("allow")
  yield* list(second!.asset, 90_000)
  yield* settle("allow")
  yield* list(third!.asset, 80_000)
  const [row] = (yield* ask(listingPath(730, rifle), listingsBody(rifle))).json.listings
  yield* post(`/market/buylisting/${row.listingid}`, purchaseForm(row))
  const order = {
    currency: "1",
    appid: "730",
    market_hash_name: "Chroma 2 Case",
    price_total: "600",
    quantity: "3"
  }
  yield* post("/market/createbuyorder/", order)
  const [removed] = assets("Harbour Case")
  yield* list(removed!.asset, 5000)
  yield* settle("cancel")
})

describe("pages", () => {
  it.effect("are well formed, with ids of their own, and fetch nothing from elsewhere", () =>
    withMarket(
      Effect.gen(function* () {
        yield* busyAccount
        const group = (yield* ask(listingPath(730, rifle), listingsBody(rifle))).json.listings[0].description
          .market_bucket_group_id
        const paths = [
          ["/market/", {}],
          ["/market/search", { appid: 730 }],
          ["/market/search", { appid: 440, q: '<b>"hat"</b>' }],
          ["/market/search", { appid: 730, accessory_GAME_Tool_Sticker: ["$any$"] }],
          [listingPath(730, glove), {}],
          [listingPath(730, rifle), {}],
          [listingPath(730, group), {}],
          [listingPath(440, "Sergeant's Sou'wester"), {}],
          ["/market/mylistings", {}],
          ["/market/myhistory", {}],
          ["/market/popular", priced],
          ["/market/recent", priced]
        ] as const
        for (const [path, query] of paths)
          for (const account of [0, null]) {
            const { status, text } = yield* get(path, query, { account, accept: "text/html" })
            if (status === 302) assert.isNull(account)
            else {
              assert.strictEqual(status, 200, path)
              assert.deepStrictEqual(faultsOf(text), [], path)
            }
          }
      })
    )
  )

  it.effect("show own rows that say the same as the data beside them", () =>
    withMarket(
      Effect.gen(function* () {
        yield* busyAccount
        const { json } = yield* get("/market/mylistings", { norender: 1 })
        const rows = Result.getOrThrow(readOwnRows(json.results_html, json.hovers))
        const all = [...json.listings, ...json.listings_to_confirm]
        assert.deepStrictEqual(
          rows.listings.map(({ asset, listing }) => [listing, asset?.asset]),
          all.map((one: { listingid: string; asset: { id: string } }) => [one.listingid, one.asset.id])
        )
        assert.deepStrictEqual(rows.counts, { live: 1, toConfirm: 1, buyOrders: 1 })
        assert.deepInclude(rows.listings[0], { buyerPays: "$1,035.00", sellerReceives: "$900.00" })
        assert.deepInclude(rows.orders[0], {
          order: json.buy_orders[0].buy_orderid,
          price: "$2.00",
          quantity: 3,
          remaining: 3
        })
        const page = Result.getOrThrow(readOwnRows((yield* get("/market/mylistings")).text))
        assert.deepStrictEqual(page, rows)
        const home = Result.getOrThrow(readHomePage((yield* get("/market/")).text, namesOf("platform")))
        assert.deepStrictEqual(home.listings, rows.listings)
        assert.strictEqual(
          home.wallet?.wallet_balance,
          (yield* get("/market/userbillinginfo")).json.wallet_info.wallet_balance
        )
      })
    )
  )

  it.effect("show the own history row by row", () =>
    withMarket(
      Effect.gen(function* () {
        yield* busyAccount
        const { json } = yield* get("/market/myhistory", { norender: 1, count: 100 })
        const rows = Result.getOrThrow(readHistoryRows(json.results_html, json.hovers))
        assert.strictEqual(rows.length, json.events.length)
        const kinds = { "+": 4, "-": 3 } as const
        assert.deepStrictEqual(
          rows.map(({ event, listing, sign }) => [listing, sign === "" ? event : kinds[sign]]),
          json.events.map((one: { listingid: string; event_type: number }) => [one.listingid, one.event_type])
        )
        assert.deepStrictEqual(
          new Set(json.events.map((one: { event_type: number }) => one.event_type)),
          new Set([1, 2, 3, 4])
        )
        for (const row of rows) assert.isDefined(row.asset)
        const nobody = (yield* get("/market/myhistory", { norender: 1 }, { account: 1 })).json
        assert.deepStrictEqual(Result.getOrThrow(readHistoryRows(nobody.results_html)), [])
        assert.deepStrictEqual([nobody.assets, nobody.purchases, nobody.listings], [[], [], []])
      })
    )
  )

  it.effect("are read in all their forms under any platform's name", () =>
    withMarket(
      Effect.gen(function* () {
        const names = namesOf("vapor")
        const old = { cookies: { bMarketOptOut: "1" } }
        const legacy = yield* get(listingPath(730, rifle), {}, old)
        assert.include(legacy.text, '"vapor_fee"')
        assert.notInclude(legacy.text, '"platform_fee"')
        const inline = Result.getOrThrow(readListingPage(legacy.text, names))
        assert.isAbove(inline.listings[0]?.platform_fee ?? 0, 0)
        const rendered = Result.getOrThrow(readListingPage((yield* get(listingPath(730, glove))).text, names))
        assert.strictEqual(rendered.form, "rendered")
        assert.isAbove(rendered.sellListings[0]?.unPlatformFee ?? 0, 0)
        const json = { accept: "application/json" }
        const payload = Result.getOrThrow(
          readListingPage((yield* get(listingPath(730, glove), {}, json)).text, names)
        )
        assert.deepStrictEqual(payload.orderBook, rendered.orderBook)
        const search = Result.getOrThrow(
          readSearchPage((yield* get("/market/search", { appid: 440 }, json)).text, names)
        )
        assert.strictEqual(search._tag, "Data")
      }),
      { platformName: "vapor", pages: "rendered" }
    )
  )

  it.effect("do not fall over names that nobody could have typed", () =>
    withMarket(
      Effect.gen(function* () {
        for (const path of [
          "/market/listings/730/%E0%A4%A",
          "/market/listings/730/%00",
          "/market/listings/x/y",
          "/market/listings/730/"
        ])
          assert.isTrue([400, 404].includes((yield* get(path)).status), path)
      })
    )
  )
})

describe("the eligibility check", () => {
  it.effect("tells the result in a cookie and goes on to a place of this market only", () =>
    withMarket(
      Effect.gen(function* () {
        const path = "/market/eligibilitycheck/"
        const { headers, status } = yield* get(path, { goto: "/market/listings/730/Glove%20Case" })
        assert.deepStrictEqual([status, headers["location"]], [302, "/market/listings/730/Glove%20Case"])
        const [, cookie] = /^webTradeEligibility=([^;]+); Path=\//.exec(headers["set-cookie"]!)!
        const told = JSON.parse(decodeURIComponent(cookie!))
        assert.strictEqual(told.allowed, 1)
        assert.strictEqual(told.expiration - told.time_checked, 86_400)
        for (const goto of [
          "//elsewhere.test/",
          "https://elsewhere.test/",
          "/\\elsewhere.test",
          "/a\r\nx: y"
        ]) {
          const { headers } = yield* get(path, { goto })
          assert.isTrue(headers["location"]!.startsWith("/") && !/^\/[/\\]/.test(headers["location"]!), goto)
          assert.notInclude(headers["location"], "\n")
        }
        assert.strictEqual((yield* get(path)).status, 400)
        const stranger = yield* get(path, { goto: "/market/" }, { account: null })
        assert.match(stranger.headers["location"]!, /^\/login\/home\/\?goto=/)
      })
    )
  )
})
