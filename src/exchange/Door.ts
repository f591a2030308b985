/**
 * The market's front door: what happens to every request before a handler sees it and to every answer on its way out.
 * Invariants: 1. a request that breaks the contract, is too large or has no address ends here as the market's own 4xx, never as a
 * defect. 2. every answer carries the market's time in its Date header. 3. field names are those of the configured platform.
 * 4. what a request leaves out and the market knows of its reader is there before the contract looks at it.
 */
import { ByteSize, type Cause, Effect, Option, type Scope } from "effect"
import {
  HttpBody,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApiError } from "effect/http-api"

import { parseJson } from "../market/contract/Json.ts"
import { namesOf } from "../market/contract/Platform.ts"
import { loginCookie } from "./Accounts.ts"
import { sessionOf } from "./Auth.ts"
import { conditional, type Given } from "./Conditional.ts"
import { withDefaults, withoutDoubleSlash } from "./Defaults.ts"
import { Exchange } from "./Exchange.ts"
import { Faults } from "./Faults.ts"
import { rateLimited } from "./FaultsAnswers.ts"
import { type Answered, type Lost, played } from "./FaultsPlay.ts"
import { viewerOf } from "./handlers/Reader.ts"
import { Hold } from "./Hold.ts"
import { httpDate } from "./HttpDate.ts"
import { type Known, operationOf } from "./OperationOf.ts"
import { page } from "./pages/Page.ts"
import { admitItem, type CountedItems } from "./Quota.ts"
import { type World } from "./World.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest
type Market = Exchange["Service"]

/** No form of this market is nearly as large. */
const largestBody = ByteSize.mebibytes(1)

const html = (title: string, text: string, status: number): Response =>
  HttpServerResponse.text(page(title, `<p>${text}</p>`), { status, contentType: "text/html; charset=utf-8" })

const notFound = html("Not found", "There is no such page on the market.", 404)
const tooLarge = html("Too large", "The request is larger than the market takes.", 413)
const closed = html("Unavailable", "The market is closed for the moment.", 503)
const wrongRequest = HttpServerResponse.jsonUnsafe([], { status: 400 })

const isOfContract = (error: unknown): boolean =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders"

/** An answer for everything that a handler did not answer; a fault of our own is logged, the client sees a 500. */
const answered = <E, R>(router: Effect.Effect<Response, E, R>): Effect.Effect<Response, never, R> =>
  Effect.catchCause(router, (cause: Cause.Cause<E>) => {
    if (cause.reasons.some((reason) => reason._tag === "Die" && isOfContract(reason.defect)))
      return Effect.succeed(wrongRequest)
    return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) => {
      if (response.status === 404) return Effect.succeed(notFound)
      if (response.status === 413) return Effect.succeed(tooLarge)
      return response.status < 500
        ? Effect.succeed(response)
        : Effect.as(Effect.logError("a handler failed", cause), response)
    })
  })

/** JSON bodies with the platform's own field names. */
const renamed = (response: Response, platformName: string): Response => {
  const { body } = response
  if (body._tag !== "Uint8Array" || !body.contentType.startsWith("application/json")) return response
  const parsed = parseJson(new TextDecoder().decode(body.body))
  if (Option.isNone(parsed)) return response
  const text = JSON.stringify(namesOf(platformName).theirs(parsed.value))
  return HttpServerResponse.setBody(response, HttpBody.text(text, body.contentType))
}

const defaultName = namesOf("platform").word

/** State of one process: what was given to whom, and which items were asked for. */
interface Ledger {
  readonly given: Given
  readonly items: CountedItems
}

interface Visit {
  readonly exchange: Market
  readonly ledger: Ledger
  readonly world: World
  readonly request: Request
  readonly known: Known
  /** Index of the account as text, or `anonymous`. */
  readonly client: string
}

const fits = ({ client, known, ledger, world }: Visit): boolean => {
  const item = new URLSearchParams(known.url.slice(known.url.indexOf("?") + 1)).get("item_nameid") ?? ""
  return admitItem(ledger.items, client, known.operation, item, world.now)
}

/** A session that was there and is not any more is told by a header, too, where the answer sends the caller to the login. */
const isLostSession = ({ client, exchange, request }: Visit, { headers, status }: Response): boolean => {
  const hadLogin = (request.cookies[loginCookie(exchange.platformName)] ?? "") !== ""
  const isSentAway = status === 401 || (status === 302 && (headers["location"] ?? "").startsWith("/login"))
  return client === "anonymous" && hadLogin && isSentAway
}

const leaving = (visit: Visit, { clockOffsetMillis, response }: Answered): Response => {
  const { client, exchange, known, ledger, request, world } = visit
  const told = isLostSession(visit, response)
    ? HttpServerResponse.setHeader(response, "x-notloggedin", "1")
    : response
  const named = exchange.platformName === defaultName ? told : renamed(told, exchange.platformName)
  const { operation, url } = known
  const reader = { operation, url, reader: client, headers: request.headers }
  const marked = conditional(ledger.given, reader, named, world.now)
  return HttpServerResponse.setHeader(marked, "date", httpDate(world.now + clockOffsetMillis))
}

const visit = Effect.fnUntraced(function* <R>(
  router: Effect.Effect<Response, never, R>,
  exchange: Market,
  ledger: Ledger,
  found: Known
) {
  const world = yield* exchange.world
  const asked = yield* HttpServerRequest.HttpServerRequest
  const { credentials, platformName } = exchange
  const session = sessionOf(credentials, platformName, asked.cookies, world.now)
  const known = withDefaults(found, viewerOf({ session, world }).currency)
  const request = asked.url === known.url ? asked : asked.modify({ url: known.url })
  const client = session === undefined ? "anonymous" : String(session.account)
  const of: Visit = { exchange, ledger, world, request, known, client }
  if (!fits(of)) return leaving(of, { response: rateLimited, clockOffsetMillis: 0 })
  const answer = yield* Effect.provideService(
    played(router, known.operation),
    HttpServerRequest.HttpServerRequest,
    request
  )
  // Only a fault can have made the answer late.
  return leaving((yield* Faults).idle ? of : { ...of, world: yield* exchange.world }, answer)
})

const isTooLarge = ({ headers }: Request): boolean =>
  Number(headers["content-length"] ?? 0) > Number(largestBody)

type OfRequest = HttpServerRequest.HttpServerRequest | Scope.Scope

/** The whole market as one effect per request; it fails only when no answer may go out. */
export const throughDoor = <E>(
  router: Effect.Effect<Response, E, OfRequest | Exchange>,
  exchange: Market
): Effect.Effect<Response, Lost, OfRequest> => {
  const ledger: Ledger = { given: new Map(), items: new Map() }
  const inside = Effect.flatMap(Hold, (hold) => hold(answered(router)))
  const dated = (response: Response) =>
    Effect.map(exchange.world, (world) => HttpServerResponse.setHeader(response, "date", httpDate(world.now)))
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const known = operationOf(request.method, withoutDoubleSlash(request.url))
    if (known === undefined) return yield* dated(notFound)
    if (isTooLarge(request)) return yield* dated(tooLarge)
    return yield* visit(inside, exchange, ledger, known)
  }).pipe(
    Effect.catchTag("JournalError", (error) => Effect.as(Effect.logError(error.message), closed)),
    Effect.provideService(HttpIncomingMessage.MaxBodySize, largestBody),
    Effect.provideService(Exchange, exchange)
  )
}
