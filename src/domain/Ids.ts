/**
 * Identifiers of the market and of our own journal. Large numbers are strings (interface, Conventions).
 * Invariant: our own ids are hashes of meaning, so that a replay dedupes.
 */
import { Schema } from "effect"

/** Application id, e.g. 730. */
export const AppId = Schema.Natural.pipe(Schema.brand("AppId"))
export type AppId = typeof AppId.Type
/** Account id as the 64-bit decimal string that the login cookie begins with. */
export const AccountId = Schema.NonEmptyString.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type
export const AssetId = Schema.NonEmptyString.pipe(Schema.brand("AssetId"))
export type AssetId = typeof AssetId.Type
export const ListingId = Schema.NonEmptyString.pipe(Schema.brand("ListingId"))
export type ListingId = typeof ListingId.Type
export const BuyOrderId = Schema.NonEmptyString.pipe(Schema.brand("BuyOrderId"))
export type BuyOrderId = typeof BuyOrderId.Type
export const ConfirmationId = Schema.NonEmptyString.pipe(Schema.brand("ConfirmationId"))
export type ConfirmationId = typeof ConfirmationId.Type
/** Id of a fill: the market's `listingid_purchaseid`. */
export const FillId = Schema.NonEmptyString.pipe(Schema.brand("FillId"))
export type FillId = typeof FillId.Type
/** Id of one of our intents: a hash of what it means. */
export const IntentId = Schema.NonEmptyString.pipe(Schema.brand("IntentId"))
export type IntentId = typeof IntentId.Type

/** Milliseconds since the Unix epoch, of the market's clock. */
export const Millis = Schema.Finite.pipe(Schema.brand("Millis"))
export type Millis = typeof Millis.Type

const offsetBasis = 0xcbf29ce484222325n
const prime = 0x100000001b3n
const mask = 0xffffffffffffffffn

/** A 64-bit FNV-1a hash of the parts as 16 hex digits: short, stable over versions, not for security. */
export const meaningHash = (...parts: ReadonlyArray<string | number>): string => {
  let hash = offsetBasis
  for (const byte of new TextEncoder().encode(parts.join("\u001f")))
    hash = ((hash ^ BigInt(byte)) * prime) & mask
  return hash.toString(16).padStart(16, "0")
}
