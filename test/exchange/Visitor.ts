/** A client of its own for tests of the exchange: knows nothing of the contract, looks into bodies as a stranger would. */
import { Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"

import { signatureOf } from "../../src/exchange/Auth.ts"
import { Exchange, type ExchangeOptions, layer } from "../../src/exchange/Exchange.ts"
import { FaultPlayer, Faults } from "../../src/exchange/Faults.ts"
import { type FaultPlan } from "../../src/exchange/FaultsPlan.ts"
import { layerInProcess } from "../../src/exchange/Server.ts"
import { startAt } from "./Fixture.ts"

export const glove = "Glove Case"
const origin = "http://market.test"

export const optionsOf = (change: Partial<ExchangeOptions> = {}): ExchangeOptions => ({
  seed: 11,
  startAtMillis: startAt,
  firstAccountHasItems: true,
  ...change
})

/** Runs against a market in this process whose faults are those of the plan. */
export const visiting = <A, E>(
  effect: (faults: FaultPlayer) => Effect.Effect<A, E, Exchange | HttpClient.HttpClient>,
  plan: FaultPlan = { faults: [] },
  change: Partial<ExchangeOptions> = {}
) =>
  Effect.suspend(() => {
    const faults = new FaultPlayer(plan)
    const market = layerInProcess.pipe(
      Layer.provide(Layer.succeed(Faults, faults)),
      Layer.provideMerge(layer(optionsOf(change)))
    )
    return Effect.andThen(TestClock.setTime(startAt), Effect.provide(effect(faults), market))
  })

export interface As {
  /** Index of the account, undefined for nobody. */
  readonly account?: number | undefined
  readonly base?: string
  readonly headers?: Readonly<Record<string, string>>
}

const first: As = { account: 0 }

const cookieOf = (exchange: Exchange["Service"], { account }: As): Record<string, string> => {
  const cookies = account === undefined ? undefined : exchange.accounts[account]?.cookies
  return cookies === undefined
    ? {}
    : {
        cookie: Object.entries(cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join("; ")
      }
}

// eslint-disable-next-line typescript/no-explicit-any -- bodies are looked into as a foreign client would
export const jsonOf = (text: string): any => {
  const parsed = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))(text)
  return parsed._tag === "Some" ? parsed.value : undefined
}

export const send = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  as: As = first
) {
  const [exchange, client] = [yield* Exchange, yield* HttpClient.HttpClient]
  const response = yield* client.execute(
    request.pipe(
      HttpClientRequest.prependUrl(as.base ?? origin),
      HttpClientRequest.setHeaders({ ...cookieOf(exchange, as), ...as.headers })
    )
  )
  const text = yield* response.text
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
})

export const get = (path: string, query: Record<string, string | number> = {}, as?: As) =>
  send(HttpClientRequest.get(path).pipe(HttpClientRequest.setUrlParams(query)), as)

/** A form with the session's own CSRF value. */
export const post = Effect.fnUntraced(function* (path: string, form: Record<string, string>, as: As = first) {
  const { accounts } = yield* Exchange
  const sessionid = accounts[as.account ?? 0]!.sessionid
  const body = HttpClientRequest.bodyUrlParams({ sessionid, ...form })
  return yield* send(HttpClientRequest.post(path).pipe(body), as)
})

export const book = (as?: As) => get("/market/orderbook", { q: "Load", qp: JSON.stringify([730, glove]) }, as)

export const create = (change: Record<string, string> = {}, as?: As) =>
  post(
    "/market/createbuyorder/",
    { currency: "1", appid: "730", market_hash_name: glove, price_total: "1000", quantity: "1", ...change },
    as
  )

/** The signed fields of an authenticator; the clock moves on, because a key is good once. */
export const signed = Effect.fnUntraced(function* (tag: string, offsetSeconds = 0) {
  const exchange = yield* Exchange
  const { accountId, deviceId, identitySecret } = exchange.accounts[0]!
  yield* TestClock.adjust("2 seconds")
  const t = Math.floor((yield* exchange.world).now / 1000) + offsetSeconds
  return { p: deviceId, a: accountId, k: signatureOf(identitySecret, t, tag), t: String(t), m: "react", tag }
})

export const confirm = (path: string, tag: string, rest: Record<string, string> = {}, offsetSeconds = 0) =>
  Effect.flatMap(signed(tag, offsetSeconds), (signature) => get(path, { ...signature, ...rest }))

/** Stages a listing of the first account's next asset of the item. */
export const sell = Effect.fnUntraced(function* (take: number) {
  const { world } = yield* Exchange
  const { accounts, items } = yield* world
  const assetid = accounts[0]!.inventory.find(({ item }) => items[item]!.of.name === glove)!.id
  const form = { appid: "730", contextid: "2", assetid, amount: "1", price: String(take) }
  return { assetid, ...(yield* post("/market/sellitem/", form)) }
})

/** Stages a listing and allows it; answers with its id. */
export const list = Effect.fnUntraced(function* (take: number) {
  yield* sell(take)
  const { json } = yield* confirm("/mobileconf/getlist", "conf")
  const { creator_id, id, nonce } = json.conf.at(-1)
  const done = yield* confirm("/mobileconf/ajaxop", "allow", { op: "allow", cid: id, ck: nonce })
  if (done.json.success !== true) return yield* Effect.die(done.text)
  return String(creator_id)
})
