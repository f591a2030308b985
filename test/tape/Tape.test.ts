import { env } from "node:process"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"

import type { Millis } from "../../src/domain/Ids.ts"
import type { ItemKey } from "../../src/domain/Item.ts"
import { columnsOf, decodeBooks, encodeBooks } from "../../src/tape/Books.ts"
import { openTape } from "../../src/tape/Open.ts"
import type { TapeRecord } from "../../src/tape/Records.ts"
import { sealTapes, type Selection } from "../../src/tape/Seal.ts"
import { spanOf, type Tape, type TapeMeta } from "../../src/tape/Tape.ts"
import { writeTape } from "../../src/tape/Writer.ts"
import { books, cases, chance, records, start } from "./Tapes.ts"

const meta: TapeMeta = { currency: 1, market: "seed-1", source: "recorded", createdAt: start }

/** Everything that a tape holds, as records in the order of time and, within it, of kinds. */
const contents = Effect.fnUntraced(function* (tape: Tape) {
  const all: Array<TapeRecord> = []
  for (const { activities, batches, histograms, histories, item, overviews, owns } of tape.items) {
    for (const batch of batches) {
      const columns = yield* batch.read
      for (let row = 0; row < columns.count; row++)
        all.push({ _tag: "Book", item, at: columns.at[row] as Millis, book: columns.book(row) })
    }
    for (const { at, points } of yield* histories) all.push({ _tag: "History", item, at, points })
    for (const one of yield* overviews) all.push({ _tag: "Overview", item, ...one })
    for (const one of yield* activities) all.push({ _tag: "Activity", item, ...one })
    for (const one of yield* histograms) all.push({ _tag: "Histogram", item, ...one })
    for (const one of yield* owns) all.push({ _tag: "Own", item, ...one })
  }
  return inOrder(all)
})

const inOrder = (all: ReadonlyArray<TapeRecord>): ReadonlyArray<TapeRecord> =>
  all.toSorted((a, b) => a.at - b.at || a.item.localeCompare(b.item) || a._tag.localeCompare(b._tag))

const write = Effect.fnUntraced(function* (path: string, all: ReadonlyArray<TapeRecord>) {
  yield* Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* writeTape(path, meta)
      yield* Effect.forEach(all, writer.write, { discard: true })
    })
  )
})

/** Places where a tape is cut. */
const cuts = Number(env["HAGGLE_CUTS"] ?? 60)

const withFolder = <A, E>(
  body: (file: (name: string) => string) => Effect.Effect<A, E, FileSystem.FileSystem>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "tapes-" })
    return yield* body((name) => path.join(folder, name))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const open = <A, E, R>(path: string, use: (tape: Tape) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(openTape(path), use))

describe("A batch of books", () => {
  it("comes back book by book, forwards and backwards", () => {
    const all = books(3, 300)
    const columns = decodeBooks(encodeBooks(all), 1)
    const order = [...all.keys(), ...[...all.keys()].toReversed(), 7, 299, 0]
    for (const row of order) assert.deepStrictEqual(columns.book(row), all[row]?.book)
  })

  it("has the same columns from bytes and from memory", () => {
    const all = books(4, 800)
    const [read, made] = [decodeBooks(encodeBooks(all), 1), columnsOf(all)]
    for (const name of ["at", "bid", "ask", "bidBest", "askBest", "bidUnits", "askUnits"] as const)
      assert.deepStrictEqual(read[name], made[name], name)
    assert.isTrue(made.bid.some(Number.isNaN), "a side that is empty has no price")
  })
})

describe("A tape", () => {
  it.effect("gives back every record, open or sealed", () =>
    withFolder((file) =>
      Effect.gen(function* () {
        const all = records(1, 400)
        yield* write(file("a.tape"), all)
        const [recorded, sealed] = yield* open(file("a.tape"), (tape) =>
          Effect.gen(function* () {
            assert.isFalse(tape.sealed)
            assert.isUndefined(tape.lost)
            yield* sealTapes([tape], file("b.tape"), tape.meta)
            return [yield* contents(tape), yield* open(file("b.tape"), contents)]
          })
        )
        assert.deepStrictEqual(recorded, inOrder(all))
        assert.deepStrictEqual(sealed, inOrder(all))
        const fs = yield* FileSystem.FileSystem
        const sizes = yield* Effect.forEach(["a.tape", "b.tape"], (name) => fs.stat(file(name)))
        assert.isBelow(Number(sizes[1]?.size), Number(sizes[0]?.size))
      })
    )
  )

  it.effect("is cut to items and times, and knows the history from before", () =>
    withFolder((file) =>
      Effect.gen(function* () {
        const all = records(2, 300)
        yield* write(file("a.tape"), all)
        const item = cases[1] as ItemKey
        const [from, to] = [(start + 3_000_000) as Millis, (start + 6_000_000) as Millis]
        const selection: Selection = { items: new Set([item]), from, to }
        const cut = yield* open(file("a.tape"), (tape) =>
          Effect.andThen(
            sealTapes([tape], file("b.tape"), tape.meta, selection),
            open(file("b.tape"), contents)
          )
        )
        const expected = all.filter(
          (one) => one._tag === "Book" && one.item === item && one.at >= from && one.at < to
        )
        assert.deepStrictEqual(
          cut.filter(({ _tag }) => _tag === "Book"),
          expected
        )
        const before = all.find((one) => one._tag === "History" && one.item === item)
        const known = cut.find(({ _tag }) => _tag === "History")
        assert.isTrue(before !== undefined && before.at < from, "the made-up market has early history")
        assert.deepStrictEqual(known?.at, from)
      })
    )
  )

  it.effect("is merged with others, what both have once", () =>
    withFolder((file) =>
      Effect.gen(function* () {
        const all = records(5, 300)
        const parts = [all.slice(0, 500), all.slice(400)]
        for (const [index, part] of parts.entries()) yield* write(file(`${index}.tape`), part)
        const merged = yield* Effect.scoped(
          Effect.gen(function* () {
            const tapes = yield* Effect.forEach(["0.tape", "1.tape"], (name) => openTape(file(name)))
            yield* sealTapes(tapes, file("all.tape"), meta)
            return yield* open(file("all.tape"), contents)
          })
        )
        assert.deepStrictEqual(merged, inOrder(all))
      })
    )
  )

  for (const kind of ["open", "sealed"] as const)
    it.effect(`that is ${kind} and cut anywhere opens to its last whole record and says what it lost`, () =>
      withFolder((file) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const all = records(7, 120)
          yield* write(file("a.tape"), all)
          if (kind === "sealed")
            yield* open(file("a.tape"), (tape) => sealTapes([tape], file("a.sealed"), tape.meta))
          const path = file(kind === "sealed" ? "a.sealed" : "a.tape")
          const whole = yield* fs.readFile(path)
          const expected = yield* open(path, contents)
          const next = chance(11)
          for (let cut = 0; cut < cuts; cut++) {
            const length = 200 + Math.floor(next() * (whole.length - 200))
            yield* fs.writeFile(file("torn.tape"), whole.subarray(0, length))
            yield* open(file("torn.tape"), (tape) =>
              Effect.gen(function* () {
                const found = yield* contents(tape)
                const { lost } = tape
                const usable = lost?.offset ?? length
                assert.strictEqual(usable + (lost?.bytes ?? 0), length)
                const there = new Set(expected.map((one) => JSON.stringify(one)))
                for (const one of found) assert.isTrue(there.has(JSON.stringify(one)))
                if (kind === "open") {
                  // in the order of writing: exactly the records before the cut
                  const count = found.length
                  assert.deepStrictEqual(found, inOrder(all.slice(0, count)))
                }
                if (lost !== undefined && found.length > 0) assert.isDefined(lost.after)
              })
            )
          }
        })
      )
    )

  it.effect("that was damaged is used up to the damage", () =>
    withFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const all = records(8, 50)
        yield* write(file("a.tape"), all)
        const bytes = (yield* fs.readFile(file("a.tape"))).slice()
        const middle = Math.floor(bytes.length / 2)
        bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
        yield* fs.writeFile(file("b.tape"), bytes)
        yield* open(file("b.tape"), (tape) =>
          Effect.gen(function* () {
            assert.strictEqual(tape.lost?.why, "a record is damaged")
            assert.isBelow(tape.lost?.offset ?? Infinity, middle + 1)
            assert.isAbove(spanOf(tape).books, 0)
          })
        )
      })
    )
  )

  it.effect("is told from any other file", () =>
    withFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(file("no.tape"), "certainly no tape")
        const error = yield* Effect.flip(open(file("no.tape"), contents))
        assert.include(error.message, "is no tape")
      })
    )
  )
})
