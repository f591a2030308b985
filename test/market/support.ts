/** A market made of canned answers, and the layers that talk to it. */
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"

import { MarketConfig, type MarketSettings, settings } from "../../src/market/MarketConfig.ts"
import { defaultQuotas, type Quotas } from "../../src/market/Quotas.ts"
import * as RateLimiter from "../../src/market/RateLimiter.ts"
import * as Session from "../../src/market/Session.ts"

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Canned {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a handler answers: a body, no answer at all, or a broken connection. */
export type Answering = Canned | "hang" | "reset" | "refused"

export const session: Session.SessionFields = {
  accountId: "76561197960287930",
  cookies: { platformLoginSecure: "76561197960287930%7C%7Ctoken" },
  sessionid: "0123456789abcdef01234567",
  identitySecret: "GQP46b73Ws7gr8GmZFR0sDuau5c=",
  deviceId: "android:device"
}

export const clientOf = (seen: Array<Seen>, answer: (request: Seen) => Answering) =>
  HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const asked = yield* Effect.orDie(HttpClientRequest.toWeb(request))
      const body = yield* Effect.promise(() => asked.text())
      const one = {
        method: request.method,
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body
      }
      seen.push(one)
      const answered = answer(one)
      if (answered === "hang") return yield* Effect.never
      if (answered === "reset" || answered === "refused") {
        const cause = Object.assign(new Error("socket"), {
          code: answered === "reset" ? "ECONNRESET" : "ECONNREFUSED"
        })
        const reason = new HttpClientError.TransportError({ request, cause })
        return yield* new HttpClientError.HttpClientError({ reason })
      }
      const text = typeof answered.body === "string" ? answered.body : JSON.stringify(answered.body ?? null)
      const status = answered.status ?? 200
      const empty = status === 302
      return HttpClientResponse.fromWeb(
        request,
        new Response(empty ? null : text, {
          status,
          headers: { "content-type": "application/json", ...answered.headers }
        })
      )
    })
  )

/** Everything that the market's layers need but the market itself. */
export const layerFor = (
  client: HttpClient.HttpClient,
  given: {
    readonly settings?: Partial<MarketSettings>
    readonly session?: Session.SessionFields
    readonly quotas?: Quotas
  } = {}
) =>
  Layer.mergeAll(
    Layer.succeed(HttpClient.HttpClient, client),
    Layer.succeed(MarketConfig, settings({ baseUrl: "http://market.test", ...given.settings })),
    Session.layerOf(given.session ?? session),
    RateLimiter.layerAlone(given.quotas ?? defaultQuotas)
  )

/** Runs an effect to its end while virtual time passes. */
export const elapsing = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust(100)
    yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
  }
  return yield* Fiber.join(fiber)
})
