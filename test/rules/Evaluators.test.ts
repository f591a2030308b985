import { assert, describe, it } from "@effect/vitest"

import { agreement } from "./Agree.ts"

describe("the two evaluators", () => {
  it("agree on random typed expressions over random facts, also where they are Unknown", () => {
    const { cases, differences, unknown } = agreement(7, 4_000)
    assert.deepStrictEqual(differences.slice(0, 3), [])
    assert.isAbove(unknown, cases * 0.1)
    assert.isBelow(unknown, cases * 0.9)
  })
})
