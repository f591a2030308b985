/**
 * A deployment writes its platform's own name into a cookie and some fields; we write `platform` and `accountid`.
 * These pure functions translate between the two by the one configured word.
 * Invariants: 1. with the default word nothing changes. 2. only keys are renamed, never values. 3. `theirs` undoes `ours`.
 */
import { isJsonArray, isJsonObject, type Json } from "./Json.ts"

export const defaultPlatformName = "platform"

/** Fields whose name carries the platform's: ours, and theirs for a word. */
const fields: ReadonlyArray<readonly [ours: string, theirs: (word: string) => string]> = [
  ["platform_fee", (word) => `${word}_fee`],
  ["platform_fee_per_unit", (word) => `${word}_fee_per_unit`],
  ["converted_platform_fee", (word) => `converted_${word}_fee`],
  ["converted_platform_fee_per_unit", (word) => `converted_${word}_fee_per_unit`],
  ["unPlatformFee", (word) => `un${capital(word)}Fee`],
  ["unPlatformFeePerUnit", (word) => `un${capital(word)}FeePerUnit`],
  ["accountid_actor", (word) => `${word}id_actor`],
  ["accountid_purchaser", (word) => `${word}id_purchaser`],
  ["accountid_lister", (word) => `${word}id_lister`]
]

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Name of the login cookie of a deployment. */
export const loginCookie = (word: string): string => `${word}LoginSecure`

export interface Names {
  readonly word: string
  /** A parsed body of the deployment with our field names. */
  readonly ours: (body: Json) => Json
  /** A parsed body of ours with the deployment's field names. */
  readonly theirs: (body: Json) => Json
}

/** Renames for one word; keys not in the table are left alone. */
export const namesOf = (word: string): Names => {
  if (word === defaultPlatformName) return { word, ours: same, theirs: same }
  const toOurs = new Map(fields.map(([ours, theirs]) => [theirs(word), ours]))
  const toTheirs = new Map(fields.map(([ours, theirs]) => [ours, theirs(word)]))
  return { word, ours: (body) => rename(body, toOurs), theirs: (body) => rename(body, toTheirs) }
}

const same = (body: Json): Json => body

const rename = (body: Json, names: ReadonlyMap<string, string>): Json => {
  if (isJsonArray(body)) return body.map((value) => rename(value, names))
  if (!isJsonObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [names.get(key) ?? key, rename(value, names)])
  )
}
