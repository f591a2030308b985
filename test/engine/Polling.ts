/**
 * The planner at work without a network: budgets as the limiter keeps them on one side, a market that counts strictly on the other, and
 * how old what is known was all the time.
 */
import { answered, next } from "../../src/engine/Planner.ts"
import type { PlannedBudget } from "../../src/engine/PlannerPlaces.ts"
import { makePlanner, type Task } from "../../src/engine/PlannerState.ts"
import { want, weigh } from "../../src/engine/PlannerWants.ts"
import { emptyWindow, record, travelMillis, waitMillis } from "../../src/market/Window.ts"

export interface PollingOptions {
  readonly items: number
  readonly budgets: ReadonlyArray<PlannedBudget>
  readonly everyMillis: number
  readonly forMillis: number
  /** Not measured before then: the first round finds everything unknown. */
  readonly measuredFrom: number
  readonly latencyMillis?: number
  readonly weightOf?: (item: number) => number
}

export interface Polled {
  readonly requests: number
  /** Over the market's own, strict budgets. */
  readonly refused: number
  /** Part of each budget that was used. */
  readonly used: ReadonlyArray<number>
  /** Over all items, weighted; milliseconds. */
  readonly meanAgeMillis: number
  readonly longestAgeMillis: number
  /** Requests per item, in order. */
  readonly perItem: ReadonlyArray<number>
  readonly decisions: number
}

type Item = `${number}`
const numberOf = (task: Task<"book", Item>): number => Number(task.key)

/** What a strict market would have refused: as many as the budget came before it within the window. */
const refusedBy = (budget: PlannedBudget, asked: ReadonlyArray<readonly [number, Item]>): number => {
  let refused = 0
  let first = 0
  if (budget.distinct === true) {
    const since = new Map<Item, number>()
    for (const [at, item] of asked) {
      for (const [other, began] of since) if (began + budget.windowMillis <= at) since.delete(other)
      if (since.has(item)) continue
      if (since.size >= budget.requests) refused++
      else since.set(item, at)
    }
    return refused
  }
  for (const [index, [at]] of asked.entries()) {
    while ((asked[first]?.[0] ?? 0) <= at - budget.windowMillis) first++
    if (index - first >= budget.requests) refused++
  }
  return refused
}

/** Distinct items of a budget count when they take a place. */
const usesOf = (budget: PlannedBudget, asked: ReadonlyArray<readonly [number, Item]>): number => {
  if (budget.distinct !== true) return asked.length
  let taken = 0
  const since = new Map<Item, number>()
  for (const [at, item] of asked)
    if ((since.get(item) ?? Number.NEGATIVE_INFINITY) + budget.windowMillis <= at) {
      since.set(item, at)
      taken++
    }
  return taken
}

export const play = (options: PollingOptions): Polled => {
  const { budgets, everyMillis, forMillis, items, latencyMillis = 120, measuredFrom, weightOf } = options
  const kept = budgets.map((budget) => ({ ...budget, windowMillis: budget.windowMillis + travelMillis }))
  const planner = makePlanner<"book", Item, "orderbook">(new Map([["orderbook", kept]]), () => "orderbook")
  const windows = budgets.map(emptyWindow)
  for (let item = 0; item < items; item++) {
    const task = want(planner, { kind: "book", key: `${item}`, everyMillis }, 0)
    if (weightOf !== undefined) weigh(planner, task, weightOf(item))
  }
  const wait = (now: number) => (_: string, key: Item) =>
    Math.max(0, ...windows.map((window) => waitMillis(window, now, key)))
  const flying: Array<{ readonly at: number; readonly task: Task<"book", Item> }> = []
  const asked: Array<readonly [number, Item]> = []
  const ages = new Ages(items, measuredFrom)
  let [now, decisions] = [0, 0]
  while (now < forMillis) {
    while ((flying[0]?.at ?? Number.POSITIVE_INFINITY) <= now) {
      const landed = flying.shift()
      if (landed !== undefined) answered(planner, landed.task, now)
    }
    const found = next(planner, now, wait(now))
    decisions++
    if (found._tag === "Ask") {
      for (const window of windows) record(window, now, found.task.key)
      asked.push([now, found.task.key])
      ages.asked(numberOf(found.task), now)
      flying.push({ at: now + latencyMillis, task: found.task })
      continue
    }
    const wake = Math.min(found.until ?? forMillis, flying[0]?.at ?? forMillis)
    now = Math.max(now + 1, Math.ceil(wake))
  }
  const late = asked.filter(([at]) => at >= measuredFrom)
  return {
    requests: asked.length,
    refused: budgets.reduce((sum, budget) => sum + refusedBy(budget, asked), 0),
    used: budgets.map(
      (budget) =>
        (usesOf(budget, late) * budget.windowMillis) / ((forMillis - measuredFrom) * budget.requests)
    ),
    ...ages.result(forMillis, weightOf ?? (() => 1)),
    decisions
  }
}

/** The age of every item over time: it grows by one per unit of time and falls to nothing when the item is asked for. */
class Ages {
  private readonly last: Array<number>
  private readonly area: Array<number>
  private readonly counts: Array<number>
  private readonly from: number
  private longest = 0

  constructor(items: number, from: number) {
    this.last = Array.from({ length: items }, () => 0)
    this.area = Array.from({ length: items }, () => 0)
    this.counts = Array.from({ length: items }, () => 0)
    this.from = from
  }

  asked(item: number, at: number): void {
    this.close(item, at)
    this.last[item] = at
    this.counts[item] = (this.counts[item] ?? 0) + 1
  }

  private close(item: number, at: number): void {
    const since = this.last[item] ?? 0
    if (at <= this.from) return
    const begins = Math.max(0, this.from - since)
    const ends = at - since
    this.area[item] = (this.area[item] ?? 0) + (ends * ends - begins * begins) / 2
    this.longest = Math.max(this.longest, ends)
  }

  result(at: number, weightOf: (item: number) => number) {
    let [sum, weights] = [0, 0]
    for (const item of this.last.keys()) {
      this.close(item, at)
      sum += weightOf(item) * (this.area[item] ?? 0)
      weights += weightOf(item)
    }
    return {
      meanAgeMillis: sum / weights / (at - this.from),
      longestAgeMillis: this.longest,
      perItem: this.counts
    }
  }
}

/**
 * The least mean age that a budget allows. An item that is asked for every d is d/2 old in the mean; the shares f of the rate b that make
 * the mean of w/2f least are in proportion to √w, which gives (Σ√w)² / (2b · Σw): n/2b for n equal ones.
 */
export const leastMeanAge = (perMillis: number, weights: ReadonlyArray<number>): number => {
  const sum = (of: (weight: number) => number) => weights.reduce((total, weight) => total + of(weight), 0)
  return sum(Math.sqrt) ** 2 / (2 * perMillis * sum((weight) => weight))
}
