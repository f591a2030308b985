/**
 * What every handler begins with: who asks, whether the quota allows it, the world at this moment.
 * Invariants: 1. a request over its quota is answered 429 before anything else. 2. nothing here or in a handler sleeps.
 * 3. a market that cannot write its journal answers 503 and has changed nothing.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

import { type Operation } from "../../domain/Operation.ts"
import { Redirected, TooManyRequests, Unavailable } from "../../market/contract/Answers.ts"
import { type Json } from "../../market/contract/Json.ts"
import { namesOf } from "../../market/contract/Platform.ts"
import { type Session, sessionOf } from "../Auth.ts"
import { type Command, type Reply } from "../Command.ts"
import { Exchange } from "../Exchange.ts"
import { type JournalError } from "../Journal.ts"
import { page } from "../pages/Page.ts"
import { admit } from "../Quota.ts"
import { type Account, type World } from "../World.ts"

export interface Asked {
  readonly exchange: Exchange["Service"]
  readonly world: World
  readonly session: Session | undefined
  /** Path and query as they came, for the way back after a login. */
  readonly url: string
  readonly cookies: Readonly<Record<string, string>>
  /** JSON inside a page, with the platform's own field names; safe inside a script. */
  readonly theirs: (value: unknown) => string
}

/** JSON that stands in a script must not end it. */
const inScript = (json: string): string =>
  json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")

export const closed = (error: JournalError): Effect.Effect<never, Unavailable> =>
  Effect.andThen(
    Effect.logError(error.message),
    Effect.fail(new Unavailable({ page: page("Unavailable", "<p>The market is closed for the moment.</p>") }))
  )

/** Admits the request, or fails with 429. */
export const asked = Effect.fnUntraced(function* (operation: Operation) {
  const exchange = yield* Exchange
  const request = yield* HttpServerRequest.HttpServerRequest
  const world = yield* Effect.catch(exchange.world, closed)
  const session = sessionOf(exchange.credentials, exchange.platformName, request.cookies, world.now)
  const client = session === undefined ? "anonymous" : String(session.account)
  if (!admit(exchange.counted, client, operation, world.now)) return yield* new TooManyRequests()
  const names = namesOf(exchange.platformName)
  return {
    exchange,
    world,
    session,
    url: request.url,
    cookies: request.cookies,
    theirs: (value) => inScript(JSON.stringify(names.theirs(value as Json)))
  } satisfies Asked
})

/** Where a request without a session is sent to. */
export const toLogin = (url: string): Redirected =>
  new Redirected({ location: `/login/home/?goto=${encodeURIComponent(url.replace(/^\//, ""))}` })

/** Where a market that checks it sends an account whose eligibility it does not know yet. */
export const toEligibility = ({ cookies, exchange, session, url }: Asked): Effect.Effect<void, Redirected> =>
  !exchange.checkEligibility || session === undefined || cookies[eligibilityCookie] !== undefined
    ? Effect.void
    : Effect.fail(new Redirected({ location: `/market/eligibilitycheck/?goto=${encodeURIComponent(url)}` }))

export const eligibilityCookie = "webTradeEligibility"

export const accountOf = (world: World, session: Session): Account => {
  const account = world.accounts[session.account]
  if (account === undefined) throw new RangeError(`no account ${session.account}`)
  return account
}

export const execute = ({ exchange }: Asked, command: Command): Effect.Effect<Reply, Unavailable> =>
  Effect.catch(exchange.execute(command), closed)

/** A form's whole number: plain digits or nothing. */
export const wholeNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN)
