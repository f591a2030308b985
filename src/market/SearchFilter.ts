/**
 * What to search for, as one value, and its two encodings: query parameters and the body's one object (interface, Search filter model).
 * Invariants: 1. values of one category, accessory or key are ORed, different ones ANDed; an empty list filters nothing and is left out.
 * 2. the query cannot express price bounds (but for listings), property ranges or paging; encoding to it says what was lost.
 * 3. `of…` undoes `to…` for what the encoding can express. Vocabularies come from the facet operations, never from here.
 */
import { Option } from "effect"

import {
  type ListingsRequest,
  type PriceBounds,
  type PropertyRange,
  type SearchRequest
} from "./contract/Search.ts"

/** Any accessory of that kind; none of that kind. */
export const anyAccessory = "$any$"
export const noAccessory = "$none$"

export type Sort = "Popularity" | "Name" | "Quantity" | "Price"
export type Direction = "Ascending" | "Descending"

/** Bounds are inclusive; an absent one is open. */
export type PropertyBounds =
  | { readonly _tag: "Whole"; readonly id: number; readonly min?: number; readonly max?: number }
  | { readonly _tag: "Continuous"; readonly id: number; readonly min?: number; readonly max?: number }

/** Minor units, inclusive; an absent bound is open. */
export interface PriceRange {
  readonly currency: number
  readonly min?: number
  readonly max?: number
}

export interface SearchFilter {
  readonly app?: number
  readonly text: string
  readonly inDescriptions: boolean
  /** Category without prefix to tag internal names. */
  readonly tags: Readonly<Record<string, ReadonlyArray<string>>>
  /** Kind without prefix, e.g. `GAME_Tool_Sticker`, to display names or the sentinels. */
  readonly accessories: Readonly<Record<string, ReadonlyArray<string>>>
  readonly properties: ReadonlyArray<PropertyBounds>
  readonly price?: PriceRange
  readonly sort: Sort
  /** Popularity ignores it. */
  readonly direction: Direction
  readonly start: number
}

export const emptyFilter: SearchFilter = {
  text: "",
  inDescriptions: false,
  tags: {},
  accessories: {},
  properties: [],
  sort: "Popularity",
  direction: "Descending",
  start: 0
}

/** Rows per page of grouped results, and of listing rows. */
export const groupedPage = 10
export const listingPage = 30

/** Offset of the page behind one with this many rows in all, or undefined when that was the last one. */
export const nextStart = (start: number, rows: number, total: number): number | undefined =>
  rows > 0 && start + rows < total ? start + rows : undefined

const categoryPrefix = "category_"
const accessoryPrefix = "accessory_"
const sorts: ReadonlyArray<Sort> = ["Popularity", "Name", "Quantity", "Price"]
const [ascending, descending] = [1, 2]

const sortCode = (sort: Sort): number => sorts.indexOf(sort)
/** 4 is popularity, too. */
const sortOf = (code: number | undefined): Sort => sorts[code ?? 0] ?? "Popularity"
const directionOf = (code: number | string | undefined): Direction =>
  String(code ?? descending) === String(ascending) || code === "asc" ? "Ascending" : "Descending"

type Several = Readonly<Record<string, ReadonlyArray<string>>>

const withoutEmpty = (values: Several): ReadonlyArray<readonly [string, ReadonlyArray<string>]> =>
  Object.entries(values).filter(([, one]) => one.length > 0)

const prefixed = (prefix: string, values: Several): Several =>
  Object.fromEntries(withoutEmpty(values).map(([name, one]) => [`${prefix}${name}`, one]))

const unprefixed = (prefix: string, values: Several): Several =>
  Object.fromEntries(
    withoutEmpty(values).flatMap(([name, one]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), one]] : []
    )
  )

/** Query parameters of `search` and `search-page`. */
export interface FilterQuery {
  readonly appid?: number
  readonly q?: string
  readonly descriptions?: 0 | 1
  readonly sort?: number
  readonly dir?: string
  readonly [category: `category_${string}`]: ReadonlyArray<string>
  readonly [accessory: `accessory_${string}`]: ReadonlyArray<string>
}

/** What a query cannot say of this filter. */
export const lostInQuery = (filter: SearchFilter): ReadonlyArray<"price" | "properties" | "start"> => [
  ...(filter.price === undefined ? [] : (["price"] as const)),
  ...(filter.properties.length === 0 ? [] : (["properties"] as const)),
  ...(filter.start === 0 ? [] : (["start"] as const))
]

export const toQuery = (filter: SearchFilter): FilterQuery => ({
  ...(filter.app === undefined ? {} : { appid: filter.app }),
  ...(filter.text === "" ? {} : { q: filter.text }),
  ...(filter.inDescriptions ? { descriptions: 1 as const } : {}),
  ...(filter.sort === "Popularity"
    ? {}
    : {
        sort: sortCode(filter.sort),
        dir: String(filter.direction === "Ascending" ? ascending : descending)
      }),
  ...prefixed(categoryPrefix, filter.tags),
  ...prefixed(accessoryPrefix, filter.accessories)
})

export const ofQuery = (query: FilterQuery): SearchFilter => {
  const several: Several = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value]] : []))
  )
  return {
    ...emptyFilter,
    ...(query.appid === undefined ? {} : { app: query.appid }),
    text: query.q ?? "",
    inDescriptions: query.descriptions === 1,
    tags: unprefixed(categoryPrefix, several),
    accessories: unprefixed(accessoryPrefix, several),
    sort: sortOf(query.sort),
    direction: directionOf(query.dir)
  }
}

/** The one object of a search body; `grouped: false` asks for listing rows. */
export const toBody = (
  filter: SearchFilter,
  options: { readonly grouped?: boolean } = {}
): SearchRequest => ({
  ...(filter.app === undefined ? {} : { appid: filter.app }),
  ...common(filter),
  strQuery: filter.text,
  bSearchDescriptions: filter.inDescriptions,
  sort: sortCode(filter.sort),
  ...(filter.sort === "Popularity"
    ? {}
    : { direction: filter.direction === "Ascending" ? ascending : descending }),
  ...(options.grouped === false ? { disableGrouping: true } : {})
})

/** The one object of a listings body: text, sort and descriptions are no part of it. */
export const toListingsBody = (filter: SearchFilter, app: number, name: string): ListingsRequest => ({
  appid: app,
  strItemName: name,
  ...common(filter)
})

const common = (filter: SearchFilter) => ({
  filters: Object.fromEntries(withoutEmpty(filter.tags)),
  accessoryFilters: prefixed(accessoryPrefix, filter.accessories),
  propertyFilters: Object.fromEntries(
    filter.properties.map((bounds) => [String(bounds.id), rangeOf(bounds)])
  ),
  ...(filter.price === undefined ? {} : { price: boundsOf(filter.price) }),
  start: filter.start
})

export const ofBody = (body: SearchRequest): SearchFilter => ({
  ...emptyFilter,
  ...(body.appid === undefined ? {} : { app: body.appid }),
  text: body.strQuery ?? "",
  inDescriptions: body.bSearchDescriptions ?? false,
  tags: Object.fromEntries(withoutEmpty(body.filters ?? {})),
  accessories: unprefixed(accessoryPrefix, body.accessoryFilters ?? {}),
  properties: Object.values(body.propertyFilters ?? {}).map(propertyOf),
  ...(body.price === undefined ? {} : { price: priceOf(body.price) }),
  sort: sortOf(body.sort),
  direction: directionOf(body.direction),
  start: body.start ?? 0
})

const boundsOf = ({ currency, max, min }: PriceRange): PriceBounds => ({
  eCurrency: currency,
  ...(min === undefined ? {} : { unMin: min }),
  ...(max === undefined ? {} : { unMax: max })
})

const priceOf = ({ eCurrency, unMax, unMin }: PriceBounds): PriceRange => ({
  currency: eCurrency,
  ...(unMin === undefined ? {} : { min: unMin }),
  ...(unMax === undefined ? {} : { max: unMax })
})

const rangeOf = ({ _tag, id, max, min }: PropertyBounds): PropertyRange => {
  const kind = _tag === "Whole" ? "int" : "float"
  return {
    property_id: id,
    ...(min === undefined ? {} : { [`${kind}_min`]: String(min) }),
    ...(max === undefined ? {} : { [`${kind}_max`]: String(max) })
  }
}

const propertyOf = (range: PropertyRange): PropertyBounds => {
  const isWhole = range.int_min !== undefined || range.int_max !== undefined
  const bound = (value: string | number | undefined) =>
    Option.filter(Option.map(Option.fromUndefinedOr(value), Number), Number.isFinite)
  const min = Option.getOrUndefined(bound(isWhole ? range.int_min : range.float_min))
  const max = Option.getOrUndefined(bound(isWhole ? range.int_max : range.float_max))
  return {
    _tag: isWhole ? "Whole" : "Continuous",
    id: range.property_id,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max })
  }
}
