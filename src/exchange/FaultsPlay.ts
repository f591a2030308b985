/**
 * Carries out the faults of one request around the real handler: before it, instead of it, and on its answer.
 * Invariants: 1. handlers know nothing of faults and never wait; waiting and lost connections are the shell's, which runs this.
 * 2. `Lost` means that no answer may go out; whether there was an effect stands in the log. 3. a fault that cannot happen in this call
 * (nothing to hide, nobody to buy) is neither played nor recorded.
 */
import { Data, Effect } from "effect"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"

import { type Operation } from "../domain/Operation.ts"
import { loginCookie } from "./Accounts.ts"
import { sessionOf } from "./Auth.ts"
import { Exchange } from "./Exchange.ts"
import { type FaultCall, type FaultPlayer, Faults, type Play } from "./Faults.ts"
import { edited, ownLists } from "./FaultsEdits.ts"
import { spoiltBy } from "./FaultsSpoils.ts"
import { boughtMeanwhile, manualOrder } from "./FaultsWorld.ts"
import { type JournalError } from "./Journal.ts"
import { type World } from "./World.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest
type Market = Exchange["Service"]

/** The connection breaks and nothing of an answer arrives. */
export class Lost extends Data.TaggedError("Lost") {}

export interface Answered {
  readonly response: Response
  /** Milliseconds by which the market's clock is off in this answer. */
  readonly clockOffsetMillis: number
}

/** The request as one whose login cookie is not accepted any more. */
const withoutLogin = (request: Request, platformName: string): Request => {
  const kept = Object.entries(request.cookies).filter(([name]) => name !== loginCookie(platformName))
  const cookie = kept.map(([name, value]) => `${name}=${value}`).join("; ")
  return request.modify({ headers: Headers.set(request.headers, "cookie", cookie) })
}

/** Everything that one request's faults are played on. */
interface Scene {
  readonly exchange: Market
  readonly faults: FaultPlayer
  readonly world: World
  readonly call: FaultCall
  readonly request: Request
  readonly plays: ReadonlyArray<Play>
  readonly record: (play: Play, detail: string) => Effect.Effect<void>
}

const clockOffset = Effect.fnUntraced(function* ({ plays, record }: Scene) {
  let offset = 0
  for (const play of plays) {
    if (play.rule.kind !== "clock") continue
    offset += play.rule.offset
    yield* record(play, `the clock is off by ${play.rule.offset} ms`)
  }
  return offset
})

const wait = Effect.fnUntraced(function* ({ plays, record }: Scene, before: boolean) {
  for (const play of plays) {
    const { rule } = play
    if (rule.kind !== "delay" || (rule.before ?? false) !== before) continue
    yield* record(play, `${before ? "begun" : "answered"} ${rule.delay} ms late`)
    yield* Effect.sleep(rule.delay)
  }
})

const buyPath = /^\/market\/buylisting\/(\d+)/

const intervene = Effect.fnUntraced(function* (scene: Scene) {
  const { call, exchange, faults, plays, record, request, world } = scene
  const { account } = call
  if (account === undefined) return
  for (const play of plays) {
    const { rule } = play
    if (rule.kind === "manual-order") {
      const order = yield* manualOrder(exchange, world, account, rule, faults.chance)
      if (order !== undefined) yield* record(play, `the owner ordered ${order}`)
    }
    if (rule.kind === "bought") {
      const bought = yield* boughtMeanwhile(exchange, world, account, buyPath.exec(request.url)?.[1])
      if (bought !== undefined) yield* record(play, bought)
    }
  }
})

/** The real answer to the request as the faults leave it, edited by those that edit. */
const answer = Effect.fnUntraced(function* <R>(
  handler: Effect.Effect<Response, never, R>,
  scene: Scene,
  clockOffsetMillis: number
) {
  const { call, exchange, plays, record, world } = scene
  let { request } = scene
  for (const play of plays) {
    if (play.rule.kind !== "session" || call.account === undefined) continue
    const { signal = "anonymous" } = play.rule
    if (signal === "empty-lists" && ownLists.has(call.operation)) continue
    request = withoutLogin(request, exchange.platformName)
    if (signal !== "header") yield* record(play, "the session is gone: answered as to nobody")
  }
  exchange.usedKeys.offsetMillis = clockOffsetMillis
  let response = yield* handler.pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.ensuring(
      Effect.sync(() => {
        exchange.usedKeys.offsetMillis = 0
      })
    )
  )
  for (const play of plays) {
    const made = edited(play, { call, world }, response)
    if (made === undefined) continue
    response = made.response
    yield* record(play, made.detail)
  }
  return response
})

const sceneOf = Effect.fnUntraced(function* (operation: Operation) {
  const [exchange, faults] = [yield* Exchange, yield* Faults]
  const request = yield* HttpServerRequest.HttpServerRequest
  const world = yield* exchange.world
  const { credentials, platformName } = exchange
  const account = sessionOf(credentials, platformName, request.cookies, world.now)?.account
  const call: FaultCall = { operation, account, at: world.now }
  const scene: Scene = {
    exchange,
    faults,
    world,
    call,
    request,
    plays: faults.decide(call),
    record: (play, detail) => faults.played(play, call, detail)
  }
  return scene
})

/** The answer to a request of the operation, with whatever goes wrong in it. */
export const played = Effect.fnUntraced(function* <R>(
  handler: Effect.Effect<Response, never, R>,
  operation: Operation
): Effect.fn.Return<Answered, Lost | JournalError, R | Exchange | HttpServerRequest.HttpServerRequest> {
  if ((yield* Faults).idle) return { response: yield* handler, clockOffsetMillis: 0 }
  const scene = yield* sceneOf(operation)
  const { exchange, plays, record, request } = scene
  if (plays.length === 0) return { response: yield* handler, clockOffsetMillis: 0 }
  yield* wait(scene, true)
  const clockOffsetMillis = yield* clockOffset(scene)
  yield* intervene(scene)
  const front = { operation, url: request.url, platformName: exchange.platformName }
  const spoilt = plays.flatMap((play) => {
    const made = spoiltBy(play, front)
    return made === undefined ? [] : [{ play, ...made }]
  })[0]
  const real =
    spoilt?.effect === "none"
      ? undefined
      : yield* answer(handler, { ...scene, world: yield* exchange.world }, clockOffsetMillis)
  if (spoilt !== undefined) yield* record(spoilt.play, spoilt.detail)
  yield* wait(scene, false)
  const response = spoilt === undefined ? real : spoilt.answer
  if (response === undefined) return yield* new Lost()
  return { response, clockOffsetMillis }
})
