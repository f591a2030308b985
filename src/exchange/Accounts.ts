/**
 * Who may trade on the embedded market: accounts with their cookies and authenticators, all made from the seed.
 * Invariants: 1. the same seed and index give the same credentials; nothing of them is stored in the world or the journal.
 * 2. these secrets open nothing but an embedded market; they are printed once so that a client can be pointed at it.
 */
import { createHash } from "node:crypto"

import { Base64, Base64Url, Hex } from "effect/encoding"

import { type AccountId } from "../domain/Ids.ts"
import { bytes, chanceOf, digits } from "./Chance.ts"

export interface Credentials {
  readonly accountId: AccountId
  /** The part of the login cookie after the account id: a token with `sub` and `exp`. */
  readonly token: string
  /** When the token expires, milliseconds. */
  readonly expiresAt: number
  /** The value that forms must repeat; the first session's, a client may choose another one in its cookie. */
  readonly sessionid: string
  /** Base64 of 20 bytes. */
  readonly identitySecret: string
  readonly deviceId: string
}

/** Sessions outlive every simulation: a token of a day would end a thirty days' run. */
const sessionDays = 400
const dayMillis = 86_400_000
const hex = (data: Uint8Array): string => Hex.encode(data)

const tokenOf = (accountId: string, expiresAt: number, signature: Uint8Array): string => {
  const header = Base64Url.encode(JSON.stringify({ typ: "JWT", alg: "EdDSA" }))
  const claims = { sub: accountId, aud: ["web:community"], exp: Math.floor(expiresAt / 1000) }
  return `${header}.${Base64Url.encode(JSON.stringify(claims))}.${Base64Url.encode(signature)}`
}

/** The first sixteen bytes, written like a UUID. */
const deviceOf = (data: Uint8Array): string => {
  const text = hex(data)
  const parts = [
    text.slice(0, 8),
    text.slice(8, 12),
    text.slice(12, 16),
    text.slice(16, 20),
    text.slice(20, 32)
  ]
  return `android:${parts.join("-")}`
}

/** What clients send that have no stored device id: the SHA-1 of the account id in its place. */
export const derivedDeviceId = (accountId: AccountId): string =>
  deviceOf(createHash("sha1").update(accountId).digest())

export const credentialsOf = (seed: number, index: number, startAt: number): Credentials => {
  const chance = chanceOf("account", seed, index)
  const accountId = `76561198${digits(chance, 9)}` as AccountId
  const expiresAt = startAt + sessionDays * dayMillis
  return {
    accountId,
    token: tokenOf(accountId, expiresAt, bytes(chance, 64)),
    expiresAt,
    sessionid: hex(bytes(chance, 12)),
    identitySecret: Base64.encode(bytes(chance, 20)),
    deviceId: deviceOf(bytes(chance, 16))
  }
}

/** Name of the login cookie on a market whose platform calls itself so. */
export const loginCookie = (platformName: string): string => `${platformName}LoginSecure`

/** The cookies of an account as a client sends them. */
export const cookiesOf = (of: Credentials, platformName: string): Readonly<Record<string, string>> => ({
  [loginCookie(platformName)]: `${of.accountId}%7C%7C${of.token}`,
  sessionid: of.sessionid
})
