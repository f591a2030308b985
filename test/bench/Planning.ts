/** Rows of what polls cost and bring: the planner under the published and the assumed budgets, and a permit from the shared ledger. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { Effect, Layer } from "effect"

import { answered, next } from "../../src/engine/Planner.ts"
import type { PlannedBudget } from "../../src/engine/PlannerPlaces.ts"
import { makePlanner } from "../../src/engine/PlannerState.ts"
import { want } from "../../src/engine/PlannerWants.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import { RateLedger, layerMemory } from "../../src/market/RateLedger.ts"
import { layer as layerSqlite } from "../../src/market/RateLedgerSqlite.ts"
import { leastMeanAge, play, type Polled } from "../engine/Polling.ts"
import { nanosEach, row } from "./Measure.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const books: ReadonlyArray<PlannedBudget> = [{ requests: 120, windowMillis: minute }]
const overviews: ReadonlyArray<PlannedBudget> = [
  { requests: 20, windowMillis: minute },
  { requests: 1_000, windowMillis: day }
]
const searches: ReadonlyArray<PlannedBudget> = [{ requests: 20, windowMillis: minute }]

const ageBar = 1.05
const useBar = 0.98

/** Four rounds of every item, the first two of which are not counted: then all is known. The budget is always too small. */
const rounds = (items: number, budget: PlannedBudget, budgets: ReadonlyArray<PlannedBudget>): Polled => {
  const round = (items * budget.windowMillis) / budget.requests
  const measuredFrom = 2 * Math.max(round, budget.windowMillis)
  return play({ items, budgets, everyMillis: round / 8, forMillis: 2 * measuredFrom, measuredFrom })
}

/** Mean age against the least that is possible, or an error when a budget is wasted or exceeded. */
const ageOf = (items: number, budgets: ReadonlyArray<PlannedBudget>) => {
  const tightest = budgets.reduce((least, one) =>
    one.requests / one.windowMillis < least.requests / least.windowMillis ? one : least
  )
  const got = rounds(items, tightest, budgets)
  const used = Math.max(...got.used)
  if (got.refused > 0 || used < useBar)
    throw new Error(`${items} items: ${got.refused} refused, ${(used * 100).toFixed(1)} % of the budget used`)
  const weights = Array.from({ length: items }, () => 1)
  return { used, age: got.meanAgeMillis / leastMeanAge(tightest.requests / tightest.windowMillis, weights) }
}

const planned = (items: number) =>
  Effect.sync(() => {
    const of = {
      books: ageOf(items, books),
      overviews: ageOf(items, overviews),
      searches: ageOf(items, searches)
    }
    const used = Math.min(...Object.values(of).map((one) => one.used))
    return row({
      name: `planner ${items}`,
      value: Math.max(...Object.values(of).map(({ age }) => age)),
      unit: `× the least possible mean age of ${items} items; ${(used * 100).toFixed(1)} % of the budgets used, 0 refused`,
      against: {
        "books alone": of.books.age,
        "overviews alone": of.overviews.age,
        "searches alone": of.searches.age
      },
      bar: ageBar
    })
  })

/** One decision after the other among so many items that are all due. */
const deciding = (items: number) => {
  const planner = makePlanner<"book", string, "orderbook">(
    new Map([["orderbook", [{ requests: 1_000, windowMillis: 1_000 }]]]),
    () => "orderbook"
  )
  for (let item = 0; item < items; item++)
    want(planner, { kind: "book", key: `730/item ${item}`, everyMillis: 1 }, 0)
  let now = 1
  return () => {
    now += 1
    const found = next(planner, now, () => 0)
    if (found._tag === "Ask") answered(planner, found.task, now)
    else throw new Error("nothing was due")
  }
}

const counts = [10, 100, 1_000, 10_000]

const cost = Effect.sync(() => {
  // the least of several medians: whatever else the machine does makes a decision slower, never faster
  const runs = Array.from({ length: 5 }, () => nanosEach(...counts.map(deciding)))
  const nanos = counts.map((_, index) => Math.min(...runs.map((run) => run[index] ?? Number.NaN)))
  const [ten = 0, , , tenThousand = 0] = nanos
  return row({
    name: "planner cost",
    value: tenThousand / ten / (Math.log(10_000) / Math.log(10)),
    unit: `× the growth of log n from 10 to 10,000 items; ${nanos.map((one) => one.toFixed(0)).join(", ")} ns for 10, 100, 1,000, 10,000`,
    against: { "10 items, time": tenThousand / ten },
    bar: 1
  })
})

const permit = Effect.scoped(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "haggle-bench-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const file = join(folder, "requests.db")
    const [disk, ram] = yield* Effect.forEach(
      [
        layerSqlite({ file, market: "http://market.test", account: "1", quotas: defaultQuotas }),
        layerMemory()
      ],
      (layer) =>
        Effect.flatMap(Layer.build(Layer.fresh(layer)), (context) => Effect.provide(RateLedger, context))
    )
    let now = 0
    const taking = (ledger: RateLedger["Service"] | undefined) => () => {
      now += 500
      ledger?.transact(now, () => ({ kind: "sent", operation: "orderbook", at: now, mine: true }))
    }
    const [onDisk = 0, inMemory = 0] = nanosEach(taking(disk), taking(ram))
    return row({
      name: "permit",
      value: onDisk / 1_000,
      unit: "µs to note a request in the ledger that processes share (SQLite, no fsync)",
      against: { "in memory, time": onDisk / inMemory }
    })
  })
).pipe(Effect.orDie)

export const planningRows = {
  "planner 10": planned(10),
  "planner 100": planned(100),
  "planner 1000": planned(1_000),
  "planner 10000": planned(10_000),
  "planner cost": cost,
  permit
}
