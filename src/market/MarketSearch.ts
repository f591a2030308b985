/** The catalogue in domain types: structured and older search, suggestions, vocabularies (interface, Discovery). */
import { Effect, Option } from "effect"

import { type AppId } from "../domain/Ids.ts"
import { item } from "../domain/Item.ts"
import { Ask } from "./Ask.ts"
import * as Discovery from "./contract/Discovery.ts"
import { reader } from "./contract/Reading.ts"
import { entriesOf, numberOf } from "./contract/Wire.ts"
import { MarketError, NoData } from "./Market.ts"
import { differs, emptyPage, offersOf, orNull, pageOf } from "./OfferReads.ts"
import * as Rows from "./OfferRows.ts"
import { groupedPage, type SearchFilter, toBody, toQuery } from "./SearchFilter.ts"

const readSearch = reader(Discovery.searchShapes)
const readRender = reader(Discovery.searchRenderShapes)
const readSuggestions = reader(Discovery.suggestionsShapes)
const readTags = reader(Discovery.appfacetsShapes)
const readAccessories = reader(Discovery.appaccessoriesShapes)

const responseMode = "response-only"

/** Rows came as HTML although data was asked for. */
const renderedOnly = Effect.fail(
  new MarketError({
    operation: "search-render",
    reason: new NoData({ detail: "HTML rows where data was due" })
  })
)

export const makeSearch = Effect.gen(function* () {
  const ask = yield* Ask
  const { discovery } = ask.client

  const searched = Effect.fnUntraced(function* (filter: SearchFilter, grouped: boolean) {
    const call = discovery.search({
      query: toQuery(filter),
      payload: [toBody(filter, { grouped })],
      responseMode
    })
    return Option.map(yield* orNull(ask, "search", readSearch, call), ({ value }) => value)
  })

  const search = Effect.fn("Market.search")(function* (filter: SearchFilter) {
    const found = Option.getOrUndefined(yield* searched(filter, true))
    if (found === undefined) return emptyPage
    if (!("results" in found)) return yield* differs("search", "results", "Missing key")
    return pageOf(found.results.map(Rows.catalogItem), found.start, found.total_count)
  })

  const searchListings = Effect.fn("Market.searchListings")(function* (filter: SearchFilter) {
    const found = Option.getOrUndefined(yield* searched(filter, false))
    if (found === undefined) return emptyPage
    if (!("listings" in found)) return yield* differs("search", "listings", "Missing key")
    return yield* offersOf("search", found, undefined)
  })

  return { search, searchListings, searchByText: searchByText(ask) }
})

const searchByText = (ask: Ask["Service"]) =>
  Effect.fn("Market.searchByText")(function* (filter: SearchFilter) {
    const call = ask.client.discovery["search-render"]({
      query: {
        query: filter.text,
        start: filter.start,
        count: groupedPage,
        norender: 1,
        sort_column: Rows.sortColumn(filter.sort),
        sort_dir: filter.direction === "Ascending" ? "asc" : "desc",
        search_descriptions: filter.inDescriptions ? 1 : 0,
        ...(filter.app === undefined ? {} : { appid: filter.app }),
        ...(filter.price?.min === undefined ? {} : { price_min: filter.price.min }),
        ...(filter.price?.max === undefined ? {} : { price_max: filter.price.max })
      },
      responseMode
    })
    const found = Option.getOrUndefined(yield* orNull(ask, "search-render", readRender, call))
    if (found === undefined) return emptyPage
    if (found.shape === "rendered") return yield* renderedOnly
    const { results, start, total_count } = found.value
    return pageOf(results.map(Rows.searchItem), numberOf(start), total_count)
  })

export const makeVocabulary = Effect.gen(function* () {
  const ask = yield* Ask
  const { discovery } = ask.client

  const suggestions = Effect.fn("Market.suggestions")(function* (text: string, app?: AppId) {
    const call = discovery.suggestions({
      query: { q: text, ...(app === undefined ? {} : { appid: app }) },
      responseMode
    })
    const found = yield* orNull(ask, "suggestions", readSuggestions, call)
    return Option.match(found, {
      onNone: () => [],
      onSome: ({ value }) =>
        value.results.map((one) => ({
          item: item(one.app_id, one.market_hash_name),
          sellOrders: numberOf(one.listing_count ?? 0)
        }))
    })
  })

  const tags = Effect.fn("Market.tags")(function* (app: AppId) {
    const call = discovery.appfacets({ params: { appid: app }, responseMode })
    const { value } = yield* ask.read("appfacets", readTags, call)
    return entriesOf(value.facets).map(([name, facet]) => Rows.tagVocabulary(name, facet))
  })

  const accessories = Effect.fn("Market.accessories")(function* (app: AppId) {
    const call = discovery.appaccessories({ params: { appid: app }, responseMode })
    const { value } = yield* ask.read("appaccessories", readAccessories, call)
    return value.facets.flatMap(Rows.accessoryVocabulary)
  })

  return { suggestions, tags, accessories }
})
