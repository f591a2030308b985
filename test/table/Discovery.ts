/** Rows of the group Discovery. */
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
  success
} from "./Row.ts"
import { app, bodyOf, glove, nothingOffered, Shop } from "./Shop.ts"

const market = { country: "US", language: "english", currency: 1 }
const legacy = { ...market, norender: 1 }
const search = { body: { appid: app } }

const home: Row = {
  operation: "home",
  cases: [
    success(
      "answers a page with the account's own orders",
      Effect.gen(function* () {
        const order = { currency: 1, appid: app, market_hash_name: glove, price_total: 3, quantity: 1 }
        yield* answers("create-buyorder", order, [200, "placed"])
        const page = yield* answers("home", {}, [200, "html"])
        assert.match(String(page.value), /mybuyorder_65\d+/)
      })
    ),
    empty(
      "answers a page without any to a stranger",
      Effect.map(answers("home", {}, [200, "html"], { as: "nobody" }), ({ value }) =>
        assert.notMatch(String(value), /mybuyorder_65/)
      )
    ),
    error(
      "redirects where the account's eligibility is not known",
      Effect.map(answers("home", {}, [302, "redirect"]), ({ value }) =>
        assert.match(String(value), /^\/market\/eligibilitycheck\/\?goto=/)
      ),
      { options: { checkEligibility: true } }
    ),
    refusedAsTooFast("home")
  ]
}

const searchPage: Row = {
  operation: "search-page",
  cases: [
    success(
      "answers a page, or the loader's payload to a caller that accepts JSON alone",
      Effect.gen(function* () {
        const page = yield* answers("search-page", { appid: app, q: "Glove" }, [200, "html"])
        assert.include(String(page.value), glove)
        yield* answers("search-page", { appid: app }, [200, "payload"], { accept: "application/json" })
      })
    ),
    empty(
      "answers a page without rows to a text that nothing matches",
      Effect.map(answers("search-page", { q: "no such thing" }, [200, "html"]), ({ value }) =>
        assert.notInclude(String(value), glove)
      )
    ),
    error(
      "refuses a sort that the document does not have",
      answers("search-page", { sort: 9 }, [400, "empty-array"])
    ),
    refusedAsTooFast("search-page")
  ]
}

const structured: Row = {
  operation: "search",
  cases: [
    success(
      "answers grouped rows by pages of ten, ascending by price",
      Effect.gen(function* () {
        const body = { appid: app, sort: 3, direction: 1 }
        const first = bodyOf(yield* answers("search", {}, [200, "grouped"], { body }))
        assert.deepInclude(first, { start: 0, grouping: 1 })
        assert.lengthOf(first.results, 10)
        const next = bodyOf(yield* answers("search", {}, [200, "grouped"], { body: { ...body, start: 10 } }))
        assert.strictEqual(next.total_count, first.total_count)
        assert.notStrictEqual(next.results[0].strHash, first.results[0].strHash)
      })
    ),
    success(
      "answers listing rows to a filter on applied accessories",
      Effect.gen(function* () {
        const accessoryFilters = { accessory_GAME_Tool_Sticker: ["$any$"] }
        const body = { appid: app, accessoryFilters }
        const found = bodyOf(yield* answers("search", {}, [200, "listings"], { body }))
        assert.isBoolean(found.more)
        assert.isNotEmpty(found.listings)
        for (const row of found.listings) assert.isNotEmpty(row.asset.asset_accessories)
      })
    ),
    success(
      "takes filters from the query as well, ORed within and ANDed across",
      Effect.gen(function* () {
        const type = { category_Type: "GAME_Type_Rifle" }
        const rifles = bodyOf(yield* answers("search", type, [200, "grouped"], search))
        const worn = { ...type, category_Exterior: "WearCategory0" }
        const both = bodyOf(yield* answers("search", worn, [200, "grouped"], search))
        assert.isAbove(rifles.total_count, both.total_count)
      })
    ),
    empty(
      "answers null to a text that nothing matches",
      answers("search", {}, [200, "null"], { body: { strQuery: "no such thing" } })
    ),
    empty(
      "answers null past the end",
      answers("search", {}, [200, "null"], { body: { appid: app, start: 100_000 } })
    ),
    nullInstead("search", {}, search),
    pageInstead("search", {}, search),
    refusedAsTooFast("search", {}, search)
  ]
}

/** Without `norender` the client asks for JSON. */
const page = { query: "", norender: 0 }

const rendered: Row = {
  operation: "search-render",
  cases: [
    success(
      "answers ten rows at most, whatever is asked for",
      Effect.gen(function* () {
        const query = {
          query: "case",
          count: 100,
          norender: 1,
          appid: app,
          sort_column: "price",
          sort_dir: "asc"
        }
        const { results, total_count } = bodyOf(yield* answers("search-render", query, [200, "rows"]))
        assert.isAtMost(results.length, 10)
        assert.isAtLeast(total_count, results.length)
        const prices = results.map(({ sell_price }: { readonly sell_price: number }) => sell_price)
        assert.deepStrictEqual(
          prices,
          prices.toSorted((a: number, b: number) => a - b)
        )
      })
    ),
    success(
      "answers rendered rows without norender",
      Effect.map(answers("search-render", page, [200, "rendered"]), (result) =>
        assert.include(bodyOf(result).results_html, "market_listing_row")
      )
    ),
    empty(
      "answers no row to a text that nothing matches",
      Effect.map(answers("search-render", { query: "no such thing", norender: 1 }, [200, "rows"]), (result) =>
        assert.deepInclude(bodyOf(result), { total_count: 0, results: [] })
      )
    ),
    pageInstead("search-render", page),
    limit(
      "answers 429 to the twenty-first request of a minute",
      Effect.gen(function* () {
        for (let count = 0; count < 20; count++) yield* answers("search-render", page, [200, "rendered"])
        yield* answers("search-render", page, [429, "rate-limited"])
        yield* answers("search-render", page, [200, "rendered"], { as: 1 })
      })
    )
  ]
}

const suggestions: Row = {
  operation: "suggestions",
  cases: [
    success(
      "answers items that match, with scores in detail where it is asked to",
      Effect.gen(function* () {
        const { results } = bodyOf(yield* answers("suggestions", { q: "glove", debug: 1 }, [200, "success"]))
        assert.deepInclude(results[0], { market_hash_name: glove, app_id: app })
        assert.isAbove(results[0].listing_count, 0)
      })
    ),
    empty(
      "answers no row to a text that nothing matches",
      Effect.map(answers("suggestions", { q: "no such thing" }, [200, "success"]), (result) =>
        assert.deepStrictEqual(bodyOf(result), { results: [], apps: [] })
      )
    ),
    nullInstead("suggestions", { q: "glove" }),
    refusedAsTooFast("suggestions", { q: "glove" })
  ]
}

const appfacets: Row = {
  operation: "appfacets",
  cases: [
    success(
      "answers categories with their tags and counts as strings",
      Effect.gen(function* () {
        const { facets } = bodyOf(yield* answers("appfacets", { appid: app }, [200, "success"]))
        assert.includeMembers(Object.keys(facets), ["Type", "Weapon", "Exterior", "Rarity", "Quality"])
        assert.match(facets.Type.tags.GAME_Type_Rifle.matches, /^[\d,]+$/)
      })
    ),
    error(
      "says no to an application that it does not have",
      answers("appfacets", { appid: 1 }, [200, "failed"])
    ),
    refusedAsTooFast("appfacets", { appid: app })
  ],
  without: { empty: "an application without items has no vocabulary: the market does not know it" }
}

const otherApplications = Effect.map(Shop, ({ exchange }) =>
  [...new Set(exchange.items.map((item) => item.app))].filter((one) => one !== app)
)

const appaccessories: Row = {
  operation: "appaccessories",
  cases: [
    success(
      "answers the accessories that are applied",
      Effect.map(answers("appaccessories", { appid: app }, [200, "success"]), (result) =>
        assert.isNotEmpty(bodyOf(result).facets)
      )
    ),
    empty(
      "answers an empty array for an application without accessories",
      Effect.gen(function* () {
        const apps = yield* otherApplications
        assert.isNotEmpty(apps)
        for (const appid of apps) {
          const { facets } = bodyOf(yield* answers("appaccessories", { appid }, [200, "success"]))
          assert.deepStrictEqual(facets, [])
        }
      })
    ),
    error(
      "says no to an application that it does not have",
      answers("appaccessories", { appid: 1 }, [200, "failed"])
    ),
    refusedAsTooFast("appaccessories", { appid: app })
  ]
}

const popular: Row = {
  operation: "popular",
  cases: [
    success(
      "answers rows, or a page without norender",
      Effect.gen(function* () {
        const found = bodyOf(yield* answers("popular", { ...legacy, start: 0, count: 5 }, [200, "success"]))
        assert.strictEqual(found.stop, false)
        assert.lengthOf(Object.keys(found.listinginfo), 5)
        yield* answers("popular", { ...market, norender: 0 }, [200, "html"])
      })
    ),
    empty(
      "stops past the end",
      Effect.map(answers("popular", { ...legacy, start: 10_000 }, [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result), { stop: true, listinginfo: [] })
      )
    ),
    error(
      "refuses a currency that does not exist",
      answers("popular", { ...legacy, currency: 36 }, [400, "empty-array"])
    ),
    nullInstead("popular", legacy),
    refusedAsTooFast("popular", legacy)
  ]
}

const recent: Row = {
  operation: "recent",
  cases: [
    success(
      "answers the newest rows, or a page without norender",
      Effect.gen(function* () {
        const found = bodyOf(yield* answers("recent", legacy, [200, "success"]))
        assert.isBoolean(found.more)
        assert.isNotEmpty(Object.keys(found.listinginfo))
        yield* answers("recent", { ...market, norender: 0 }, [200, "html"])
      })
    ),
    empty(
      "answers no rows where nothing is offered",
      Effect.map(answers("recent", legacy, [200, "success"]), (result) =>
        assert.deepInclude(bodyOf(result), { more: false, listinginfo: [], assets: [] })
      ),
      { world: nothingOffered }
    ),
    error(
      "refuses a currency that does not exist",
      answers("recent", { ...legacy, currency: 36 }, [400, "empty-array"])
    ),
    nullInstead("recent", legacy),
    refusedAsTooFast("recent", legacy)
  ]
}

export const discovery: ReadonlyArray<Row> = [
  home,
  searchPage,
  structured,
  rendered,
  suggestions,
  appfacets,
  appaccessories,
  popular,
  recent
]
