/**
 * Writes a sealed tape out of others: batches of books in columns, in the order of time, and an index at the end.
 * Invariants: 1. the file appears whole or not at all. 2. what two tapes both have is written once. 3. memory is bounded by one batch per
 * source of the item that is being written.
 */
import { Effect, FileSystem, Schema } from "effect"

import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { priceHistory } from "../domain/Sales.ts"
import { type BookAt, type BookColumns, booksPerBatch, encodeBooks } from "./Books.ts"
import { ByteWriter } from "./Bytes.ts"
import { head, type Kind, kinds, writeFrame } from "./Frames.ts"
import { encodeHistory, type HistoryAt } from "./Histories.ts"
import { encodeIndex, type Place, trailer } from "./Index.ts"
import { encodeActivity, encodeHistogram, encodeItem, encodeOverview, encodeOwn } from "./Records.ts"
import { type Batch, type Tape, TapeError, type TapeItem, TapeMeta } from "./Tape.ts"

export interface Selection {
  /** Only these; all when absent. */
  readonly items?: ReadonlySet<ItemKey>
  /** From this moment on, and before that one. */
  readonly from?: Millis
  readonly to?: Millis
}

const encodeMeta = Schema.encodeSync(Schema.fromJsonString(TapeMeta))

/** Writes what the selection leaves of the tapes to `path`; answers the bytes written. */
export const sealTapes = Effect.fn("Tape.seal")(function* (
  tapes: ReadonlyArray<Tape>,
  path: string,
  meta: TapeMeta,
  selection: Selection = {}
) {
  const fs = yield* FileSystem.FileSystem
  const failed = (cause: { readonly message: string }) =>
    new TapeError({
      file: path,
      message: `${path} cannot be written: ${cause.message}`,
      remedy: "make room on the disk, or name another file"
    })
  const draft = `${path}.new`
  const bytes = yield* Effect.scoped(
    Effect.gen(function* () {
      const file = yield* fs.open(draft, { flag: "w", mode: 0o600 }).pipe(Effect.mapError(failed))
      const out = frameFile((chunk) => file.writeAll(chunk).pipe(Effect.mapError(failed)))
      yield* out.raw(head())
      yield* out.frame(kinds.meta, 0, new TextEncoder().encode(encodeMeta(meta)))
      yield* writeItems(tapes, selection, out)
      const indexAt = out.length()
      yield* out.frame(kinds.index, 0, encodeIndex(out.places))
      yield* out.raw(trailer(indexAt))
      yield* file.sync.pipe(Effect.mapError(failed))
      return out.length()
    })
  )
  yield* fs.rename(draft, path).pipe(Effect.mapError(failed))
  return bytes
})

interface FrameFile {
  readonly raw: (bytes: Uint8Array) => Effect.Effect<void, TapeError>
  readonly frame: (
    kind: Kind,
    item: number,
    payload: Uint8Array,
    span?: { readonly from: number; readonly to: number; readonly count: number }
  ) => Effect.Effect<void, TapeError>
  readonly places: Array<Place>
  readonly length: () => number
}

const frameFile = (write: (bytes: Uint8Array) => Effect.Effect<void, TapeError>): FrameFile => {
  const places: Array<Place> = []
  let length = 0
  const raw = (bytes: Uint8Array) =>
    Effect.tap(write(bytes), () =>
      Effect.sync(() => {
        length += bytes.length
      })
    )
  return {
    raw,
    frame: (kind, item, payload, span = { from: 0, to: 0, count: 1 }) =>
      Effect.suspend(() => {
        const { count, from, to } = span
        const place = { kind, item, offset: length, length: payload.length }
        if (kind !== kinds.index) places.push({ ...place, from: from as Millis, to: to as Millis, count })
        const out = new ByteWriter()
        writeFrame(out, kind, payload)
        return raw(out.view())
      }),
    places,
    length: () => length
  }
}

const within = (selection: Selection, at: number): boolean =>
  (selection.from === undefined || at >= selection.from) && (selection.to === undefined || at < selection.to)

/** One item's books out of several tapes, each book once, in order of time. */
interface Merge {
  readonly index: number
  readonly sources: ReadonlyArray<Source>
  last: number
}

interface Source {
  readonly batches: ReadonlyArray<Batch>
  batch: number
  columns: BookColumns | undefined
  row: number
}

const writeItems = Effect.fnUntraced(function* (
  tapes: ReadonlyArray<Tape>,
  selection: Selection,
  out: FrameFile
) {
  const byItem = new Map<ItemKey, Array<TapeItem>>()
  for (const tape of tapes)
    for (const one of tape.items)
      if (selection.items === undefined || selection.items.has(one.item))
        byItem.set(one.item, [...(byItem.get(one.item) ?? []), one])
  const merges: Array<Merge> = []
  for (const [key, sources] of byItem) {
    const index = merges.length
    yield* out.frame(kinds.item, index, encodeItem(index, key))
    yield* writeRecords(index, sources, selection, out)
    const usable = (batch: Batch) =>
      (selection.from === undefined || batch.to >= selection.from) &&
      (selection.to === undefined || batch.from < selection.to)
    merges.push({
      index,
      last: Number.NEGATIVE_INFINITY,
      sources: sources.map(({ batches }) => ({
        batches: batches.filter(usable),
        batch: 0,
        columns: undefined,
        row: 0
      }))
    })
  }
  // always the item that lies furthest back, so that a reader of all of them moves through the file from front to back
  const open = new Set(merges)
  for (;;) {
    let next: Merge | undefined
    for (const one of open) if (next === undefined || nextTime(one) < nextTime(next)) next = one
    if (next === undefined) return
    const books = yield* take(next, selection)
    if (books.length === 0) open.delete(next)
    else
      yield* out.frame(kinds.books, next.index, withItem(next.index, encodeBooks(books)), {
        from: books[0]?.at ?? 0,
        to: books.at(-1)?.at ?? 0,
        count: books.length
      })
  }
})

const withItem = (index: number, payload: Uint8Array): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.append(payload)
  return out.view().slice()
}

const timeOf = ({ batch, batches, columns, row }: Source): number =>
  columns === undefined ? (batches[batch]?.from ?? Number.POSITIVE_INFINITY) : (columns.at[row] as number)

const nextTime = ({ sources }: Merge): number => Math.min(...sources.map(timeOf))

/** The next books of an item, at most a batch. */
const take = Effect.fnUntraced(function* (merge: Merge, selection: Selection) {
  const books: Array<BookAt> = []
  while (books.length < booksPerBatch) {
    const source = merge.sources.reduce((first, one) => (timeOf(one) < timeOf(first) ? one : first))
    const batch = source.batches[source.batch]
    if (batch === undefined) break
    source.columns ??= yield* batch.read
    const { columns, row } = source
    const at = columns.at[row] as Millis
    if (at > merge.last && within(selection, at)) books.push({ at, book: columns.book(row) })
    merge.last = Math.max(merge.last, at)
    source.row++
    if (source.row === columns.count) {
      source.batch++
      source.columns = undefined
      source.row = 0
    }
  }
  return books
})

const writeRecords = Effect.fnUntraced(function* (
  index: number,
  sources: ReadonlyArray<TapeItem>,
  selection: Selection,
  out: FrameFile
) {
  const each = Effect.fnUntraced(function* <A extends { readonly at: Millis }>(
    kind: Kind,
    records: ReadonlyArray<A>,
    encode: (index: number, record: A) => Uint8Array
  ) {
    let last = Number.NEGATIVE_INFINITY
    for (const record of records.toSorted((a, b) => a.at - b.at)) {
      if (record.at === last || !within(selection, record.at)) continue
      last = record.at
      yield* out.frame(kind, index, encode(index, record), { from: last, to: last, count: 1 })
    }
  })
  const all = <A>(of: (source: TapeItem) => Effect.Effect<ReadonlyArray<A>, TapeError>) =>
    Effect.map(Effect.forEach(sources, of), (records) => records.flat())
  yield* each(kinds.history, knownAt(yield* all((source) => source.histories), selection.from), encodeHistory)
  yield* each(kinds.overview, yield* all((source) => source.overviews), encodeOverview)
  yield* each(kinds.activity, yield* all((source) => source.activities), encodeActivity)
  yield* each(kinds.histogram, yield* all((source) => source.histograms), encodeHistogram)
  yield* each(kinds.own, yield* all((source) => source.owns), encodeOwn)
})

/** Histories as a tape that begins at `from` tells them: what was known before is known at its beginning. */
const knownAt = (histories: ReadonlyArray<HistoryAt>, from: Millis | undefined): ReadonlyArray<HistoryAt> => {
  const before = from === undefined ? [] : histories.filter(({ at }) => at <= from)
  if (from === undefined || before.length === 0) return histories
  const { points } = priceHistory(before.toSorted((a, b) => a.at - b.at).flatMap((one) => one.points))
  return [{ at: from, points }, ...histories.filter(({ at }) => at > from)]
}
