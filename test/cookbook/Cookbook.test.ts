import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import { compileStrategy } from "../../src/rules/Compile.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import { Action } from "../../src/rules/Strategy.ts"
import { strategyWords } from "../../src/rules/StrategyWords.ts"
import { cookbook, essential } from "./Proof.ts"

const page = readFileSync(resolve("docs/strategies.md"), "utf8")
const files = readdirSync(cookbook)

describe("the cookbook", () => {
  it("has ten strategies, each with its page in the guide and a rule that it is named for", () => {
    assert.isAtLeast(files.length, 10)
    assert.deepStrictEqual(
      files.map((file) => file.replace(".yaml", "")),
      Object.keys(essential).toSorted()
    )
    for (const file of files) assert.include(page, `(cookbook/${file})`)
  })

  for (const file of files)
    it(`passes its own tests, and teaches an editor: ${file}`, () => {
      const text = readFileSync(join(cookbook, file), "utf8")
      const [schema, , comment = ""] = text.split("\n")
      assert.strictEqual(schema, "# yaml-language-server: $schema=../../config/schema/strategy.schema.json")
      assert.match(comment, /^# [A-Z].{40}/)
      const result = compileStrategy(file, text, { currency: 1 })
      if (Result.isFailure(result)) assert.fail(renderErrors(result.failure))
      else {
        assert.strictEqual(`${result.success.name}.yaml`, file)
        const rules = result.success.rules.map(({ id }) => id)
        for (const rule of essential[result.success.name] ?? []) assert.include(rules, rule)
        for (const { does } of result.success.rules) assert.include(Action.literals, does)
        assert.match(text, /^tests:$/m)
      }
    })
})

describe("docs/strategies.md", () => {
  it("begins with a strategy that is whole", () => {
    const [, text = ""] = /```yaml\n(.*?)```/s.exec(page) ?? []
    const result = compileStrategy("first.yaml", text, { currency: 1 })
    if (Result.isFailure(result)) assert.fail(renderErrors(result.failure))
    else assert.strictEqual(result.success.name, "first")
  })

  it("names every key of a file, every action and every protection", () => {
    const keys = Object.keys(strategyWords).flatMap((path) => (/[.[]/.test(path) ? [] : [path]))
    const words = [...keys, ...Action.literals, "cooldown", "losing-streak", "drawdown", "price-jump"]
    assert.deepStrictEqual(
      words.filter((word) => !page.includes(`\`${word}\``)),
      []
    )
  })
})
