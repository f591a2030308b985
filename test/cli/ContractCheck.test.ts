import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import { historyFile } from "../../src/cli/run/RunFlags.ts"
import { haggle } from "./haggle.ts"

const overview = '{"success":true,"lowest_price":"$1.67 USD","volume":"1,204","median_price":"$1.70"}'

/** A folder with these files. */
const folderOf = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    for (const [name, text] of Object.entries(files)) yield* fs.writeFileString(`${folder}/${name}`, text)
    return folder
  })

const here = Effect.provide(NodeServices.layer)

describe("haggle contract check", () => {
  it.effect("says ok per file and ends with 0", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "a.json": overview, "b.json": "null" })
      const files = [`${folder}/a.json`, `${folder}/b.json`]
      const { exitCode, out } = yield* haggle("contract", "check", "priceoverview", ...files)
      assert.strictEqual(exitCode, 0)
      assert.match(out, /^ok +\S+a\.json {2}success\nok +\S+b\.json {2}null$/)
      const lines = (yield* haggle("contract", "check", "priceoverview", ...files, "--json")).out.split("\n")
      assert.deepStrictEqual(JSON.parse(lines[0] ?? ""), { file: files[0], ok: true, shape: "success" })
    }).pipe(Effect.scoped, here)
  )

  it.effect("tells the path inside the body that differs and ends with 1", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "a.json": overview.replace('"1,204"', "1204") })
      const { exitCode, out } = yield* haggle("contract", "check", "priceoverview", `${folder}/a.json`)
      assert.strictEqual(exitCode, 1)
      assert.match(out, /^differs +\S+a\.json\n +volume: /)
    }).pipe(Effect.scoped, here)
  )

  it.effect("ends with 2 for a file that is missing, after the others were checked", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "a.json": overview })
      const { exitCode, out } = yield* haggle(
        "contract",
        "check",
        "priceoverview",
        `${folder}/none.json`,
        `${folder}/a.json`
      )
      assert.strictEqual(exitCode, 2)
      assert.match(out, /^missing +\S+none\.json.*\nok +\S+a\.json/)
    }).pipe(Effect.scoped, here)
  )

  it.effect("knows the platform's own field names by --platform-name", () =>
    Effect.gen(function* () {
      const body = { success: false, message: "no", bazaar_fee: 1 }
      const folder = yield* folderOf({ "a.json": JSON.stringify(body) })
      const { exitCode } = yield* haggle(
        "contract",
        "check",
        "sellitem",
        `${folder}/a.json`,
        "--platform-name",
        "bazaar"
      )
      assert.strictEqual(exitCode, 0)
    }).pipe(Effect.scoped, here)
  )
})

describe("haggle check", () => {
  const strategy = `version: 1
name: small
description: Bids a little.
universe:
  - { app: 730, items: ["Glove Case", "Chroma 2 Case"] }
rules:
  - id: enter
    when: book.ask > book.bid
    do: bid
    at: book.bid
    qty: 1
freshness: { book: 60s }
limits: { perItemUnits: 5 }
`
  it.effect("tells what each strategy polls and what share of the budget that is", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "small.yaml": strategy })
      const { err, exitCode, out } = yield* haggle("check", "--strategies", folder)
      assert.deepStrictEqual([exitCode, err], [0, ""])
      // every item again after half of its freshness of a minute
      assert.match(
        out,
        /^small@[0-9a-f]{8} +inherit +2 +orderbook 240\/h, pricehistory 1\/h +\S+small\.yaml$/m
      )
      assert.match(out, /^orderbook +240 +7200 +4 %$/m)
      const data = JSON.parse((yield* haggle("check", "--strategies", folder, "--json")).out) as {
        readonly requests: ReadonlyArray<object>
        readonly errors: ReadonlyArray<object>
      }
      assert.deepStrictEqual(data.requests, [
        { operation: "orderbook", items: 2, perHour: 240, allowedPerHour: 7200 },
        // the guard judges prices by a history of a day at most
        { operation: "pricehistory", items: 2, perHour: 1, allowedPerHour: 41 }
      ])
      assert.deepStrictEqual(data.errors, [])
    }).pipe(Effect.scoped, here)
  )

  it.effect("counts what a search may add, and what asking for it costs", () =>
    Effect.gen(function* () {
      const searching = strategy.replace(
        'items: ["Glove Case", "Chroma 2 Case"] }',
        "search: { query: case }, top: 45, refresh: 30m }\n  - { inventory: true }"
      )
      const folder = yield* folderOf({ "small.yaml": searching })
      const { out } = yield* haggle("check", "--strategies", folder)
      // five pages every half hour, and 45 books each half minute
      assert.match(out, /^small@\w+ +inherit +≤ 45 \+ what is held +orderbook 5400\/h, .*search 10\/h +/m)
      assert.match(out, /^search +10 +1200 +1 %$/m)
    }).pipe(Effect.scoped, here)
  )

  it.effect("ends with 4 and every error at its place, as text and as data", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "small.yaml": strategy.replace("when:", "wenn:") })
      const { err, exitCode } = yield* haggle("check", `${folder}/small.yaml`)
      assert.strictEqual(exitCode, 4)
      assert.include(err, `${folder}/small.yaml:8:5: unknown key \`wenn\``)
      const { out } = yield* haggle("check", `${folder}/small.yaml`, "--json")
      const { errors } = JSON.parse(out) as { readonly errors: ReadonlyArray<{ readonly line: number }> }
      assert.include(
        errors.map(({ line }) => line),
        8
      )
    }).pipe(Effect.scoped, here)
  )

  it.effect("ends with 2 for a file and with 4 for a folder of strategies that is missing", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* haggle("check", "nowhere.yaml")).exitCode, 2)
      const { err, exitCode } = yield* haggle("check", "--strategies", "nowhere")
      assert.strictEqual(exitCode, 4)
      assert.include(err, "there is no folder of strategies nowhere")
    })
  )
})

describe("--history", () => {
  it("takes a file alone or for an item, and a path is never an item", () => {
    assert.deepStrictEqual(historyFile("01.json"), { item: undefined, file: "01.json" })
    assert.deepStrictEqual(historyFile("730/Glove Case=01.json"), { item: "730/Glove Case", file: "01.json" })
    assert.deepStrictEqual(historyFile("../a=b/01.json"), { item: undefined, file: "../a=b/01.json" })
    assert.deepStrictEqual(historyFile("/a=b/01.json"), { item: undefined, file: "/a=b/01.json" })
  })
})
