/**
 * The one way to the market: base URL, cookies, headers, a permit from the limiter and a time-out for every request.
 * Invariants: 1. no request leaves without a permit. 2. waiting for a permit is not counted by the time-out. 3. an error never carries
 * a URL, header or body: queries contain the CSRF value and signatures. 4. nothing is retried here.
 */
import { Clock, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"

import { type Operation } from "../domain/Operation.ts"
import { type Names, namesOf } from "./contract/Platform.ts"
import { type RawAnswer } from "./contract/Reading.ts"
import { type CookieJar, makeJar } from "./CookieJar.ts"
import { MarketConfig, type MarketSettings } from "./MarketConfig.ts"
import { multipartBody } from "./Multipart.ts"
import { laneOf } from "./Quotas.ts"
import { type NoPermit, RateLimiter } from "./RateLimiter.ts"
import { Session } from "./Session.ts"
import { type CannotSign, Signer } from "./Signer.ts"

/** No answer came. `sent` is false only when the request certainly never left. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  sent: Schema.Boolean,
  timedOut: Schema.Boolean,
  detail: Schema.String,
  /** Not sent because the budgets have no room for it for a while. */
  noPermit: Schema.optionalKey(Schema.Boolean)
}) {}

/** How a call through the contract's client may fail before there is an answer. */
export type CallError = HttpClientError.HttpClientError | Schema.SchemaError | CannotSign

export class Http extends Context.Service<
  Http,
  {
    /** Adds base URL, cookies and headers; does not take permits, so use it inside `send` only. */
    readonly client: HttpClient.HttpClient
    /** Takes a permit, makes the call and reads its whole answer. */
    readonly send: (
      operation: Operation,
      call: Effect.Effect<HttpClientResponse.HttpClientResponse, CallError>
    ) => Effect.Effect<RawAnswer, NoAnswer>
    /** The CSRF value of the session as it is now. */
    readonly sessionid: Effect.Effect<string>
    /** A cookie that an answer set, as it travels. */
    readonly cookie: (name: string) => Effect.Effect<string | undefined>
    readonly names: Names
  }
>()("haggle/market/Http") {}

/** Path of the page that a request seems to come from; mutations are judged by it. */
export const Referer = Context.Reference<string | undefined>("haggle/market/Http/Referer", {
  defaultValue: () => undefined
})

/** What is asked for, where a budget counts distinct items. */
export const CountedItem = Context.Reference<string | undefined>("haggle/market/Http/CountedItem", {
  defaultValue: () => undefined
})

/** Headers of the operation that is sent. */
const OperationHeaders = Context.Reference<Readonly<Record<string, string>>>(
  "haggle/market/Http/OperationHeaders",
  { defaultValue: () => ({}) }
)

/** When the request that is under way left; signing and forms come before. */
const Timing = Context.Reference<{ sentAt: number }>("haggle/market/Http/Timing", {
  defaultValue: () => ({ sentAt: 0 })
})

export const layer: Layer.Layer<
  Http,
  never,
  HttpClient.HttpClient | MarketConfig | RateLimiter | Session | Signer
> = Layer.effect(
  Http,
  Effect.gen(function* () {
    const config = yield* MarketConfig
    const limiter = yield* RateLimiter
    const signer = yield* Signer
    const jar = makeJar(yield* Session, config.platformName)
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequestEffect((request) => prepared(request, config, jar))
    )

    const attend = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
      const { headers, status } = response
      const receivedAt = yield* Clock.currentTimeMillis
      const { sentAt } = yield* Timing
      // An answer out of a cache tells when it was made.
      const date =
        headers["date"] === undefined || headers["age"] !== undefined
          ? Option.none()
          : DateTime.make(headers["date"])
      if (Option.isSome(date))
        yield* signer.observe({ serverMillis: DateTime.toEpochMillis(date.value), sentAt, receivedAt })
      yield* jar.store(response.cookies)
      const text = yield* response.text
      const answer: RawAnswer = {
        status,
        location: headers["location"],
        notLoggedIn: headers["x-notloggedin"] !== undefined,
        text
      }
      return answer
    })

    const send = Effect.fn("Http.send")(function* (
      operation: Operation,
      call: Effect.Effect<HttpClientResponse.HttpClientResponse, CallError>
    ) {
      yield* Effect.mapError(limiter.take(operation, yield* CountedItem), noPermit)
      const leftAt = yield* Clock.currentTimeMillis
      const answer = yield* call.pipe(
        Effect.provideService(OperationHeaders, config.operationHeaders?.[operation] ?? {}),
        Effect.flatMap(attend),
        Effect.provideService(Timing, { sentAt: leftAt }),
        // Spans would carry the query; see invariant 3.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.mapError(noAnswer),
        Effect.timeoutOrElse({
          duration: config.timeoutMillis,
          orElse: () =>
            Effect.fail(
              new NoAnswer({
                sent: true,
                timedOut: true,
                detail: `no answer within ${config.timeoutMillis} ms`
              })
            )
        }),
        Effect.ensuring(limiter.over(operation, leftAt)),
        Effect.tapError(({ sent }) => (sent ? limiter.failed(operation) : Effect.void))
      )
      yield* judged(limiter, operation, answer.status)
      return answer
    })

    return Http.of({
      client,
      send,
      sessionid: jar.sessionid,
      cookie: jar.value,
      names: namesOf(config.platformName)
    })
  })
)

/** Failures that careful clients stop after: more of the same is what gets an account locked. */
const mutationFailures: ReadonlySet<number> = new Set([400, 401, 403, 404, 405])

const judged = (
  limiter: RateLimiter["Service"],
  operation: Operation,
  status: number
): Effect.Effect<void> => {
  if (status === 429) return limiter.refused(operation)
  const failed = status >= 500 || (laneOf(operation) === "mutation" && mutationFailures.has(status))
  return failed ? limiter.failed(operation) : limiter.succeeded(operation)
}

const noPermit = ({ waitMillis }: NoPermit): NoAnswer =>
  new NoAnswer({
    sent: false,
    timedOut: false,
    noPermit: true,
    detail: `its request budget has no room for another ${Math.ceil(waitMillis / 1_000)} s`
  })

const prepared = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  config: MarketSettings,
  jar: CookieJar
) {
  const referer = yield* Referer
  const headers: Record<string, string> = {
    ...config.headers,
    ...(yield* OperationHeaders),
    cookie: yield* jar.header
  }
  if (request.method !== "GET") headers["origin"] = new URL(config.baseUrl).origin
  if (referer !== undefined) headers["referer"] = config.baseUrl + referer
  const addressed = HttpClientRequest.prependUrl(request, config.baseUrl)
  const formed =
    addressed.body._tag === "FormData"
      ? HttpClientRequest.setBody(addressed, multipartBody(addressed.body.formData))
      : addressed
  const timing = yield* Timing
  timing.sentAt = yield* Clock.currentTimeMillis
  return HttpClientRequest.setHeaders(formed, headers)
})

const noAnswer = (error: CallError): NoAnswer => {
  if (error._tag === "SchemaError")
    return new NoAnswer({
      sent: false,
      timedOut: false,
      detail: "the request does not have the contract's shape"
    })
  if (error._tag === "CannotSign") return new NoAnswer({ sent: false, timedOut: false, detail: error.detail })
  const { reason } = error
  const code = reason._tag === "TransportError" ? codeOf(reason.cause) : undefined
  const sent =
    reason._tag !== "EncodeError" &&
    reason._tag !== "InvalidUrlError" &&
    !(code !== undefined && unsent.has(code))
  return new NoAnswer({
    sent,
    timedOut: false,
    detail: code === undefined ? reason._tag : `${reason._tag} ${code}`
  })
}

/** Codes of a connection that was never made. */
const unsent: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
])

/** The system's code of a failure, also when it is wrapped. */
const codeOf = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return "cause" in cause && cause.cause !== cause ? codeOf(cause.cause) : undefined
}
