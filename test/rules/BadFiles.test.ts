import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import { compileStrategy } from "../../src/rules/Compile.ts"
import { errorsAsData, renderErrors } from "../../src/rules/Source.ts"

const folder = join(import.meta.dirname, "..", "fixtures", "strategies", "bad")

/** A case is a strategy file and, beside it, the errors exactly as they are shown. */
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((file) => ({
    file,
    text: readFileSync(join(folder, file), "utf8"),
    expected: readFileSync(join(folder, file.replace(/\.yaml$/, ".txt")), "utf8")
  }))

describe("a bad strategy file", () => {
  it("has at least fifty kinds here", () => {
    assert.isAtLeast(cases.length, 50)
  })

  for (const { expected, file, text } of cases) {
    it(`is refused with every error at its place: ${file}`, () => {
      const result = compileStrategy(file, text, { currency: 1 })
      assert.isTrue(Result.isFailure(result))
      if (!Result.isFailure(result)) return
      assert.strictEqual(`${renderErrors(result.failure)}\n`, expected)
      for (const error of errorsAsData(result.failure)) {
        assert.strictEqual(error.file, file)
        assert.isAtLeast(error.line, 1)
        assert.isAtLeast(error.column, 1)
        assert.match(error.code, /^[a-z-]+$/)
        assert.notMatch(error.message, /\bat .+:\d+:\d+\)?$/)
      }
    })
  }

  it("tells the data of an error without its frame", () => {
    const result = compileStrategy("a.yaml", "version: 1\nuniverse: []\nrules: []\nnam: x\n", { currency: 1 })
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result))
      assert.deepStrictEqual(errorsAsData(result.failure)[2], {
        file: "a.yaml",
        line: 4,
        column: 1,
        code: "unknown-key",
        message: "unknown key `nam`",
        remedy: "did you mean `name`?"
      })
  })
})
