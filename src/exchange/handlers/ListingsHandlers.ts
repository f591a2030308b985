/**
 * Group Listings: pages and rows of an item, its order book, histogram and activity (interface, Listings).
 * Invariants: 1. a name is a hash name first, else the name of a group of variants. 2. anonymous readers of what has no currency
 * parameter get the first currency, as on the real markets.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

import { NotFound, Redirected } from "../../market/contract/Answers.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { type ListingsBody, type ListingsRequest } from "../../market/contract/Search.ts"
import { accessoryFacets, tagFacets } from "../FacetCounts.ts"
import { type Offer, type Viewer } from "../Offers.ts"
import { activityRowHtml } from "../pages/ActivityRows.ts"
import { legacyListingPage, listingQueries, renderedListingPage, type Subject } from "../pages/ListingPage.ts"
import { offerRows } from "../pages/ListingRows.ts"
import { listingLink, page } from "../pages/Page.ts"
import { findOffers, matchesItem, type Wanted } from "../Search.ts"
import { itemIndex, type World } from "../World.ts"
import { activityOf, compactBook, histogramOf, indexOfNameId } from "./BookRows.ts"
import { legacyFields, sellListingRow } from "./OfferRows.ts"
import { buyerOf, isBrowser, payload, viewerIn, viewerOf, wantedForm, wantedOf } from "./Reader.ts"
import { type Asked, asked, toEligibility } from "./Request.ts"

const rowsStep = 20
const mostLegacyRows = 100

/** The items behind a name: one, or those of a group; none for an unknown name. */
const indexesOf = (world: World, app: number, name: string): ReadonlyArray<number> => {
  const index = itemIndex(world, app, name)
  if (index >= 0) return [index]
  return name === ""
    ? []
    : world.items.flatMap(({ of }, at) => (of.app === app && of.group === name ? [at] : []))
}

const noSuchPage = new NotFound({ page: page("Not found", "<p>There is no such item on the market.</p>") })

/** The older form is the default; a market that shows the newer one gives it back to those who opted out. */
const isRendered = ({ cookies, exchange }: Asked): boolean =>
  exchange.pages === "rendered" && cookies["bMarketOptOut"] !== "1"

type Query = Readonly<Record<string, unknown>>

/** Variants of a group that the query's tags leave. */
const narrowed = (world: World, indexes: ReadonlyArray<number>, wanted: Wanted): ReadonlyArray<number> =>
  indexes.filter((index) => {
    const item = world.items[index]
    return item !== undefined && matchesItem(item.of, wanted)
  })

const subjectOf = (request: Asked, viewer: Viewer, app: number, name: string, query: Query): Subject => {
  const indexes = indexesOf(request.world, app, name)
  const wanted = { ...wantedOf(query, viewer), app, text: "", inDescriptions: false }
  const left = narrowed(request.world, indexes, wanted)
  return { app, name, indexes: left.length === 0 ? indexes : left }
}

const sorted = (offers: ReadonlyArray<Offer>, { direction, sort }: ListingsRequest): ReadonlyArray<Offer> => {
  const ordered = sort === 1 ? offers.toSorted((a, b) => a.ask.at - b.ask.at) : offers
  return direction === 1 || (sort === 1 && direction === undefined) ? ordered.toReversed() : ordered
}

const structured = (
  { world }: Asked,
  viewer: Viewer,
  app: number,
  query: Query,
  body: ListingsRequest
): ListingsBody | null => {
  const wanted: Wanted = { ...wantedOf(query, viewer, body), app, text: "", inDescriptions: false }
  const indexes = narrowed(world, indexesOf(world, app, body.strItemName), wanted)
  const found = sorted(findOffers(world, indexes, wanted, viewer), body)
  const window = found.slice(body.start, body.start + rowsStep)
  if (window.length === 0) return null
  const items = indexes.flatMap((index) => world.items[index]?.of ?? [])
  return {
    more: body.start + window.length < found.length,
    start: body.start,
    total_count: found.length,
    facets: [...tagFacets(app, items), ...accessoryFacets(found, "matched")],
    listings: window.map((offer) => sellListingRow(world, offer, viewer.currency))
  }
}

interface RowsQuery {
  readonly query?: string
  readonly start: number
  readonly count: number
}

const legacyRows = (request: Asked, viewer: Viewer, app: number, name: string, query: RowsQuery) => {
  const { world } = request
  const wanted: Wanted = { ...wantedOf({}, viewer), app, text: query.query ?? "", inDescriptions: false }
  const indexes = indexesOf(world, app, name)
  if (indexes.length === 0) return undefined
  const found = findOffers(world, narrowed(world, indexes, wanted), wanted, viewer)
  const pagesize = Math.min(query.count, mostLegacyRows)
  const window = found.slice(query.start, query.start + pagesize)
  return {
    success: true,
    start: query.start,
    pagesize,
    total_count: found.length,
    results_html: offerRows(buyerOf(request, viewer), window, "listing_"),
    ...legacyFields(world, window, viewer.currency, "listing_")
  } as const
}

export const ListingsHandlers = HttpApiBuilder.group(
  MarketApi,
  "listings",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      "listing-page": Effect.fnUntraced(function* ({ params, query }) {
        const request = yield* asked("listing-page")
        yield* toEligibility(request)
        const viewer = viewerOf(request)
        const { appid, market_hash_name: name } = params
        const subject = subjectOf(request, viewer, appid, name, query)
        if (subject.indexes.length === 0) return yield* noSuchPage
        if ((yield* wantedForm) === "payload")
          return payload(request.theirs({ queries: listingQueries(request, viewer, subject) }))
        if (!isRendered(request)) return legacyListingPage(request, viewer, subject)
        const group = request.world.items[subject.indexes[0] ?? -1]?.of.group ?? ""
        if (group !== "" && group !== name)
          return yield* new Redirected({ location: listingLink(appid, group) })
        return renderedListingPage(request, viewer, subject)
      }),
      listings: Effect.fnUntraced(function* ({ params, payload: [body], query }) {
        const request = yield* asked("listings")
        return structured(request, viewerOf(request), params.appid, query, body)
      }),
      "listings-render": Effect.fnUntraced(function* ({ params, query }) {
        const request = yield* asked("listings-render")
        const viewer = yield* viewerIn(request, query.currency)
        const rows = legacyRows(request, viewer, params.appid, params.market_hash_name, query)
        if (rows === undefined) return yield* noSuchPage
        return (yield* isBrowser)
          ? HttpServerResponse.text(rows.results_html, { contentType: "text/html; charset=utf-8" })
          : rows
      }),
      orderbook: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("orderbook")
        const { world } = request
        const item = world.items[itemIndex(world, query.qp[0], query.qp[1])]
        if (item === undefined) return { success: false } as const
        const data = compactBook(world, item, viewerOf(request).currency)
        return { data: { success: true, data } } as const
      }),
      histogram: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("histogram")
        const { currency } = yield* viewerIn(request, query.currency)
        const item = request.world.items[indexOfNameId(query.item_nameid)]
        if (item === undefined) return { success: 42 } as const
        return histogramOf(request.world, item, currency, query.norender === 1 ? "rows" : "html")
      }),
      activity: Effect.fnUntraced(function* ({ query }) {
        const request = yield* asked("activity")
        const viewer = yield* viewerIn(request, query.currency)
        const item = request.world.items[indexOfNameId(query.item_nameid)]
        if (item === undefined) return { success: 42 } as const
        const entries = activityOf(request.world, item, viewer)
        return {
          success: 1,
          activity: query.norender === 1 ? entries : entries.map(activityRowHtml),
          timestamp: entries[0]?.time ?? 0
        } as const
      })
    })
  })
)
