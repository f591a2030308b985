/**
 * What goes wrong around a daemon, by chance: its death at a journal append or a request, and answers that are lost, late or odd. It
 * stands between the daemon and its store and HttpClient, so nothing in the daemon knows of it.
 * Invariant: a dead daemon reaches nothing any more: whatever it asks for next never comes back.
 */
import { Deferred, Effect } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpServerResponse } from "effect/http"

import type { VirtualClock } from "../../src/clock/VirtualClock.ts"
import type { Event } from "../../src/domain/Event.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import { Store } from "../../src/store/Store.ts"
import { dice, type Dice } from "./Dice.ts"
import type { Referee } from "./Referee.ts"

interface Lapse {
  readonly from: number
  readonly to: number
  /** Own lists are answered as if there was nothing, instead of a redirect to the login. */
  readonly silent: boolean
}

/** How often what goes wrong; probabilities per append or request. */
export interface Temper {
  readonly dieAtAppend: number
  readonly dieAtMutation: number
  readonly dieAtRead: number
  readonly oddMutation: number
  readonly oddRead: number
  /** Stretches of market time, milliseconds from the world's start, in which the market knows no session of ours. */
  readonly lapses: ReadonlyArray<Lapse>
  /** Seconds until a dead daemon is started again, least and most. */
  readonly downSeconds: readonly [number, number]
}

const mutationFaults = ["lostAnswer", "lostRequest", "lateAnswer", "badGateway"] as const
const readFaults = ["failedRead", "nullRead", "htmlRead", "lateRead"] as const
type MutationFault = (typeof mutationFaults)[number]
type ReadFault = (typeof readFaults)[number]
type Fault = MutationFault | ReadFault

/** Longer than the market adapter waits for an answer. */
const lateMillis = 60_000
/** More deaths than this would leave no time to trade. */
const mostDeaths = 12

export interface Faults {
  readonly temper: Temper
  readonly dice: Dice
  readonly counts: Record<Fault | "lapsedRequest", number>
  deaths: number
  /** From now on everything works. */
  quiet: boolean
}

export const faultsOf = (seed: number): Faults => {
  const chance = dice(seed, "faults")
  const upTo = (most: number): number => (chance.hits(0.75) ? chance.next() * most : 0)
  // A supervisor that starts a process again at once, and one that keeps dying.
  const storm = chance.hits(0.2)
  return {
    temper: {
      dieAtAppend: upTo(0.04),
      dieAtMutation: upTo(0.06),
      dieAtRead: storm ? 0.025 : upTo(0.004),
      oddMutation: upTo(0.15),
      oddRead: upTo(0.03),
      lapses: chance.hits(0.4) ? lapsesOf(chance) : [],
      downSeconds: storm ? [1, 3] : [1, 90]
    },
    dice: chance,
    counts: {
      lostAnswer: 0,
      lostRequest: 0,
      lateAnswer: 0,
      badGateway: 0,
      failedRead: 0,
      nullRead: 0,
      htmlRead: 0,
      lateRead: 0,
      lapsedRequest: 0
    },
    deaths: 0,
    quiet: false
  }
}

const lapsesOf = (chance: Dice): Temper["lapses"] =>
  Array.from({ length: chance.between(2, 15) }, () => {
    const from = chance.between(1, 110) * 60_000
    return { from, to: from + chance.between(1, 240) * 1_000, silent: chance.hits(0.5) }
  })

/** One process's life. */
export interface Life {
  dead: boolean
  readonly death: Deferred.Deferred<void>
}

export const newLife: Effect.Effect<Life> = Effect.map(Deferred.make<void>(), (death) => ({
  dead: false,
  death
}))

const die = (life: Life, faults: Faults): Effect.Effect<never> =>
  Effect.suspend(() => {
    life.dead = true
    faults.deaths++
    Deferred.doneUnsafe(life.death, Effect.void)
    return Effect.never
  })

const unlessDead = <A, E, R>(life: Life, self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => (life.dead ? Effect.never : self))

type When = "before" | "after" | undefined

const deathAt = (faults: Faults, probability: number): When => {
  const hit = faults.dice.hits(probability)
  if (!hit || faults.quiet || faults.deaths >= mostDeaths) return undefined
  return faults.dice.hits(0.5) ? "before" : "after"
}

/** The store of a daemon that may die at any append; the referee sees what is on disk. */
export const mortalStore = (
  inner: Store["Service"],
  life: Life,
  faults: Faults,
  written: (events: ReadonlyArray<Event>) => Effect.Effect<void>
): Store["Service"] =>
  Store.of({
    ...inner,
    append: Effect.fnUntraced(function* (events) {
      if (life.dead) return yield* Effect.never
      const when = deathAt(faults, faults.temper.dieAtAppend)
      if (when === "before") return yield* die(life, faults)
      const state = yield* inner.append(events)
      yield* written(events)
      return when === "after" ? yield* die(life, faults) : state
    }),
    beat: (beat) => unlessDead(life, inner.beat(beat))
  })

export interface Line {
  readonly latencyMillis: number
  /** When the world began. */
  readonly startedAt: number
  readonly clock: VirtualClock["Service"]
  readonly referee: Referee
}

/** The way to the exchange of a daemon that may die at any request, and whose answers may be lost. */
export const mortalClient = (
  exchange: HttpClient.HttpClient,
  life: Life,
  faults: Faults,
  { clock, latencyMillis, referee, startedAt }: Line
): HttpClient.HttpClient => {
  const travel = Effect.sleep(latencyMillis)
  return HttpClient.make(
    Effect.fnUntraced(function* (request) {
      const path = pathOf(request)
      const mutation = request.method !== "GET" || path.includes("ajaxop")
      const { dieAtMutation, dieAtRead } = faults.temper
      const when = deathAt(faults, mutation ? dieAtMutation : dieAtRead)
      const fault = faultAt(faults, mutation)
      if (life.dead) return yield* Effect.never
      if (when === "before") return yield* die(life, faults)
      yield* travel
      if (life.dead) return yield* Effect.never
      if (fault !== undefined) faults.counts[fault]++
      if (fault === "lostRequest" || fault === "failedRead") return yield* reset(request)
      const lapse = lapseAt(faults, (yield* marketNow) - startedAt)
      if (lapse !== undefined) faults.counts.lapsedRequest++
      const asked = lapse === undefined ? request : HttpClientRequest.setHeader(request, "cookie", "")
      const answer = yield* clock.held(exchange.execute(asked))
      referee.answered(path, answer.status, yield* marketNow)
      if (when === "after") return yield* die(life, faults)
      yield* fault === "lateAnswer" || fault === "lateRead" ? Effect.sleep(lateMillis) : travel
      if (life.dead) return yield* Effect.never
      if (fault === "lostAnswer") return yield* reset(request)
      const silence = lapse?.silent === true ? silences[path] : undefined
      const instead = fault === undefined ? silence : (answers[fault] ?? silence)
      return instead === undefined ? answer : HttpServerResponse.toClientResponse(instead, { request })
    })
  )
}

/** What comes instead of the answer. */
const answers: Readonly<Partial<Record<Fault, HttpServerResponse.HttpServerResponse>>> = {
  badGateway: HttpServerResponse.text("<html>Bad Gateway</html>", { status: 502, contentType: "text/html" }),
  nullRead: HttpServerResponse.text("null", { contentType: "application/json" }),
  htmlRead: HttpServerResponse.text("<html>One moment</html>", { contentType: "text/html" })
}

const nothing = {
  success: true,
  pagesize: 100,
  total_count: 0,
  start: 0,
  assets: [],
  hovers: "",
  results_html: ""
}

/** What a stranger is told about "own" orders, listings and trades. */
const silences: Readonly<Record<string, HttpServerResponse.HttpServerResponse>> = {
  "/market/mylistings": HttpServerResponse.jsonUnsafe({
    ...nothing,
    num_active_listings: 0,
    listings: [],
    listings_on_hold: [],
    listings_to_confirm: [],
    buy_orders: []
  }),
  "/market/myhistory": HttpServerResponse.jsonUnsafe({ ...nothing, events: [], purchases: [], listings: [] })
}

const lapseAt = ({ quiet, temper }: Faults, sinceStart: number): Lapse | undefined =>
  quiet ? undefined : temper.lapses.find(({ from, to }) => from <= sinceStart && sinceStart < to)

const faultAt = (faults: Faults, mutation: boolean): Fault | undefined => {
  const { oddMutation, oddRead } = faults.temper
  const hit = faults.dice.hits(mutation ? oddMutation : oddRead)
  if (!hit || faults.quiet) return undefined
  return mutation ? faults.dice.pick(mutationFaults) : faults.dice.pick(readFaults)
}

const pathOf = ({ url }: HttpClientRequest.HttpClientRequest): string => new URL(url).pathname

/** What a client sees when the connection breaks: nothing tells whether the request had arrived. */
const reset = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, cause: { code: "ECONNRESET" } })
    })
  )
