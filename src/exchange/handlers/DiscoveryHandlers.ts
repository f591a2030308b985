/**
 * Group Discovery: home page, searches, autocomplete, vocabularies, popular and recent listings (interface, Discovery).
 * Invariants: 1. a structured search without a row is the literal `null`. 2. every count and price is read from the books of this moment.
 */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { MarketApi } from "../../market/contract/MarketApi.ts"
import { accessoryApp } from "../AssetDetails.ts"
import { accessoryFacets, tagFacets } from "../FacetCounts.ts"
import { newestOffers, offersOf, type Viewer } from "../Offers.ts"
import { homePage } from "../pages/HomePage.ts"
import { offerRows } from "../pages/ListingRows.ts"
import { page } from "../pages/Page.ts"
import { searchPage } from "../pages/SearchPage.ts"
import { findItems, type Sort } from "../Search.ts"
import { applicationOf } from "../Vocabulary.ts"
import { type World } from "../World.ts"
import { legacyFields } from "./OfferRows.ts"
import { buyerOf, payload, viewerIn, viewerOf, wantedForm, wantedOf } from "./Reader.ts"
import { type Asked, asked, toEligibility } from "./Request.ts"
import { renderedSearch, structuredSearch, suggestionsOf } from "./SearchAnswers.ts"

const popularCount = 10
const recentCount = 10
const mostPopular = 100

const none = {
  tags: {},
  accessories: {},
  properties: [],
  text: "",
  inDescriptions: false,
  app: undefined
} as const

const sortWords: Readonly<Record<string, Sort>> = {
  name: "name",
  price: "price",
  quantity: "quantity",
  popular: "popular"
}

const accessories = (world: World, viewer: Viewer, app: number) => {
  if (app !== accessoryApp) return { success: true, facets: [] } as const
  const offers = world.items.flatMap(({ of }, index) =>
    of.app === app && !of.commodity ? offersOf(world, index, viewer) : []
  )
  return { success: true, facets: accessoryFacets(offers, "all") } as const
}

interface WindowQuery {
  readonly norender?: 0 | 1
  readonly start?: number
  readonly count?: number
}

/** The cheapest listing of each item, items in the order of their sales. */
const popular = (request: Asked, viewer: Viewer, query: WindowQuery) => {
  const [start, count] = [query.start ?? 0, Math.min(query.count ?? popularCount, mostPopular)]
  const price = { currency: viewer.currency, least: undefined, most: undefined }
  const found = findItems(request.world, { ...none, price }, viewer, "popular", "descending")
  const window = found.slice(start, start + count).map(({ best }) => best)
  const html = offerRows(buyerOf(request, viewer), window, "listing_")
  if (query.norender !== 1) return page("Popular listings", html)
  return {
    success: true,
    stop: start + count >= found.length,
    start,
    pagesize: count,
    total_count: found.length,
    results_html: html,
    ...legacyFields(request.world, window, viewer.currency, "listing_")
  } as const
}

const recent = (request: Asked, viewer: Viewer, query: WindowQuery) => {
  const newest = newestOffers(request.world, viewer, recentCount + 1)
  const window = newest.slice(0, recentCount)
  const html = offerRows(buyerOf(request, viewer), window, "listing_sell_new_")
  if (query.norender !== 1) return page("Recent listings", html)
  const [first] = window
  return {
    success: true,
    more: newest.length > recentCount,
    results_html: html,
    ...legacyFields(request.world, window, viewer.currency, "listing_sell_new_"),
    purchaseinfo: [],
    ...(first === undefined
      ? {}
      : { last_time: Math.floor(first.ask.at / 1000), last_listing: first.listing })
  } as const
}

export const DiscoveryHandlers = HttpApiBuilder.group(
  MarketApi,
  "discovery",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      home: Effect.fnUntraced(function* () {
        const request = yield* asked("home")
        yield* toEligibility(request)
        return homePage(request, viewerOf(request))
      }),
      "search-page": Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("search-page")
        const viewer = viewerOf(request)
        const found = structuredSearch(request.world, viewer, query, {})
        if ((yield* wantedForm) === "payload") {
          const data = { queryKey: ["market", "search", query], state: { data: found, status: "success" } }
          return payload(request.theirs({ queries: [data] }))
        }
        return searchPage(request, viewer, query)
      }),
      search: Effect.fnUntraced(function* ({ payload: [body], query }) {
        const request = yield* asked("search")
        return structuredSearch(request.world, viewerOf(request), query, body)
      }),
      "search-render": Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("search-render")
        const viewer = viewerOf(request)
        const bounds = wantedOf(query, viewer)
        const wanted = {
          ...none,
          app: query.appid,
          text: query.query,
          inDescriptions: query.search_descriptions === 1,
          price: bounds.price
        }
        const direction = query.sort_dir === "asc" ? "ascending" : "descending"
        const sort = sortWords[query.sort_column ?? "popular"] ?? "popular"
        const found = findItems(request.world, wanted, viewer, sort, direction)
        return renderedSearch(request.world, viewer, found, query)
      }),
      suggestions: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("suggestions")
        return suggestionsOf(request.world, viewerOf(request), query)
      }),
      appfacets: Effect.fnUntraced(function* ({ params }) {
        const { world } = yield* asked("appfacets")
        if (applicationOf(params.appid) === undefined) return { success: false } as const
        const items = world.items.filter(({ asks }) => asks.length > 0).map(({ of }) => of)
        const facets = tagFacets(params.appid, items)
        return { success: true, facets: Object.fromEntries(facets.map((one) => [one.name, one])) } as const
      }),
      appaccessories: Effect.fnUntraced(function* ({ params }) {
        const request = yield* asked("appaccessories")
        return applicationOf(params.appid) === undefined
          ? ({ success: false } as const)
          : accessories(request.world, viewerOf(request), params.appid)
      }),
      popular: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("popular")
        return popular(request, yield* viewerIn(request, query.currency), query)
      }),
      recent: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("recent")
        return recent(request, yield* viewerIn(request, query.currency), query)
      })
    })
  })
)
