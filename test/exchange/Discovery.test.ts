import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

import { ask, get, glove, listingPath, post, priced, rifle, withMarket } from "./Asking.ts"

const search = (body: Readonly<Record<string, unknown>>, as = {}) => ask("/market/search", [body], {}, as)

describe("the structured search", () => {
  it.effect("finds catalog entries by text and tags, ten at a time, and null past the end", () =>
    withMarket(
      Effect.gen(function* () {
        const filters = { Type: ["GAME_Type_Rifle", "GAME_Type_SMG"], Quality: ["normal"] }
        const first = (yield* search({ appid: 730, filters })).json
        assert.deepStrictEqual([first.grouping, first.start, first.results.length], [1, 0, 10])
        assert.isAbove(first.total_count, 20)
        const rows = [...first.results]
        for (let start = 10; start < first.total_count; start += 10)
          rows.push(...(yield* search({ appid: 730, filters, start })).json.results)
        assert.strictEqual(rows.length, first.total_count)
        assert.strictEqual(new Set(rows.map((row) => row.strHash)).size, rows.length)
        for (const row of rows) {
          assert.match(row.asset_description.type, /AK-47|AUG|FAMAS|M4A4|PP-Bizon|MP9|P90|Rifle/)
          assert.isAbove(row.cSellOrders, 0)
          assert.match(row.strMinSellSubtotal, /^\$\d/)
        }
        const past = yield* search({ appid: 730, filters, start: first.total_count })
        assert.deepStrictEqual([past.status, past.text], [200, "null"])
        assert.strictEqual((yield* search({ appid: 730, strQuery: "no such thing" })).text, "null")
        const named = (yield* search({ strQuery: "copperline factory" })).json
        assert.deepStrictEqual(
          named.results.map((row: { strHash: string }) => row.strHash),
          ["AK-47 | Copperline (Factory New)"]
        )
      })
    )
  )

  it.effect("ORs values, ANDs categories, and takes an empty filters object as none", () =>
    withMarket(
      Effect.gen(function* () {
        const total = (filters: unknown) =>
          Effect.map(search({ appid: 730, filters }), ({ json }) => (json === null ? 0 : json.total_count))
        const [rifles, smgs] = [
          yield* total({ Type: ["GAME_Type_Rifle"] }),
          yield* total({ Type: ["GAME_Type_SMG"] })
        ]
        assert.strictEqual(yield* total({ Type: ["GAME_Type_Rifle", "GAME_Type_SMG"] }), rifles + smgs)
        const fieldTested = yield* total({ Type: ["GAME_Type_Rifle"], Exterior: ["WearCategory2"] })
        assert.isTrue(fieldTested > 0 && fieldTested < rifles)
        assert.strictEqual(yield* total({ Type: ["GAME_Type_Rifle"], Weapon: ["weapon_awp"] }), 0)
        const all = yield* total({})
        const byQuery = yield* ask("/market/search", [{ appid: 730, filters: {} }], {
          category_Type: ["GAME_Type_Rifle"]
        })
        assert.strictEqual(byQuery.json.total_count, all)
        const query = { appid: 730, category_Type: ["GAME_Type_Rifle", "GAME_Type_SMG"] }
        assert.strictEqual((yield* ask("/market/search", [{}], query)).json.total_count, rifles + smgs)
      })
    )
  )

  it.effect("sorts by name, quantity and price in both directions, and by popularity in none", () =>
    withMarket(
      Effect.gen(function* () {
        const rows = (sort: number, direction: number) =>
          Effect.map(
            search({ appid: 440, sort, direction }),
            ({ json }) => json.results as ReadonlyArray<Record<string, number & string>>
          )
        const sorted = <A>(values: ReadonlyArray<A>, sign: number) =>
          values.toSorted((a, b) => (a < b ? -sign : a > b ? sign : 0))
        for (const [sort, key] of [
          [1, "strHash"],
          [2, "cSellOrders"]
        ] as const)
          for (const [direction, sign] of [
            [1, 1],
            [2, -1]
          ] as const) {
            const values = (yield* rows(sort, direction)).map((row) => row[key])
            assert.deepStrictEqual(values, sorted(values, sign))
          }
        const amount = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ""))
        const prices = (yield* rows(3, 1)).map((row) => amount(row["strMinSellSubtotal"]!))
        assert.deepStrictEqual(prices, sorted(prices, 1))
        const names = (list: ReadonlyArray<Record<string, unknown>>) => list.map((row) => row["strHash"])
        assert.deepStrictEqual(names(yield* rows(0, 1)), names(yield* rows(4, 2)))
      })
    )
  )

  it.effect("keeps inclusive price bounds", () =>
    withMarket(
      Effect.gen(function* () {
        const all = (yield* search({ appid: 440, sort: 3, direction: 1 })).json
        const cheapest = all.results[0]
        const cents = Math.round(Number(cheapest.strMinSellSubtotal.slice(1)) * 100)
        const exactly = { eCurrency: 1, unMin: cents, unMax: cents }
        const found = (yield* search({ appid: 440, price: exactly })).json
        assert.include(
          found.results.map((row: { strHash: string }) => row.strHash),
          cheapest.strHash
        )
        const below = { eCurrency: 1, unMax: cents - 1 }
        assert.strictEqual((yield* search({ appid: 440, price: below })).text, "null")
      })
    )
  )

  it.effect("finds single listings by accessories and properties, thirty at a time", () =>
    withMarket(
      Effect.gen(function* () {
        const sticker = "accessory_GAME_Tool_Sticker"
        const any = (yield* search({ appid: 730, accessoryFilters: { [sticker]: ["$any$"] } })).json
        assert.deepStrictEqual([any.listings.length, any.more, any.results], [30, true, undefined])
        for (const { asset } of any.listings)
          assert.isTrue(
            asset.asset_accessories.some(({ name }: { name: string }) => name.startsWith("Sticker | "))
          )
        const none = (yield* search({ appid: 730, accessoryFilters: { [sticker]: ["$none$"] } })).json
        const everything = (yield* search({ appid: 730, disableGrouping: true })).json
        assert.strictEqual(any.total_count + none.total_count, everything.total_count)
        const { name } = any.listings[0].asset.asset_accessories[0]
        const named = (yield* search({ appid: 730, accessoryFilters: { [sticker]: [name, "$none$"] } })).json
        assert.isAbove(named.total_count, none.total_count)
        const wear = { "2": { property_id: 2, float_min: "0.1", float_max: "0.2" } }
        const worn = (yield* search({ appid: 730, propertyFilters: wear })).json
        for (const { asset } of worn.listings) {
          const { float_value } = asset.asset_properties.find(
            (one: { propertyid: number }) => one.propertyid === 2
          )
          assert.isTrue(Number(float_value) >= 0.1 && Number(float_value) <= 0.2)
        }
        const pattern = worn.listings[0].asset.asset_properties[0]
        const range = { property_id: 1, int_min: pattern.int_value, int_max: pattern.int_value }
        const same = (yield* search({ appid: 730, propertyFilters: { "1": range } })).json
        assert.isTrue(same.listings.length >= 1 && same.listings.length < 30)
      })
    )
  )

  it.effect("refuses bodies that are no array of exactly one object", () =>
    withMarket(
      Effect.gen(function* () {
        for (const body of [{}, [], [{}, {}], [{ start: -1 }], "x"])
          assert.strictEqual((yield* ask("/market/search", body)).status, 400)
      })
    )
  )
})

describe("the older search", () => {
  it.effect("gives ten rows at most, as data that agrees with its text, and pages by start", () =>
    withMarket(
      Effect.gen(function* () {
        const { json } = yield* get("/market/search/render/", { query: "", norender: 1, count: 100 })
        assert.deepStrictEqual(
          [json.success, json.start, json.pagesize, json.results.length],
          [true, 0, 10, 10]
        )
        assert.isAbove(json.total_count, 250)
        for (const row of json.results) {
          assert.strictEqual(row.sell_price_text, `$${(row.sell_price / 100).toFixed(2)}`)
          assert.notStrictEqual(row.sale_price_text, row.sell_price_text)
        }
        assert.include(json.results_html, 'id="resultlink_9"')
        const last = yield* get("/market/search/render/", {
          query: "",
          norender: 1,
          start: json.total_count - 3
        })
        assert.strictEqual(last.json.results.length, 3)
        const html = (yield* get("/market/search/render/", { query: "glove" })).json
        assert.deepStrictEqual([html.tip, html.results], ["", undefined])
        assert.include(html.results_html, "/market/listings/730/Glove%20Case")
        const empty = (yield* get("/market/search/render/", { query: "no such thing", norender: 1 })).json
        assert.deepStrictEqual([empty.success, empty.total_count, empty.results], [true, 0, []])
      })
    )
  )

  it.effect("sorts, bounds and needs its query; a description is found only when asked for", () =>
    withMarket(
      Effect.gen(function* () {
        const rows = (query: Readonly<Record<string, string | number>>) =>
          Effect.map(get("/market/search/render/", { query: "", norender: 1, ...query }), ({ json }) => json)
        const cheap = yield* rows({ sort_column: "price", sort_dir: "asc", price_min: 30, price_max: 60 })
        const prices = cheap.results.map((row: { sell_price: number }) => row.sell_price)
        assert.deepStrictEqual(
          prices,
          prices.toSorted((a: number, b: number) => a - b)
        )
        assert.isTrue(prices.every((price: number) => price >= 30 && price <= 60))
        assert.strictEqual((yield* rows({ query: "copper lines run" })).total_count, 0)
        assert.strictEqual(
          (yield* rows({ query: "copper lines run", search_descriptions: 1 })).total_count,
          2
        )
        assert.strictEqual((yield* get("/market/search/render/", { norender: 1 })).status, 400)
        assert.strictEqual(
          (yield* get("/market/search/render/", { query: "", sort_column: "x" })).status,
          400
        )
      })
    )
  )
})

describe("suggestions and vocabularies", () => {
  it.effect("complete names, name applications, and score when asked to", () =>
    withMarket(
      Effect.gen(function* () {
        const { json } = yield* get("/market/searchsuggestionsresults", { q: "glov" })
        assert.deepInclude(json.results[0], { market_hash_name: glove, app_id: 730, app_name: "Crossfire" })
        assert.isAbove(json.results[0].listing_count, 0)
        assert.isUndefined(json.results[0].debug)
        const debug = (yield* get("/market/searchsuggestionsresults", { q: "glov", debug: 1 })).json
        assert.strictEqual(debug.results[0].debug.prefix, true)
        const bastion = (yield* get("/market/searchsuggestionsresults", { q: "bast" })).json
        assert.deepStrictEqual([bastion.results, bastion.apps[0].appid], [[], 440])
        const none = (yield* get("/market/searchsuggestionsresults", { q: "zzz", appid: 440 })).json
        assert.deepStrictEqual(none, { results: [], apps: [] })
        assert.strictEqual((yield* get("/market/searchsuggestionsresults")).status, 400)
      })
    )
  )

  it.effect("tell tags whose counts are what the search finds", () =>
    withMarket(
      Effect.gen(function* () {
        for (const app of [730, 440]) {
          const { facets, success } = (yield* get(`/market/appfacets/${app}`)).json
          assert.strictEqual(success, true)
          for (const [category, facet] of Object.entries<{ tags: Record<string, { matches: string }> }>(
            facets
          ))
            for (const [tag, { matches }] of Object.entries(facet.tags)) {
              const found = (yield* search({ appid: app, filters: { [category]: [tag] } })).json
              assert.strictEqual(String(found.total_count), matches, `${category} ${tag}`)
            }
        }
        assert.deepStrictEqual((yield* get("/market/appfacets/1")).json, { success: false })
      })
    )
  )

  it.effect(
    "tell accessories whose counts are what the search finds, and none of an application without",
    () =>
      withMarket(
        Effect.gen(function* () {
          const { facets } = (yield* get("/market/appaccessories/730")).json
          assert.deepStrictEqual(
            facets.map((one: { internal_type: string }) => one.internal_type),
            ["GAME_Tool_Sticker", "GAME_Tool_Keychain"]
          )
          const [{ internal_type, facets: names }] = facets
          for (const { matches, name } of names.slice(0, 6)) {
            const filters = { [`accessory_${internal_type}`]: [name] }
            const found = (yield* search({ appid: 730, accessoryFilters: filters })).json
            assert.strictEqual(found === null ? "0" : String(found.total_count), matches, name)
          }
          assert.deepStrictEqual((yield* get("/market/appaccessories/440")).json, {
            success: true,
            facets: []
          })
          assert.deepStrictEqual((yield* get("/market/appaccessories/7")).json, { success: false })
        })
      )
  )
})

describe("popular and recent listings", () => {
  it.effect("window the popular ones and stop at the list's end", () =>
    withMarket(
      Effect.gen(function* () {
        const { json } = yield* get("/market/popular", { ...priced, norender: 1, start: 0, count: 5 })
        assert.deepStrictEqual([json.success, json.stop], [true, false])
        assert.strictEqual(Object.keys(json.listinginfo).length, 5)
        for (const { asset } of Object.values<{ asset: { appid: number; contextid: string; id: string } }>(
          json.listinginfo
        ))
          assert.strictEqual(json.assets[asset.appid][asset.contextid][asset.id].id, asset.id)
        const past = (yield* get("/market/popular", { ...priced, norender: 1, start: 9999 })).json
        assert.deepStrictEqual([past.stop, past.listinginfo, past.assets], [true, [], []])
        assert.include((yield* get("/market/popular", priced)).text, "<!DOCTYPE html>")
        assert.strictEqual((yield* get("/market/popular", { ...priced, currency: 36 })).status, 400)
        assert.strictEqual((yield* get("/market/popular", { ...priced, country: "USA" })).status, 400)
      })
    )
  )

  it.effect("show the newest listing first, in the currency asked for", () =>
    withMarket(
      Effect.gen(function* () {
        yield* TestClock.adjust("3 minutes")
        const { json } = yield* get("/market/recent", { ...priced, currency: 8, norender: 1 })
        assert.deepStrictEqual([json.success, json.more], [true, true])
        assert.isDefined(json.listinginfo[json.last_listing])
        for (const one of Object.values<{ converted_currencyid: string; converted_price: number }>(
          json.listinginfo
        )) {
          assert.strictEqual(one.converted_currencyid, "2008")
          assert.strictEqual(one.converted_price % 100, 0)
        }
        assert.include((yield* get("/market/recent", priced)).text, "<!DOCTYPE html>")
      })
    )
  )
})

describe("pages", () => {
  it.effect("lead from the home page to a search, to an item and to its purchase", () =>
    withMarket(
      Effect.gen(function* () {
        const home = yield* get("/market/", {}, { accept: "text/html" })
        assert.strictEqual(home.headers["content-type"], "text/html; charset=utf-8")
        assert.include(home.text, 'action="/market/search"')
        const found = (yield* get("/market/search", { appid: 730, q: "copperline" })).text
        const [, link] = /href="(\/market\/listings\/730\/[^"]+)"/.exec(found) ?? []
        const item = (yield* get(link!)).text
        const [, action] = /action="(\/market\/buylisting\/\d+)"/.exec(item) ?? []
        const form = item.slice(item.indexOf(action!), item.indexOf("</form>", item.indexOf(action!)))
        const fields = Object.fromEntries(
          [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
        )
        const bought = yield* post(action!, fields)
        assert.strictEqual(bought.json.wallet_info.success, 1)
      })
    )
  )

  it.effect("tell a stranger so, and send unchecked accounts to the eligibility check where that is on", () =>
    withMarket(
      Effect.gen(function* () {
        assert.include((yield* get("/market/", {}, { account: null })).text, "var g_bLoggedIn = false;")
        const home = yield* get("/market/")
        assert.deepStrictEqual(
          [home.status, home.headers["location"]],
          [302, "/market/eligibilitycheck/?goto=%2Fmarket%2F"]
        )
        const checked = yield* get("/market/eligibilitycheck/", { goto: "/market/" })
        const [, cookie] = /^webTradeEligibility=([^;]+);/.exec(checked.headers["set-cookie"] ?? "") ?? []
        const again = yield* get("/market/", {}, { cookies: { webTradeEligibility: cookie! } })
        assert.strictEqual(again.status, 200)
        assert.strictEqual((yield* get(listingPath(730, rifle))).status, 302)
      }),
      { checkEligibility: true }
    )
  )

  it.effect("carry the search as a payload for callers that accept JSON only", () =>
    withMarket(
      Effect.gen(function* () {
        const { headers, json, text } = yield* get(
          "/market/search",
          { appid: 440 },
          { accept: "application/json" }
        )
        assert.include(headers["content-type"], "application/json")
        assert.isUndefined(json)
        assert.include(text, '"queryKey":["market","search"')
      })
    )
  )
})
