/**
 * The search of the market: filters, order, and what matches (interface, General rules 5).
 * Invariants: 1. values of one category or key are ORed, categories and keys ANDed; no values is no filter. 2. price bounds are inclusive
 * and hold for what a buyer pays. 3. only items that are for sale are found.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { type PropertyRange } from "../market/contract/Search.ts"
import { type AssetDetails } from "./AssetDetails.ts"
import { type CatalogueItem } from "./CatalogueItem.ts"
import { bestOffer, type Offer, offersOf, unitsOf, type Viewer } from "./Offers.ts"
import { lastDay } from "./SalesLog.ts"
import { askPrice } from "./Settle.ts"
import { type World } from "./World.ts"

type Names = Readonly<Record<string, ReadonlyArray<string>>>

export interface Wanted {
  readonly app: number | undefined
  readonly text: string
  readonly inDescriptions: boolean
  /** Tags by category without prefix. */
  readonly tags: Names
  /** Display names or sentinels by full accessory name. */
  readonly accessories: Names
  readonly properties: ReadonlyArray<PropertyRange>
  readonly price: {
    readonly currency: CurrencyId
    readonly least: number | undefined
    readonly most: number | undefined
  }
}

const anyAccessory = "$any$"
const noAccessory = "$none$"
const accessoryPrefix = "accessory_"

const words = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")

export const matchesItem = (of: CatalogueItem, wanted: Wanted): boolean => {
  if (wanted.app !== undefined && of.app !== wanted.app) return false
  const tagged = Object.entries(wanted.tags).every(
    ([category, tags]) => tags.length === 0 || tags.includes(of.tags[category] ?? "")
  )
  if (!tagged) return false
  const text = (wanted.inDescriptions ? `${of.name} ${of.type} ${of.description}` : of.name).toLowerCase()
  return words(wanted.text).every((word) => text.includes(word))
}

const carries = (details: AssetDetails, key: string, names: ReadonlyArray<string>): boolean => {
  const worn = details.accessories.filter(({ kind }) => accessoryPrefix + kind === key)
  return names.some((name) => {
    if (name === anyAccessory) return worn.length > 0
    if (name === noAccessory) return worn.length === 0
    return worn.some((one) => one.name === name)
  })
}

const bound = (value: string | number | undefined, open: number): number =>
  value === undefined || value === "" ? open : Number(value)

const within = (details: AssetDetails, range: PropertyRange): boolean => {
  const found = details.properties.find(({ propertyid }) => propertyid === range.property_id)
  if (found === undefined) return false
  const isWhole = "int_value" in found
  const value = Number(isWhole ? found.int_value : found.float_value)
  const least = bound(isWhole ? range.int_min : range.float_min, -Infinity)
  const most = bound(isWhole ? range.int_max : range.float_max, Infinity)
  return value >= least && value <= most
}

const affordable = (
  world: World,
  { ask, item }: Pick<Offer, "item" | "ask">,
  price: Wanted["price"]
): boolean => {
  if (price.least === undefined && price.most === undefined) return true
  const { price: cost } = askPrice(world, item, ask, price.currency)
  return cost >= (price.least ?? 0) && cost <= (price.most ?? Infinity)
}

/** Whether filters look at single units, so that listings are found instead of items. */
export const isOfUnits = ({ accessories, properties }: Wanted): boolean =>
  properties.length > 0 || Object.values(accessories).some((names) => names.length > 0)

const matchesUnit = (world: World, offer: Offer, wanted: Wanted): boolean =>
  Object.entries(wanted.accessories).every(
    ([key, names]) => names.length === 0 || carries(offer.details, key, names)
  ) &&
  wanted.properties.every((range) => within(offer.details, range)) &&
  affordable(world, offer, wanted.price)

export interface Found {
  readonly index: number
  readonly name: string
  readonly best: Offer
  readonly sellOrders: number
  readonly sold: number
}

export type Sort = "popular" | "name" | "quantity" | "price"
/** Numbers that the interface uses; 0 and 4 are both popularity. */
export const sortOf = (sort: number | undefined): Sort =>
  sort === 1 ? "name" : sort === 2 ? "quantity" : sort === 3 ? "price" : "popular"

const byPopularity = (a: Found, b: Found): number =>
  b.sold - a.sold || b.sellOrders - a.sellOrders || a.index - b.index

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const orders: Readonly<Record<Exclude<Sort, "popular">, (a: Found, b: Found) => number>> = {
  name: (a, b) => byName(a.name, b.name),
  quantity: (a, b) => a.sellOrders - b.sellOrders,
  price: (a, b) => a.best.cost.price - b.best.cost.price
}

/** Items that match, in order; popularity ignores the direction. */
export const findItems = (
  world: World,
  wanted: Wanted,
  viewer: Viewer,
  sort: Sort,
  direction: "ascending" | "descending"
): ReadonlyArray<Found> => {
  const found = world.items.flatMap((item, index): ReadonlyArray<Found> => {
    if (!matchesItem(item.of, wanted)) return []
    const best = bestOffer(world, index, viewer)
    if (best === undefined || !affordable(world, best, wanted.price)) return []
    const sold = lastDay(item, world.now).units
    return [{ index, name: item.of.name, best, sellOrders: unitsOf(item.asks), sold }]
  })
  if (sort === "popular") return found.toSorted(byPopularity)
  const order = orders[sort]
  const sign = direction === "ascending" ? 1 : -1
  return found.toSorted((a, b) => sign * order(a, b) || a.index - b.index)
}

/** Single listings that match, cheapest first unless another order is asked for. */
export const findOffers = (
  world: World,
  indexes: ReadonlyArray<number>,
  wanted: Wanted,
  viewer: Viewer
): ReadonlyArray<Offer> =>
  indexes
    .flatMap((index) => offersOf(world, index, viewer))
    .filter((offer) => matchesUnit(world, offer, wanted))
    .toSorted((a, b) => a.cost.price - b.cost.price || a.index - b.index || a.ask.seq - b.ask.seq)
