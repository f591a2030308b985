import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"

import {
  type Outcome,
  partsOf,
  placesOf,
  ranking,
  type SweepPlan,
  walkForward
} from "../../src/backtest/Sweep.ts"
import { appending, jobId, knownOutcomes } from "../../src/backtest/SweepFile.ts"
import { axisOf, grid, sample } from "../../src/backtest/SweepSpace.ts"
import { heatMaps, sweepResult } from "../../src/backtest/SweepTables.ts"
import { money } from "../../src/domain/Money.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"

const compiled = compileStrategy(
  "turned.yaml",
  `version: 1
universe: [{ app: 730, items: ["Glove Case"] }]
params:
  margin: { default: 6%, min: 2%, max: 10% }
  stock: { default: 4, min: 1, max: 9 }
  budget: { default: 5.00, type: money }
  patience: { default: 6h }
  bold: { default: false }
rules:
  - { id: enter, when: "params.bold && params.margin > 0.01 && params.patience > duration('1h')", do: bid, at: params.budget, qty: params.stock }
`,
  { currency: 1 }
)
const { params, withParams } = Result.getOrThrowWith(compiled, (errors) => new Error(JSON.stringify(errors)))
const axis = (text: string) => axisOf(params, text)
const valuesOf = (text: string) => Result.getOrThrowWith(axis(text), (message) => new Error(message)).values
const wrong = (text: string) => {
  const read = axis(text)
  return Result.isFailure(read) ? read.failure : "nothing is wrong"
}

describe("The params of a sweep", () => {
  it("are lists, ranges with steps, or a param's own bounds, in the param's own words", () => {
    assert.deepStrictEqual(valuesOf("margin=3%,0.05"), ["3%", 0.05])
    assert.deepStrictEqual(valuesOf("margin=2%:6%:2%"), ["2%", "4%", "6%"])
    assert.deepStrictEqual(valuesOf("stock=1:9:4"), [1, 5, 9])
    assert.deepStrictEqual(valuesOf("budget=1:2:0.25"), ["1.00", "1.25", "1.50", "1.75", "2.00"])
    assert.deepStrictEqual(valuesOf("patience=1h:2h:30m"), ["1h", "1h30m", "2h"])
    assert.deepStrictEqual(valuesOf("margin"), ["2%", "4%", "6%", "8%", "10%"])
    assert.deepStrictEqual(valuesOf("stock"), [1, 3, 5, 7, 9])
    assert.deepStrictEqual(valuesOf("bold"), [false, true])
  })

  it("are values that the strategy takes", () => {
    for (const text of ["margin=2%:6%:2%", "stock=1:9:4", "budget=1:2:0.25", "patience=1h:2h:30m", "bold"])
      for (const value of valuesOf(text)) {
        const name = text.split("=")[0] ?? ""
        assert.isTrue(Result.isSuccess(withParams({ [name]: value })), `${name} ${value}`)
      }
  })

  it("are refused in words when they are none of it", () => {
    assert.include(wrong("speed=1"), "it has margin, stock, budget, patience, bold")
    assert.include(wrong("margin=1%:6%:1%"), "at least 2%")
    assert.include(wrong("stock=1.5"), "whole numbers")
    assert.include(wrong("budget"), "--param budget=FROM:TO:STEP")
    assert.include(wrong("margin=6%:2%:1%"), "upwards")
    assert.include(wrong("margin=2%:6%:0%"), "upwards")
    assert.include(wrong("patience=soon"), "a time such as 6h")
  })

  const axes = [
    { name: "margin", values: ["2%", "4%", "6%"] },
    { name: "stock", values: [1, 2] }
  ]

  it("make a grid of every combination, once", () => {
    assert.lengthOf(new Set(grid(axes).map((one) => JSON.stringify(one))), 6)
    assert.deepStrictEqual(grid(axes)[1], { margin: "2%", stock: 2 })
  })

  it("are drawn by seed without drawing one twice", async () => {
    const draw = (seed: number, count: number) => Effect.runPromise(sample(axes, count, seed))
    assert.deepStrictEqual(await draw(1, 4), await draw(1, 4))
    assert.lengthOf(new Set((await draw(2, 5)).map((one) => JSON.stringify(one))), 5)
    assert.sameDeepMembers([...(await draw(3, 99))], [...grid(axes)])
  })
})

const plan: SweepPlan = {
  axes: [
    { name: "a", values: [1, 2] },
    { name: "b", values: [1, 2] }
  ],
  combinations: grid([
    { name: "a", values: [1, 2] },
    { name: "b", values: [1, 2] }
  ]),
  parts: partsOf(0, 100, 2)
}
const outcome = (profit: number): Outcome => ({
  profit: money(profit),
  realised: money(profit),
  fees: money(0),
  drawdown: money(50),
  trips: 40,
  units: 40,
  winRate: undefined,
  fillRatio: 0.5,
  refusals: 0
})
/** What each combination won in each part: the best of the first part is the worst of the second. */
const won = [
  [100, -80],
  [50, 60],
  [40, 50],
  [-20, 10]
]
const outcomes = placesOf(plan).map((place) =>
  Object.assign(outcome(won[place.combination]?.[place.part] ?? 0), place)
)

describe("What came of a sweep", () => {
  it("cuts the time into parts that leave nothing out", () => {
    assert.deepStrictEqual(
      partsOf(10, 110, 3).map(({ from, to }) => [from, to]),
      [
        [10, 43],
        [43, 76],
        [76, 110]
      ]
    )
  })

  it("is ranked over all parts, whatever the order in which the runs ended", () => {
    const ranked = ranking(plan, outcomes.toReversed(), "profit")
    assert.deepStrictEqual(
      ranked.map(({ params, profit, rank, worstPart }) => [
        rank,
        params["a"],
        params["b"],
        profit,
        worstPart
      ]),
      [
        [1, 1, 2, 110, 50],
        [2, 2, 1, 90, 40],
        [3, 1, 1, 20, -80],
        [4, 2, 2, -10, -20]
      ]
    )
    assert.lengthOf(ranking(plan, outcomes.slice(1), "profit"), 3)
  })

  it("shows what is left in the next part of what was best in one", () => {
    const [forward] = walkForward(plan, outcomes, "profit")
    assert.deepStrictEqual(
      [forward?.params, forward?.inSample.profit, forward?.outOfSample.profit, forward?.median],
      [{ a: 1, b: 1 }, 100, -80, 10]
    )
  })

  it("calls a choice that did not hold overfitted", () => {
    const about = { strategy: "s", file: "s.yaml", currency: 1, goal: "profit", plan } as const
    const { findings } = sweepResult(about, outcomes)
    assert.deepStrictEqual(
      findings.map(({ code }) => code),
      ["overfitted", "no-choice"]
    )
    assert.include(findings[0]?.says ?? "", "-80 %")
    const [map] = heatMaps(sweepResult(about, outcomes))
    assert.deepStrictEqual(
      map?.rows.map(({ cells, value }) => [value, ...cells]),
      [
        ["1", 20, 110],
        ["2", 90, -10]
      ]
    )
  })
})

describe("A sweep's results on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "haggle-sweep-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "results.ndjson")
  const run = <A, E>(effect: Effect.Effect<A, E, NodeServices.NodeServices>) =>
    Effect.runPromise(Effect.provide(effect, NodeServices.layer))
  const keep = (id: string, of: Outcome) =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const append = yield* appending(file)
          yield* append(id, of)
        })
      )
    )

  it("are found again, also when the last line was cut anywhere", async () => {
    assert.strictEqual((await run(knownOutcomes(file))).size, 0)
    await keep("a", outcome(1))
    const whole = readFileSync(file).length
    await keep("b", outcome(2))
    const both = readFileSync(file).length
    for (let cut = both - 1; cut > whole; cut -= 7) {
      truncateSync(file, cut)
      const known = await run(knownOutcomes(file))
      assert.isTrue(known.has("a"))
      await keep("c", outcome(3))
      const [a, c] = await run(Effect.map(knownOutcomes(file), (all) => [all.get("a"), all.get("c")]))
      assert.deepStrictEqual([a?.profit, c?.profit], [1, 3])
    }
    appendFileSync(file, "not json\n")
    assert.isAtLeast((await run(knownOutcomes(file))).size, 2)
  })

  it("are known by params, time and everything that the runs share", () => {
    const [first, second] = plan.parts
    const job = { params: { a: 1, b: 2 }, part: first! }
    assert.strictEqual(jobId("s", job), jobId("s", { ...job, params: { b: 2, a: 1 } }))
    const others = [
      jobId("t", job),
      jobId("s", { ...job, part: second! }),
      jobId("s", { ...job, params: { a: 2 } })
    ]
    assert.notInclude(others, jobId("s", job))
  })
})
