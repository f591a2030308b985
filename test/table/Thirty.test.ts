import { assert, describe, it } from "@effect/vitest"

import { type Operation, operations } from "../../src/domain/Operation.ts"
import { registry } from "../../src/market/contract/Operations.ts"
import { discovery } from "./Discovery.ts"
import { listingsAndPricing } from "./Listings.ts"
import { own } from "./Own.ts"
import { type Kind } from "./Row.ts"
import { inShop } from "./Shop.ts"

const table = [...discovery, ...listingsAndPricing, ...own]

/** Operations of the document that have no row yet. */
const pending: ReadonlyArray<Operation> = []

const kinds: ReadonlyArray<Kind> = ["success", "empty", "error", "limit"]

describe("the table of the thirty operations", () => {
  it("has each of them once, or says that it is pending", () => {
    const named = [...table.map(({ operation }) => operation), ...pending]
    assert.deepStrictEqual(named.toSorted(), [...operations].toSorted())
    assert.deepStrictEqual(registry.map(({ operation }) => operation).toSorted(), [...operations].toSorted())
  })

  it("has of each success, empty, error and limit, or says why one cannot be", () => {
    for (const { cases, operation, without = {} } of table) {
      const missing = kinds.filter((kind) => !cases.some((one) => one.kind === kind))
      assert.deepStrictEqual(missing, Object.keys(without), operation)
    }
  })
})

for (const { cases, operation } of table)
  describe(`the operation ${operation}`, () => {
    for (const { name, opening, run } of cases) it.effect(name, () => inShop(run, opening))
  })
