import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import type { AskWish, BidWish } from "../../src/domain/Decision.ts"
import { seen } from "../../src/domain/Facts.ts"
import { item } from "../../src/domain/Item.ts"
import { catalogue } from "../../src/exchange/Catalogue.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import type { Held } from "../../src/rules/Program.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { strategyJsonSchemaText } from "../../src/rules/StrategyJsonSchema.ts"
import { strategyWords } from "../../src/rules/StrategyWords.ts"
import { namedItems } from "../../src/rules/Universe.ts"
import { languageText } from "./LanguageText.ts"
import { book, facts, holding, now, steadyHistory } from "./support.ts"

const root = join(import.meta.dirname, "..", "..")
const folder = join(root, "strategies")
const none: Held = new Map()

const load = (name: string): CompiledStrategy => {
  const result = compileStrategy(name, readFileSync(join(folder, name), "utf8"), { currency: 1 })
  if (Result.isFailure(result)) throw new Error(renderErrors(result.failure))
  return result.success
}

const wishOf = (wish: BidWish | AskWish | undefined): string => {
  if (wish?._tag === "Bid") return `Bid ${wish.price} × ${wish.quantity}`
  return wish?._tag === "Ask" ? `Ask ${wish.price}` : (wish?._tag ?? "none")
}

describe("the strategies that come along", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"))

  it("are three, pass their own tests and have the editor's schema line", () => {
    assert.deepStrictEqual(names, ["dip-buyer.yaml", "inventory-seller.yaml", "spread-catcher.yaml"])
    for (const name of names) {
      assert.strictEqual(`${load(name).name}.yaml`, name)
      const [first] = readFileSync(join(folder, name), "utf8").split("\n")
      assert.strictEqual(first, "# yaml-language-server: $schema=../config/schema/strategy.schema.json")
    }
  })

  it("trade items that the embedded market has", () => {
    const known = new Set(catalogue.map(({ app, name }) => `${app}/${name}`))
    for (const name of names)
      for (const one of namedItems(load(name).universe))
        assert.isTrue(known.has(`${one.app}/${one.name}`), one.name)
  })

  it("do not want the same item twice", () => {
    const items = names.flatMap((name) =>
      namedItems(load(name).universe).map((one) => `${one.app}/${one.name}`)
    )
    assert.strictEqual(new Set(items).size, items.length)
  })

  it("catch a spread: buy over the bid, sell under the ask, leave when it narrows", () => {
    const strategy = load("spread-catcher.yaml")
    const wide = strategy.evaluate(facts({ position: holding(1, 1001) }), none).decision
    assert.strictEqual(wishOf(wide.bid), "Bid 1001 × 3")
    assert.strictEqual(wishOf(wide.ask), "Ask 1299")
    assert.strictEqual(wide.bid?.reason.because, "edge 13.1 %, usual price 11.90")
    const narrow = facts({ book: seen(book(1150, 1200), now) })
    const waiting = strategy.evaluate(narrow, none)
    assert.strictEqual(waiting.decision.bid, undefined)
    const sinceLong = strategy.evaluate(
      { ...narrow, now },
      new Map([["stop-bidding", (now - 3 * 60_000) as typeof now]])
    )
    assert.strictEqual(sinceLong.decision.bid?._tag, "NoBid")
  })

  it("buy a dip: an order under the median, as many as the budget allows, sold at the median", () => {
    const strategy = load("dip-buyer.yaml")
    const capsule = item(730, "Recoil Sticker Capsule")
    const quiet = facts({
      item: capsule,
      book: seen(book(120, 140), now),
      history: seen(steadyHistory(400), now)
    })
    const { decision } = strategy.evaluate(quiet, none)
    assert.strictEqual(wishOf(decision.bid), "Bid 121 × 4")
    assert.strictEqual(decision.ask, undefined)
    const held = strategy.evaluate({ ...quiet, position: holding(4, 121) }, none).decision
    assert.strictEqual(wishOf(held.ask), "Ask 400")
  })

  it("sell the inventory: under the ask, never as a give-away, and never buy", () => {
    const strategy = load("inventory-seller.yaml")
    const hat = item(440, "Weathered Deerstalker")
    const held = facts({
      item: hat,
      book: seen(book(800, 900), now),
      history: seen(steadyHistory(890), now),
      position: holding(1, 0)
    })
    const { decision } = strategy.evaluate(held, none)
    assert.strictEqual(wishOf(decision.ask), "Ask 899")
    assert.strictEqual(decision.bid, undefined)
    const dumped = strategy.evaluate({ ...held, book: seen(book(300, 400), now) }, none).decision
    assert.strictEqual(dumped.ask?._tag, "Hold")
  })
})

describe("docs/language.md", () => {
  it("tells the facts and functions that there are", () => {
    const committed = readFileSync(join(root, "docs", "language.md"), "utf8")
    assert.strictEqual(committed, languageText(), "run node test/rules/language.ts")
  })
})

describe("the editor's schema", () => {
  it("is the committed file", () => {
    const committed = readFileSync(join(root, "config", "schema", "strategy.schema.json"), "utf8")
    assert.strictEqual(committed, strategyJsonSchemaText(), "run haggle schema --write")
  })

  it("describes every key, with examples", () => {
    const bare: Array<string> = []
    const told = new Set<string>()
    const walk = (node: Record<string, unknown>, path: string): void => {
      for (const [name, child] of Object.entries((node["properties"] ?? {}) as Record<string, typeof node>)) {
        const at = path === "" ? name : `${path}.${name}`
        const { description, examples } = child
        if (typeof description !== "string" || !Array.isArray(examples) || examples.length === 0)
          bare.push(at)
        told.add(at)
        walk(child, at)
      }
      for (const [inner, suffix] of [
        ["items", "[]"],
        ["additionalProperties", ".*"]
      ] as const)
        if (typeof node[inner] === "object") walk(node[inner] as typeof node, `${path}${suffix}`)
    }
    walk(JSON.parse(strategyJsonSchemaText()) as Record<string, unknown>, "")
    assert.deepStrictEqual(bare, [])
    assert.deepStrictEqual(
      Object.keys(strategyWords).filter((path) => !told.has(path)),
      []
    )
  })
})
