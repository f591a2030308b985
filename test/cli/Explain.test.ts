import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import { haggle } from "./haggle.ts"

describe("haggle explain without a daemon", () => {
  it.effect("takes the facts of an inline test and shows a rule down to them", () =>
    Effect.gen(function* () {
      const { err, exitCode, out } = yield* haggle(
        "explain",
        "spread-catcher",
        "730/Glove Case",
        "--test",
        "enters on a wide"
      )
      assert.deepStrictEqual([exitCode, err], [0, ""])
      assert.include(out, "→ buying: a buy order for 4 at 10.01  [enter]\n    because edge 13.1 %")
      assert.include(
        out,
        "  enter (bid): yes\n    when: edge > params.margin && position.units < params.stock = true\n"
      )
      assert.include(
        out,
        "\n        edge: (net - book.bid) / book.bid = 13.1 %\n          net - book.bid = 1.31\n"
      )
      assert.include(out, "\n        position.avgCost * (1 + params.profit) = unknown (no units are held)\n")
    })
  )

  it.effect("takes facts from a file, and tells what is wrong with them at their place", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const given = `${folder}/given.yaml`
      yield* fs.writeFileString(given, "book: { bid: 10.00, ask: 11.60 }\nhistory: { median: 10.50 }\n")
      const asked = ["explain", "spread-catcher", "Glove Case", "--given", given]
      const { exitCode, out } = yield* haggle(...asked, "--json")
      assert.strictEqual(exitCode, 0)
      const { outcomes } = JSON.parse(out) as { outcomes: ReadonlyArray<Record<string, unknown>> }
      assert.deepInclude(outcomes[0], { side: "bid", rule: "stop-bidding", is: "wished" })
      yield* fs.writeFileString(given, "book: { bit: 10.00 }\n")
      const wrong = yield* haggle(...asked)
      assert.strictEqual(wrong.exitCode, 4)
      assert.include(wrong.err, "given.yaml:1:9: a test cannot give `book.bit`")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("says what there is instead of what is asked for", () =>
    Effect.gen(function* () {
      const noTest = yield* haggle(
        "explain",
        "spread-catcher",
        "Glove Case",
        "--test",
        "enters on a wild spread"
      )
      assert.deepStrictEqual(
        [noTest.exitCode, noTest.err],
        [
          2,
          'haggle: spread-catcher has no test "enters on a wild spread"\n  = did you mean `enters on a wide spread`?'
        ]
      )
      const noItem = yield* haggle("explain", "spread-catcher", "Globe Case", "--test", "enters on a wide")
      assert.include(noItem.err, "did you mean `Glove Case`?")
      const none = yield* haggle("explain", "spread-catcher", "Glove Case", "--state", "/nowhere")
      assert.strictEqual(none.exitCode, 3)
    })
  )
})
