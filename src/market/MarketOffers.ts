/**
 * What is on offer, in domain types: listings of anybody, popular and recent ones, order depth and activity of an item
 * (interface, Discovery and Listings). Invariant: `null` is an empty result, never an error.
 */
import { Effect, Option, Result } from "effect"

import { type Item, itemKey } from "../domain/Item.ts"
import { type Account } from "./AccountFacts.ts"
import { Ask } from "./Ask.ts"
import { popularShapes, recentShapes } from "./contract/Discovery.ts"
import { activityShapes, histogramShapes, listingsShapes } from "./contract/Listings.ts"
import { reader } from "./contract/Reading.ts"
import { readListingPage } from "./html/ListingPage.ts"
import { CountedItem, Http } from "./Http.ts"
import { MarketError, NoSuchItem, type Offers } from "./Market.ts"
import { MarketConfig } from "./MarketConfig.ts"
import { makeSearch, makeVocabulary } from "./MarketSearch.ts"
import { differs, emptyPage, offersOf, orNull } from "./OfferReads.ts"
import * as Rows from "./OfferRows.ts"
import { emptyFilter, type SearchFilter, toListingsBody, toQuery } from "./SearchFilter.ts"

const readPopular = reader(popularShapes)
const readRecent = reader(recentShapes)
const readListings = reader(listingsShapes)
const readHistogram = reader(histogramShapes)
const readActivity = reader(activityShapes)

const responseMode = "response-only"
const headers = {}
/** The most that popular listings are asked for at once. */
const popularCount = 20

export const makeOffers = Effect.fnUntraced(function* (account: Effect.Effect<Account, MarketError>) {
  const ask = yield* Ask
  const http = yield* Http
  const { listings: client } = ask.client

  const listings = Effect.fn("Market.listings")(function* (of: Item, filter: SearchFilter = emptyFilter) {
    const {
      appid: _app,
      descriptions: _descriptions,
      dir: _dir,
      q: _q,
      sort: _sort,
      ...query
    } = toQuery(filter)
    const call = client.listings({
      params: { appid: of.app, market_hash_name: of.name },
      query: { ...query, ...priceQuery(filter) },
      payload: [toListingsBody(filter, of.app, of.name)],
      responseMode
    })
    const found = Option.getOrUndefined(yield* orNull(ask, "listings", readListings, call))?.value
    if (found === undefined) return { ...emptyPage, description: undefined }
    return { ...(yield* offersOf("listings", found, of)), description: Rows.descriptionOf(found) }
  })

  const itemNameId = Effect.fn("Market.itemNameId")(function* (of: Item) {
    const call = client["listing-page"]({
      params: { appid: of.app, market_hash_name: of.name },
      query: {},
      responseMode
    })
    const page = readListingPage(yield* ask.page("listing-page", call), http.names)
    if (Result.isFailure(page)) return yield* differs("listing-page", page.failure.part, page.failure.message)
    const id = page.success.itemNameId
    return (
      id ??
      (yield* new MarketError({ operation: "listing-page", reason: new NoSuchItem({ item: itemKey(of) }) }))
    )
  })

  return {
    ...(yield* makeSearch),
    ...(yield* makeVocabulary),
    ...(yield* makeLocalized(account)),
    listings,
    itemNameId
  } satisfies Offers
})

/** Reads whose prices are converted and formatted for the wallet. */
const makeLocalized = Effect.fnUntraced(function* (account: Effect.Effect<Account, MarketError>) {
  const ask = yield* Ask
  const { country, language } = yield* MarketConfig
  const { discovery, listings: client } = ask.client

  const area = Effect.map(account, ({ wallet }) => ({ country, language, currency: wallet.currency }))

  const popular = Effect.gen(function* () {
    const query = { ...(yield* area), norender: 1, start: 0, count: popularCount } as const
    const found = yield* orNull(ask, "popular", readPopular, discovery.popular({ query, responseMode }))
    return Option.match(found, { onNone: () => [], onSome: ({ value }) => Rows.legacyOffers(value) })
  })

  const recent = Effect.gen(function* () {
    const query = { ...(yield* area), norender: 1 } as const
    const found = yield* orNull(ask, "recent", readRecent, discovery.recent({ query, responseMode }))
    return Option.match(found, { onNone: () => [], onSome: ({ value }) => Rows.legacyOffers(value) })
  })

  const histogram = Effect.fn("Market.histogram")(function* (id: string) {
    const where = yield* area
    const call = client.histogram({
      query: { ...where, item_nameid: id, norender: 1 },
      headers,
      responseMode
    })
    const { value } = yield* Effect.provideService(
      ask.read("histogram", readHistogram, call),
      CountedItem,
      id
    )
    return Rows.bookOfHistogram(value, where.currency)
  })

  const activity = Effect.fn("Market.activity")(function* (id: string) {
    const where = yield* area
    const call = client.activity({ query: { ...where, item_nameid: id, norender: 1 }, headers, responseMode })
    const { value } = yield* ask.read("activity", readActivity, call)
    return value.activity.flatMap((entry) => Rows.activityOf(entry, where.currency))
  })

  return { popular, recent, histogram, activity }
})

const priceQuery = ({ price }: SearchFilter) => ({
  ...(price === undefined ? {} : { price_currency: price.currency }),
  ...(price?.min === undefined ? {} : { price_min: price.min }),
  ...(price?.max === undefined ? {} : { price_max: price.max })
})
