/**
 * Anybody's listings as rows: the structured form and the older one with its assets, applications and hovers.
 * Invariant: what a row says of subtotal, fee and currency is what buying it must repeat.
 */
import { type CurrencyId, formatPrice } from "../../domain/Currency.ts"
import { type LegacyListing } from "../../market/contract/LegacyListing.ts"
import { type CatalogEntry, type Description, type SellListingRow } from "../../market/contract/Search.ts"
import { type Asset, type Assets } from "../../market/contract/Wire.ts"
import { type AssetDetails } from "../AssetDetails.ts"
import { contextOf } from "../Catalogue.ts"
import { type Offer, unitsOf } from "../Offers.ts"
import { type Found } from "../Search.ts"
import { askPrice } from "../Settle.ts"
import { applicationOf } from "../Vocabulary.ts"
import { type World } from "../World.ts"
import { assetRow, assetStatus, classOf, currencyIdOf, feesOf, itemAt } from "./Rows.ts"

export const descriptionOf = (world: World, index: number): Description => {
  const { of } = itemAt(world, index)
  return {
    appid: of.app,
    classid: classOf(index),
    instanceid: "0",
    market_hash_name: of.name,
    market_name: of.name,
    name: of.name,
    type: of.type,
    commodity: of.commodity,
    marketable: true,
    tradable: true,
    market_fee_app: of.app,
    market_bucket_id: of.name,
    ...(of.group === ""
      ? {}
      : { market_bucket_group_id: of.group, market_bucket_group_name: groupTitle(of.name) })
  }
}

/** The name of a finish without its exterior. */
export const groupTitle = (name: string): string => name.replace(/ \([^()]+\)$/, "")

export const catalogEntry = (
  world: World,
  { best, index, sellOrders }: Found,
  currency: CurrencyId
): CatalogEntry => {
  const item = itemAt(world, index)
  const { platform, publisher } = feesOf(world, index, currency, best.cost.take)
  return {
    strHash: item.of.name,
    cSellOrders: sellOrders,
    cBuyOrders: unitsOf(item.bids),
    unPlatformFee: platform,
    unPublisherFee: publisher,
    eCurrency: currency,
    strMinSellSubtotal: formatPrice(best.cost.price, currency),
    asset_description: descriptionOf(world, index)
  }
}

const accessoriesOf = ({ accessories }: AssetDetails) =>
  accessories.map(({ kind, name, property }) =>
    kind === "GAME_Tool_Sticker"
      ? { name, parent_relationship_properties: [property] }
      : { name, standalone_properties: [property] }
  )

const unitOf = ({ ask, asset, details, index, item }: Offer): SellListingRow["asset"] => ({
  appid: item.of.app,
  contextid: contextOf(item.of.app),
  assetid: asset,
  id: asset,
  classid: classOf(index),
  instanceid: "0",
  amount: ask.units,
  ...(details.properties.length === 0 ? {} : { asset_properties: details.properties }),
  ...(details.accessories.length === 0 ? {} : { asset_accessories: accessoriesOf(details) })
})

/** Amounts are those of one unit, also where a listing has several: what a purchase of one must repeat. */
export const sellListingRow = (world: World, offer: Offer, currency: CurrencyId): SellListingRow => {
  const { cost, index, item, listing, mine } = offer
  const { platform, publisher } = feesOf(world, index, currency, cost.take)
  const fee = cost.price - cost.take
  return {
    listingid: listing,
    unPrice: cost.take,
    unFee: fee,
    unPlatformFee: platform,
    unPublisherFee: publisher,
    unPricePerUnit: cost.take,
    unFeePerUnit: fee,
    unPlatformFeePerUnit: platform,
    unPublisherFeePerUnit: publisher,
    eCurrency: currency,
    strSubtotal: formatPrice(cost.price, currency),
    bMine: mine,
    publisherFeeApp: item.of.app,
    publisherFeePct: item.of.publisherRate,
    asset: unitOf(offer),
    description: descriptionOf(world, index)
  }
}

/** The older form: in the listing's own currency, and converted for the reader. */
const legacyListing = (world: World, offer: Offer, currency: CurrencyId): LegacyListing => {
  const { ask, asset, cost, index, item, listing } = offer
  const own = world.accounts[ask.account]?.currency ?? world.currency
  const price = askPrice(world, item, ask, own)
  const [fees, converted] = [feesOf(world, index, own, price.take), feesOf(world, index, currency, cost.take)]
  return {
    listingid: listing,
    price: price.take,
    fee: price.price - price.take,
    publisher_fee_app: item.of.app,
    publisher_fee_percent: String(item.of.publisherRate),
    currencyid: String(currencyIdOf(own)),
    platform_fee: fees.platform,
    publisher_fee: fees.publisher,
    converted_price: cost.take,
    converted_fee: cost.price - cost.take,
    converted_currencyid: String(currencyIdOf(currency)),
    converted_platform_fee: converted.platform,
    converted_publisher_fee: converted.publisher,
    fee_per_unit: price.price - price.take,
    price_per_unit: price.take,
    converted_price_per_unit: cost.take,
    converted_fee_per_unit: cost.price - cost.take,
    converted_platform_fee_per_unit: converted.platform,
    converted_publisher_fee_per_unit: converted.publisher,
    asset: {
      currency: 0,
      appid: item.of.app,
      contextid: contextOf(item.of.app),
      id: asset,
      amount: String(ask.units)
    }
  }
}

/** `assets[app][context][id]`, `[]` when there are none. */
export const assetsOf = (rows: ReadonlyArray<Asset>): Assets => {
  const apps: Record<string, Record<string, Record<string, Asset>>> = {}
  for (const row of rows) ((apps[String(row.appid)] ??= {})[row.contextid] ??= {})[row.id] = row
  return rows.length === 0 ? [] : apps
}

/** Script lines that tie row ids to assets. */
const offerHovers = (offers: ReadonlyArray<Offer>, prefix: string): string =>
  offers
    .map(
      ({ ask, asset, item: { of }, listing }) =>
        `CreateItemHoverFromContainer( g_rgAssets, '${prefix}${listing}_name', ${of.app}, '${contextOf(of.app)}', '${asset}', ${ask.units} );`
    )
    .join("\r\n")

/** The fields that all older bodies of listings have; maps are `[]` when empty. */
export const legacyFields = (
  world: World,
  offers: ReadonlyArray<Offer>,
  currency: CurrencyId,
  prefix: string
) => {
  const apps = [...new Set(offers.map(({ item }) => item.of.app))]
  return {
    listinginfo:
      offers.length === 0
        ? ([] as const)
        : Object.fromEntries(
            offers.map((offer) => [offer.listing, legacyListing(world, offer, currency)] as const)
          ),
    assets: assetsOf(
      offers.map(({ ask, asset, index }) =>
        assetRow(world, index, asset, assetStatus.listed, String(ask.units))
      )
    ),
    currency: [],
    hovers: offerHovers(offers, prefix),
    app_data:
      apps.length === 0
        ? ([] as const)
        : Object.fromEntries(apps.map((app) => [String(app), appData(app)] as const))
  }
}

const appData = (app: number) => ({
  appid: app,
  name: applicationOf(app)?.name ?? "",
  icon: "",
  link: `/market/search?appid=${app}`
})
