import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What every store promises, asked of each adapter in the same words. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Option, type Scope } from "effect"

import type { Event } from "../../src/domain/Event.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import { money } from "../../src/domain/Money.ts"
import { emptyState } from "../../src/domain/State.ts"
import { type Heartbeat, type Stamp, Store, type StoreError } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import * as Given from "./events.ts"

const stamp: Stamp = { account: "76561190000000001", mode: "embedded", market: "seed-1" }

const adapters: Readonly<Record<string, (folder: string) => Layer.Layer<Store, StoreError>>> = {
  StoreMemory: () => layerMemory(stamp),
  StoreSqlite: (folder) => layerSqlite({ file: join(folder, "state", "haggle.db"), stamp })
}

for (const [name, adapter] of Object.entries(adapters))
  describe(`${name}`, () => {
    const withStore = <A, E>(body: (store: Store["Service"]) => Effect.Effect<A, E, Scope.Scope>) =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "store-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        return yield* Effect.flatMap(Store, body).pipe(Effect.provide(adapter(folder)))
      })
    const promises = <E>(
      sentence: string,
      body: (store: Store["Service"]) => Effect.Effect<void, E, Scope.Scope>
    ) => it.effect(sentence, () => withStore(body))

    promises("begins empty, with its stamp", (store) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(store.stamp, stamp)
        assert.deepStrictEqual(yield* store.state, emptyState)
        assert.deepStrictEqual(yield* store.journal({}), [])
        assert.deepStrictEqual(yield* store.lastBeat, Option.none())
        assert.match(yield* store.journalHash, /^0{64}$/)
      })
    )

    promises("answers an append with the fold of all events", (store) =>
      Effect.gen(function* () {
        const first = yield* store.append(Given.story.slice(0, 4))
        assert.deepStrictEqual(first, applyAll(emptyState, Given.story.slice(0, 4)))
        const all = yield* store.append(Given.story.slice(4))
        assert.deepStrictEqual(all, applyAll(emptyState, Given.story))
        assert.deepStrictEqual(yield* store.state, all)
        assert.strictEqual(all.ledger, money(100_000 - 3820 - 3800 + 4000))
      })
    )

    promises("keeps the events as they were, numbered from 1 without gaps", (store) =>
      Effect.gen(function* () {
        yield* store.append(Given.story.slice(0, 7))
        yield* store.append([])
        yield* store.append(Given.story.slice(7))
        const entries = yield* store.journal({})
        assert.deepStrictEqual(
          entries,
          Given.story.map((event, index) => ({ seq: index + 1, event }))
        )
      })
    )

    promises("keeps the order of the values that a rule saw", (store) =>
      Effect.gen(function* () {
        yield* store.append(Given.story)
        const [entry] = yield* store.journal({ kinds: ["IntentRecorded"] })
        const saw = entry?.event._tag === "IntentRecorded" ? entry.event.intent.reason.saw : {}
        assert.deepStrictEqual(Object.keys(saw), ["spread", "bid", "ask"])
      })
    )

    promises("finds events by kind, by id, after a number, and the last so many in order", (store) =>
      Effect.gen(function* () {
        yield* store.append(Given.story)
        const seqs = (query: Parameters<typeof store.journal>[0]) =>
          Effect.map(store.journal(query), (entries) => entries.map((entry) => entry.seq))
        assert.deepStrictEqual(yield* seqs({ kinds: ["Filled"] }), [6, 7, 15])
        assert.deepStrictEqual(yield* seqs({ kinds: ["Filled"], last: 2 }), [7, 15])
        assert.deepStrictEqual(yield* seqs({ kinds: ["Filled", "Refused"], after: 7 }), [15, 19])
        assert.deepStrictEqual(yield* seqs({ kinds: [] }), [])
        assert.deepStrictEqual(yield* seqs({ last: 3 }), [17, 18, 19])
        assert.deepStrictEqual(yield* seqs({ last: 0 }), [])
        assert.deepStrictEqual(yield* seqs({ about: "p1" }), [2, 3, 4, 6, 7])
        assert.deepStrictEqual(yield* seqs({ about: "o1" }), [4, 5, 8])
        assert.deepStrictEqual(yield* seqs({ about: "a1" }), [6, 9, 14, 15, 16])
        assert.deepStrictEqual(yield* seqs({ about: "l1" }), [14, 16])
        assert.deepStrictEqual(yield* seqs({ about: "f2" }), [7])
        assert.deepStrictEqual(yield* seqs({ about: "c-s1", kinds: ["Confirmed"] }), [13])
        assert.deepStrictEqual(yield* seqs({ about: "nobody" }), [])
      })
    )

    promises("hashes the journal, however it was cut into appends and its objects put together", (store) =>
      Effect.gen(function* () {
        yield* store.append(Given.story.slice(0, 10))
        const half = yield* store.journalHash
        yield* store.append(Given.story.slice(10))
        const whole = yield* store.journalHash
        assert.match(whole, /^[0-9a-f]{64}$/)
        assert.notStrictEqual(whole, half)
        const turned = Given.story.map(
          (event) => Object.fromEntries(Object.entries(event).toReversed()) as unknown as Event
        )
        const other = yield* withStore((second) => Effect.andThen(second.append(turned), second.journalHash))
        assert.strictEqual(other, whole)
        const later = Given.story.map((event, index) =>
          index === 3 ? { ...event, at: Given.at(99) } : event
        )
        const third = yield* withStore((second) => Effect.andThen(second.append(later), second.journalHash))
        assert.notStrictEqual(third, whole)
      })
    )

    const refuses = (sentence: string, events: ReadonlyArray<Event>) =>
      promises(sentence, (store) =>
        Effect.gen(function* () {
          yield* store.append(Given.story)
          const [state, hash] = [yield* store.state, yield* store.journalHash]
          const error = yield* Effect.flip(store.append(events))
          assert.strictEqual(error.reason._tag, "Failed")
          assert.strictEqual(yield* store.state, state)
          assert.strictEqual(yield* store.journalHash, hash)
          assert.lengthOf(yield* store.journal({}), Given.story.length)
          yield* store.append([Given.sent("p2", 50)])
          assert.lengthOf(yield* store.journal({ after: Given.story.length }), 1)
        })
      )
    refuses("writes no intent twice, and nothing that came with it", [
      Given.progressed("o1", 0),
      Given.recorded(Given.placeBid("p1"))
    ])
    refuses("counts no fill twice", [
      Given.filled("f9", "Buy", "a9", 10, "p1"),
      Given.filled("f1", "Buy", "a1", 3820, "p1")
    ])
    refuses("counts no fill twice in one append", [
      Given.filled("f9", "Buy", "a9", 10, "p1"),
      Given.filled("f9", "Buy", "a9", 10, "p1")
    ])
    refuses("writes no event that could not be read again", [
      Given.sent("p2"),
      { _tag: "LedgerDiffers", at: Given.at(1), ledger: 1.5 as never, wallet: money(1) }
    ])

    promises("puts appends that come at once one after the other", (store) =>
      Effect.gen(function* () {
        yield* store.append([Given.opened])
        const fills = Array.from({ length: 20 }, (_, index) =>
          Given.filled(`f${index}`, "Buy", `a${index}`, 10, "p1")
        )
        yield* Effect.forEach(fills, (fill) => store.append([fill]), { concurrency: "unbounded" })
        const entries = yield* store.journal({})
        assert.deepStrictEqual(
          entries.map((entry) => entry.seq),
          Array.from({ length: 21 }, (_, index) => index + 1)
        )
        assert.strictEqual((yield* store.state).ledger, money(100_000 - 200))
      })
    )

    promises("remembers the last beat only", (store) =>
      Effect.gen(function* () {
        const beat = (requests: number): Omit<Heartbeat, "pid"> => ({
          at: Given.at(requests),
          numbers: { requests, medianSeconds: 0.25 },
          notes: { mode: "embedded" },
          last: false
        })
        yield* store.beat(beat(1))
        yield* store.beat(beat(2))
        const last = Option.map(yield* store.lastBeat, ({ at, last: end, notes, numbers }) => ({
          at,
          numbers,
          notes,
          last: end
        }))
        assert.deepStrictEqual(last, Option.some(beat(2)))
        assert.deepStrictEqual(yield* store.journal({}), [])
      })
    )

    it.effect("completes every effect at once, so that a virtual clock sees no gap", () =>
      withStore((store) =>
        Effect.sync(() => {
          assert.lengthOf(
            Effect.runSync(Effect.andThen(store.append(Given.story), store.journal({}))),
            Given.story.length
          )
        })
      )
    )
  })
