/**
 * The pieces that bodies of the market are made of, exactly as they travel.
 * Invariants: 1. nothing here transforms: what decodes re-encodes to the same JSON, less the fields that are not named.
 * 2. a field that some deployments send as a number and others as a string is a union of both, never looser.
 */
import { Schema } from "effect"

/** An integer, or the same as a string of digits: `2063`, `"2063"`. */
export const IntLike = Schema.Union([Schema.Int, Schema.String.check(Schema.isPattern(/^-?\d{1,15}$/))])
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
  isMap(map) ? map[key] : undefined

const isMap = <A>(map: { readonly [key: string]: A } | readonly []): map is { readonly [key: string]: A } =>
  !Array.isArray(map)

/** An inventory asset with what the market says of it (values of `assets`, assets inside own rows). */
export const Asset = Schema.Struct({
  appid: Schema.Int,
  contextid: Schema.String,
  id: Schema.String,
  amount: IntLike,
  currency: Schema.optionalKey(Schema.Int),
  classid: Schema.optionalKey(Schema.String),
  instanceid: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Int),
  original_amount: Schema.optionalKey(IntLike),
  unowned_id: Schema.optionalKey(Schema.String),
  unowned_contextid: Schema.optionalKey(Schema.String),
  /** The asset's id in the inventory of its buyer. */
  new_id: Schema.optionalKey(Schema.String),
  new_contextid: Schema.optionalKey(Schema.String),
  /** The asset's id after it came back from a listing that ended unsold. */
  rollback_new_id: Schema.optionalKey(Schema.String),
  rollback_new_contextid: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  market_name: Schema.optionalKey(Schema.String),
  market_hash_name: Schema.optionalKey(Schema.String),
  market_fee: Schema.optionalKey(NumberLike),
  commodity: Schema.optionalKey(Flag),
  marketable: Schema.optionalKey(Flag),
  tradable: Schema.optionalKey(Flag)
})
export type Asset = typeof Asset.Type

/** `assets[appid][contextid][assetid]`; every level is `[]` when empty. */
export const Assets = mapOf(mapOf(mapOf(Asset)))
export type Assets = typeof Assets.Type

export const assetOf = (assets: Assets, app: number, context: string, id: string): Asset | undefined => {
  const contexts = entryOf(assets, String(app))
  const ids = contexts === undefined ? undefined : entryOf(contexts, context)
  return ids === undefined ? undefined : entryOf(ids, id)
}

/** A failure told by the body (interface, Errors 1): a message, or `error` where an order could not be cancelled. */
export const Failure = Schema.Struct({
  success: NotSucceeded,
  message: Schema.optionalKey(Schema.NullOr(Schema.String)),
  error: Schema.optionalKey(Schema.NullOr(Schema.String)),
  detail: Schema.optionalKey(Schema.NullOr(Schema.String)),
  needauth: Schema.optionalKey(Schema.Boolean),
  /** The same as `needauth`, as one operation spells it. */
  needsauth: Schema.optionalKey(Schema.Boolean)
})
export type Failure = typeof Failure.Type

/** Query of the confirmation endpoints (interface, Authentication): who, when, for what, and its signature. */
export const signatureFields = {
  /** Device id. */
  p: Schema.String,
  /** Account id. */
  a: Schema.String,
  /** Base64 signature of time and tag. */
  k: Schema.String,
  /** Unix seconds that were signed. */
  t: Schema.Int,
  /** Kind of client. */
  m: Schema.String,
  tag: Schema.String
} as const
