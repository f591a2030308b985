/**
 * The pieces that bodies of the market are made of, exactly as they travel.
 * Invariants: 1. nothing here transforms: what decodes re-encodes to the same JSON, less the fields that are not named.
 * 2. a field that some deployments send as a number and others as a string is a union of both, never looser. 3. what the interface
 * calls "not shown" is JSON as it came (NotShown), so nothing of it is lost or guessed.
 */
import { Schema } from "effect"

import { maximumPrice } from "../../domain/Currency.ts"
import { field, optional } from "./Field.ts"

/** The largest integer that is believed of anything that is calculated with: sums of a few stay exact. */
const largest = 999_999_999_999_999
const Whole = Schema.Int.check(Schema.isBetween({ minimum: -largest, maximum: largest }))

/** An amount in minor units. */
export const Amount = Schema.Int.check(Schema.isBetween({ minimum: -maximumPrice, maximum: maximumPrice }))
/** An amount in minor units that cannot be less than nothing. */
export const Price = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maximumPrice }))
/** A price in major units, with decimals. */
export const MajorUnits = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: maximumPrice / 100 }))
/** A number of units, rows or orders. */
export const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: largest }))

/** An integer, or the same as a string of digits: `2063`, `"2063"`. */
export const IntLike = Schema.Union([Whole, Schema.String.check(Schema.isPattern(/^-?\d{1,15}$/))])
export type IntLike = typeof IntLike.Type
/** A number, or the same as a plain decimal string: `0.05`, `"0.05"`. */
export const NumberLike = Schema.Union([
  Schema.Finite,
  Schema.String.check(Schema.isPattern(/^-?\d{1,15}(?:\.\d+)?$/))
])
export type NumberLike = typeof NumberLike.Type
/** The number of an IntLike or NumberLike. */
export const numberOf = (value: number | string): number =>
  typeof value === "number" ? value : Number(value)

/** 0 or 1, false or true. */
export const Flag = Schema.Union([Schema.Literals([0, 1]), Schema.Boolean])
export type Flag = typeof Flag.Type
export const isSet = (flag: Flag | undefined): boolean => flag === 1 || flag === true

/** `success` of a body that succeeded: `true` in most bodies, `1` in those of orders. */
export const Succeeded = Schema.Literals([true, 1])
/** `success` of a body that did not: `false`, or a result code other than 1. */
const NotSucceeded = Schema.Union([
  Schema.Literal(false),
  Schema.Int.check(Schema.makeFilter((code) => code !== 1 || "expected a result code other than 1"))
])

/** `[]`: an empty map, a removal that succeeded, or the answer to a session that is not accepted. */
export const EmptyArray = Schema.Tuple([])
/** A map that is sent as `[]` when it has no entries. */
export const mapOf = <S extends Schema.Top>(value: S) =>
  Schema.Union([Schema.Record(Schema.String, value), EmptyArray])

/** Entries of such a map by key; none for `[]`. */
export const entryOf = <A>(map: { readonly [key: string]: A } | readonly [], key: string): A | undefined =>
  isMap(map) && Object.hasOwn(map, key) ? map[key] : undefined

/** All entries of such a map in the order in which they came. */
export const entriesOf = <A>(
  map: { readonly [key: string]: A } | readonly [] | undefined
): ReadonlyArray<readonly [string, A]> => (map !== undefined && isMap(map) ? Object.entries(map) : [])

const isMap = <A>(map: { readonly [key: string]: A } | readonly []): map is { readonly [key: string]: A } =>
  !Array.isArray(map)

/** An object whose fields the interface does not show; kept as it came. */
export const NotShown = Schema.Record(Schema.String, Schema.Json)
export type NotShown = typeof NotShown.Type

/** An inventory asset with what the market says of it (values of `assets`, assets inside own rows). */
export const Asset = Schema.Struct({
  appid: field(Schema.Int, "Application id."),
  contextid: field(Schema.String, "Context of the application's inventory."),
  id: field(Schema.String, "Asset id."),
  amount: field(IntLike, "Units of a stack; 0 once they left."),
  currency: optional(Schema.Int, "0: an item, not a currency."),
  classid: optional(Schema.String, "Class of the item."),
  instanceid: optional(Schema.String, "Instance inside the class."),
  status: optional(Schema.Int, "State of the asset, e.g. 2 in the market's hands, 4 sold, 8 came back."),
  original_amount: optional(IntLike, "Units before the listing."),
  unowned_id: optional(Schema.String, "Asset id while nobody owns it."),
  unowned_contextid: optional(Schema.String, "Context while nobody owns it."),
  new_id: optional(Schema.String, "Asset id in the inventory of its buyer."),
  new_contextid: optional(Schema.String, "Context in the inventory of its buyer."),
  rollback_new_id: optional(Schema.String, "Asset id after it came back from a listing that ended unsold."),
  rollback_new_contextid: optional(Schema.String, "Context after it came back."),
  name: optional(Schema.String, "Localized name."),
  market_name: optional(Schema.String, "Localized name on the market."),
  market_hash_name: optional(Schema.String, "Locale-independent name."),
  market_fee: optional(NumberLike, "The publisher's share as a fraction, where it is not the usual one."),
  commodity: optional(Flag, "Whether units are interchangeable and sold by price alone."),
  marketable: optional(Flag, "Whether it may be listed."),
  tradable: optional(Flag, "Whether it may be traded.")
}).annotate({ identifier: "Asset", description: "An inventory asset with what the market says of it." })
export type Asset = typeof Asset.Type

/** `assets[appid][contextid][assetid]`; every level is `[]` when empty. */
export const Assets = mapOf(mapOf(mapOf(Asset)))
export type Assets = typeof Assets.Type

export const assetOf = (assets: Assets, app: number, context: string, id: string): Asset | undefined => {
  const contexts = entryOf(assets, String(app))
  const ids = contexts === undefined ? undefined : entryOf(contexts, context)
  return ids === undefined ? undefined : entryOf(ids, id)
}

/** What a page says of an application (values of `app_data`). */
export const AppData = Schema.Struct({
  appid: optional(Schema.Int, "Application id."),
  name: optional(Schema.String, "Its name."),
  icon: optional(Schema.String, "Address of its icon."),
  link: optional(Schema.String, "Address of its page.")
}).annotate({ identifier: "AppData", description: "What a page says of an application." })

/** A failure told by the body (interface, Errors 1): a message, or `error` where an order could not be cancelled. */
export const Failure = Schema.Struct({
  success: field(NotSucceeded, "false, or a result code other than 1; unknown codes are kept."),
  message: optional(Schema.NullOr(Schema.String), "Why, in the session's language."),
  error: optional(Schema.NullOr(Schema.String), "The same, where an order could not be cancelled."),
  detail: optional(Schema.NullOr(Schema.String), "More of the same."),
  needauth: optional(Schema.Boolean, "The session is gone."),
  needsauth: optional(Schema.Boolean, "The same, as one operation spells it.")
}).annotate({ identifier: "Failure", description: "A failure told by the body, usually with HTTP 200." })
export type Failure = typeof Failure.Type

/** Query of the confirmation endpoints (interface, Authentication): who, when, for what, and its signature. */
export const signatureFields = {
  p: field(Schema.String, "Device id of the authenticator."),
  a: field(Schema.String, "Account id."),
  k: field(
    Schema.String,
    "Base64 HMAC-SHA1 of time and tag, keyed by the identity secret; good for this tag only, once."
  ),
  t: field(Schema.Int, "Unix seconds that were signed."),
  m: field(Schema.String, "Kind of client: react, or android of older ones."),
  tag: field(
    Schema.String,
    "What is signed: conf for the list, details and the id for details, allow or cancel for the decision."
  )
} as const
