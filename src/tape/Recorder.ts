/**
 * Recording: what the engine sees goes onto tapes in a folder. A tape is closed from time to time; the oldest go when their room is used up.
 * Invariants: 1. a process that dies loses at most what was seen since the last flush; the next one seals what it left. 2. sealed tapes keep
 * within the folder's bytes and days. 3. of a price history and of our own orders only what is new or different is written, the whole of it once per tape.
 * 4. recording never stops trading: what cannot be written is told, and tried again later.
 */
import { Clock, DateTime, Effect, Exit, FileSystem, Path, Scope } from "effect"

import type { Overview } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Item, type ItemKey, itemKey } from "../domain/Item.ts"
import { type OrderBook, orderBook } from "../domain/OrderBook.ts"
import type { PriceHistory, SalesPoint } from "../domain/Sales.ts"
import type { Standing, Traded } from "../domain/Standing.ts"
import type { ActivityEntry, TapeRecord } from "./Records.ts"
import { sealFile } from "./Sealed.ts"
import { TapeError, type TapeMeta } from "./Tape.ts"
import { type TapeWriter, writeTape } from "./Writer.ts"

/** What can be recorded: what a run sees, orders of others, histograms, and trades of ours. */
export interface Seen {
  readonly at: Millis
  readonly item: Item
  readonly saw:
    /** The book without our own orders, and where those stood. */
    | { readonly _tag: "Book"; readonly book: OrderBook; readonly own: Standing }
    | { readonly _tag: "History"; readonly history: PriceHistory }
    | { readonly _tag: "Overview"; readonly overview: Overview }
    | { readonly _tag: "Activity"; readonly entries: ReadonlyArray<ActivityEntry> }
    | { readonly _tag: "Histogram"; readonly book: OrderBook }
    | { readonly _tag: "Traded"; readonly trade: Traded }
}

export interface RecorderOptions {
  readonly folder: string
  readonly meta: Omit<TapeMeta, "createdAt" | "source">
  /** A tape is closed and the next begun after as much market time, or as many bytes. */
  readonly rollMillis: number
  readonly rollBytes: number
  /** Sealed tapes older than this go, and the oldest when all together have more bytes. */
  readonly keepMillis: number
  readonly keepBytes: number
  /** Lets no virtual time pass while the disk is waited for. */
  readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A tape is closed when it has as many bytes, whatever its age: sealing one reads it as a whole. */
export const rollBytes = 64 * 1024 * 1024

/** Market time between two writes to the disk, and before a disk that failed is tried again. */
const flushEveryMillis = 10_000
const retryMillis = 600_000

const openSuffix = ".tape.open"
const sealedSuffix = ".tape"

/** A tape that is being written. */
interface Open {
  readonly path: string
  readonly writer: TapeWriter
  readonly scope: Scope.Closeable
  readonly since: number
  flushedAt: number
  /** The last history of each item that went onto this tape, and where our orders stood. */
  readonly histories: Map<ItemKey, PriceHistory>
  readonly standing: Map<ItemKey, string>
}

/** Seals what an earlier process left, then takes in what is seen until the scope closes. */
export const makeRecorder = Effect.fn("Recorder.make")(function* (options: RecorderOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { folder, held } = options
  let open: Open | undefined
  let silentUntil = Number.NEGATIVE_INFINITY
  // told with the next book of their items
  const trades = new Map<ItemKey, Array<Traded>>()

  const sealed = (file: string) => `${file.slice(0, -openSuffix.length)}${sealedSuffix}`
  const seal = (file: string) =>
    Effect.andThen(sealFile(file, sealed(file)), retain(options)).pipe(
      Effect.catchTag("TapeError", ({ message, remedy }) => Effect.logWarning(`${message}; ${remedy}`))
    )
  const failedFolder = (cause: { readonly message: string }) =>
    new TapeError({
      file: folder,
      message: `${folder} cannot be written: ${cause.message}`,
      remedy: "make room on the disk, or name another folder under `recording.folder`"
    })

  const close = Effect.fnUntraced(function* (done: Open) {
    open = undefined
    yield* Scope.close(done.scope, Exit.void)
    yield* seal(done.path)
  })

  const write = Effect.fnUntraced(function* (seen: Seen) {
    const now = yield* Clock.currentTimeMillis
    if (open !== undefined) {
      const bytes = yield* open.writer.bytes
      if (now - open.since >= options.rollMillis || bytes >= options.rollBytes) yield* close(open)
    }
    open ??= yield* begin(options, now)
    const records = recordsOf(seen, open, trades)
    for (const record of records) yield* open.writer.write(record)
    if (records.length === 0) return
    if (now - open.flushedAt < flushEveryMillis) return
    open.flushedAt = now
    yield* open.writer.flush
  })

  yield* held(
    Effect.gen(function* () {
      yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 }).pipe(Effect.mapError(failedFolder))
      const names = yield* fs.readDirectory(folder).pipe(Effect.mapError(failedFolder))
      for (const name of names.filter((one) => one.endsWith(openSuffix)).toSorted())
        yield* seal(path.join(folder, name))
    })
  )
  yield* Effect.addFinalizer(() => (open === undefined ? Effect.void : held(close(open))))

  /** Takes in one thing that was seen; never fails. */
  return Effect.fn("Recorder.take")(function* (seen: Seen) {
    if ((yield* Clock.currentTimeMillis) < silentUntil) return
    yield* held(write(seen)).pipe(
      Effect.catchTag("TapeError", ({ message, remedy }) =>
        Effect.gen(function* () {
          silentUntil = (yield* Clock.currentTimeMillis) + retryMillis
          const broken = open
          open = undefined
          if (broken !== undefined) yield* Scope.close(broken.scope, Exit.void)
          yield* Effect.logWarning(`recording pauses: ${message}; ${remedy}`)
        })
      ),
      Effect.provideService(FileSystem.FileSystem, fs),
      Effect.provideService(Path.Path, path)
    )
  })
})

/** A new tape, with nothing on it. */
const begin = Effect.fnUntraced(function* ({ folder, meta }: RecorderOptions, now: number) {
  const path = yield* Path.Path
  const name = DateTime.formatIso(DateTime.makeUnsafe(now)).replaceAll(":", "-")
  const file = path.join(folder, `${name}${openSuffix}`)
  const scope = yield* Scope.make()
  const of: TapeMeta = { ...meta, source: "recorded", createdAt: now as Millis }
  const writer = yield* writeTape(file, of).pipe(Scope.provide(scope))
  const nothing = { histories: new Map(), standing: new Map() }
  return { path: file, writer, scope, since: now, flushedAt: now, ...nothing } satisfies Open
})

const recordsOf = (
  { at, item, saw }: Seen,
  { histories, standing }: Open,
  trades: Map<ItemKey, Array<Traded>>
): ReadonlyArray<TapeRecord> => {
  const key = itemKey(item)
  switch (saw._tag) {
    case "Book": {
      const { book, own } = saw
      const { asks, bids } = orderBook({ currency: book.currency, ...own })
      const known = trades.get(key) ?? []
      const text = JSON.stringify({ asks, bids })
      const isTold = known.length === 0 && standing.get(key) === text
      standing.set(key, text)
      trades.delete(key)
      const seen = { _tag: "Book", item: key, at, book } as const
      return isTold ? [seen] : [{ _tag: "Own", item: key, at, asks, bids, trades: known }, seen]
    }
    case "Overview":
      return [{ _tag: "Overview", item: key, at, ...saw.overview }]
    case "Activity":
      return [{ _tag: "Activity", item: key, at, entries: saw.entries }]
    case "Histogram":
      return [{ _tag: "Histogram", item: key, at, book: saw.book }]
    case "Traded":
      trades.set(key, [...(trades.get(key) ?? []), saw.trade])
      return []
    case "History": {
      const points = newPoints(histories.get(key), saw.history)
      histories.set(key, saw.history)
      return points.length === 0 ? [] : [{ _tag: "History", item: key, at, points }]
    }
  }
}

/** Points that the earlier history does not have, or has with other figures. */
const newPoints = (before: PriceHistory | undefined, now: PriceHistory): ReadonlyArray<SalesPoint> => {
  if (before === undefined) return now.points
  if (before === now) return []
  const known = before.points
  let index = 0
  return now.points.filter((point) => {
    while (index < known.length && (known[index]?.at ?? 0) < point.at) index++
    const same = known[index]
    return same?.at !== point.at || same.median !== point.median || same.units !== point.units
  })
}

/** Removes tapes that are too old, and the oldest while all together have too many bytes. */
const retain = Effect.fnUntraced(function* ({ folder, keepBytes, keepMillis }: RecorderOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const now = yield* Clock.currentTimeMillis
  const names = (yield* Effect.orElseSucceed(fs.readDirectory(folder), () => []))
    .filter((name) => name.endsWith(sealedSuffix))
    .toSorted()
    .toReversed()
  let bytes = 0
  for (const [index, name] of names.entries()) {
    const file = path.join(folder, name)
    const size = yield* Effect.orElseSucceed(
      Effect.map(fs.stat(file), (info) => Number(info.size)),
      () => 0
    )
    bytes += size
    // a name is the moment at which its tape began
    const began = DateTime.make(name.slice(0, -sealedSuffix.length).replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"))
    const tooOld = began._tag === "Some" && now - DateTime.toEpochMillis(began.value) > keepMillis
    if (index > 0 && (tooOld || bytes > keepBytes)) yield* Effect.ignore(fs.remove(file))
  }
})
