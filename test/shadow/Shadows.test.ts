import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"

import { type Facts, seen, unseen } from "../../src/domain/Facts.ts"
import { itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { emptyPosition } from "../../src/domain/Position.ts"
import type { Standing } from "../../src/domain/Standing.ts"
import { emptyState, type State } from "../../src/domain/State.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { defaultPaperRules } from "../../src/paper/PaperSee.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { Comparison } from "../../src/shadow/Comparison.ts"
import { readKept, readReports, shadowFile, writeKept } from "../../src/shadow/ShadowFile.ts"
import { kept } from "../../src/shadow/ShadowReport.ts"
import { Shadows } from "../../src/shadow/Shadows.ts"
import { at, book, compiled, facts, gloves, headOf, holding, now, ownBid } from "../rules/support.ts"

const file = (name: string, text: string) => compiled(`${headOf()}${text}`, `${name}.yaml`)
const bids = (edge: number) =>
  `rules:\n  - { id: enter, when: "book.ask > book.bid * ${edge}", do: bid, at: book.bid, qty: 1 }\n`
const current = file("steady", bids(1.1))
const shadow = file("eager", `shadowOf: steady\n${bids(1.02)}`)

const looked = (minutes: number, of: Partial<Facts> = {}): Facts =>
  facts({ now: at(now + minutes * 60_000), ...of })
/** A narrow market, in which only the shadow bids. */
const narrow = (minutes: number, of: Partial<Facts> = {}): Facts =>
  looked(minutes, { book: seen(book(1000, 1050), at(now + minutes * 60_000)), ...of })

describe("Two strategies on the same facts", () => {
  it("agree while they want the same, and a difference lasts until they agree again", () => {
    const comparison = new Comparison()
    comparison.step(looked(0), current, shadow)
    for (const minutes of [1, 2, 3]) comparison.step(narrow(minutes), current, shadow)
    comparison.step(looked(4), current, shadow)
    const { agreed, counts, differences, items, steps } = comparison.compared
    assert.deepStrictEqual([steps, agreed, counts["only-shadow"]], [5, 2, 1])
    assert.deepStrictEqual(items, [{ item: itemKey(gloves), steps: 5, agreed: 2 }])
    const [one] = differences
    assert.deepStrictEqual(
      [one?.side, one?.kind, one?.from, one?.to, one?.steps],
      ["bid", "only-shadow", now + 60_000, now + 180_000, 3]
    )
    assert.deepStrictEqual(
      [one?.current.wish, one?.current.because, one?.shadow.wish],
      ["nothing", "enter no", "a buy order for 1 at 10.00"]
    )
    assert.include(
      (one?.current.trace ?? []).map(({ expression, value }) => `${expression} ${value}`),
      "book.ask 10.50"
    )
  })

  it("are not told apart by a wish that nobody could act on", () => {
    const comparison = new Comparison()
    const cancels = file("cancels", "rules:\n  - { id: stop, when: true, do: cancel-bid }\n")
    const idle = file(
      "idle",
      "rules:\n  - { id: never, when: book.bid > book.ask, do: bid, at: book.bid, qty: 1 }\n"
    )
    comparison.step(looked(0), cancels, idle)
    assert.strictEqual(comparison.compared.agreed, 1)
    comparison.step(looked(1, { orders: { bid: ownBid(1000, 1), ask: undefined } }), cancels, idle)
    assert.strictEqual(comparison.compared.counts["only-current"], 1)
  })

  it("differ in price and quantity, and only the newest differences are remembered", () => {
    const comparison = new Comparison()
    const higher = file(
      "higher",
      "rules:\n  - { id: enter, when: true, do: bid, at: book.bid + tick(1), qty: 1 }\n"
    )
    const more = file("more", "rules:\n  - { id: enter, when: true, do: bid, at: book.bid, qty: 2 }\n")
    comparison.step(looked(0), current, higher)
    comparison.step(looked(1), current, more)
    assert.deepInclude(comparison.compared.counts, { price: 1, quantity: 1 })
    for (let minute = 0; minute < 3 * kept; minute++)
      comparison.step(minute % 2 === 0 ? narrow(minute) : looked(minute), current, shadow)
    assert.lengthOf(comparison.compared.differences, kept)
  })
})

const options = {
  currency: 1,
  engine: defaultOptions,
  paper: { ...defaultPaperRules, pessimism: 0.1 }
} as const
const nowhere: Standing = { bids: [], asks: [] }
const stepped = (of: Facts) => ({ _tag: "Stepped", facts: of, own: nowhere }) as const

/** Looks at a market in which a bid at the best price is served: somebody sells through the book. */
const play = (
  shadows: Shadows,
  set: ReadonlyArray<CompiledStrategy>,
  from: number,
  real: State = emptyState
) => {
  for (let minute = from; minute < from + 10; minute++) {
    const moment = at(now + minute * 60_000)
    const price = minute % 2 === 0 ? book(1000, 1050, 2) : book(900, 990, 2)
    shadows.hear(stepped(facts({ now: moment, book: seen(price, moment) })), set, real)
  }
}

describe("A shadow beside a running strategy", () => {
  it("trades on paper what the other leaves, and begins with what is held", () => {
    const shadows = new Shadows(options, true, [])
    const seller = file(
      "seller",
      `shadowOf: steady\nrules:\n  - { id: exit, when: "position.units > 0", do: ask, at: book.bid, allowLoss: true }\n`
    )
    const held = {
      ...emptyPosition,
      lots: [{ fill: "f1" as never, at: now, units: 2, cost: money(1_500), strategy: "steady" }],
      holdings: ["a1", "a2"].map((asset) => ({ asset: asset as never, context: "2", since: now }))
    }
    const real = { ...emptyState, positions: { [itemKey(gloves)]: held } }
    play(shadows, [current, shadow, seller], 0, real)
    const [eager, selling] = shadows.kept(real).map(({ report }) => report)
    assert.isAbove(eager?.onPaper.shadow.bought ?? 0, 0)
    assert.strictEqual(eager?.onPaper.current?.bought, 0)
    assert.isAbove(eager?.compared.counts["only-shadow"] ?? 0, 0)
    assert.strictEqual(selling?.onPaper.shadow.sold, 2)
    assert.strictEqual(selling?.onPaper.shadow.held, 0)
    // nothing of it is in the daemon's own state
    assert.strictEqual(real.positions[itemKey(gloves)], held)
  })

  it("begins anew with another text, and is alone when nothing of that name trades", () => {
    const shadows = new Shadows(options, false, [])
    play(shadows, [current, shadow], 0)
    const edited = file("eager", `shadowOf: steady\n${bids(1.03)}`)
    play(shadows, [current, edited], 10)
    const [report] = shadows.kept(emptyState).map((one) => one.report)
    assert.deepStrictEqual(
      [report?.shadow.revision, report?.compared.steps, report?.since],
      [edited.revision, 10, now + 600_000]
    )
    play(shadows, [edited], 20)
    const [alone] = shadows.kept(emptyState).map((one) => one.report)
    assert.deepStrictEqual(alone?.current, { name: "steady" })
    assert.isUndefined(alone?.onPaper.current)
  })

  it("decides nothing while the book is away, and not about items of others", () => {
    const shadows = new Shadows(options, true, [])
    shadows.hear(stepped(facts({ book: unseen })), [current, shadow], emptyState)
    shadows.hear(stepped(facts({ item: { ...gloves, name: "Other" } })), [current, shadow], emptyState)
    assert.strictEqual(shadows.kept(emptyState)[0]?.report.compared.steps, 0)
  })

  it.effect("goes on after a restart as if there had been none", () =>
    Effect.gen(function* () {
      const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const path = shadowFile(yield* Path.Path, `${folder}/haggle.db`)
      const [whole, first] = [new Shadows(options, true, []), new Shadows(options, true, [])]
      const real = { ...emptyState, positions: { other: { ...emptyPosition, holdings: [] } } }
      for (const shadows of [whole, first]) play(shadows, [current, shadow], 0, real)
      yield* writeKept(path, first.kept(real))
      const second = new Shadows(options, true, yield* readKept(path))
      for (const shadows of [whole, second]) play(shadows, [current, shadow], 10, real)
      const [once, twice] = [whole, second].map((shadows) => shadows.kept(real)[0]?.report)
      assert.deepStrictEqual(twice?.onPaper, once?.onPaper)
      assert.strictEqual(twice?.compared.steps, 20)
      assert.strictEqual(twice?.since, once?.since)
      assert.strictEqual((yield* readReports(path))._tag, "Some")
      yield* (yield* FileSystem.FileSystem).writeFileString(path, "torn")
      assert.deepStrictEqual(yield* readKept(path), [])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("Without a shadow", () => {
  it("a position of the strategy in force is still what its rules see", () => {
    const comparison = new Comparison()
    const sells = file(
      "sells",
      `rules:\n  - { id: exit, when: "position.units > 0", do: ask, at: book.ask }\n`
    )
    comparison.step(looked(0, { position: holding(2, 1000) }), sells, undefined)
    assert.deepStrictEqual(
      comparison.compared.differences.map(({ side, shadow: other }) => [side, other.because]),
      [["ask", "it does not look after the item"]]
    )
  })
})
