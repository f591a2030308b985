import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, type PlatformError } from "effect"

import { haggle } from "./haggle.ts"

const label = (hour: number) =>
  `Jan ${String(5 + Math.floor(hour / 24)).padStart(2, "0")} 2026 ${String(hour % 24).padStart(2, "0")}: +0`
const body = JSON.stringify({
  success: true,
  prices: Array.from({ length: 96 }, (_, hour) => [label(hour), 10 + 2 * Math.sin(hour / 7), "40"])
})

const strategy = `version: 1
universe: [{ app: 730, items: ["Glove Case"] }]
params:
  dip: { default: 6%, min: 0%, max: 20% }
  stock: { default: 4, min: 1, max: 9 }
rules:
  - { id: enter, when: "position.units < params.stock", do: bid, at: book.ask * (1 + params.dip), qty: params.stock }
  - { id: exit, when: "position.units > 0", do: ask, at: position.avgCost * 1.02 }
freshness: { book: 2h }
`

/** A folder with a strategy and a tape of four days. */
const withMarket = <A, E>(
  use: (folder: string) => Effect.Effect<A, E, FileSystem.FileSystem>
): Effect.Effect<A, E | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${folder}/days.json`, body)
    yield* fs.writeFileString(`${folder}/dip.yaml`, strategy)
    const out = `--out=${folder}/days.tape`
    yield* haggle("tape", "import", `${folder}/days.json`, "--item=730/Glove Case", "--spread=0.1", out)
    return yield* use(folder)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const sweep = (folder: string, ...flags: ReadonlyArray<string>) =>
  haggle("sweep", `${folder}/dip.yaml`, "--tape", `${folder}/days.tape`, ...flags)

describe("haggle sweep", () => {
  it.effect(
    "gives the same ranking on one thread and on two, and plays nothing again that it has results of",
    () =>
      withMarket((folder) =>
        Effect.gen(function* () {
          const params = ["--param", "dip=0%:10%:5%", "--param", "stock=1,4"]
          const kept = ["--results", `${folder}/results.ndjson`]
          const one = yield* sweep(folder, ...params, ...kept, "--threads=1")
          assert.deepStrictEqual([one.exitCode, one.err.match(/^\d+ runs/m)?.[0]], [0, "12 runs"])
          const two = yield* sweep(folder, ...params, "--threads=2", "--html", `${folder}/sweep.html`)
          assert.strictEqual(two.out, one.out)
          assert.match(two.out, /^ ?1 .+\$/m)
          const resumed = yield* sweep(folder, ...params, ...kept)
          assert.match(resumed.err, /^0 runs in .+, 12 were known$/m)
          assert.strictEqual(resumed.out, one.out)
        })
      ),
    60_000
  )

  it.effect("says what is wrong with a param, a file, or the time", () =>
    withMarket((folder) =>
      Effect.gen(function* () {
        const bad = yield* sweep(folder, "--param", "dip=30%")
        assert.strictEqual(bad.exitCode, 4)
        assert.include(bad.err, "--param dip=30%: `dip`: this param is at least 0% and at most 20%, not 30%")
        const never = yield* sweep(folder, "--from", "2027-01-01")
        assert.deepStrictEqual([never.exitCode, never.err.includes("no book to play")], [2, true])
        const twice = yield* sweep(folder, "--param", "stock=1", "--param", "stock=2")
        assert.deepStrictEqual([twice.exitCode, twice.err.includes("there twice")], [4, true])
      })
    )
  )
})
