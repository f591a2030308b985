import { assert, describe, it } from "@effect/vitest"

import { answered, next } from "../../src/engine/Planner.ts"
import { makePlanner, taskOf } from "../../src/engine/PlannerState.ts"
import { drop, hasten, want } from "../../src/engine/PlannerWants.ts"
import { leastMeanAge, play } from "./Polling.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const books = [{ requests: 120, windowMillis: minute }]
const overviews = [
  { requests: 20, windowMillis: minute },
  { requests: 1_000, windowMillis: day }
]
const histograms = [
  { requests: 10, windowMillis: hour, distinct: true },
  { requests: 20, windowMillis: minute }
] as const

const planner = (requests = 60) =>
  makePlanner<"book" | "history", string, "orderbook" | "pricehistory">(
    new Map([
      ["orderbook", [{ requests, windowMillis: minute }]],
      ["pricehistory", [{ requests, windowMillis: minute }]]
    ]),
    (kind) => (kind === "book" ? "orderbook" : "pricehistory")
  )
const free = () => 0

describe("The poll planner", () => {
  it.each([10, 100, 1_000])(
    "uses a budget that is too small for %i items, evenly and to the full",
    (items) => {
      const measuredFrom = Math.max(10 * minute, (items / 120) * minute)
      const forMillis = measuredFrom + Math.max(20 * minute, 3 * (items / 120) * minute)
      const got = play({ items, budgets: books, everyMillis: 2_000, forMillis, measuredFrom })
      assert.strictEqual(got.refused, 0)
      assert.isAtLeast(got.used[0] ?? 0, 0.98)
      const least = leastMeanAge(
        120 / minute,
        Array.from({ length: items }, () => 1)
      )
      assert.isAtMost(got.meanAgeMillis, least * 1.05)
      assert.isAtMost(got.longestAgeMillis, 2.3 * least)
    }
  )

  it("spreads the published thousand overviews a day over the day", () => {
    const got = play({
      items: 50,
      budgets: overviews,
      everyMillis: hour / 2,
      forMillis: 3 * day,
      measuredFrom: day
    })
    assert.strictEqual(got.refused, 0)
    assert.isAtLeast(got.used[1] ?? 0, 0.98)
    assert.isAtMost(
      got.meanAgeMillis,
      leastMeanAge(
        1_000 / day,
        Array.from({ length: 50 }, () => 1)
      ) * 1.05
    )
  })

  it("gets to know fifty items within minutes, although the day's budget is short", () => {
    const got = play({
      items: 50,
      budgets: overviews,
      everyMillis: hour / 2,
      forMillis: 5 * minute,
      measuredFrom: 0
    })
    assert.isAtLeast(Math.min(...got.perItem), 1)
    assert.strictEqual(got.refused, 0)
  })

  it.each([10, 30])("gives %i items the published ten places an hour in turn", (items) => {
    const got = play({
      items,
      budgets: histograms,
      everyMillis: 5 * minute,
      forMillis: 40 * hour,
      measuredFrom: 4 * hour
    })
    assert.strictEqual(got.refused, 0)
    assert.isAtLeast(got.used[0] ?? 0, 0.98)
    assert.isAtMost(Math.max(...got.perItem) / Math.min(...got.perItem), 1.1)
  })

  it("shares in proportion to the root of the weight, which makes the weighted mean age the least", () => {
    const weightOf = (item: number) => (item < 10 ? 16 : 1)
    const got = play({
      items: 100,
      budgets: books,
      everyMillis: 1_000,
      forMillis: 60 * minute,
      measuredFrom: 10 * minute,
      weightOf
    })
    const weights = Array.from({ length: 100 }, (_, item) => weightOf(item))
    assert.isAtMost(got.meanAgeMillis, leastMeanAge(120 / minute, weights) * 1.05)
    const [heavy = 0, light = 0] = [got.perItem[0], got.perItem[99]]
    assert.isTrue(heavy / light > 3.8 && heavy / light < 4.2, `${heavy} and ${light}`)
  })

  it("asks for nothing more often than it is wanted, and for all at once while there is room", () => {
    const got = play({
      items: 10,
      budgets: books,
      everyMillis: minute,
      forMillis: 30 * minute,
      measuredFrom: 0
    })
    assert.isTrue(got.perItem.every((count) => count >= 29 && count <= 30))
  })

  it("asks for nothing that is not wanted any more, nor for what nobody wanted", () => {
    const plan = planner()
    assert.deepStrictEqual(next(plan, 0, free), { _tag: "Wait", until: undefined })
    const task = want(plan, { kind: "book", key: "glove", everyMillis: minute }, 0)
    drop(plan, task)
    assert.deepStrictEqual(next(plan, 0, free), { _tag: "Wait", until: undefined })
  })

  it("waits for the market's side, and goes on with another operation meanwhile", () => {
    const plan = planner()
    want(plan, { kind: "book", key: "glove", everyMillis: minute }, 0)
    want(plan, { kind: "history", key: "glove", everyMillis: minute }, 0)
    const found = next(plan, 0, (operation) => (operation === "orderbook" ? 5_000 : 0))
    assert.strictEqual(found._tag === "Ask" ? found.task.kind : found._tag, "history")
    assert.deepStrictEqual(
      next(plan, 0, () => 5_000),
      { _tag: "Wait", until: 5_000 }
    )
  })

  it("keeps a few requests in flight at most, of one operation and of all", () => {
    const plan = planner()
    for (let item = 0; item < 20; item++)
      for (const kind of ["book", "history"] as const)
        want(plan, { kind, key: `${item}`, everyMillis: minute }, 0)
    const kinds: Array<string> = []
    for (let found = next(plan, 0, free); found._tag === "Ask"; found = next(plan, 0, free))
      kinds.push(found.task.kind)
    assert.strictEqual(kinds.filter((kind) => kind === "book").length, 4)
    assert.strictEqual(kinds.length, 8)
  })

  it("asks before its time for what changed under our hands, also when it is under way", () => {
    const plan = planner()
    for (const key of ["a", "b"]) want(plan, { kind: "book", key, everyMillis: minute }, 0)
    const [a, b] = [next(plan, 0, free), next(plan, 0, free)]
    if (a._tag !== "Ask" || b._tag !== "Ask") return assert.fail("nothing was asked for")
    answered(plan, a.task, 100)
    hasten(plan, "book", "a", 200)
    hasten(plan, "book", "b", 200)
    answered(plan, b.task, 300)
    const again = [next(plan, 2_000, free), next(plan, 4_000, free)]
    assert.deepStrictEqual(
      again.map((found) => (found._tag === "Ask" ? found.task.key : undefined)),
      ["a", "b"]
    )
  })

  it("lets what failed rest, and never gives it up", () => {
    const plan = planner()
    want(plan, { kind: "book", key: "a", everyMillis: 1_000 }, 0)
    const found = next(plan, 0, free)
    if (found._tag !== "Ask") return assert.fail("nothing was asked for")
    answered(plan, found.task, 100, 600_000)
    assert.deepStrictEqual(next(plan, 101, free), { _tag: "Wait", until: 600_100 })
    assert.strictEqual(next(plan, 600_100, free)._tag, "Ask")
    assert.strictEqual(taskOf(plan, "book", "a")?.askedAt, 600_100)
  })
})
