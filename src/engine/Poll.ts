/**
 * Carries out what the planner chooses and hands each answer to the deciding fiber. Invariants: 1. nothing is asked for that neither a
 * rule nor the guard reads. 2. some requests may be in flight at once, each of another fact or item. 3. an item that fails is asked for less and less
 * often, never given up. 4. what we hold or have an order on, and what moves, is asked for more often than the rest.
 */
import { Duration, Effect, FiberSet, Queue } from "effect"

import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemOfKey } from "../domain/Item.ts"
import { units } from "../domain/Position.ts"
import type { State } from "../domain/State.ts"
import type { MarketError } from "../market/Market.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import { Activity } from "./Activity.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"
import { answered, next } from "./Planner.ts"
import { drop, want, weigh } from "./PlannerWants.ts"
import { type MarketFact, marketFacts, type PollTask } from "./Polled.ts"
import { type Observation, read, signatureOf } from "./PollRead.ts"
import { progressed } from "./Progress.ts"
import { wanted } from "./Universe.ts"

/** Part of a fact's freshness after which it is asked for again: a late answer should still find the old one fresh. */
const refreshFraction = 0.5
/** Longest wait between two looks: universes change without a word. Least time between two readings of them, which go through every item. */
const lookMillis = 5_000
const syncMillis = 1_000
/** First and longest rest of an item that failed. */
const firstRestMillis = 5_000
const longestRestMillis = 600_000

/** Items that some strategy reads this fact of, with the milliseconds between two polls. */
export const demand = (
  { universes }: Pick<Desk, "universes">,
  fact: MarketFact
): ReadonlyMap<ItemKey, number> =>
  new Map([...wanted(universes, fact)].map(([key, millis]) => [key, millis * refreshFraction]))

/** What is known of a polled thing's past: by how much it moves. */
interface Seen {
  readonly signature: string
  /** Part of the last polls that found a change, older ones counting less. */
  readonly moves: number
}

interface Poller {
  readonly desk: Desk
  readonly inbox: Queue.Enqueue<Observation>
  readonly seen: WeakMap<PollTask, Seen>
  /** Requests in flight. */
  readonly flying: Record<MarketFact, number>
  /** Revision of the universes that the planner knows, and when it took it over. */
  revision: number
  syncedAt: number
}

/** Polls for ever. */
export const poll = Effect.fn("Poll.poll")(function* (desk: Desk, inbox: Queue.Enqueue<Observation>) {
  const limiter = yield* RateLimiter
  const journal = yield* Journal
  const poller: Poller = {
    desk,
    inbox,
    seen: new WeakMap(),
    flying: { book: 0, history: 0, overview: 0, offers: 0, description: 0 },
    revision: -1,
    syncedAt: Number.NEGATIVE_INFINITY
  }
  const requests = yield* FiberSet.make<void, never>()
  const died = FiberSet.join(requests)
  const planning = Effect.gen(function* () {
    for (;;) {
      const now = yield* marketNow
      const syncAt = sync(poller, yield* journal.state, now)
      const found = next(desk.planner, now, (operation, key) => limiter.waitMillis(operation, now, key))
      for (const fact of marketFacts)
        if (poller.flying[fact] === 0) yield* progressed(desk.progress, `polling ${fact}`)
      if (found._tag === "Ask") {
        desk.metrics.polls++
        yield* FiberSet.run(requests, ask(poller, found.task))
        continue
      }
      const until = Math.min(found.until ?? Number.POSITIVE_INFINITY, syncAt, now + lookMillis)
      yield* Effect.raceFirst(Effect.sleep(Duration.millis(until - now)), desk.hurry.await)
      yield* desk.hurry.close
    }
  })
  return yield* Effect.raceFirst(planning, Effect.andThen(died, Effect.never))
}, Effect.scoped)

/** Takes over what is wanted now; returns when to look again because that changed a moment ago. */
const sync = (poller: Poller, state: State, now: Millis): number => {
  const { desk } = poller
  const { planner, universes } = desk
  if (universes.revision === poller.revision) return Number.POSITIVE_INFINITY
  if (now < poller.syncedAt + syncMillis) return poller.syncedAt + syncMillis
  poller.revision = universes.revision
  poller.syncedAt = now
  const kept = new Set<PollTask>()
  for (const fact of marketFacts)
    for (const [key, everyMillis] of demand(desk, fact)) {
      const task = want(planner, { kind: fact, key, everyMillis }, now)
      weigh(planner, task, weightOf(state, key, poller.seen.get(task)?.moves ?? usualMoves))
      kept.add(task)
    }
  for (const task of planner.tasks.values()) if (!kept.has(task)) drop(planner, task)
  return Number.POSITIVE_INFINITY
}

const ask = Effect.fnUntraced(function* (poller: Poller, task: PollTask) {
  const { desk, inbox } = poller
  const { key, kind } = task
  poller.flying[kind]++
  yield* Effect.matchEffect(read(desk, kind, itemOfKey(key)), {
    onSuccess: Effect.fnUntraced(function* (observation) {
      const journal = yield* Journal
      const moves = remember(poller, task, observation)
      weigh(desk.planner, task, weightOf(yield* journal.state, key, moves))
      task.failures = 0
      yield* Queue.offer(inbox, observation)
      answered(desk.planner, task, yield* marketNow)
    }),
    onFailure: (error) => failed(desk, task, error)
  })
  poller.flying[kind]--
  yield* progressed(desk.progress, `polling ${kind}`)
  desk.hurry.openUnsafe()
})

/** What trades or stands there matters more than what is only watched. */
const involvedWeight = 4
/** Weight of a thing that never moves and of one that moves all the time; a third of the polls finding a change is usual. */
const stillWeight = 0.5
const movingWeight = 2
const usualMoves = 1 / 3
/** How much the last poll says about the next. */
const memory = 0.2

const remember = ({ seen }: Poller, task: PollTask, observation: Observation): number => {
  const before = seen.get(task)
  const signature = signatureOf(observation)
  const moved = before === undefined ? usualMoves : before.signature === signature ? 0 : 1
  const moves = (before?.moves ?? usualMoves) * (1 - memory) + moved * memory
  seen.set(task, { signature, moves })
  return moves
}

const weightOf = ({ bids, positions }: State, key: ItemKey, moves: number): number => {
  const position = positions[key]
  const isInvolved = bids[key] !== undefined || (position !== undefined && units(position) > 0)
  return (isInvolved ? involvedWeight : 1) * (stillWeight + (movingWeight - stillWeight) * moves)
}

const failed = Effect.fnUntraced(function* (desk: Desk, task: PollTask, error: MarketError) {
  const activity = yield* Activity
  const at = yield* marketNow
  // "Too fast" is said to everybody: the limiter knows when to go on.
  if (error.reason._tag !== "RateLimited") task.failures += 1
  const restMillis = Math.min(longestRestMillis, firstRestMillis * 2 ** Math.max(0, task.failures - 1))
  answered(desk.planner, task, at, restMillis)
  const { key, kind } = task
  yield* activity.tell({ _tag: "PollFailed", at, operation: kind, about: key, why: error.reason._tag })
})
