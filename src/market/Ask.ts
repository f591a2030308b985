/**
 * Asks one operation of the market: a read that may be repeated, or a mutation that is sent exactly once.
 * Invariants: 1. only reads are retried, only when no answer or a 5xx came, at most `retries` times. 2. a mutation always has an Outcome.
 * 3. every signal of a lost login puts the session in doubt.
 */
import { Context, Effect, Layer, Schedule } from "effect"
import { type HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"

import { type Operation } from "../domain/Operation.ts"
import { type Outcome, refused } from "../domain/Outcome.ts"
import { pageShapes } from "./contract/Listings.ts"
import { MarketApi } from "./contract/MarketApi.ts"
import { type Names } from "./contract/Platform.ts"
import { type Answer, type RawAnswer, reader, type Succeeded } from "./contract/Reading.ts"
import { type Shapes } from "./contract/Shape.ts"
import { DriftCount } from "./DriftCount.ts"
import { type CallError, Http } from "./Http.ts"
import { isLogin } from "./Login.ts"
import { MarketError, Undecodable } from "./Market.ts"
import { outcomeOf, outcomeOfNoAnswer } from "./Outcome.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { readFailure, type Reason, unreachable } from "./ReadFailure.ts"
import { Session } from "./Session.ts"

export type Client = HttpApiClient.ForApi<typeof MarketApi>
export type Call = Effect.Effect<HttpClientResponse.HttpClientResponse, CallError>
export type Read<S extends Shapes> = (raw: RawAnswer, names: Names) => Answer<S>

export class Ask extends Context.Service<
  Ask,
  {
    readonly client: Client
    /** The body of a success, or why there is none. */
    readonly read: <S extends Shapes>(
      operation: Operation,
      read: Read<S>,
      call: Call
    ) => Effect.Effect<Succeeded<S>, MarketError>
    /** The text of a page or of its loader's payload, or why there is none. */
    readonly page: (operation: Operation, call: Call) => Effect.Effect<string, MarketError>
    /** The location of a redirect that does not lead to the login, or why there is none. */
    readonly redirect: (operation: Operation, call: Call) => Effect.Effect<string, MarketError>
    readonly mutate: <S extends Shapes, A>(
      operation: Operation,
      read: Read<S>,
      call: Call,
      valueOf: (value: Succeeded<S>["value"] | undefined) => Outcome<A>
    ) => Effect.Effect<Outcome<A>>
  }
>()("haggle/market/Ask") {}

const outOfService = "the operation is out of service: its answers are no longer understood"
const retries = 2
const firstRetryMillis = 500

const again: Schedule.Schedule<unknown> = Schedule.exponential(firstRetryMillis).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: retries })
)

/** Pages have no shapes of their own but failures. */
const readPage: Read<Shapes> = reader(pageShapes, ["html", "payload"])

const isTransient = ({ reason }: MarketError): boolean =>
  reason._tag === "Unreachable" || (reason._tag === "BadStatus" && reason.status >= 500)

export const layer: Layer.Layer<Ask, never, DriftCount | Http | RateLimiter | Session> = Layer.effect(
  Ask,
  Effect.gen(function* () {
    const http = yield* Http
    const limiter = yield* RateLimiter
    const drift = yield* DriftCount
    const session = yield* Session
    const client = yield* HttpApiClient.makeWith(MarketApi, { httpClient: http.client })

    /** HTTP 429 is counted where it arrives; here a body says the same with another status. */
    const slowDown = (operation: Operation, { status }: RawAnswer) =>
      status === 429 ? Effect.void : limiter.refused(operation)

    const failed = Effect.fnUntraced(function* (operation: Operation, raw: RawAnswer, reason: Reason) {
      if (reason._tag === "RateLimited") yield* slowDown(operation, raw)
      if (reason._tag === "SessionExpired") yield* session.doubt(`${operation}: ${reason.signal}`)
      return yield* new MarketError({ operation, reason })
    })

    const sent = senderOver(http, drift)

    const readOnce = Effect.fnUntraced(function* <S extends Shapes>(
      operation: Operation,
      read: Read<S>,
      call: Call
    ) {
      const raw = yield* sent(operation, call)
      const answer = read(raw, http.names)
      yield* drift.observe(operation, answer as Answer<Shapes>, raw.text)
      if (raw.notLoggedIn || answer._tag !== "Shaped" || answer.meaning !== "success")
        return yield* failed(operation, raw, readFailure(operation, raw, answer as Answer<Shapes>))
      return answer as Succeeded<S>
    })

    const pageOnce = Effect.fnUntraced(function* (operation: Operation, call: Call) {
      const raw = yield* sent(operation, call)
      const answer = readPage(raw, http.names)
      const isPage =
        (answer._tag === "Html" && !answer.signIn && raw.status === 200) || answer._tag === "Payload"
      return isPage ? raw.text : yield* failed(operation, raw, readFailure(operation, raw, answer))
    })

    const redirectOnce = Effect.fnUntraced(function* (operation: Operation, call: Call) {
      const raw = yield* sent(operation, call)
      const answer = readPage(raw, http.names)
      return answer._tag === "Redirect" && !isLogin(answer.location) && !raw.notLoggedIn
        ? answer.location
        : yield* failed(operation, raw, readFailure(operation, raw, answer))
    })

    return Ask.of({
      client,
      redirect: (operation, call) =>
        Effect.retry(redirectOnce(operation, call), { schedule: again, while: isTransient }),
      page: (operation, call) =>
        Effect.retry(pageOnce(operation, call), { schedule: again, while: isTransient }),
      read: (operation, read, call) =>
        Effect.retry(readOnce(operation, read, call), { schedule: again, while: isTransient }),
      mutate: Effect.fnUntraced(function* (operation, read, call, valueOf) {
        if (!(yield* drift.mayAsk(operation))) return refused("NotSent", outOfService)
        const came = yield* Effect.result(http.send(operation, call))
        if (came._tag === "Failure") return outcomeOfNoAnswer(came.failure)
        const answer = read(came.success, http.names)
        yield* drift.observe(operation, answer as Answer<Shapes>, came.success.text)
        const outcome = outcomeOf(operation, answer, valueOf)
        if (outcome._tag === "Refused" && outcome.code === "RateLimited")
          yield* slowDown(operation, came.success)
        const signal = doubtOf(outcome)
        if (signal !== undefined) yield* session.doubt(`${operation}: ${signal}`)
        return outcome
      })
    })
  })
)

/** Sends a read of an operation that is in service. */
const senderOver = (http: Http["Service"], drift: DriftCount["Service"]) =>
  Effect.fnUntraced(function* (operation: Operation, call: Call) {
    if (!(yield* drift.mayAsk(operation)))
      return yield* new MarketError({
        operation,
        reason: new Undecodable({ path: "", detail: outOfService })
      })
    return yield* Effect.mapError(
      http.send(operation, call),
      (error) => new MarketError({ operation, reason: unreachable(error) })
    )
  })

/** What a mutation's answer says about the session. */
const doubtOf = (outcome: Outcome<unknown>): string | undefined => {
  if (outcome._tag === "Refused" && outcome.code === "NotLoggedOn") return outcome.message || outcome.code
  return outcome._tag === "Unknown" && outcome.reason === "SessionDoubtful" ? outcome.detail : undefined
}
