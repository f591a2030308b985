import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

import { Exchange } from "../../src/exchange/Exchange.ts"
import {
  ask,
  get,
  glove,
  listingPath,
  listingsBody,
  priced,
  rifle,
  settle,
  post,
  withMarket
} from "./Asking.ts"

const rows = (name: string, change = {}, as = {}) =>
  ask(listingPath(730, name), listingsBody(name, change), {}, as)

const nameIdOf = (name: string, app = 730) =>
  Effect.map(get(listingPath(app, name)), ({ text }) => /Market_LoadOrderSpread\( (\d+) \)/.exec(text)![1]!)

describe("structured listings of an item", () => {
  it.effect("tell what a purchase must repeat, cheapest first, with the unit's own properties", () =>
    withMarket(
      Effect.gen(function* () {
        const { json } = yield* rows(rifle)
        assert.deepStrictEqual([json.start, json.more], [0, false])
        assert.strictEqual(json.listings.length, json.total_count)
        const prices = json.listings.map((row: { unPrice: number; unFee: number }) => row.unPrice + row.unFee)
        assert.deepStrictEqual(
          prices,
          prices.toSorted((a: number, b: number) => a - b)
        )
        for (const row of json.listings) {
          assert.strictEqual(row.unPlatformFee + row.unPublisherFee, row.unFee)
          assert.strictEqual(row.strSubtotal, `$${((row.unPrice + row.unFee) / 100).toFixed(2)}`)
          assert.strictEqual(row.bMine, false)
          const [pattern, wear] = row.asset.asset_properties
          assert.isTrue(Number(pattern.int_value) >= 0 && Number(pattern.int_value) <= 1000)
          assert.isTrue(Number(wear.float_value) >= 0.15 && Number(wear.float_value) < 0.38)
          assert.match(row.description.market_bucket_group_id, /^G/)
        }
        const again = yield* rows(rifle)
        assert.deepStrictEqual(again.json, json)
      })
    )
  )

  it.effect("take a group's name for all its exteriors, and filters for some", () =>
    withMarket(
      Effect.gen(function* () {
        const group = (yield* rows(rifle)).json.listings[0].description.market_bucket_group_id
        const all = (yield* rows(group)).json
        const factory = (yield* rows(group, { filters: { Exterior: ["WearCategory0"] } })).json
        const tested = (yield* rows(rifle)).json
        assert.strictEqual(all.total_count, factory.total_count + tested.total_count)
        const exterior = all.facets.find((one: { name: string }) => one.name === "Exterior")
        assert.deepStrictEqual(Object.keys(exterior.tags).toSorted(), ["WearCategory0", "WearCategory2"])
      })
    )
  )

  it.effect("page by twenty, sort by price and age, and bound prices in a currency", () =>
    withMarket(
      Effect.gen(function* () {
        const name = "Chroma 2 Case"
        const first = (yield* rows(name)).json
        assert.strictEqual(first.listings.length, 20)
        assert.strictEqual(first.more, first.total_count > 20)
        const second = (yield* rows(name, { start: 20 })).json
        assert.strictEqual(second?.start ?? 20, 20)
        const dearest = (yield* rows(name, { sort: 0, direction: 1 })).json.listings[0]
        assert.isAbove(dearest.unPrice, first.listings[19].unPrice)
        const [cheapest] = first.listings
        const most = cheapest.unPrice + cheapest.unFee
        const bounded = (yield* rows(name, { price: { eCurrency: 1, unMax: most } })).json
        assert.isTrue(bounded.listings.every((row: { unPrice: number }) => row.unPrice === cheapest.unPrice))
        const query = { price_max: most, price_currency: 1 }
        const byQuery = (yield* ask(listingPath(730, name), listingsBody(name), query)).json
        assert.strictEqual(byQuery.total_count, bounded.total_count)
      })
    )
  )

  it.effect("are null for nothing and wrong without a required field", () =>
    withMarket(
      Effect.gen(function* () {
        assert.strictEqual((yield* rows("No Such Thing")).text, "null")
        assert.strictEqual((yield* rows(rifle, { start: 500 })).text, "null")
        const two = [...listingsBody(rifle), ...listingsBody(rifle)]
        assert.strictEqual((yield* ask(listingPath(730, rifle), two)).status, 400)
        const { filters: _, ...without } = listingsBody(rifle)[0]!
        assert.strictEqual((yield* ask(listingPath(730, rifle), [without])).status, 400)
      })
    )
  )

  it.effect("say which listing is the caller's own", () =>
    withMarket(
      Effect.gen(function* () {
        const exchange = yield* Exchange
        const asset = exchange.accounts[0]!.assets.find(({ item }) => item.name === rifle)!.asset
        const form = { appid: "730", contextid: "2", assetid: asset, amount: "1", price: "1000" }
        yield* post("/market/sellitem/", form)
        yield* settle("allow")
        const mine = (yield* rows(rifle)).json.listings.filter((row: { bMine: boolean }) => row.bMine)
        // Sold at once if somebody bid that much; else it is the cheapest.
        const sold = (yield* get("/market/myhistory", { norender: 1 })).json.events
        assert.strictEqual(mine.length, sold[0].event_type === 3 ? 0 : 1)
        assert.isTrue(
          (yield* rows(rifle, {}, { account: null })).json.listings.every(
            (row: { bMine: boolean }) => !row.bMine
          )
        )
      })
    )
  )
})

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

describe("the older rows of an item", () => {
  it.effect("are a JSON envelope, or a fragment for browsers, and the two agree", () =>
    withMarket(
      Effect.gen(function* () {
        const path = `${listingPath(730, rifle)}/render/`
        const query = { start: 0, count: 5, ...priced }
        const { headers, json } = yield* get(path, query)
        assert.include(headers["content-type"], "application/json")
        assert.strictEqual(Object.keys(json.listinginfo).length, 5)
        for (const [id, one] of Object.entries<Record<string, number>>(json.listinginfo)) {
          assert.strictEqual(one["platform_fee"]! + one["publisher_fee"]!, one["fee"]!)
          assert.include(json.results_html, `id="listing_${id}"`)
          assert.include(json.hovers, `'listing_${id}_name'`)
        }
        const fragment = yield* get(path, query, { accept: browser })
        assert.include(fragment.headers["content-type"], "text/html")
        assert.strictEqual(fragment.text, json.results_html)
        const forced = yield* get(path, { ...query, norender: 1 }, { accept: browser })
        assert.deepStrictEqual(forced.json, json)
        const bare = yield* get(path, { start: 0, count: 5 })
        assert.deepStrictEqual(bare.json, json)
        const past = (yield* get(path, { ...query, start: 900 })).json
        assert.deepStrictEqual([past.listinginfo, past.assets, past.app_data], [[], [], []])
        assert.strictEqual((yield* get(path, priced)).status, 400)
        const unknown = yield* get(`${listingPath(730, "No Such Thing")}/render/`, query)
        assert.strictEqual(unknown.status, 404)
      })
    )
  )

  it.effect("convert for the currency asked for", () =>
    withMarket(
      Effect.gen(function* () {
        const path = `${listingPath(730, rifle)}/render/`
        const { json } = yield* get(path, { start: 0, count: 3, ...priced, currency: 3 })
        for (const one of Object.values<Record<string, number & string>>(json.listinginfo)) {
          assert.deepStrictEqual([one["currencyid"], one["converted_currencyid"]], ["2001", "2003"])
          const ratio = one["converted_price"]! / one["price"]!
          assert.isTrue(ratio > 0.9 && ratio < 0.94)
        }
        assert.match(json.results_html, /\d,\d\d€/)
      })
    )
  )
})

describe("histogram and activity", () => {
  it.effect("know an item by the id on its page, cumulate, and agree with the order book", () =>
    withMarket(
      Effect.gen(function* () {
        const item_nameid = yield* nameIdOf(glove)
        const { json } = yield* get("/market/itemordershistogram", { ...priced, item_nameid, norender: 1 })
        const qp = JSON.stringify([730, glove])
        const { data } = (yield* get("/market/orderbook", { q: "Load", qp })).json.data
        assert.strictEqual(json.success, 1)
        assert.strictEqual(json.highest_buy_order, String(data.amtMaxBuyOrder))
        assert.strictEqual(json.lowest_sell_order, String(data.amtMinSellOrder))
        for (const [graph, compact] of [
          [json.buy_order_graph, data.rgCompactBuyOrders],
          [json.sell_order_graph, data.rgCompactSellOrders]
        ]) {
          let units = 0
          graph.forEach(([price, cumulative, text]: [number, number, string], level: number) => {
            units += compact[2 * level + 1]
            assert.strictEqual(Math.round(price * 100), compact[2 * level])
            assert.strictEqual(cumulative, units)
            assert.include(text, String(units))
          })
        }
        assert.strictEqual(json.sell_order_count, String(data.cSellOrders))
        assert.strictEqual(json.sell_order_table.length, 6)
        assert.match(json.sell_order_table[5].price, / or more$/)
        const html = (yield* get("/market/itemordershistogram", { ...priced, item_nameid })).json
        assert.match(html.buy_order_table, /^<table/)
        assert.include(html.sell_order_summary, "for sale starting at")
        assert.deepStrictEqual(html.sell_order_graph, json.sell_order_graph)
      })
    )
  )

  it.effect("tell null and 0 of an empty side, and a failure of an unknown item", () =>
    withMarket(
      Effect.gen(function* () {
        const name = "Unusual Brass Bowler"
        const item_nameid = yield* nameIdOf(name, 440)
        const listed = yield* ask(listingPath(440, name), listingsBody(name, { appid: 440 }))
        for (const row of listed.json.listings) {
          const form = {
            currency: "1",
            subtotal: String(row.unPrice),
            fee: String(row.unFee),
            total: String(row.unPrice + row.unFee),
            quantity: "1"
          }
          const { json } = yield* post(`/market/buylisting/${row.listingid}`, form)
          assert.strictEqual(json.wallet_info.success, 1)
        }
        const { json } = yield* get("/market/itemordershistogram", { ...priced, item_nameid, norender: 1 })
        assert.deepStrictEqual(
          [json.sell_order_count, json.sell_order_price, json.sell_order_table, json.lowest_sell_order],
          [0, null, null, null]
        )
        assert.deepStrictEqual(json.sell_order_graph, [])
        assert.strictEqual((yield* get(listingPath(440, name))).status, 200)
        const unknown = { ...priced, item_nameid: "999" }
        assert.notStrictEqual((yield* get("/market/itemordershistogram", unknown)).json.success, 1)
        assert.notStrictEqual((yield* get("/market/itemordersactivity", unknown)).json.success, 1)
        assert.strictEqual(
          (yield* get("/market/itemordershistogram", { ...unknown, currency: 36 })).status,
          400
        )
      }),
      { balance: 200_000 }
    )
  )

  it.effect("tell orders and cancellations of accounts by name, newest first", () =>
    withMarket(
      Effect.gen(function* () {
        const item_nameid = yield* nameIdOf(glove)
        const order = {
          currency: "1",
          appid: "730",
          market_hash_name: glove,
          price_total: "1500",
          quantity: "3"
        }
        const { buy_orderid } = (yield* post("/market/createbuyorder/", order)).json
        const activity = (norender: number) =>
          Effect.map(
            get("/market/itemordersactivity", { ...priced, item_nameid, norender }),
            ({ json }) => json
          )
        const placed = yield* activity(1)
        assert.deepInclude(placed.activity[0], {
          type: "BuyOrderMulti",
          quantity: "3",
          price: "$5.00",
          persona_buyer: "trader1",
          persona_seller: null
        })
        assert.strictEqual(placed.timestamp, placed.activity[0].time)
        yield* post("/market/cancelbuyorder/", { buy_orderid })
        assert.strictEqual((yield* activity(1)).activity[0].type, "BuyOrderCancel")
        const html = yield* activity(0)
        assert.include(html.activity[0], "trader1")
        assert.match(html.activity[0], /^<div class="market_activity_line_item">/)
      })
    )
  )
})

describe("the listing page", () => {
  it.effect("carries its state in the older form, for strangers without a wallet", () =>
    withMarket(
      Effect.gen(function* () {
        const { text } = yield* get(listingPath(730, rifle))
        for (const name of ["g_rgAssets", "g_rgListingInfo", "g_rgWalletInfo", "line1"])
          assert.include(text, `var ${name}`)
        assert.include(text, "Market_LoadOrderSpread( ")
        assert.include(text, "<svg")
        assert.include(text, 'action="/market/createbuyorder/"')
        const stranger = (yield* get(listingPath(730, rifle), {}, { account: null })).text
        assert.include(stranger, "var g_rgWalletInfo = false;")
        assert.notInclude(stranger, "<form")
      })
    )
  )

  it.effect("is one of several exteriors under a group's name, and 404 for nothing", () =>
    withMarket(
      Effect.gen(function* () {
        const { json } = yield* rows(rifle)
        const group = json.listings[0].description.market_bucket_group_id
        const { text } = yield* get(listingPath(730, group))
        assert.include(text, "<h1>AK-47 | Copperline</h1>")
        assert.include(text, "(Factory New)")
        assert.notInclude(text, "Market_LoadOrderSpread( ")
        const missing = yield* get(listingPath(730, "No Such Thing"))
        assert.deepStrictEqual(
          [missing.status, missing.headers["content-type"]],
          [404, "text/html; charset=utf-8"]
        )
      })
    )
  )

  it.effect("has a newer form that sends exteriors to their group, until one opts out", () =>
    withMarket(
      Effect.gen(function* () {
        const sent = yield* get(listingPath(730, rifle))
        assert.strictEqual(sent.status, 302)
        assert.match(sent.headers["location"]!, /^\/market\/listings\/730\/G[0-9A-F]{10}$/)
        const { text } = yield* get(listingPath(730, glove))
        assert.include(text, "window.SSR.renderContext=JSON.parse(")
        assert.notInclude(text, "Market_LoadOrderSpread( ")
        assert.include(text, 'logged_in\\":true')
        const old = yield* get(listingPath(730, rifle), {}, { cookies: { bMarketOptOut: "1" } })
        assert.strictEqual(old.status, 200)
        assert.include(old.text, "var g_rgListingInfo")
      }),
      { pages: "rendered" }
    )
  )

  it.effect("escapes what it shows and lets no text end a script", () =>
    withMarket(
      Effect.gen(function* () {
        const { text } = yield* get("/market/search", { appid: 730, q: '"><script>alert(1)</script>' })
        assert.notInclude(text, "<script>alert")
        const page = (yield* get(listingPath(440, "Sergeant's Sou'wester"))).text
        assert.include(page, "Sergeant&#39;s Sou&#39;wester")
        yield* TestClock.adjust("1 second")
        assert.strictEqual(page.split("</script>").length, page.split("<script>").length)
      })
    )
  )
})
