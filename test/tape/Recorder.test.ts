import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { TestClock } from "effect/testing"

import type { Millis } from "../../src/domain/Ids.ts"
import { itemOfKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import { openTape } from "../../src/tape/Open.ts"
import { makeRecorder, type RecorderOptions, type Seen } from "../../src/tape/Recorder.ts"
import { books, cases, start } from "./Tapes.ts"

const day = 86_400_000
const [first = itemOfKey(cases[0]!)] = cases.map(itemOfKey)

const options = (folder: string, of: Partial<RecorderOptions> = {}): RecorderOptions => ({
  folder,
  meta: { currency: 1, market: "seed-1" },
  rollMillis: day,
  rollBytes: 1 << 20,
  keepMillis: 30 * day,
  keepBytes: 1 << 30,
  held: (self) => self,
  ...of
})

const book = (at: number): Seen => ({
  at: at as Millis,
  item: first,
  saw: { _tag: "Book", book: books(at % 97, 1)[0]!.book, own: { bids: [], asks: [] } }
})
const history = (at: number, ...prices: ReadonlyArray<number>): Seen => ({
  at: at as Millis,
  item: first,
  saw: {
    _tag: "History",
    history: priceHistory(
      prices.map((price, hour) => salesPoint((start + hour * 3_600_000) as Millis, price, 5))
    )
  }
})

/** Sees these at their times, then ends. */
const recorded = (of: RecorderOptions, seen: ReadonlyArray<Seen>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const take = yield* makeRecorder(of)
      for (const one of seen) {
        yield* TestClock.setTime(one.at)
        yield* take(one)
      }
    })
  )

const tapesIn = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const names = (yield* fs.readDirectory(folder)).toSorted()
  return yield* Effect.forEach(names, (name) =>
    Effect.scoped(
      Effect.gen(function* () {
        const tape = yield* openTape(`${folder}/${name}`)
        const [one] = tape.items
        const times: Array<number> = []
        for (const batch of one?.batches ?? []) times.push(...(yield* batch.read).at)
        const histories = one === undefined ? [] : yield* one.histories
        const owns = one === undefined ? [] : yield* one.owns
        const points = histories.map(({ points }) => points.length)
        return { name, sealed: tape.sealed, times, points, owns }
      })
    )
  )
})

const here = <A, E>(
  use: (folder: string) => Effect.Effect<A, E, FileSystem.FileSystem | NodeServices.NodeServices>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* use(`${yield* fs.makeTempDirectoryScoped()}/tapes`)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("The recorder", () => {
  it.effect("closes a tape when its time is over and seals it", () =>
    here((folder) =>
      Effect.gen(function* () {
        const times = [0, 60_000, day - 1, day, day + 60_000].map((after) => start + after)
        yield* recorded(options(folder), times.map(book))
        const tapes = yield* tapesIn(folder)
        assert.deepStrictEqual(
          tapes.map((tape) => tape.times),
          [times.slice(0, 3), times.slice(3)]
        )
        assert.isTrue(tapes.every(({ sealed }) => sealed))
      })
    )
  )

  it.effect("writes of a history what is new, and all of it on the next tape", () =>
    here((folder) =>
      Effect.gen(function* () {
        yield* recorded(options(folder), [
          history(start, 10, 11),
          history(start + 1, 10, 11),
          history(start + 2, 10, 12, 13),
          history(start + day, 10, 12, 13)
        ])
        assert.deepStrictEqual(
          (yield* tapesIn(folder)).map(({ points }) => points),
          [[2, 2], [3]]
        )
      })
    )
  )

  it.effect("writes where our orders stand when that changes, and what they traded with the book after", () =>
    here((folder) =>
      Effect.gen(function* () {
        const at = (after: number) => (start + after) as Millis
        const bids = [{ price: money(900), units: 2 }]
        const standing = (after: number, own: typeof bids): Seen => {
          const { saw, ...of } = book(at(after))
          return saw._tag === "Book"
            ? { ...of, saw: { ...saw, own: { bids: own, asks: [] } } }
            : { ...of, saw }
        }
        const trade = { side: "bids", price: money(900), units: 1, at: at(2) } as const
        yield* recorded(options(folder), [
          standing(0, bids),
          standing(1, bids),
          { at: at(2), item: first, saw: { _tag: "Traded", trade } },
          standing(3, bids),
          standing(4, []),
          standing(5, [])
        ])
        const [tape] = yield* tapesIn(folder)
        assert.deepStrictEqual(tape?.owns, [
          { at: at(0), bids, asks: [], trades: [] },
          { at: at(3), bids, asks: [], trades: [trade] },
          { at: at(4), bids: [], asks: [], trades: [] }
        ])
      })
    )
  )

  it.effect("seals what a process left that died", () =>
    here((folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* recorded(options(folder), [book(start), book(start + 60_000)])
        const [name = ""] = yield* fs.readDirectory(folder)
        yield* fs.copyFile(`${folder}/${name}`, `${folder}/2026-01-01T00-00-00.000Z.tape.open`)
        yield* recorded(options(folder), [])
        const tapes = yield* tapesIn(folder)
        assert.strictEqual(tapes.length, 2)
        assert.isTrue(
          tapes.every(({ name, sealed, times }) => name.endsWith(".tape") && sealed && times.length === 2)
        )
      })
    )
  )

  it.effect("removes the oldest tapes when their days or their room are over, never the newest", () =>
    here((folder) =>
      Effect.gen(function* () {
        const days = [0, 1, 2, 3, 4].map((count) => book(start + count * day))
        yield* recorded(options(folder, { keepMillis: 2.5 * day }), days)
        assert.strictEqual((yield* tapesIn(folder)).length, 3)
        yield* recorded(options(folder, { keepBytes: 1 }), [book(start + 5 * day)])
        const left = yield* tapesIn(folder)
        assert.deepStrictEqual(
          left.map(({ times }) => times),
          [[start + 5 * day]]
        )
      })
    )
  )

  it.effect("goes on when the disk fails, and records again later", () =>
    here((folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* TestClock.setTime(start)
            const take = yield* makeRecorder(options(folder))
            yield* fs.remove(folder, { recursive: true })
            yield* take(book(start))
            yield* fs.makeDirectory(folder)
            yield* take(book(start + 1))
            yield* TestClock.setTime(start + 600_000)
            yield* take(book(start + 600_000))
          })
        )
        assert.deepStrictEqual(
          (yield* tapesIn(folder)).map(({ times }) => times),
          [[start + 600_000]]
        )
      })
    )
  )
})
