import { spawnSync } from "node:child_process"
import { resolve } from "node:path"

import { assert, describe, it } from "@effect/vitest"

import { median, nanosEach, type Row, row } from "./Measure.ts"

const bench = (...args: ReadonlyArray<string>) =>
  spawnSync(resolve("node_modules/.bin/node"), ["test/bench/bench.ts", ...args], { encoding: "utf8" })

describe("bench", () => {
  it("prints one object with the rows that were asked for", () => {
    const { status, stdout } = bench("--only", "fee inversion", "--json")
    assert.strictEqual(status, 0)
    const { rows } = JSON.parse(stdout) as { readonly rows: ReadonlyArray<Row> }
    assert.deepStrictEqual(
      rows.map(({ bar, name, ok }) => ({ bar, name, ok })),
      [{ bar: null, name: "fee inversion", ok: true }]
    )
    assert.isAbove(rows[0]?.value ?? 0, 0)
    assert.isAbove(Object.values(rows[0]?.against ?? {})[0] ?? 0, 0)
  })

  it("refuses a row that it does not know", () => {
    assert.notStrictEqual(bench("--only", "nonsense").status, 0)
  })

  it("says when a value is over its bar, or under the least that is good enough", () => {
    const of = { name: "x", unit: "ms", against: {}, bar: 500 }
    assert.isTrue(row({ ...of, value: 500 }).ok)
    assert.isFalse(row({ ...of, value: 501 }).ok)
    const counted = { name: "x", unit: "/s", against: {}, atLeast: 500 }
    assert.deepInclude(row({ ...counted, value: 500 }), { bar: 500, ok: true })
    assert.isFalse(row({ ...counted, value: 499 }).ok)
  })

  it("takes the middle value", () => {
    assert.strictEqual(median([5, 1, 9]), 5)
  })

  it("measures the longer work as longer", () => {
    const work = (rounds: number) => () => {
      let sum = 0
      for (let index = 0; index < rounds; index++) sum += Math.sqrt(index)
      return sum
    }
    const [little = 0, much = 0] = nanosEach(work(100), work(10_000))
    assert.isAbove(much, little)
  })
})
