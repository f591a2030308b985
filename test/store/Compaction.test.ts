import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, assert, describe, it } from "@effect/vitest"
import BetterSqlite3 from "better-sqlite3"
import { Effect } from "effect"

import type { Event } from "../../src/domain/Event.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { emptyState } from "../../src/domain/State.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { layerReadOnly, layerSqlite } from "../../src/store/StoreSqlite.ts"
import { randomJournal } from "./events.ts"

const root = mkdtempSync(join(tmpdir(), "haggle-compaction-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const stamp = { account: "1", mode: "embedded", market: "test" } as const
const hour = 3_600_000

/** A long journal, a minute between two events. */
const events = (count: number): ReadonlyArray<Event> =>
  Array.from(randomJournal(7, count), (event, index) => ({
    ...event,
    at: (1_700_000_000_000 + index * 60_000) as Millis
  }))

const told = Effect.gen(function* () {
  const store = yield* Store
  return { state: yield* store.state, hash: yield* store.journalHash, entries: yield* store.journal({}) }
})

/** Written in small transactions by several processes, one after the other. */
const written = Effect.fnUntraced(function* (file: string, all: ReadonlyArray<Event>, keepMillis?: number) {
  for (let from = 0; from < all.length; from += 100)
    yield* Effect.gen(function* () {
      const store = yield* Store
      for (let at = from; at < Math.min(from + 100, all.length); at += 10)
        yield* store.append(all.slice(at, Math.min(at + 10, from + 100)))
    }).pipe(
      Effect.provide(
        layerSqlite({ file, stamp, snapshotEvery: 20, ...(keepMillis === undefined ? {} : { keepMillis }) }),
        { local: true }
      )
    )
})

const changed = (file: string, statement: string) =>
  Effect.sync(() => {
    const database = new BetterSqlite3(file)
    database.exec(statement)
    database.close()
  })

describe("A journal that is kept for some hours", () => {
  it.live("has the state and the hash of one that is kept for ever, and only the events of those hours", () =>
    Effect.gen(function* () {
      const all = events(600)
      const [short, long] = [join(root, "short.db"), join(root, "long.db")]
      yield* written(short, all, hour)
      yield* written(long, all)
      const [kept, whole] = [
        yield* Effect.provide(told, layerReadOnly(short), { local: true }),
        yield* Effect.provide(told, layerReadOnly(long), { local: true })
      ]
      assert.deepStrictEqual([kept.state, kept.hash], [whole.state, whole.hash])
      assert.isAtLeast(kept.entries.length, 60)
      assert.isBelow(kept.entries.length, 140)
      assert.deepStrictEqual(kept.entries, whole.entries.slice(-kept.entries.length))
      yield* Effect.gen(function* () {
        const memory = yield* Store
        yield* memory.append(all)
        assert.strictEqual(yield* memory.journalHash, kept.hash)
      }).pipe(Effect.provide(layerMemory(stamp)))
    })
  )

  it.live(
    "is folded from its base when no snapshot can be used, and told when an event after it was changed",
    () =>
      Effect.gen(function* () {
        const file = join(root, "base.db")
        yield* written(file, events(300), hour)
        const before = yield* Effect.provide(told, layerReadOnly(file), { local: true })
        yield* changed(file, "UPDATE snapshots SET fold = 0; UPDATE base SET fold = 0")
        const after = yield* Effect.provide(told, layerReadOnly(file), { local: true })
        assert.deepStrictEqual(after, before)
        yield* changed(
          file,
          "UPDATE events SET body = replace(body, '1', '2') WHERE seq = (SELECT MIN(seq) + 1 FROM events)"
        )
        const error = yield* Effect.flip(Effect.provide(told, layerReadOnly(file), { local: true }))
        assert.strictEqual(error.reason._tag, "Corrupt")
      })
  )

  it.live("takes from an empty state what the version that wrote its base did not keep", () =>
    Effect.gen(function* () {
      const file = join(root, "older.db")
      yield* written(file, events(300), hour)
      yield* changed(file, "DELETE FROM snapshots; UPDATE base SET body = json_remove(body, '$.control')")
      const { state } = yield* Effect.provide(told, layerReadOnly(file), { local: true })
      assert.deepStrictEqual(state.control, emptyState.control)
    })
  )
})
