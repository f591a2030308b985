/**
 * Permits for requests, within every budget at once. Invariants: 1. no request leaves without a permit, and a permit is in the ledger
 * before its request leaves. 2. whoever would have to wait longer than is sensible is told so at once. 3. mutations and confirmations
 * have budgets of their own and never wait for reads. 4. time is the Clock's and jitter follows from it, so virtual runs repeat.
 */
import { Clock, Context, Effect, Latch, Layer, Schema, Semaphore } from "effect"

import { type Operation, perOperation } from "../domain/Operation.ts"
import { isBanned } from "./Ban.ts"
import { apply, makeBudgets, tells, waitOf } from "./Budgets.ts"
import { type Budget, type Lane, laneOf, type Quotas } from "./Quotas.ts"
import { type Entry, emptyLedger, layerMemory, RateLedger } from "./RateLedger.ts"
import { type Counter, makeCounters, type Usage, usageOf } from "./RateUsage.ts"
import { travelMillis } from "./Window.ts"

/** There will be no permit for so long that nobody should wait for it; the request was not sent. */
export class NoPermit extends Schema.TaggedError<NoPermit>()("NoPermit", {
  operation: Schema.String,
  waitMillis: Schema.Finite
}) {}

export { type Usage } from "./RateUsage.ts"

/** The market refuses this address altogether: no market data is read until then. */
export interface Banned {
  readonly since: number
  readonly until: number
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Waits until there is room, then takes it; `item` where the budget counts distinct ones. */
    readonly take: (operation: Operation, item?: string) => Effect.Effect<void, NoPermit>
    /** Milliseconds that `take` would wait at this moment; zero when it would not. */
    readonly waitMillis: (operation: Operation, now: number, item?: string) => number
    /** The market said "too fast": everything that it slows down together rests, longer each time. */
    readonly refused: (operation: Operation) => Effect.Effect<void>
    /** No answer came, or one that is the market's own failure. */
    readonly failed: (operation: Operation) => Effect.Effect<void>
    readonly succeeded: (operation: Operation) => Effect.Effect<void>
    /** A request that left at this time is over, with an answer or without one. Whoever was long under way is counted again, as of now. */
    readonly over: (operation: Operation, sentAt: number) => Effect.Effect<void>
    /** The budgets of the operation alone, as they are kept: windows are a little longer than the market's. */
    readonly budgets: (operation: Operation) => ReadonlyArray<Budget>
    readonly usage: Effect.Effect<ReadonlyMap<Operation, Usage>>
    readonly banned: Effect.Effect<Banned | undefined>
  }
>()("haggle/market/RateLimiter") {}

/**
 * Longest wait for a permit: a window of a minute may pass, not a rest. Who waits for a mutation holds up the deciding fiber, and what was
 * decided grows old.
 */
export const mutationPatienceMillis = 15_000
const patienceMillis: Readonly<Record<Lane, number>> = {
  read: 90_000,
  own: 90_000,
  confirmation: 90_000,
  mutation: mutationPatienceMillis
}
/** Other processes are not heard while one sleeps: it looks again at least this often. */
const lookMillis = 15_000

/** A limiter for these quotas that goes on where the ledger ends. */
export const layer = (quotas: Quotas): Layer.Layer<RateLimiter, never, RateLedger> =>
  Layer.effect(RateLimiter, make(quotas))

/** With a ledger of its own: for a process that shares its budgets with nobody and is not started again. */
export const layerAlone = (quotas: Quotas): Layer.Layer<RateLimiter> =>
  layer(quotas).pipe(Layer.provide(Layer.fresh(layerMemory(emptyLedger()))))

const make = Effect.fnUntraced(function* (quotas: Quotas) {
  const ledger = yield* RateLedger
  const budgets = makeBudgets(quotas)
  const counters = makeCounters()
  const queues = perOperation(() => Semaphore.makeUnsafe(1))
  /** Released when an answer may have changed how long somebody has to wait. */
  const answered = Latch.makeUnsafe()

  const transact = (now: number, decide: () => Entry | undefined): void =>
    ledger.transact(now, (news) => {
      // A clock that was set back must not make requests of the future out of those of the past.
      for (const entry of news) apply(budgets, entry.at > now ? { ...entry, at: now } : entry)
      const written = decide()
      if (written !== undefined) apply(budgets, written)
      return written
    })
  transact(yield* Clock.currentTimeMillis, () => undefined)

  /** Milliseconds to wait; when there are none, the permit is taken. */
  const attempt = (operation: Operation, item: string | undefined) => (now: number) => {
    let wait = 0
    transact(now, () => {
      wait = waitOf(budgets, operation, now, item)
      return wait > 0 ? undefined : entry("sent", operation, now, item)
    })
    return wait
  }

  const permit = Effect.fnUntraced(function* (operation: Operation, item: string | undefined) {
    const trying = Effect.map(Clock.currentTimeMillis, attempt(operation, item))
    const deadline = (yield* Clock.currentTimeMillis) + patienceMillis[laneOf(operation)]
    for (;;) {
      const wait = yield* trying
      if (wait <= 0) return
      if ((yield* Clock.currentTimeMillis) + wait > deadline)
        return yield* new NoPermit({ operation, waitMillis: wait })
      yield* Effect.raceFirst(Effect.sleep(Math.min(wait, lookMillis)), answered.await)
    }
  })

  const note = (kind: Entry["kind"]) => (operation: Operation) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const noted = entry(kind, operation, now)
      if (!tells(budgets, noted)) return Effect.void
      transact(now, () => noted)
      return answered.release
    })
  const counted = (operation: Operation, what: keyof Counter) =>
    Effect.sync(() => {
      counters[operation][what] += 1
    })

  return RateLimiter.of({
    take: (operation, item) =>
      queues[operation]
        .withPermits(1)(permit(operation, item))
        .pipe(Effect.andThen(counted(operation, "requests"))),
    waitMillis: (operation, now, item) => Math.max(0, waitOf(budgets, operation, now, item)),
    refused: (operation) => Effect.andThen(counted(operation, "rateLimited"), note("refused")(operation)),
    failed: (operation) => Effect.andThen(counted(operation, "failed"), note("failed")(operation)),
    succeeded: note("succeeded"),
    over: (operation, sentAt) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - sentAt > travelMillis ? note("late")(operation) : Effect.void
      ),
    budgets: (operation) =>
      budgets.lanes[operation].own.map(({ budget }) =>
        Object.assign({}, budget, { windowMillis: budget.windowMillis + travelMillis })
      ),
    usage: Effect.map(Clock.currentTimeMillis, (now) => usageOf(budgets, counters, now)),
    banned: Effect.sync(() =>
      isBanned(budgets.ban) ? { since: budgets.ban.since, until: budgets.ban.until } : undefined
    )
  })
})

const entry = (kind: Entry["kind"], operation: Operation, at: number, item?: string): Entry => ({
  kind,
  operation,
  at,
  mine: true,
  ...(item === undefined ? {} : { item })
})
