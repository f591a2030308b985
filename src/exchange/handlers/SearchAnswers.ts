/**
 * Answers of the searches: grouped rows and listing rows of the structured one, rows of the older one, suggestions.
 * Invariants: 1. filters on single units (accessories, properties) find listings, everything else items. 2. pages step by 10 and 30.
 */
import { formatPrice } from "../../domain/Currency.ts"
import { type SuggestionsBody } from "../../market/contract/LegacySearch.ts"
import { type GroupedBody, type ListingsBody, type SearchRequest } from "../../market/contract/Search.ts"
import { accessoryFacets, tagFacets } from "../FacetCounts.ts"
import { type Viewer } from "../Offers.ts"
import { searchRowsHtml } from "../pages/SearchRows.ts"
import { findItems, findOffers, type Found, isOfUnits, matchesItem, sortOf, type Wanted } from "../Search.ts"
import { applications } from "../Vocabulary.ts"
import { type World } from "../World.ts"
import { catalogEntry, descriptionOf, sellListingRow } from "./OfferRows.ts"
import { wantedOf } from "./Reader.ts"

const groupedStep = 10
const listingStep = 30
/** The older search gives no more, whatever is asked for. */
const renderStep = 10
const mostSuggestions = 10
const ascending = 1

export interface SearchQuery extends Readonly<Record<string, unknown>> {
  readonly appid?: number
  readonly q?: string
  readonly descriptions?: 0 | 1
  readonly sort?: number
  readonly dir?: string
}

export const searchWanted = (viewer: Viewer, query: SearchQuery, body: SearchRequest): Wanted => ({
  ...wantedOf(query, viewer, body),
  app: body.appid ?? query.appid,
  text: body.strQuery ?? query.q ?? "",
  inDescriptions: body.bSearchDescriptions ?? query.descriptions === 1
})

const orderOf = (query: SearchQuery, body: SearchRequest) => {
  const direction = body.direction ?? Number(query.dir ?? 2)
  return {
    sort: sortOf(body.sort ?? query.sort),
    direction: direction === ascending ? "ascending" : "descending"
  } as const
}

/** `null` when nothing is there to show. */
export const structuredSearch = (
  world: World,
  viewer: Viewer,
  query: SearchQuery,
  body: SearchRequest
): GroupedBody | ListingsBody | null => {
  const wanted = searchWanted(viewer, query, body)
  const { direction, sort } = orderOf(query, body)
  const start = body.start ?? 0
  if (isOfUnits(wanted) || body.disableGrouping === true)
    return searchedListings(world, viewer, wanted, start, sort === "price" && direction === "descending")
  const found = findItems(world, wanted, viewer, sort, direction)
  const window = found.slice(start, start + groupedStep)
  if (window.length === 0) return null
  return {
    start,
    total_count: found.length,
    facets: facetsOf(
      world,
      found.map(({ index }) => index),
      wanted.app
    ),
    grouping: 1,
    results: window.map((one) => catalogEntry(world, one, viewer.currency))
  }
}

const facetsOf = (world: World, indexes: ReadonlyArray<number>, app: number | undefined) => {
  const items = indexes.flatMap((index) => world.items[index]?.of ?? [])
  return applications
    .filter((one) => app === undefined || one.app === app)
    .flatMap((one) => tagFacets(one.app, items))
}

const searchedListings = (
  world: World,
  viewer: Viewer,
  wanted: Wanted,
  start: number,
  isDearestFirst: boolean
): ListingsBody | null => {
  const indexes = world.items.flatMap(({ of }, index) => (matchesItem(of, wanted) ? [index] : []))
  const found = findOffers(world, indexes, wanted, viewer)
  const ordered = isDearestFirst ? found.toReversed() : found
  const window = ordered.slice(start, start + listingStep)
  if (window.length === 0) return null
  const matched = [...new Set(found.map(({ index }) => index))]
  return {
    start,
    total_count: found.length,
    facets: [...facetsOf(world, matched, wanted.app), ...accessoryFacets(found, "matched")],
    more: start + window.length < found.length,
    listings: window.map((offer) => sellListingRow(world, offer, viewer.currency))
  }
}

interface RenderQuery {
  readonly query: string
  readonly start?: number
  readonly count?: number
  readonly norender?: 0 | 1
  readonly search_descriptions?: 0 | 1
}

/** Rows as HTML, with `norender=1` as data besides. */
export const renderedSearch = (
  world: World,
  viewer: Viewer,
  found: ReadonlyArray<Found>,
  query: RenderQuery
) => {
  const start = query.start ?? 0
  const pagesize = Math.min(query.count ?? renderStep, renderStep)
  const window = found.slice(start, start + pagesize)
  const head = { success: true, start, pagesize, total_count: found.length } as const
  const body = { tip: "", results_html: searchRowsHtml(viewer, window) }
  if (query.norender !== 1) return { ...head, ...body }
  return {
    ...head,
    ...body,
    searchdata: {
      query: query.query,
      search_descriptions: query.search_descriptions === 1,
      total_count: found.length,
      pagesize,
      prefix: "searchResults",
      class_prefix: "market"
    },
    results: window.map(({ best, index, name, sellOrders }) => ({
      name,
      hash_name: name,
      sell_listings: sellOrders,
      sell_price: best.cost.price,
      sell_price_text: formatPrice(best.cost.price, viewer.currency),
      app_icon: "",
      app_name: applications.find(({ app }) => app === best.item.of.app)?.name ?? "",
      asset_description: rowDescription(world, index),
      sale_price_text: formatPrice(best.cost.take, viewer.currency)
    }))
  }
}

const rowDescription = (world: World, index: number) => {
  const { appid, classid, market_hash_name, name = "", type = "" } = descriptionOf(world, index)
  return {
    appid,
    classid,
    instanceid: "0",
    background_color: "",
    icon_url: "",
    tradable: 1,
    name,
    name_color: "D2D2D2",
    type,
    market_name: name,
    market_hash_name,
    commodity: world.items[index]?.of.commodity === true ? 1 : 0
  } as const
}

interface SuggestionsQuery {
  readonly q: string
  readonly appid?: number
  readonly debug?: 0 | 1
}

const matchScore = 1000

/** Items by name, those that begin with the text before others; applications by name. */
export const suggestionsOf = (world: World, viewer: Viewer, query: SuggestionsQuery): SuggestionsBody => {
  const text = query.q.trim().toLowerCase()
  const wanted: Wanted = {
    ...wantedOf({}, viewer),
    app: query.appid,
    text,
    inDescriptions: false
  }
  const found = text === "" ? [] : findItems(world, wanted, viewer, "popular", "descending")
  const scored = found
    .map((one) => {
      const isFirst = one.name.toLowerCase().startsWith(text)
      return { one, isFirst, score: (isFirst ? matchScore : 0) + one.sold + one.sellOrders }
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostSuggestions)
  return {
    results: scored.map(({ isFirst, one, score }) => {
      const { of } = one.best.item
      const shown = {
        market_name: one.name,
        market_hash_name: one.name,
        app_id: of.app,
        app_name: applications.find(({ app }) => app === of.app)?.name ?? "",
        icon_url: "",
        market_type: of.type,
        listing_count: one.sellOrders,
        search_score: score
      }
      const debug = { prefix: isFirst, sold_today: one.sold, listings: one.sellOrders }
      return query.debug === 1 ? Object.assign(shown, { debug }) : shown
    }),
    apps: applications
      .filter(({ name }) => text !== "" && name.toLowerCase().includes(text))
      .map(({ app, name }) => ({ appid: app, name, icon: "" }))
  }
}
