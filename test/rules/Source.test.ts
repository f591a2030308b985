import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"

import { decodeYaml, largestFileBytes, renderErrors } from "../../src/rules/Source.ts"
import { nearest } from "../../src/rules/SourceError.ts"

const Settings = Schema.Struct({
  market: Schema.Struct({ url: Schema.String, retries: Schema.optionalKey(Schema.Natural) }),
  text: Schema.optionalKey(Schema.String),
  list: Schema.optionalKey(Schema.Array(Schema.Finite))
})

const read = (text: string) => decodeYaml("haggle.yaml", text, Settings)
const errorsOf = (text: string): string => {
  const result = read(text)
  return Result.isFailure(result) ? renderErrors(result.failure) : ""
}

describe("a YAML file", () => {
  it("is decoded with the position of every value", () => {
    const result = read("market:\n  url: http://localhost\n  retries: 3\nlist: [1, 2.5]\n")
    assert.isTrue(Result.isSuccess(result))
    if (!Result.isSuccess(result)) return
    assert.deepStrictEqual(result.success.value, {
      market: { url: "http://localhost", retries: 3 },
      list: [1, 2.5]
    })
    assert.deepStrictEqual(result.success.positionOf(["market", "retries"]), { line: 3, column: 12 })
    assert.deepStrictEqual(result.success.positionOf(["list", 1]), { line: 4, column: 11 })
    assert.deepStrictEqual(result.success.positionOf(["market", "nothing"]), { line: 2, column: 3 })
  })

  it("tells all errors at once, in file order", () => {
    const text = errorsOf("market: { retries: many, ulr: x }\ntext: [1]\nlist: [1, two]\n")
    const places = [...text.matchAll(/^haggle\.yaml:(\d+:\d+): (.*)$/gm)].map(
      ([, place, message]) => `${place} ${message}`
    )
    assert.deepStrictEqual(places, [
      "1:9 `url` is missing",
      '1:20 `market.retries` takes a number, not "many"',
      "1:26 unknown key `ulr`",
      "2:7 `text` takes a text, not a list of 1",
      '3:11 `list.1` takes a number, not "two"'
    ])
    assert.include(text, "did you mean `url`?")
  })

  it("shows an error inside a scalar at its character, whatever the quotes and folds", () => {
    const place = (yaml: string, needle: string): string => {
      const result = read(`market: { url: x }\n${yaml}`)
      if (!Result.isSuccess(result)) return renderErrors(result.failure)
      const value = result.success.value.text ?? ""
      const start = value.indexOf(needle)
      const { column, frame, line } = result.success.errorAt(
        ["text"],
        { code: "x", message: "x" },
        { start, end: start + needle.length }
      )
      const shown =
        frame
          .split("\n")
          .find((row) => row.startsWith(">"))
          ?.replace(/^> \d+ \| /, "") ?? ""
      return `${line} ${shown.slice(column - 1, column - 1 + needle.length)}`
    }
    assert.strictEqual(place("text: one two three\n", "three"), "2 three")
    assert.strictEqual(place("text: one\n  two\n  three\n", "three"), "4 three")
    assert.strictEqual(place("text: 'it''s one three'\n", "three"), "2 three")
    assert.strictEqual(place('text: "\\u0041\\t\\"one\\" three"\n', "three"), "2 three")
    assert.strictEqual(place('text: "one \\\n   two three"\n', "three"), "3 three")
    assert.strictEqual(place('text: "one\n   two\n\n   three"\n', "three"), "5 three")
    assert.strictEqual(place("text: |\n    one\n      two\n    three\n", "three"), "5 three")
    assert.strictEqual(place("text: >-\n    one\n    two\n\n    three\n", "three"), "6 three")
  })

  it("reads numbers only while their shortest decimal is what the file says", () => {
    const result = read("market: { url: x }\nlist: [0.1, 12345678.9012345, -0.25, 1e3]\n")
    assert.isTrue(Result.isSuccess(result))
    assert.include(errorsOf("market: { url: x }\nlist: [0.1234567890123456]\n"), "more than 15 digits")
    assert.include(errorsOf("market: { url: x }\nlist: [9007199254740993]\n"), "haggle.yaml:2:8")
    assert.include(errorsOf("market: { url: x }\nlist: [.inf]\n"), "haggle.yaml:2:8")
  })

  it("follows anchors but not a flood of them", () => {
    const fine = read("market: &m { url: x }\ntext: &t hello\nlist: []\n")
    assert.isTrue(Result.isSuccess(fine))
    const flood = ["a: &a [1,1,1,1,1,1,1,1,1,1]"]
    for (const [name, before] of [
      ["b", "a"],
      ["c", "b"],
      ["d", "c"],
      ["e", "d"],
      ["f", "e"]
    ])
      flood.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(",")}]`)
    assert.match(errorsOf(`${flood.join("\n")}\n`), /larger than 20000 values|alias/i)
    assert.include(errorsOf(`market: ${"[".repeat(40)}${"]".repeat(40)}\n`), "nested deeper than 24")
    assert.include(errorsOf(`market: &loop { url: *loop }\n`), "haggle.yaml:1:")
    assert.include(
      errorsOf(`text: ${"x".repeat(largestFileBytes)}\n`),
      `larger than ${largestFileBytes} bytes`
    )
  })

  it("refuses a key that would reach into the language", () => {
    assert.include(errorsOf("market: { url: x }\n__proto__: { a: 1 }\n"), "haggle.yaml:2:1")
    assert.include(errorsOf("market: { url: x }\nconstructor: 1\n"), "unknown key `constructor`")
  })

  it("shows the caret under the right place also behind tabs and in long lines", () => {
    const long = errorsOf(`market: { url: x, ${" ".repeat(300)}ulr: y }\n`)
    const [, row = "", caret = ""] = long.split("\n")
    assert.strictEqual(row.slice(caret.indexOf("^"), caret.lastIndexOf("^") + 1), "ulr")
    assert.isBelow(row.length, 160)
  })
})

describe("did you mean", () => {
  it("finds a word with a wrong, missing, additional or swapped letter and nothing else", () => {
    const known = ["median", "mean", "volume"]
    assert.strictEqual(nearest("medain", known), "median")
    assert.strictEqual(nearest("volum", known), "volume")
    assert.strictEqual(nearest("Volume", known), "volume")
    assert.strictEqual(nearest("meann", known), "mean")
    assert.strictEqual(nearest("spread", known), undefined)
    assert.strictEqual(nearest("x".repeat(200), known), undefined)
  })
})
