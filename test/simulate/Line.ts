/**
 * The daemon's ways to its store and to the exchange, on which it dies by plan. It stands between the daemon and its store and
 * HttpClient, so nothing in the daemon knows of it. Invariant: a dead daemon reaches nothing any more: whatever it asks for next never
 * comes back; only what it had sent before may still arrive.
 */
import { Deferred, Effect, Option } from "effect"
import {
  HttpClient,
  type HttpClientRequest,
  type HttpClientResponse,
  HttpServerResponse,
  UrlParams
} from "effect/http"

import type { VirtualClock } from "../../src/clock/VirtualClock.ts"
import type { Event } from "../../src/domain/Event.ts"
import type { Operation } from "../../src/domain/Operation.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import type { FaultPlayer } from "../../src/exchange/Faults.ts"
import { operationOf } from "../../src/exchange/OperationOf.ts"
import { Store } from "../../src/store/Store.ts"
import { type Dice, dice } from "./Dice.ts"
import type { Death, WorldPlan } from "./Plan.ts"
import type { Referee } from "./Referee.ts"

/** What the deaths of a world are counted by; it outlives the daemons. */
export interface Fate {
  /** From now on everything works. */
  quiet: boolean
  deaths: number
  readonly counts: Record<Death["at"], number>
  readonly due: ReadonlyMap<string, Death["when"]>
  readonly dice: Dice
}

export const fateOf = ({ deaths, seed }: WorldPlan): Fate => ({
  quiet: false,
  deaths: 0,
  counts: { append: 0, mutation: 0, read: 0 },
  due: new Map(deaths.map(({ at, nth, when }) => [`${at} ${nth}`, when])),
  dice: dice(seed, "line")
})

/** One process's life. */
export interface Life {
  readonly number: number
  dead: boolean
  readonly death: Deferred.Deferred<void>
}

export const newLife = (number: number): Effect.Effect<Life> =>
  Effect.map(Deferred.make<void>(), (death) => ({ number, dead: false, death }))

const die = (life: Life, fate: Fate): Effect.Effect<never> =>
  Effect.suspend(() => {
    life.dead = true
    fate.deaths++
    Deferred.doneUnsafe(life.death, Effect.void)
    return Effect.never
  })

const unlessDead = <A, E, R>(life: Life, self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => (life.dead ? Effect.never : self))

const deathAt = (fate: Fate, at: Death["at"]): Death["when"] | undefined => {
  const nth = ++fate.counts[at]
  return fate.quiet ? undefined : fate.due.get(`${at} ${nth}`)
}

/** The store of a daemon that may die at any append; `written` sees what is on disk. */
export const mortalStore = (
  inner: Store["Service"],
  life: Life,
  fate: Fate,
  written: (events: ReadonlyArray<Event>) => Effect.Effect<void>
): Store["Service"] =>
  Store.of({
    ...inner,
    append: Effect.fnUntraced(function* (events) {
      if (life.dead) return yield* Effect.never
      const when = deathAt(fate, "append")
      if (when === "before") return yield* die(life, fate)
      const state = yield* inner.append(events)
      yield* written(events)
      return when === "after" ? yield* die(life, fate) : state
    }),
    beat: (beat) => unlessDead(life, inner.beat(beat))
  })

export interface Around {
  readonly latencyMillis: number
  readonly referee: Referee
  readonly faults: FaultPlayer
  readonly clock: VirtualClock["Service"]
}

/** Stands in the billing address of every answer that has one; nobody may repeat it. */
export const billingWord = "Mulberry Lane 17"

/** The answer with somebody's address in it. */
const withAddress = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  answer: HttpClientResponse.HttpClientResponse
) {
  const text = yield* answer.text
  const told = text.replace('"address1":""', `"address1":"${billingWord}"`)
  const { headers, status } = answer
  return HttpServerResponse.toClientResponse(HttpServerResponse.text(told, { status, headers }), { request })
})

const mutations: ReadonlySet<Operation> = new Set([
  "create-buyorder",
  "cancel-buyorder",
  "buylisting",
  "sellitem",
  "removelisting",
  "confirmation-op"
])

/** Seconds that the last request of a dead process may still be on its way. */
const lateSeconds = [1, 20] as const

/** The way to the exchange of a daemon that may die at any request. */
export const mortalClient = (
  exchange: HttpClient.HttpClient,
  life: Life,
  fate: Fate,
  { clock, faults, latencyMillis, referee }: Around
): HttpClient.HttpClient => {
  const travel = Effect.sleep(latencyMillis)
  return HttpClient.make(
    Effect.fnUntraced(function* (request) {
      const operation = operationOf(request.method, request.url.replace(/^https?:\/\/[^/]+/, ""))?.operation
      const mutation = operation !== undefined && mutations.has(operation)
      if (life.dead) return yield* Effect.never
      const when = deathAt(fate, mutation ? "mutation" : "read")
      if (when === "before") return yield* die(life, fate)
      if (when === "late") {
        const later = Effect.sleep(fate.dice.between(...lateSeconds) * 1_000)
        yield* Effect.forkDetach(Effect.ignore(Effect.andThen(later, exchange.execute(request))))
        return yield* die(life, fate)
      }
      yield* travel
      if (life.dead) return yield* Effect.never
      const item = Option.getOrElse(UrlParams.getFirst(request.urlParams, "item_nameid"), () => "")
      const limitedBefore = faults.log.counts["rate-limited"] ?? 0
      referee.see({ _tag: "Asked", operation, item, now: yield* marketNow })
      const answer = yield* exchange.execute(request)
      const played = (faults.log.counts["rate-limited"] ?? 0) > limitedBefore
      const isFault = answer.status === 429 && played
      referee.see({ _tag: "Answered", operation, status: answer.status, isFault, now: yield* marketNow })
      if (when === "after") return yield* die(life, fate)
      yield* travel
      if (life.dead) return yield* Effect.never
      return operation === "billing" ? yield* clock.held(withAddress(request, answer)) : answer
    })
  )
}
