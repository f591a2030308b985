/** A client of a market in this process, as bare as a browser: cookies, queries, forms, and what came back. */
import { Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"

import { signatureOf } from "../../src/exchange/Auth.ts"
import { Exchange, type ExchangeOptions, layer } from "../../src/exchange/Exchange.ts"
import { layerInProcess } from "../../src/exchange/Server.ts"
import { startAt } from "./Fixture.ts"

export const glove = "Glove Case"
export const rifle = "AK-47 | Copperline (Field-Tested)"

/** A market in this process and its client, at the market's opening. */
export const withMarket = <A, E>(
  effect: Effect.Effect<A, E, Exchange | HttpClient.HttpClient>,
  change: Partial<ExchangeOptions> = {}
) => {
  const options = { seed: 11, startAtMillis: startAt, firstAccountHasItems: true, ...change }
  const market = Layer.provideMerge(layerInProcess, layer(options))
  return Effect.andThen(TestClock.setTime(startAt), Effect.provide(effect, market))
}

export interface As {
  /** Index of the account, null for nobody; the first one without it. */
  readonly account?: number | null
  readonly cookies?: Readonly<Record<string, string>>
  readonly accept?: string
}

const send = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, as: As) {
  const exchange = yield* Exchange
  const client = yield* HttpClient.HttpClient
  const account = as.account === null ? undefined : exchange.accounts[as.account ?? 0]
  const cookies = Object.entries({ ...account?.cookies, ...as.cookies })
  const headers = {
    ...(cookies.length === 0
      ? {}
      : { cookie: cookies.map(([name, value]) => `${name}=${value}`).join("; ") }),
    ...(as.accept === undefined ? {} : { accept: as.accept })
  }
  const response = yield* client.execute(
    request.pipe(HttpClientRequest.prependUrl("http://market.test"), HttpClientRequest.setHeaders(headers))
  )
  const text = yield* response.text
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
})

// eslint-disable-next-line typescript/no-explicit-any -- bodies are looked into as a foreign client would
const jsonOf = (text: string): any => {
  const parsed = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))(text)
  return parsed._tag === "Some" ? parsed.value : undefined
}

export type Query = Readonly<Record<string, string | number | ReadonlyArray<string>>>

export const get = (path: string, query: Query = {}, as: As = {}) =>
  send(HttpClientRequest.get(path).pipe(HttpClientRequest.setUrlParams(query)), as)

/** A body of JSON, as the structured searches take it. */
export const ask = (path: string, body: unknown, query: Query = {}, as: As = {}) =>
  send(
    HttpClientRequest.post(path).pipe(
      HttpClientRequest.setUrlParams(query),
      HttpClientRequest.bodyJsonUnsafe(body)
    ),
    as
  )

/** A form with the session's own CSRF value. */
export const post = Effect.fnUntraced(function* (
  path: string,
  form: Readonly<Record<string, string>>,
  as: As = {}
) {
  const exchange = yield* Exchange
  const sessionid = exchange.accounts[as.account ?? 0]!.sessionid
  return yield* send(
    HttpClientRequest.post(path).pipe(HttpClientRequest.bodyUrlParams({ sessionid, ...form })),
    as
  )
})

/** Allows or cancels the account's last confirmation; the clock moves on, because a key is good once. */
export const settle = Effect.fnUntraced(function* (op: "allow" | "cancel", account = 0) {
  const exchange = yield* Exchange
  const { accountId, deviceId, identitySecret } = exchange.accounts[account]!
  yield* TestClock.adjust("2 seconds")
  const { accounts, now } = yield* exchange.world
  const { id, nonce } = accounts[account]!.confirmations.at(-1)!
  const t = Math.floor(now / 1000)
  const signed = { p: deviceId, a: accountId, k: signatureOf(identitySecret, t, op), t, m: "react", tag: op }
  return yield* get("/mobileconf/ajaxop", { ...signed, op, cid: id, ck: nonce }, { account })
})

export const listingPath = (app: number, name: string): string =>
  `/market/listings/${app}/${encodeURIComponent(name)}`

/** The one object of a listings body. */
export const listingsBody = (name: string, change: Readonly<Record<string, unknown>> = {}) => [
  {
    appid: 730,
    strItemName: name,
    filters: {},
    accessoryFilters: {},
    propertyFilters: {},
    start: 0,
    ...change
  }
]

/** What a client repeats of a listing's row to buy it. */
export const purchaseForm = (row: {
  readonly eCurrency: number
  readonly unPricePerUnit: number
  readonly unFeePerUnit: number
}) => ({
  currency: String(row.eCurrency),
  subtotal: String(row.unPricePerUnit),
  fee: String(row.unFeePerUnit),
  total: String(row.unPricePerUnit + row.unFeePerUnit),
  quantity: "1"
})

export const priced = { country: "US", language: "english", currency: 1 } as const
