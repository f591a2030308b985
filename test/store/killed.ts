import { argv, stdout } from "node:process"

/** A process of its own for the crash test: appends one event after the other and says so, until somebody kills it. */
import { Effect } from "effect"

import { Store } from "../../src/store/Store.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import * as Given from "./events.ts"

const file = argv[2] ?? ""
const stamp = { account: "76561190000000001", mode: "embedded", market: "seed-1" } as const

const program = Effect.gen(function* () {
  const store = yield* Store
  for (const event of Given.randomJournal(7, 100_000)) {
    yield* store.append([event])
    stdout.write(`${yield* store.journalHash}\n`)
    yield* Effect.yieldNow
  }
})

if (import.meta.main) Effect.runFork(Effect.provide(program, layerSqlite({ file, stamp, snapshotEvery: 10 })))
