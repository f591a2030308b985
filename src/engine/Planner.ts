/**
 * Which request of market data is worth most now, under all budgets at once. Things that are polled wait until they are due; among those
 * that are, each has a share of its operation's budget: the square root of its weight over the time that it may take, because shares in
 * that proportion make the weighted mean age the least that the budget allows. With n equal things and b requests a minute that is n/2b
 * minutes.
 * Invariants: 1. nothing is asked for that is not wanted, and nothing more often than wanted. 2. whatever is wanted has its turn: a
 * share is never zero, and what was asked for goes behind what waits. 3. a budget that is asked for more than it has is spread evenly over
 * its window: a burst would make everything old together; only what is not known yet may go ahead. 4. a decision costs O(log n). Pure but for its own state: time comes in.
 */
import { placeFree, takePlace } from "./PlannerPlaces.ts"
import { type Lane, laneFor, type Planner, type Task, taskOf } from "./PlannerState.ts"

/** Requests in flight: of one operation, so that one that hangs does not hold up the others, and of all. */
const laneInFlight = 4
const allInFlight = 8

/** A budget is spread out from this part of it on. */
const spreadFrom = 0.9
/** What is not known at all need not keep that pace for this part of the budget: a day's would take the day to become known. */
const unknownPart = 0.1

export type Next<Kind extends string, Key extends string> =
  | { readonly _tag: "Ask"; readonly task: Task<Kind, Key> }
  /** Nothing to ask for before then; undefined when nothing is wanted or every request that may be is in flight. */
  | { readonly _tag: "Wait"; readonly until: number | undefined }

/** What to ask for now, or when to look again; `waitMillis` is how long the market's side makes a request wait. */
export const next = <Kind extends string, Key extends string, Operation extends string>(
  planner: Planner<Kind, Key, Operation>,
  now: number,
  waitMillis: (operation: Operation, key: Key) => number
): Next<Kind, Key> => {
  if (planner.inFlight >= allInFlight) return { _tag: "Wait", until: undefined }
  let best: Task<Kind, Key> | undefined
  let until: number | undefined
  for (const lane of planner.lanes.values()) {
    if (lane.count === 0 || lane.inFlight >= laneInFlight) continue
    const candidate = candidateOf(lane, now)
    const at =
      candidate.task === undefined
        ? candidate.at
        : Math.max(candidate.at, now + waitMillis(lane.operation, candidate.task.key))
    if (candidate.task !== undefined && at <= now) {
      if (best === undefined || lateness(candidate.task, now) > lateness(best, now)) best = candidate.task
    } else if (at !== undefined && (until === undefined || at < until)) until = at
  }
  return best === undefined ? { _tag: "Wait", until } : { _tag: "Ask", task: started(planner, best, now) }
}

/** How late it is against its own pace; where operations share a budget, the latest goes first. */
const lateness = ({ dueAt, everyMillis, weight }: Task<string, string>, now: number): number =>
  ((now - dueAt) * weight) / everyMillis

interface Candidate<T> {
  readonly task: T | undefined
  readonly at: number
}

const candidateOf = <Kind extends string, Key extends string>(
  lane: Lane<Kind, Key>,
  now: number
): Candidate<Task<Kind, Key>> => {
  admitDue(lane, now)
  const inside = lane.ready.first()
  const outside = lane.outside.first()
  const freeAt = lane.places === undefined ? now : placeFree(lane.places, lane.count, now)
  const chosen =
    outside !== undefined && freeAt <= now && (inside === undefined || outside.pass < inside.pass)
      ? outside
      : inside
  if (chosen !== undefined) return { task: chosen, at: Math.max(now, onPace(lane, chosen)) }
  const dueAt = lane.waiting.first()?.dueAt ?? Number.POSITIVE_INFINITY
  return { task: undefined, at: Math.min(dueAt, outside === undefined ? Number.POSITIVE_INFINITY : freeAt) }
}

/** Moves what is due behind those that are due already, and what lost its place to those without. */
const admitDue = <Kind extends string, Key extends string>(lane: Lane<Kind, Key>, now: number): void => {
  for (
    let task = lane.waiting.first();
    task !== undefined && task.dueAt <= now;
    task = lane.waiting.first()
  ) {
    lane.waiting.remove(task)
    task.pass = Math.max(task.pass, lane.virtual)
    const isInside = lane.places === undefined || lane.places.since.has(task)
    ;(isInside ? lane.ready : lane.outside).add(task)
  }
  for (const lost of lane.places?.expired(now) ?? []) {
    if (!lane.ready.has(lost)) continue
    lane.ready.remove(lost)
    lane.outside.add(lost)
  }
}

/** When a request for it fits the pace of every budget that is asked for more than it has. */
const onPace = <Kind extends string, Key extends string>(
  { paces, wanted }: Lane<Kind, Key>,
  { known }: Task<Kind, Key>
): number => {
  let at = Number.NEGATIVE_INFINITY
  for (const { evenMillis, nextAt, windowMillis } of paces)
    if (wanted * evenMillis > spreadFrom)
      at = Math.max(at, known ? nextAt : nextAt - unknownPart * windowMillis)
  return at
}

/** Who wakes a little late must not lose a little of the budget every time. */
const keepPace = <Kind extends string, Key extends string>(lane: Lane<Kind, Key>, now: number): void => {
  for (const pace of lane.paces) pace.nextAt = Math.max(pace.nextAt, now - pace.evenMillis) + pace.evenMillis
}

const started = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  task: Task<Kind, Key>,
  now: number
): Task<Kind, Key> => {
  const lane = laneFor(planner, task.kind)
  lane.ready.remove(task)
  lane.outside.remove(task)
  if (lane.places !== undefined) takePlace(lane.places, task, now)
  lane.virtual = Math.max(lane.virtual, task.pass)
  keepPace(lane, now)
  lane.inFlight += 1
  planner.inFlight += 1
  task.pass += task.stride
  task.askedAt = now
  task.again = false
  return task
}

/** Its answer has come, or none; `restMillis` is how long it rests after a failure. */
export const answered = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  task: Task<Kind, Key>,
  now: number,
  restMillis?: number
): void => {
  const lane = laneFor(planner, task.kind)
  lane.inFlight -= 1
  planner.inFlight -= 1
  const askedAt = task.askedAt ?? now
  task.askedAt = undefined
  if (taskOf(planner, task.kind, task.key) !== task) return
  if (restMillis === undefined) task.known = true
  if (restMillis !== undefined) task.dueAt = now + restMillis
  else task.dueAt = task.again ? now : askedAt + task.everyMillis
  if (task.again) task.pass = Math.min(task.pass, lane.virtual)
  task.again = false
  lane.waiting.add(task)
}
