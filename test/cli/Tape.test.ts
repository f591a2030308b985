import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, type PlatformError } from "effect"
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet"

import { haggle } from "./haggle.ts"

const label = (hour: number) => `Jan 05 2026 ${String(hour).padStart(2, "0")}: +0`
const body = JSON.stringify({
  success: true,
  prices: Array.from({ length: 24 }, (_, hour) => [label(hour), 10 + hour / 10, "12"])
})

/** A folder with a tape of a day's price history, with books around it. */
const withTape = <A, E>(
  use: (folder: string) => Effect.Effect<A, E, FileSystem.FileSystem>
): Effect.Effect<A, E | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${folder}/day.json`, body)
    const { err, exitCode } = yield* haggle(
      "tape",
      "import",
      `${folder}/day.json`,
      "--item=730/Glove Case",
      "--spread=0.1",
      `--out=${folder}/day.tape`
    )
    assert.deepStrictEqual({ err, exitCode }, { err: "", exitCode: 0 })
    return yield* use(folder)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const json = (text: string): Readonly<Record<string, unknown>> => JSON.parse(text)

describe("haggle tape", () => {
  it.effect("imports a price history as a sealed tape and says that its books are derived", () =>
    withTape((folder) =>
      Effect.gen(function* () {
        const info = json((yield* haggle("tape", "info", `${folder}/day.tape`, "--json")).out)
        assert.strictEqual(info["sealed"], true)
        assert.strictEqual(info["books"], 24)
        assert.strictEqual(info["from"], "2026-01-05T01:00:00.000Z")
        assert.match(String(info["synthetic"]), /10\.0 % apart/)
      })
    )
  )

  it.effect("cuts and merges back to what was there", () =>
    withTape((folder) =>
      Effect.gen(function* () {
        const noon = "2026-01-05T12:00:00Z"
        const cut = (name: string, ...flags: ReadonlyArray<string>) =>
          haggle("tape", "cut", `${folder}/day.tape`, ...flags, "--out", `${folder}/${name}`)
        assert.strictEqual((yield* cut("a.tape", "--to", noon)).exitCode, 0)
        assert.strictEqual((yield* cut("b.tape", "--from", noon)).exitCode, 0)
        const parts = [`${folder}/a.tape`, `${folder}/b.tape`]
        yield* haggle("tape", "merge", ...parts, "--out", `${folder}/c.tape`)
        const [whole, again] = [
          (yield* haggle("tape", "export", `${folder}/day.tape`)).out,
          (yield* haggle("tape", "export", `${folder}/c.tape`)).out
        ]
        assert.strictEqual(whole.split("\n").length, 25)
        assert.strictEqual(again, whole)
      })
    )
  )

  it.effect("exports the same figures in every format", () =>
    withTape((folder) =>
      Effect.gen(function* () {
        const csv = (yield* haggle("tape", "export", `${folder}/day.tape`)).out.split("\n")
        assert.strictEqual(
          csv[0],
          "time,item,bid,ask,bid_units_at_best,ask_units_at_best,bid_units,ask_units"
        )
        const nd = (yield* haggle("tape", "export", `${folder}/day.tape`, "--format", "ndjson")).out
        const first = json(nd.split("\n")[0] ?? "")
        assert.strictEqual(csv[1], Object.values(first).join(","))
        const file = `${folder}/day.parquet`
        yield* haggle("tape", "export", `${folder}/day.tape`, "--format", "parquet", "--out", file)
        const rows = yield* Effect.promise(async () =>
          parquetReadObjects({ file: await asyncBufferFromFile(file) })
        )
        assert.strictEqual(rows.length, 24)
        assert.strictEqual(Number(rows[0]?.["bid"]), first["bid"])
        assert.deepStrictEqual(rows[0]?.["time"], new globalThis.Date(String(first["time"])))
      })
    )
  )

  it.effect("opens a torn tape to its last whole record and saves it", () =>
    withTape((folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const bytes = yield* fs.readFile(`${folder}/day.tape`)
        yield* fs.writeFile(`${folder}/torn.tape`, bytes.subarray(0, bytes.length - 40))
        const { out } = yield* haggle("tape", "info", `${folder}/torn.tape`)
        assert.match(out, /lost +.*it was cut inside a record: the last \d+ bytes/)
        const saved = yield* haggle("tape", "cut", `${folder}/torn.tape`, "--out", `${folder}/saved.tape`)
        assert.match(saved.err, /cut inside a record/)
        const info = json((yield* haggle("tape", "info", `${folder}/saved.tape`, "--json")).out)
        assert.strictEqual(info["sealed"], true)
        assert.strictEqual(info["lost"], null)
      })
    )
  )

  it.effect("tells what is wrong with what it was given", () =>
    withTape((folder) =>
      Effect.gen(function* () {
        const tape = `${folder}/day.tape`
        const results = yield* Effect.forEach(
          [
            ["tape", "info", `${folder}/none.tape`],
            ["tape", "info", `${folder}/day.json`],
            ["tape", "cut", tape, "--item", "Nothing", "--out", `${folder}/x.tape`],
            ["tape", "cut", tape, "--out", tape],
            ["tape", "export", tape, "--format", "parquet"],
            ["tape", "import", `${folder}/day.json`, "--item", "Glove", "--out", `${folder}/y.tape`]
          ],
          (args) => haggle(...args)
        )
        assert.deepStrictEqual(
          results.map(({ exitCode }) => exitCode),
          [2, 1, 2, 4, 4, 4]
        )
        for (const { err } of results) assert.match(err, /^haggle: .+\n {2}= .+/)
      })
    )
  )
})
