import { pid } from "node:process"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import type { Event } from "../../src/domain/Event.ts"
import { Store } from "../../src/store/Store.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { at, bidClosed, filled, opened, placeBid, recorded, sent, accepted, story } from "../store/events.ts"
import { haggle } from "./haggle.ts"

/** A state folder with a database `<name>/haggle.db` of these events. */
const stateFolder = (databases: Readonly<Record<string, ReadonlyArray<Event>>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    for (const [name, events] of Object.entries(databases)) {
      const stamp = { account: "76561197960287930", mode: "embedded" as const, market: name }
      const file = `${folder}/${name}/haggle.db`
      yield* Effect.gen(function* () {
        const store = yield* Store
        yield* store.append([{ _tag: "RunStarted", at: at(0), mode: "embedded" }, ...events])
        yield* store.beat({ at: at(60_000), numbers: { polls: 12 }, notes: {}, last: false })
      }).pipe(Effect.provide(layerSqlite({ file, stamp })))
    }
    return folder
  })

const json = (out: string): Record<string, unknown> => JSON.parse(out) as Record<string, unknown>
const database = it.effect
const here = Effect.provide(NodeServices.layer)

describe("The faces", () => {
  database("show open orders as aligned columns in the wallet's currency, and as data", () =>
    Effect.gen(function* () {
      const state = yield* stateFolder({ one: story.slice(0, 5) })
      const { err, exitCode, out } = yield* haggle("orders", "--state", state)
      assert.deepStrictEqual([exitCode, err], [0, ""])
      const [titles = "", row = ""] = out.split("\n")
      assert.match(titles, /^ITEM +STATE +PRICE +LEFT +AGE +RULE +ORDER$/)
      assert.match(row, /^730\/Glove Case +Open +\$38\.20 +1\/2 +59s +spread#buy +o1$/)
      assert.strictEqual(titles.indexOf("RULE"), row.indexOf("spread#buy"))
      const data = json((yield* haggle("orders", "--state", state, "--json")).out)
      assert.deepInclude((data["orders"] as ReadonlyArray<object>)[0], {
        price: 3820,
        remaining: 1,
        order: "o1"
      })
      assert.strictEqual(data["currency"], "USD")
    }).pipe(Effect.scoped, here)
  )

  database("show positions, trades and listings of the whole story", () =>
    Effect.gen(function* () {
      const state = yield* stateFolder({ one: story })
      const positions = json((yield* haggle("positions", "--state", state, "--json")).out)["positions"]
      assert.deepInclude((positions as ReadonlyArray<object>)[0], {
        units: 1,
        unitsBought: 2,
        unitsSold: 1,
        realised: 180
      })
      const trades = json((yield* haggle("trades", "--state", state, "--json", "--limit", "2")).out)["trades"]
      assert.deepStrictEqual(
        (trades as ReadonlyArray<{ fill: { id: string } }>).map(({ fill }) => fill.id),
        ["f2", "f3"]
      )
      assert.strictEqual((yield* haggle("orders", "--state", state)).out, "no buy orders")
      assert.match(
        (yield* haggle("trades", "--state", state)).out,
        /2023-11-14 22:13:20 +Sell +730\/Glove Case +1 +\$40\.00/
      )
    }).pipe(Effect.scoped, here)
  )

  database("tell the story behind an id, and end with 2 for one that nobody knows", () =>
    Effect.gen(function* () {
      const state = yield* stateFolder({ one: story })
      const told = yield* haggle("why", "o1", "--state", state)
      assert.strictEqual(told.exitCode, 0)
      assert.include(
        told.out,
        "wants to buy 2 × 730/Glove Case at $38.20 because the spread pays for both fees [spread@0a1b2c3d#buy]"
      )
      assert.match(told.out, /saw\n +spread +4\.20/)
      assert.include(told.out, "bought 1 × 730/Glove Case for $38.20")
      const unknown = yield* haggle("why", "o99", "--state", state, "--json")
      assert.deepStrictEqual([unknown.exitCode, unknown.out], [2, ""])
      assert.include(unknown.err, "does not know o99")
    }).pipe(Effect.scoped, here)
  )

  database("list the journal, one event per line with --json, by kind and by id", () =>
    Effect.gen(function* () {
      const state = yield* stateFolder({ one: story })
      const lines = (yield* haggle("journal", "--state", state, "--json", "--limit", "1000")).out.split("\n")
      assert.deepStrictEqual(
        lines.map((line) => json(line)["_tag"]),
        ["RunStarted", ...story.map(({ _tag }) => _tag)]
      )
      const fills = (yield* haggle(
        "journal",
        "--state",
        state,
        "--json",
        "--kind",
        "Filled",
        "--about",
        "a1"
      )).out
      assert.deepStrictEqual(
        fills.split("\n").map((line) => (json(line)["fill"] as { id: string }).id),
        ["f1", "f3"]
      )
      const text = (yield* haggle("journal", "--state", state)).out
      assert.match(text, /Refused +refused: TooManyOrders \(25\), limit exceeded/)
    }).pipe(Effect.scoped, here)
  )

  database("say whether the daemon runs, and its figures", () =>
    Effect.gen(function* () {
      const state = yield* stateFolder({ one: story })
      const running = json((yield* haggle("status", "--state", state, "--json")).out)
      assert.deepInclude(running, {
        running: true,
        pid,
        mode: "embedded",
        ledger: 96_380,
        units: 1
      })
      assert.deepStrictEqual(running["numbers"], { polls: 12 })
      const text = (yield* haggle("status", "--state", state)).out
      assert.match(text, /^state +running, process \d+$/m)
      assert.match(text, /^ledger +\$963\.80, opened with \$1,000\.00$/m)
      const stopped = yield* stateFolder({
        one: [...story, { _tag: "RunStopped", at: at(99), why: "--for" }]
      })
      assert.strictEqual(json((yield* haggle("status", "--state", stopped, "--json")).out)["running"], false)
    }).pipe(Effect.scoped, here)
  )

  database("read the database that was written last, say so, and take another by --db", () =>
    Effect.gen(function* () {
      const bid = placeBid("p9", 500, 3)
      const state = yield* stateFolder({
        older: story,
        newer: [
          opened,
          recorded(bid),
          sent("p9"),
          accepted("p9", "o9"),
          filled("f9", "Buy", "a9", 500, "p9"),
          bidClosed("o9", "Gone")
        ]
      })
      const fs = yield* FileSystem.FileSystem
      for (const name of yield* fs.readDirectory(`${state}/older`))
        yield* fs.utimes(`${state}/older/${name}`, 1, 1)
      const latest = yield* haggle("trades", "--state", state, "--json")
      assert.strictEqual(json(latest.out)["database"], `${state}/newer/haggle.db`)
      assert.include(latest.err, "the latest of 2; choose another with --db FILE")
      const chosen = yield* haggle("trades", "--db", `${state}/older/haggle.db`, "--json")
      assert.strictEqual((json(chosen.out)["trades"] as ReadonlyArray<unknown>).length, 3)
      assert.strictEqual(chosen.err, "")
    }).pipe(Effect.scoped, here)
  )

  database("end with 3 and a remedy where there is no database, and with 1 where it is damaged", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const empty = yield* fs.makeTempDirectoryScoped()
      for (const command of ["status", "orders", "listings", "positions", "trades", "journal"]) {
        const { err, exitCode, out } = yield* haggle(command, "--state", empty, "--json")
        assert.deepStrictEqual([command, exitCode, out], [command, 3, ""])
        assert.include(err, `no database under ${empty}`)
        assert.include(err, "haggle run")
      }
      assert.strictEqual((yield* haggle("status", "--db", `${empty}/none.db`)).exitCode, 3)
      yield* fs.writeFileString(`${empty}/bad.db`, "this is no database ".repeat(400))
      const damaged = yield* haggle("status", "--db", `${empty}/bad.db`)
      assert.strictEqual(damaged.exitCode, 1)
      assert.include(damaged.err, "is damaged or is no database")
      assert.strictEqual(yield* fs.readFileString(`${empty}/bad.db`), "this is no database ".repeat(400))
    }).pipe(Effect.scoped, here)
  )
})
