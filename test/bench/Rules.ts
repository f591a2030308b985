/** Rows of the rules' hot paths, each beside what one would otherwise take for it. */
import { Environment } from "@marcbachmann/cel-js"
import { Effect } from "effect"
import { Engine } from "json-rules-engine"

import { type Facts, seen } from "../../src/domain/Facts.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { test } from "../../src/rules/Closures.ts"
import { check } from "../../src/rules/Expression.ts"
import { interpret, interpretation } from "../../src/rules/Interpret.ts"
import type { Names } from "../../src/rules/Names.ts"
import { scopeOf } from "../../src/rules/Scope.ts"
import { defaultFreshness } from "../../src/rules/Strategy.ts"
import type { Value } from "../../src/rules/Value.ts"
import { book, compiled, facts, headOf, noNames, now, withRules } from "../rules/support.ts"
import { millisEach, millisOf, nanosEach, row } from "./Measure.ts"

const typical = "book.ask > book.bid && position.units < params.stock && book.askUnits > 3"
const values = {
  book: { ask: 1300, bid: 1000, askUnits: 7 },
  position: { units: 0 },
  params: { stock: 4 }
}

/** The rule by both evaluators, by cel-js alone and by json-rules-engine, on the same facts. */
const contenders = Effect.gen(function* () {
  const names: Names = { ...noNames, params: new Map([["stock", { type: "int", index: 0 }]]) }
  const checked = yield* Effect.fromResult(check(typical, names))
  const scope = scopeOf(facts(), defaultFreshness, [values.params.stock], 0)
  const [looking, seenValues] = [interpretation(scope, []), [] as Array<Value | undefined>]
  const closure = test(checked.expr, [])
  const cel = new Environment({ unlistedVariablesAreDyn: true }).parse(typical)
  const fact = (name: "ask" | "bid" | "askUnits") => ({ fact: "book", path: `$.${name}` })
  const engine = new Engine([
    {
      conditions: {
        all: [
          { ...fact("ask"), operator: "greaterThan", value: fact("bid") },
          {
            fact: "position",
            path: "$.units",
            operator: "lessThan",
            value: { fact: "params", path: "$.stock" }
          },
          { ...fact("askUnits"), operator: "greaterThan", value: 3 }
        ]
      },
      event: { type: "match" }
    }
  ])
  const answer = yield* Effect.promise(() => engine.run(values))
  const interpreting = () => interpret(checked.expr, looking, seenValues)
  const running = () => closure(scope)
  if (interpreting() !== true || running() !== 1 || cel(values) !== true || answer.events.length !== 1)
    return yield* Effect.die(new Error("the rule does not match everywhere"))
  const rounds = 2_000
  const [engineMillis = 0] = yield* millisEach(
    3,
    Effect.promise(async () => {
      for (let round = 0; round < rounds; round++) await engine.run(values)
    })
  )
  const [interpreted = 0, run = 0, celNanos = 0] = nanosEach(interpreting, running, () => cel(values))
  return { interpreted, run, cel: celNanos, engine: (engineMillis * 1e6) / rounds }
}).pipe(Effect.orDie)

const interpreter = Effect.map(contenders, ({ cel, engine, interpreted }) =>
  row({
    name: "interpreter",
    value: 1e3 / interpreted,
    unit: "M evaluations/s of three comparisons, every part written down",
    against: { "cel-js, time": interpreted / cel, "json-rules-engine, time": interpreted / engine },
    atLeast: 2
  })
)

const closures = Effect.map(contenders, ({ cel, engine, run }) =>
  row({
    name: "closures",
    value: 1e3 / run,
    unit: "M evaluations/s of three comparisons",
    against: { "cel-js, time": run / cel, "json-rules-engine, time": run / engine },
    atLeast: 15
  })
)

const ruleCount = 200
const rulesPerStrategy = 10
const itemCount = 500

/** Rules over the book, history and position, of which a few match: as many as a person has, not as a test would. */
const manyStrategies = () =>
  Array.from({ length: ruleCount / rulesPerStrategy }, (_, index) =>
    compiled(
      `${headOf()}params: { margin: { default: ${(5 + index) / 100} }, stock: { default: 4 } }
let:
  fair: history.median(duration("7d"))
  net: fees.sellerReceives(book.ask)
  edge: (net - book.bid) / book.bid
rules:
${Array.from({ length: rulesPerStrategy }, (_, rule) => ruleText(rule)).join("")}`,
      `strategy-${index}.yaml`
    )
  )

const ruleText = (rule: number): string =>
  [
    `  - { id: enter-${rule}, when: edge > params.margin + ${rule / 10} && position.units < params.stock, do: bid, at: "min(book.bid + tick(1), fair)", qty: params.stock }\n`,
    `  - { id: exit-${rule}, when: position.sellable > ${rule}, do: ask, at: book.ask - tick(1) }\n`,
    `  - { id: fall-${rule}, when: book.bid < fair * ${0.2 + rule / 20} && book.bidUnits > 3, do: cancel-bid }\n`
  ][rule % 3] ?? ""

const manyFacts = (): ReadonlyArray<Facts> =>
  Array.from({ length: itemCount }, (_, index) =>
    facts({
      item: item(730, `Item ${index}`),
      book: seen(book(900 + (index % 200), 1_050 + ((index * 7) % 300), 1 + (index % 9)), now)
    })
  )

const pass = Effect.gen(function* () {
  const [strategies, all] = [manyStrategies(), manyFacts()]
  let rules = 0
  const once = Effect.sync(() => {
    rules = 0
    for (const facts of all)
      for (const strategy of strategies)
        rules += strategy.evaluate(facts, nothingHeld).decision.verdicts.length
  })
  // the pass that the machine's other work disturbed least: a whole one is longer than a slice of its processor
  const times: Array<number> = []
  for (let pass = 0; pass < 25; pass++) times.push(yield* millisOf(once))
  const millis = Math.min(...times)
  if (rules !== ruleCount * itemCount) return yield* Effect.die(new Error(`${rules} verdicts`))
  return row({
    name: "rule pass",
    value: millis,
    unit: `ms (least of 25) for whole decisions of ${ruleCount} rules on ${itemCount} items`,
    against: { "ns per rule": (millis * 1e6) / rules },
    bar: 25
  })
})

const nothingHeld: ReadonlyMap<string, Millis> = new Map()

const threeRules = `  - { id: enter, when: book.spreadPct > 0.12 && position.units < 5, do: bid, at: book.bid + tick(1), qty: 5 - position.units, because: '"spread " + percent(book.spreadPct)' }
  - { id: leave, when: book.spreadPct < 0.05, do: cancel-bid }
  - { id: exit, when: position.sellable > 0, do: ask, at: "max(book.ask - tick(1), fees.buyerPays(position.avgCost * 1.02))" }
`

const books = Effect.sync(() => {
  const strategy = withRules(threeRules)
  const tape = Array.from({ length: 1_000 }, (_, index) =>
    facts({ book: seen(book(1_000 + (index % 97), 1_040 + ((index * 31) % 300)), now) })
  )
  let [at, bids] = [0, 0]
  const next = () => {
    at = at === tape.length - 1 ? 0 : at + 1
    const { decision } = strategy.evaluate(tape[at] ?? facts(), nothingHeld)
    if (decision.bid?._tag === "Bid") bids++
    return decision
  }
  const raw = () => {
    at = at === tape.length - 1 ? 0 : at + 1
    return tape[at]
  }
  const [deciding = 0, walking = 0] = nanosEach(next, raw)
  if (bids === 0) throw new Error("nothing was bid")
  return row({
    name: "books",
    value: 1e3 / deciding,
    unit: "M books/s decided by a strategy of three rules",
    against: { "walking the tape, time": deciding / walking },
    atLeast: 1
  })
})

export const ruleRows = { interpreter, closures, "rule pass": pass, books }
