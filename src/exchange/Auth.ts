/**
 * Who is asking: login cookie, form value against cookie, confirmation signatures (interface, Authentication).
 * Invariants: 1. a session is the account's own token before its expiry, nothing else. 2. the form's sessionid must equal the cookie's.
 * 3. a signature is valid for its tag only, within a window around the market's time, and its (time, tag) once.
 */

import { createHmac } from "node:crypto"

import { Base64 } from "effect/encoding"

import { type Credentials, derivedDeviceId, loginCookie } from "./Accounts.ts"

export interface Session {
  /** Index of the account. */
  readonly account: number
  /** The cookie that forms must repeat. */
  readonly sessionid: string
}

type Cookies = Readonly<Record<string, string>>

/** The session of a request's cookies, undefined for an anonymous or expired one. */
export const sessionOf = (
  accounts: ReadonlyArray<Credentials>,
  platformName: string,
  cookies: Cookies,
  now: number
): Session | undefined => {
  const login = (cookies[loginCookie(platformName)] ?? "").replace(/%7C%7C/i, "||")
  const account = accounts.findIndex(
    ({ accountId, expiresAt, token }) => login === `${accountId}||${token}` && now < expiresAt
  )
  return account < 0 ? undefined : { account, sessionid: cookies["sessionid"] ?? "" }
}

/** Whether a form comes from the session that it claims. */
export const formMatches = (session: Session, sessionid: string): boolean =>
  session.sessionid !== "" && session.sessionid === sessionid

/** What the confirmation endpoints are signed with. */
export interface Signature {
  readonly p: string
  readonly a: string
  readonly k: string
  readonly t: number
  readonly m: string
  readonly tag: string
}

const secondMillis = 1000
/** Signatures older or newer than this are refused. */
const signatureWindowMillis = 120_000
const longestTag = 32
const clients = new Set(["react", "android"])

/** Base64 of the HMAC-SHA1 over the time as eight bytes, big-endian, and the tag, at most 32 bytes of it. */
export const signatureOf = (identitySecret: string, unixSeconds: number, tag: string): string => {
  const message = new Uint8Array(8 + Math.min(longestTag, new TextEncoder().encode(tag).length))
  new DataView(message.buffer).setBigUint64(0, BigInt(unixSeconds))
  message.set(new TextEncoder().encode(tag).slice(0, longestTag), 8)
  const secret = Base64.decode(identitySecret)
  const key = secret._tag === "Success" ? secret.success : new Uint8Array()
  return createHmac("sha1", key).update(message).digest("base64")
}

/** Tags that an operation accepts; the first one is the document's. */
export const tagsFor = {
  list: ["conf", "list", "getlist"],
  details: (id: string) => [`details${id}`, "details", "detail"],
  allow: ["allow", "accept", "conf"],
  cancel: ["cancel", "reject", "conf"]
} as const

export type SignatureFault = "WrongAccount" | "WrongTag" | "OutsideWindow" | "WrongKey" | "UsedBefore"

/** Keys that were used, with the moment of their use; forgotten once they are outside the window anyway. */
export interface UsedKeys {
  readonly times: Map<string, number>
  /** Milliseconds by which the market's clock is off, for keys as for its Date header. */
  offsetMillis: number
}
export const noKeysUsed = (): UsedKeys => ({ times: new Map(), offsetMillis: 0 })

const isDevice = (p: string, { accountId, deviceId }: Credentials): boolean =>
  p === deviceId || p === derivedDeviceId(accountId)

/** What is wrong with a signature, or undefined; a valid one counts as used from now on. */
export const checkSignature = (options: {
  readonly credentials: Credentials
  readonly signature: Signature
  readonly tags: ReadonlyArray<string>
  readonly lenient: boolean
  readonly used: UsedKeys
  readonly now: number
}): SignatureFault | undefined => {
  const { credentials, lenient, signature } = options
  const { offsetMillis, times } = options.used
  const now = options.now + offsetMillis
  const { a, k, m, p, t, tag } = signature
  if (a !== credentials.accountId || !clients.has(m)) return "WrongAccount"
  if (!lenient && !isDevice(p, credentials)) return "WrongAccount"
  const accepted = lenient ? options.tags : options.tags.slice(0, 1)
  if (!accepted.includes(tag)) return "WrongTag"
  if (!Number.isSafeInteger(t) || Math.abs(t * secondMillis - now) > signatureWindowMillis)
    return "OutsideWindow"
  if (k !== signatureOf(credentials.identitySecret, t, tag)) return "WrongKey"
  const key = `${a} ${t} ${tag}`
  if (times.has(key)) return "UsedBefore"
  for (const [old, at] of times) if (options.now - at > 2 * signatureWindowMillis) times.delete(old)
  times.set(key, options.now)
  return undefined
}
