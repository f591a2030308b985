import { assert, describe, it } from "@effect/vitest"

import type { ItemKey } from "../../src/domain/Item.ts"
import { recentKept, withNewest } from "../../src/domain/Recent.ts"

const key = (index: number) => `730/item ${index}` as ItemKey

describe("Records of the newest", () => {
  it("forget what was written longest ago, and never what was written again", () => {
    let record: Readonly<Record<string, number>> = {}
    for (let index = 0; index < recentKept; index++) record = withNewest(record, key(index), index)
    record = withNewest(record, key(0), -1)
    record = withNewest(record, key(recentKept), recentKept)
    assert.strictEqual(Object.keys(record).length, recentKept)
    assert.strictEqual(record[key(0)], -1)
    assert.isUndefined(record[key(1)])
    assert.deepStrictEqual(Object.keys(record).slice(-2), [key(0), key(recentKept)])
  })
})
