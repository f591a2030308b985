import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"

import { unseen } from "../../src/domain/Facts.ts"
import { check } from "../../src/rules/Expression.ts"
import { isUnknown } from "../../src/rules/Value.ts"
import { facts, noNames, valueOf } from "./support.ts"

type Three = "T" | "F" | "U"

/** Conditions of each value on facts without an overview. */
const atoms: Readonly<Record<Three, ReadonlyArray<string>>> = {
  T: ["true", "book.bid < book.ask", "1 in [0, 1]", 'item.name.contains("Case")'],
  F: ["false", "book.bid > book.ask", "clock.hour == 25", 'item.name.endsWith("x")'],
  U: [
    "overview.volume > 1",
    "orders.bid > book.bid",
    "1 / 0 > 2",
    "overview.volume in [1]",
    "position.avgCost == book.bid"
  ]
}
const known = facts({ overview: unseen })

const threeOf = (text: string): Three => {
  const checked = check(text, noNames)
  if (Result.isFailure(checked))
    throw new Error(`${text}: ${checked.failure.map(({ message }) => message).join("; ")}`)
  const value = valueOf(checked.success, known)
  if (isUnknown(value)) return "U"
  return value === true ? "T" : "F"
}

const three: ReadonlyArray<Three> = ["T", "F", "U"]
const and = (a: Three, b: Three): Three => (a === "F" || b === "F" ? "F" : a === "U" || b === "U" ? "U" : "T")
const or = (a: Three, b: Three): Three => (a === "T" || b === "T" ? "T" : a === "U" || b === "U" ? "U" : "F")
const not = (a: Three): Three => (a === "U" ? "U" : a === "T" ? "F" : "T")
const choose = (a: Three, b: Three, c: Three): Three => (a === "U" ? "U" : a === "T" ? b : c)

describe("three-valued logic", () => {
  it("gives every atom its value", () => {
    for (const value of three) for (const text of atoms[value]) assert.strictEqual(threeOf(text), value, text)
  })

  it("follows Kleene's tables for every pair of values", () => {
    for (const a of three) {
      assert.strictEqual(threeOf(`!(${atoms[a][1]})`), not(a))
      for (const b of three) {
        assert.strictEqual(threeOf(`${atoms[a][0]} && ${atoms[b][1]}`), and(a, b), `${a} && ${b}`)
        assert.strictEqual(threeOf(`${atoms[a][1]} || ${atoms[b][0]}`), or(a, b), `${a} || ${b}`)
        for (const c of three)
          assert.strictEqual(threeOf(`${atoms[a][1]} ? ${atoms[b][0]} : ${atoms[c][1]}`), choose(a, b, c))
      }
    }
  })

  it.effect.prop(
    "holds for any nesting of the operators",
    { codes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))) },
    ({ codes }) =>
      Effect.sync(() => {
        const { expected, text } = treeOf(codes)
        assert.strictEqual(threeOf(text), expected, text)
      }),
    { arbitrary: { runs: 500, seed: "kleene" } }
  )
})

/** A tree of the operators, at most six deep, that the numbers decide, and its value by the tables above. */
const treeOf = (codes: ReadonlyArray<number>): { readonly text: string; readonly expected: Three } => {
  let next = 0
  const code = (): number => codes[next++] ?? 0
  const build = (depth: number): { readonly text: string; readonly expected: Three } => {
    const kind = depth === 0 || next >= codes.length ? 4 : code() % 5
    if (kind === 4) {
      const [at, index] = [code(), code()]
      const expected = three[at % 3] ?? "U"
      const texts = atoms[expected]
      return { text: texts[index % texts.length] ?? "true", expected }
    }
    const left = build(depth - 1)
    if (kind === 0) return { text: `!(${left.text})`, expected: not(left.expected) }
    const right = build(depth - 1)
    if (kind === 1)
      return { text: `(${left.text} && ${right.text})`, expected: and(left.expected, right.expected) }
    if (kind === 2)
      return { text: `(${left.text} || ${right.text})`, expected: or(left.expected, right.expected) }
    const last = build(depth - 1)
    return {
      text: `(${left.text} ? ${right.text} : ${last.text})`,
      expected: choose(left.expected, right.expected, last.expected)
    }
  }
  return build(4)
}
