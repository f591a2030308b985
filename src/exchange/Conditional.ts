/**
 * Tells a client that what it has is still true: `ETag` and `Last-Modified` on the operations that markets of this family mark so, and
 * 304 without a body to `If-None-Match` and `If-Modified-Since`.
 * Invariants: 1. an ETag is a hash of the body. 2. Last-Modified is the market's time when this process first gave that body to that
 * address and reader; a body that changes and changes back is modified. 3. only answers of HTTP 200 are marked.
 */
import { DateTime, Option } from "effect"
import { type Headers, HttpServerResponse } from "effect/http"

import { type Operation } from "../domain/Operation.ts"
import { httpDate } from "./HttpDate.ts"

type Response = HttpServerResponse.HttpServerResponse

const withEtag: ReadonlySet<Operation> = new Set(["orderbook"])
const withLastModified: ReadonlySet<Operation> = new Set([
  "histogram",
  "activity",
  "priceoverview",
  "search-render",
  "listings-render"
])

/** Addresses whose last body is remembered. */
const mostRemembered = 2_000

/** Bodies that were given, by reader and address: their hash and since when it is the same. */
export type Given = Map<string, { readonly hash: string; readonly since: number }>

const since = (given: Given, key: string, hash: string, now: number): number => {
  const before = given.get(key)
  if (before?.hash === hash) return before.since
  given.delete(key)
  given.set(key, { hash, since: now })
  for (const [oldest] of given) {
    if (given.size <= mostRemembered) break
    given.delete(oldest)
  }
  return now
}

const isSameTag = (header: string, tag: string): boolean =>
  header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag || one.trim() === "*")

const unchanged = (
  headers: Headers.Headers,
  tag: string | undefined,
  modified: number | undefined
): boolean => {
  const none = headers["if-none-match"]
  if (none !== undefined) return tag !== undefined && isSameTag(none, tag)
  const asked = headers["if-modified-since"]
  const at = asked === undefined ? Option.none() : DateTime.make(asked)
  return modified !== undefined && Option.isSome(at) && modified <= DateTime.toEpochMillis(at.value)
}

/** 64 bits over the bytes: quick, and as good as it needs to be to see a change. */
const hashOf = (bytes: Uint8Array): string => {
  let [one, other] = [0x811c9dc5, 0x9dc5811c]
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x2c1b3c6d)
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("")
}

const secondMillis = 1000

/** The response marked, or 304 in its place. */
export const conditional = (
  given: Given,
  request: {
    readonly operation: Operation
    readonly reader: string
    readonly url: string
    readonly headers: Headers.Headers
  },
  response: Response,
  now: number
): Response => {
  const { operation, reader, url, headers } = request
  const { body } = response
  if (response.status !== 200 || body._tag !== "Uint8Array") return response
  const isTagged = withEtag.has(operation)
  if (!isTagged && !withLastModified.has(operation)) return response
  const hash = hashOf(body.body)
  const tag = isTagged ? `"${hash}"` : undefined
  // A header tells whole seconds.
  const modified = isTagged
    ? undefined
    : Math.floor(since(given, `${reader} ${url}`, hash, now) / secondMillis) * secondMillis
  const marks = {
    ...(tag === undefined ? {} : { etag: tag }),
    ...(modified === undefined ? {} : { "last-modified": httpDate(modified) })
  }
  return unchanged(headers, tag, modified)
    ? HttpServerResponse.empty({ status: 304, headers: marks })
    : HttpServerResponse.setHeaders(response, marks)
}
