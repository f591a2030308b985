import { assert, describe, it } from "@effect/vitest"

import { type Facts, type PolledFact, seen } from "../../src/domain/Facts.ts"
import type { Money } from "../../src/domain/Money.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import { letRun, type LetRun } from "../../src/rules/Closures.ts"
import { numbersOf, testsOf } from "../../src/rules/Columns.ts"
import type { Stretch } from "../../src/rules/ColumnsFacts.ts"
import { scopeOf } from "../../src/rules/Scope.ts"
import { kindOfType } from "../../src/rules/Value.ts"
import { rngOf } from "../fuzz/Random.ts"
import { randomFile } from "./Agree.ts"
import { paramValues, randomFacts } from "./RandomExpressions.ts"
import { at, isSame } from "./support.ts"

const never = Number.POSITIVE_INFINITY
const ageless: Readonly<Record<PolledFact, number>> = {
  book: never,
  history: never,
  overview: never,
  offers: never,
  description: never,
  wallet: never
}
const books = 24

/** The same facts from book to book, sides now and then empty, minutes or days apart. */
const series = (rng: ReturnType<typeof rngOf>, first: Facts): ReadonlyArray<Facts> => {
  let now: number = first.now
  const side = (price: number) =>
    rng.chance(0.1) ? [] : [{ price: price as Money, units: 1 + rng.below(50) }]
  return Array.from({ length: books }, () => {
    now += rng.pick([1, 60_000, 3_600_000, 40_000_000])
    const bid = 900 + rng.below(300)
    const book = orderBook({ currency: 1, bids: side(bid), asks: side(bid + 1 + rng.below(200)) })
    return { ...first, now: at(now), book: seen(book, at(now)) }
  })
}

const best = (of: ReadonlyArray<{ readonly price: number }>) => of[0]?.price ?? Number.NaN

const stretchOf = (all: ReadonlyArray<Facts>, scope: Stretch["scope"], clock: Stretch["clock"]): Stretch => {
  const column = (of: (book: ReturnType<typeof orderBook>) => number) =>
    Float64Array.from(all, ({ book }) => (book._tag === "Seen" ? of(book.value) : Number.NaN))
  return {
    count: books,
    at: Float64Array.from(all, ({ now }) => now),
    bid: column(({ bids }) => best(bids)),
    ask: column(({ asks }) => best(asks)),
    bidUnits: column(({ bidUnits }) => bidUnits),
    askUnits: column(({ askUnits }) => askUnits),
    scope,
    clock
  }
}

describe("Columns", () => {
  it("are what the closures compute, book by book, for random expressions", () => {
    const rng = rngOf(11)
    let [compared, varied] = [0, 0]
    for (let file = 0; file < 4_000; file++) {
      const { lets, main } = randomFile(rng)
      const kind = kindOfType(main.expr.type)
      if (kind === "string" || [main, ...lets].some((one) => one.perListing)) continue
      const runs: Array<LetRun> = []
      for (const one of lets) runs.push(letRun(one.expr, runs))
      const columnLets = { lets: lets.map((checked, index) => ({ name: `let${index}`, checked })), runs }
      const column = kind === "number" ? numbersOf(main.expr, columnLets) : testsOf(main.expr, columnLets)
      if (column === undefined) continue
      const [params, all] = [paramValues(rng), series(rng, randomFacts(rng))]
      const [first] = all
      if (first === undefined) continue
      const clock = { ...first }
      const stretch = stretchOf(all, scopeOf(clock, ageless, params, lets.length), clock)
      const values = column(stretch)
      const run = letRun(main.expr, runs)
      for (const [index, facts] of all.entries()) {
        const alone = run(scopeOf(facts, ageless, params, lets.length))
        const value = typeof values === "number" ? values : values[index]
        assert.isTrue(isSame(value, alone), `${main.text}: column ${value}, run ${String(alone)}`)
        compared++
      }
      if (typeof values !== "number") varied++
    }
    assert.isAbove(compared, 20_000)
    assert.isAbove(varied, 300)
  })
})
