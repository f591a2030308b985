/**
 * What is wanted of the planner: more and other things, another pace or weight, nothing more, or something at once.
 * Invariant: each change costs O(log n).
 */
import { idOf, type Lane, laneFor, type Planner, type Task, taskOf } from "./PlannerState.ts"

/** Wants something from now on, or at another pace. */
export const want = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  of: { readonly kind: Kind; readonly key: Key; readonly everyMillis: number },
  now: number
): Task<Kind, Key> => {
  const lane = laneFor(planner, of.kind)
  const before = taskOf(planner, of.kind, of.key)
  if (before !== undefined) {
    retime(lane, before, of.everyMillis)
    return before
  }
  const stride = strideOf(of.everyMillis, 1)
  lane.leastEvery = Math.min(lane.leastEvery, of.everyMillis)
  const task: Task<Kind, Key> = {
    kind: of.kind,
    key: of.key,
    everyMillis: of.everyMillis,
    weight: 1,
    stride,
    // The first turn comes as soon as that of the most frequent thing: unknown is worse than old.
    pass: lane.virtual + strideOf(lane.leastEvery, 1) * ((lane.started * goldenFraction) % 1),
    dueAt: now,
    askedAt: undefined,
    again: false,
    known: false,
    failures: 0,
    place: -1
  }
  planner.tasks.set(idOf(of.kind, of.key), task)
  lane.wanted += 1 / task.everyMillis
  lane.count += 1
  lane.started += 1
  lane.waiting.add(task)
  return task
}

/** Multiples of it fall evenly between 0 and 1: so that things with the same share do not have their turns one right after the other. */
const goldenFraction = 0.618_033_988_749_894_9

const strideOf = (everyMillis: number, weight: number): number => Math.sqrt(everyMillis / weight)

const retime = <Kind extends string, Key extends string>(
  lane: Lane<Kind, Key>,
  task: Task<Kind, Key>,
  everyMillis: number
): void => {
  if (task.everyMillis === everyMillis) return
  lane.wanted += 1 / everyMillis - 1 / task.everyMillis
  // What failed rests as long as before.
  if (task.failures === 0) task.dueAt += everyMillis - task.everyMillis
  task.everyMillis = everyMillis
  restride(lane, task)
  lane.waiting.moved(task)
}

/** Gives it another weight; what it has waited so far counts in proportion. */
export const weigh = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  task: Task<Kind, Key>,
  weight: number
): void => {
  if (task.weight === weight) return
  task.weight = weight
  restride(laneFor(planner, task.kind), task)
}

const restride = <Kind extends string, Key extends string>(
  lane: Lane<Kind, Key>,
  task: Task<Kind, Key>
): void => {
  const stride = strideOf(task.everyMillis, task.weight)
  task.pass = lane.virtual + (task.pass - lane.virtual) * (stride / task.stride)
  task.stride = stride
  lane.ready.moved(task)
  lane.outside.moved(task)
}

/** Wants it no more; an answer that is under way is still taken. */
export const drop = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  task: Task<Kind, Key>
): void => {
  const lane = laneFor(planner, task.kind)
  if (!planner.tasks.delete(idOf(task.kind, task.key))) return
  lane.count -= 1
  lane.wanted = lane.count === 0 ? 0 : lane.wanted - 1 / task.everyMillis
  for (const heap of [lane.waiting, lane.ready, lane.outside]) heap.remove(task)
}

/** Asks for it as soon as the budget allows, before its time and before others. */
export const hasten = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  kind: Kind,
  key: Key,
  now: number
): void => {
  const task = taskOf(planner, kind, key)
  if (task === undefined) return
  if (task.askedAt !== undefined) {
    task.again = true
    return
  }
  const lane = laneFor(planner, kind)
  task.dueAt = Math.min(task.dueAt, now)
  task.pass = Math.min(task.pass, lane.virtual)
  lane.waiting.moved(task)
  lane.ready.moved(task)
  lane.outside.moved(task)
}
