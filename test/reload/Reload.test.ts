import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import { prove } from "./Proof.ts"

describe("Strategies that are edited while they trade", () => {
  it.live("are never seen by halves, and no order is lost: fifty edits, a third of them broken", () =>
    Effect.gen(function* () {
      const report = yield* prove(7, 50)
      assert.deepStrictEqual(report.violations, [])
      assert.isAtLeast(report.rejected, 12)
      assert.isAtLeast(report.loaded, 20)
      assert.isAtLeast(report.edits["torn"] ?? 0, 2)
      assert.isAtLeast(report.found, 1)
      assert.isAtLeast(report.placed, 10)
      assert.isAtLeast(report.cancelled, 2)
    })
  )
})
