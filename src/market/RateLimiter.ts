/**
 * Request budgets per operation. Invariants: 1. no request leaves without a permit. 2. a budget counts requests per sliding window,
 * so a burst at a window's edge cannot exceed it. 3. mutations and confirmations have budgets of their own and never wait for reads.
 * 4. time is the Clock's and nothing is random, so virtual runs repeat.
 */
import { Clock, Context, Duration, Effect, Layer, Semaphore } from "effect"

import { type Operation, operations } from "../domain/Operation.ts"
import { type Quotas } from "./Quotas.ts"
import { emptyMemory, encodeMemory, type RateSnapshot } from "./RateMemory.ts"
import { coolDown, emptyWindow, recall, record, recordedAt, waitMillis, type Window } from "./Window.ts"

export interface Usage {
  readonly requests: number
  readonly rateLimited: number
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Waits until the operation's budget has room, then takes it. */
    readonly take: (operation: Operation) => Effect.Effect<void>
    /** How long `take` would wait now; zero when it would not. */
    readonly delay: (operation: Operation) => Effect.Effect<Duration.Duration>
    /** The market said "too fast": the operation cools down, longer each time until a request succeeds again. */
    readonly refused: (operation: Operation) => Effect.Effect<void>
    readonly succeeded: (operation: Operation) => Effect.Effect<void>
    /** Requests so far, per operation. */
    readonly usage: Effect.Effect<ReadonlyMap<Operation, Usage>>
  }
>()("haggle/market/RateLimiter") {}

/** The limiter's memory, to be stored and handed to `layer` again. */
export class RateHistory extends Context.Service<
  RateHistory,
  {
    readonly snapshot: Effect.Effect<RateSnapshot>
    /** The snapshot as text, for `decodeMemory`. */
    readonly text: Effect.Effect<string>
  }
>()("haggle/market/RateLimiter/RateHistory") {}

interface Lane {
  readonly windows: ReadonlyArray<Window>
  /** The longest window that counts this operation alone, if it has one. */
  readonly own: Window | undefined
  /** Operations that cool down together with this one. */
  readonly together: ReadonlyArray<Operation>
  /** Waiters take their permits in the order they came. */
  readonly queue: Semaphore.Semaphore
  requests: number
  rateLimited: number
  refusals: number
  coolingUntil: number
}

/** A limiter for these quotas that goes on where the snapshot ended. */
export const layer = (
  quotas: Quotas,
  restored: RateSnapshot = emptyMemory
): Layer.Layer<RateLimiter | RateHistory> => Layer.effectContext(make(quotas, restored))

const make = Effect.fnUntraced(function* (quotas: Quotas, restored: RateSnapshot) {
  const lanes = lanesOf(quotas, restored)
  const waitOf = (lane: Lane, now: number) =>
    Math.max(lane.coolingUntil - now, ...lane.windows.map((window) => waitMillis(window, now)), 0)

  const permit = Effect.fnUntraced(function* (lane: Lane) {
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const wait = waitOf(lane, now)
      if (wait <= 0) {
        for (const window of lane.windows) record(window, now)
        lane.requests += 1
        return
      }
      yield* Effect.sleep(wait)
    }
  })

  const limiter = RateLimiter.of({
    take: (operation) => lanes[operation].queue.withPermits(1)(permit(lanes[operation])),
    delay: (operation) =>
      Effect.map(Clock.currentTimeMillis, (now) => Duration.millis(waitOf(lanes[operation], now))),
    refused: (operation) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        lanes[operation].rateLimited += 1
        // Answers to requests that were already under way when the cool-down began tell nothing new.
        if (lanes[operation].coolingUntil > now) return
        for (const other of lanes[operation].together) {
          lanes[other].refusals += 1
          lanes[other].coolingUntil = now + coolDown(lanes[other].refusals)
        }
      }),
    succeeded: (operation) =>
      Effect.sync(() => {
        for (const other of lanes[operation].together) lanes[other].refusals = 0
      }),
    usage: Effect.sync(
      () =>
        new Map(
          operations.map((operation) => [
            operation,
            { requests: lanes[operation].requests, rateLimited: lanes[operation].rateLimited }
          ])
        )
    )
  })
  const snapshot = Effect.map(Clock.currentTimeMillis, (now) => snapshotOf(lanes, now))
  const history = RateHistory.of({ snapshot, text: Effect.map(snapshot, encodeMemory) })
  return Context.make(RateLimiter, limiter).pipe(Context.add(RateHistory, history))
})

type Lanes = Readonly<Record<Operation, Lane>>

const lanesOf = (quotas: Quotas, restored: RateSnapshot): Lanes => {
  const meters = quotas.map((meter) => {
    const times = meter.operations.flatMap((operation) => restored.requests[operation] ?? [])
    return { meter, windows: meter.budgets.map((budget) => recall(emptyWindow(budget), times)) }
  })
  const lane = (operation: Operation): Lane => {
    const mine = meters.filter(({ meter }) => meter.operations.includes(operation))
    const cooling = restored.cooling[operation]
    const alone = mine.flatMap(({ meter, windows }) => (meter.operations.length === 1 ? windows : []))
    return {
      own: alone.toSorted((a, b) => b.budget.windowMillis - a.budget.windowMillis)[0],
      windows: mine.flatMap(({ windows }) => windows),
      together: [...new Set([operation, ...mine.flatMap(({ meter }) => meter.operations)])],
      queue: Semaphore.makeUnsafe(1),
      requests: 0,
      rateLimited: 0,
      refusals: cooling?.refusals ?? 0,
      coolingUntil: cooling?.until ?? 0
    }
  }
  return Object.fromEntries(operations.map((operation) => [operation, lane(operation)])) as Record<
    Operation,
    Lane
  >
}

const snapshotOf = (lanes: Lanes, now: number): RateSnapshot => ({
  requests: Object.fromEntries(
    operations.flatMap((operation) => {
      // The longest window of the operation's own holds the most requests; shared ones are rebuilt from their members.
      const { own } = lanes[operation]
      const times = own === undefined ? [] : recordedAt(own, now)
      return times.length === 0 ? [] : [[operation, times]]
    })
  ),
  cooling: Object.fromEntries(
    operations.flatMap((operation) => {
      const { coolingUntil, refusals } = lanes[operation]
      return coolingUntil > now || refusals > 0 ? [[operation, { refusals, until: coolingUntil }]] : []
    })
  )
})
