/** What a request says of its reader: currency, kind of answer, filters in query and body. */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

import { CurrencyId } from "../../domain/Currency.ts"
import { WrongRequest } from "../../market/contract/Answers.ts"
import { type PriceBounds, type PropertyRange } from "../../market/contract/Search.ts"
import { type Viewer } from "../Offers.ts"
import { type Buyer } from "../pages/ListingRows.ts"
import { type Wanted } from "../Search.ts"
import { type Asked } from "./Request.ts"

/** What an anonymous reader gets, as on the real markets. */
const anonymousCurrency: CurrencyId = 1
const decodeCurrency = Schema.decodeUnknownOption(CurrencyId)

/** The reader with the currency of its wallet, or the anonymous one. */
export const viewerOf = ({ session, world }: Pick<Asked, "session" | "world">): Viewer => ({
  account: session?.account,
  currency: world.accounts[session?.account ?? -1]?.currency ?? anonymousCurrency
})

/** The reader as rows need it for their buttons: what is bought is paid in the wallet's own currency. */
export const buyerOf = ({ session, world }: Asked, { currency }: Viewer): Buyer => {
  const wallet = world.accounts[session?.account ?? -1]?.currency
  return session === undefined || wallet !== currency
    ? { currency }
    : { currency, sessionid: session.sessionid }
}

/** The reader with the currency that the request asks for; one that does not exist is a wrong request. */
export const viewerIn = (asked: Asked, currency: number): Effect.Effect<Viewer, WrongRequest> =>
  Option.match(decodeCurrency(currency), {
    onNone: () => Effect.fail(new WrongRequest()),
    onSome: (known) => Effect.succeed({ account: asked.session?.account, currency: known })
  })

/** `page` for browsers, `payload` for callers that accept JSON and no HTML. */
export const wantedForm = Effect.map(
  Effect.service(HttpServerRequest.HttpServerRequest),
  ({ headers }): "page" | "payload" => {
    const accept = headers["accept"] ?? ""
    return accept.includes("json") && !accept.includes("html") ? "payload" : "page"
  }
)

/** Whether a browser asks, which alone accepts XHTML, and does not say `norender=1`; clients write `text/html` for JSON, too. */
export const isBrowser = Effect.map(
  Effect.service(HttpServerRequest.HttpServerRequest),
  ({ headers, url }): boolean =>
    (headers["accept"] ?? "").includes("application/xhtml+xml") && !/[?&]norender=1(?:&|$)/.test(url)
)

/** A page's data in the loader's own form: labelled JSON, but a line with a number before it. */
export const payload = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(`0:${text}\n`, { contentType: "application/json; charset=utf-8" })

type Query = Readonly<Record<string, unknown>>

const namesOf = (query: Query, prefix: string, keep: boolean): Wanted["tags"] =>
  Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) => {
      if (!key.startsWith(prefix) || value === undefined) return []
      const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
      return [[keep ? key : key.slice(prefix.length), values.map(String)] as const]
    })
  )

interface Filters {
  readonly filters?: Wanted["tags"]
  readonly accessoryFilters?: Wanted["accessories"]
  readonly propertyFilters?: Readonly<Record<string, PropertyRange>>
  readonly price?: PriceBounds
}

const nothing: Filters = {}

/** Filters of a body, each as far as it is there, else those of the query. */
export const wantedOf = (
  query: Query,
  viewer: Viewer,
  body: Filters = nothing
): Omit<Wanted, "app" | "text" | "inDescriptions"> => {
  const bounds = body.price
  const amount = (name: string): number | undefined => {
    const value = query[name]
    return typeof value === "number" ? value : undefined
  }
  const currency = Option.getOrElse(
    decodeCurrency(bounds?.eCurrency ?? query["price_currency"]),
    () => viewer.currency
  )
  return {
    tags: body.filters ?? namesOf(query, "category_", false),
    accessories: body.accessoryFilters ?? namesOf(query, "accessory_", true),
    properties: Object.values(body.propertyFilters ?? {}),
    price: {
      currency,
      least: bounds === undefined ? amount("price_min") : bounds.unMin,
      most: bounds === undefined ? amount("price_max") : bounds.unMax
    }
  }
}
