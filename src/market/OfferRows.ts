/** Rows of everybody's listings, of the catalogue and of vocabularies in domain types; pure. */
import { Option, Schema } from "effect"

import { type CurrencyId, parsePrice } from "../domain/Currency.ts"
import { type AssetId, type ListingId, type Millis } from "../domain/Ids.ts"
import { type Item, item } from "../domain/Item.ts"
import { type Money, money } from "../domain/Money.ts"
import type { Description, Offer } from "../domain/Offer.ts"
import { levelsOfCumulative, type OrderBook, orderBook } from "../domain/OrderBook.ts"
import { asCurrency } from "./AccountFacts.ts"
import { type AccessoryFacet, Facet } from "./contract/Facets.ts"
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./contract/Json.ts"
import { type LegacyListing } from "./contract/LegacyListing.ts"
import { type SearchRow } from "./contract/LegacySearch.ts"
import { type ActivityBody, type HistogramBody } from "./contract/Orders.ts"
import { type CatalogEntry, type ListingsBody, type SellListingRow } from "./contract/Search.ts"
import { assetOf, type Assets, entriesOf, isSet, type mapOf, numberOf } from "./contract/Wire.ts"
import { type CatalogItem, type OrderActivity, type Vocabulary } from "./Market.ts"
import { type Sort } from "./SearchFilter.ts"

export type SellListing = SellListingRow

/** The rows, or the path of the first that names neither a known currency nor an item. `of` is the item that was asked for. */
export const offers = (
  rows: ReadonlyArray<SellListingRow>,
  of: Item | undefined
): ReadonlyArray<Offer> | string => {
  const found: Array<Offer> = []
  for (const [index, row] of rows.entries()) {
    const currency = Option.getOrUndefined(asCurrency(row.eCurrency))
    const name = row.description?.market_hash_name ?? of?.name
    if (currency === undefined) return `listings[${index}].eCurrency`
    if (name === undefined || name === "") return `listings[${index}].description.market_hash_name`
    found.push(offerOf(row, item(row.asset.appid, name), currency))
  }
  return found
}

const offerOf = (row: SellListingRow, of: Item, currency: CurrencyId): Offer => ({
  listing: row.listingid as ListingId,
  item: of,
  asset: row.asset.assetid as AssetId,
  context: row.asset.contextid,
  units: Math.max(1, numberOf(row.asset.amount)),
  currency,
  subtotal: money(row.unPricePerUnit ?? row.unPrice),
  fee: money(row.unFeePerUnit ?? row.unFee),
  isMine: row.bMine ?? false,
  properties: new Map(
    (row.asset.asset_properties ?? []).flatMap(({ float_value, int_value, propertyid, string_value }) => {
      const value = int_value ?? float_value
      const shown = value === undefined ? string_value : numberOf(value)
      return shown === undefined ? [] : [[propertyid, shown] as const]
    })
  ),
  accessories: (row.asset.asset_accessories ?? []).flatMap(({ name }) => name ?? [])
})

export const catalogItem = (entry: CatalogEntry): CatalogItem => ({
  item: item(entry.asset_description.appid, entry.strHash),
  sellOrders: entry.cSellOrders,
  buyOrders: entry.cBuyOrders,
  lowest: lowestOf(entry)
})

const lowestOf = ({ eCurrency, strMinSellSubtotal }: CatalogEntry): Money | undefined =>
  strMinSellSubtotal === undefined || strMinSellSubtotal === null
    ? undefined
    : Option.getOrUndefined(
        Option.flatMap(asCurrency(eCurrency), (currency) => parsePrice(strMinSellSubtotal, currency))
      )

export const searchItem = (row: SearchRow): CatalogItem => ({
  item: item(row.asset_description.appid, row.hash_name),
  sellOrders: row.sell_listings,
  buyOrders: undefined,
  lowest: row.sell_listings === 0 ? undefined : money(row.sell_price)
})

export const sortColumn = (sort: Sort) => {
  switch (sort) {
    case "Popularity":
      return "popular"
    case "Name":
      return "name"
    case "Quantity":
      return "quantity"
    case "Price":
      return "price"
  }
}

interface LegacyBody {
  readonly listinginfo: ReturnType<typeof mapOf<typeof LegacyListing>>["Type"]
  readonly assets: Assets
}

/** Listings that are sold, or whose asset is not described, are left out: they cannot be bought. */
export const legacyOffers = ({ assets, listinginfo }: LegacyBody): ReadonlyArray<Offer> =>
  entriesOf(listinginfo).flatMap(([, listing]) => legacyOffer(listing, assets) ?? [])

/** Some markets write a currency as 2000 + id. */
const currencyOffset = 2000

const legacyOffer = (row: LegacyListing, assets: Assets): Offer | undefined => {
  const { amount, appid, contextid, id } = row.asset
  const name = assetOf(assets, appid, contextid, id)?.market_hash_name
  const written = numberOf(row.converted_currencyid ?? row.currencyid ?? 0)
  const currency = Option.getOrUndefined(
    asCurrency(written > currencyOffset ? written - currencyOffset : written)
  )
  const isSold = row.price === 0 || numberOf(amount) === 0
  if (name === undefined || name === "" || currency === undefined || isSold) return undefined
  return {
    listing: row.listingid as ListingId,
    item: item(appid, name),
    asset: id as AssetId,
    context: contextid,
    units: Math.max(1, numberOf(amount)),
    currency,
    subtotal: money(row.converted_price_per_unit ?? row.converted_price ?? row.price),
    fee: money(row.converted_fee_per_unit ?? row.converted_fee ?? row.fee),
    isMine: false,
    properties: new Map(),
    accessories: []
  }
}

const countOf = (matches: string | number | undefined): number | undefined => {
  const digits = String(matches ?? "").replaceAll(/\D/g, "")
  return digits === "" || digits.length > 15 ? undefined : Number(digits)
}

export const tagVocabulary = (name: string, facet: Facet): Vocabulary => ({
  name,
  label: facet.localized_name,
  values: entriesOf(facet.tags).map(([tag, { localized_name, matches }]) => ({
    name: tag,
    label: localized_name,
    matches: countOf(matches)
  }))
})

/** None for a facet whose fields are not those that are known; a value without a name is left out. */
export const accessoryVocabulary = (
  facet: Readonly<Record<string, Json>> | AccessoryFacet
): ReadonlyArray<Vocabulary> => {
  const { facets, internal_type, localized_type } = facet as Readonly<Record<string, Json>>
  if (typeof internal_type !== "string" || facets === undefined || !isJsonArray(facets)) return []
  const values = facets.flatMap((one) => (isJsonObject(one) ? (accessoryOf(one) ?? []) : []))
  return [
    {
      name: internal_type,
      label: typeof localized_type === "string" ? localized_type : internal_type,
      values
    }
  ]
}

const accessoryOf = ({
  localized_name,
  matches,
  name
}: JsonObject): Vocabulary["values"][number] | undefined =>
  typeof name === "string"
    ? {
        name,
        label: typeof localized_name === "string" ? localized_name : name,
        matches: typeof matches === "string" || typeof matches === "number" ? countOf(matches) : undefined
      }
    : undefined

/** The graphs are cumulative and cut off where the table says "or more"; what they show is the book. */
export const bookOfHistogram = (body: HistogramBody, currency: CurrencyId): OrderBook => {
  const bids = levelsOfCumulative(body.buy_order_graph.map(([price, units]) => [price, units] as const))
  const asks = levelsOfCumulative(body.sell_order_graph.map(([price, units]) => [price, units] as const))
  const [bidUnits, askUnits] = [countOf(body.buy_order_count), countOf(body.sell_order_count)]
  return orderBook({
    currency,
    bids,
    asks,
    ...(bidUnits === undefined ? {} : { bidUnits }),
    ...(askUnits === undefined ? {} : { askUnits })
  })
}

/** None for an entry that came as HTML. */
export const activityOf = (
  entry: ActivityBody["activity"][number],
  currency: CurrencyId
): ReadonlyArray<OrderActivity> =>
  typeof entry === "string"
    ? []
    : [
        {
          kind: entry.type,
          units: countOf(entry.quantity) ?? 0,
          price: Option.getOrUndefined(parsePrice(entry.price, currency)),
          at: entry.time === undefined ? undefined : ((entry.time * 1000) as Millis)
        }
      ]

const isFacet = Schema.is(Facet)

type Told = Pick<ListingsBody, "facets" | "listings">

/** What the item of these listings is: the facets that match it are its tags, its rows say how it is traded. */
export const descriptionOf = ({ facets = [], listings }: Told): Description => {
  const told = listings.find(({ description }) => description !== undefined)?.description
  return {
    tags: new Map(facets.flatMap((facet) => (isFacet(facet) ? tagsOf(facet) : []))),
    commodity: told?.commodity === undefined ? undefined : isSet(told.commodity),
    marketable: told?.marketable === undefined ? undefined : isSet(told.marketable)
  }
}

const tagsOf = ({ name, tags }: Facet): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const carried = entriesOf(tags).flatMap(([tag, { matches }]) => (countOf(matches) === 0 ? [] : [tag]))
  return carried.length === 0 ? [] : [[name, carried]]
}
