/**
 * Opens a tape for reading: by its index when it is sealed, by a scan otherwise.
 * Invariants: 1. a sealed tape's books are read batch by batch, when somebody asks. 2. records of a tape without an index are gathered
 * into batches of the same kind, so that readers know one way only.
 */
import { Effect, FileSystem, Schema } from "effect"

import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { type Batch, type Tape, TapeError, type TapeItem, TapeMeta } from "./Tape.ts"
import { decodeBooks } from "./TapeBooks.ts"
import type { ByteReader } from "./TapeBytes.ts"
import {
  frameHead,
  frameHeadLength,
  headLength,
  isReadable,
  isWhole,
  kinds,
  versionOf
} from "./TapeFrames.ts"
import { gathering } from "./TapeGather.ts"
import { decodeIndex, indexOffset, type Place, trailerLength } from "./TapeIndex.ts"
import {
  behindItem,
  decodeActivity,
  decodeHistory,
  decodeItem,
  decodeOverview,
  decodeOwn
} from "./TapeRecords.ts"
import { type ReadAt, readingAt, scan } from "./TapeScan.ts"

const decodeMeta = Schema.decodeUnknownEffect(Schema.fromJsonString(TapeMeta))

/** The tape in a file. It stays readable for as long as the scope lives. */
export const openTape = Effect.fn("Tape.open")(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const failed = (cause: { readonly message: string }) =>
    new TapeError({
      file: path,
      message: `${path} cannot be read: ${cause.message}`,
      remedy: "check the path"
    })
  const file = yield* fs.open(path, { flag: "r" }).pipe(Effect.mapError(failed))
  const size = Number((yield* file.stat.pipe(Effect.mapError(failed))).size)
  const read = readingAt(file, failed)
  const found = versionOf(yield* read(0, headLength))
  if (found === undefined)
    return yield* new TapeError({
      file: path,
      message: `${path} is no tape`,
      remedy: "name a file that `haggle record` or `haggle tape` wrote"
    })
  if (!isReadable(found))
    return yield* new TapeError({
      file: path,
      message: `${path} has the layout ${found}, which this version does not know`,
      remedy: "read it with the version of haggle that wrote it"
    })
  return (yield* sealedTape(path, size, read)) ?? (yield* openEnded(path, size, read))
})

const damaged = (file: string, what: string): TapeError =>
  new TapeError({
    file,
    message: `${file}: ${what} is damaged`,
    remedy: "use a copy of the tape, or save what is whole with `haggle tape cut`"
  })

type Where = Pick<Place, "offset" | "length">

/** A frame's payload out of these bytes, checked. */
const payloadIn = (file: string, bytes: Uint8Array, offset: number) => {
  const head = frameHead(bytes)
  const payload = bytes.subarray(frameHeadLength)
  return head !== undefined && isWhole(head, payload)
    ? Effect.succeed(payload)
    : Effect.fail(damaged(file, `the record at byte ${offset}`))
}

/** One frame's payload, checked. */
const payloadAt = (file: string, read: ReadAt, { length, offset }: Where) =>
  Effect.flatMap(read(offset, frameHeadLength + length), (bytes) => payloadIn(file, bytes, offset))

/** Small records that lie near one another are read in one go: a read each would cost far more than what lies between them. */
const stretchBytes = 1 << 20
const gapBytes = 1 << 14

/** The frames in the order of the file, cut into stretches that are read at once. */
const stretchesOf = (places: ReadonlyArray<Place>): ReadonlyArray<ReadonlyArray<Place>> => {
  const stretches: Array<Array<Place>> = []
  let [from, end] = [0, Number.NEGATIVE_INFINITY]
  for (const place of places) {
    const { length, offset } = place
    const placeEnd = offset + frameHeadLength + length
    if (offset - end > gapBytes || placeEnd - from > stretchBytes) {
      stretches.push([])
      from = offset
    }
    stretches.at(-1)?.push(place)
    end = placeEnd
  }
  return stretches
}

/** What the frames hold, each checked and decoded. */
const recordsAt = <A>(
  file: string,
  read: ReadAt,
  places: ReadonlyArray<Place>,
  decode: (from: ByteReader) => A
) =>
  Effect.gen(function* () {
    const records: Array<A> = []
    for (const stretch of stretchesOf(places)) {
      const [first, last] = [stretch[0] as Place, stretch.at(-1) as Place]
      const bytes = yield* read(first.offset, last.offset + frameHeadLength + last.length - first.offset)
      for (const { length, offset } of stretch) {
        const at = offset - first.offset
        const payload = yield* payloadIn(file, bytes.subarray(at, at + frameHeadLength + length), offset)
        records.push(decode(behindItem(payload)))
      }
    }
    return records
  })

/** Undefined when there is no index, or none that can be believed. */
const sealedTape = Effect.fnUntraced(function* (path: string, size: number, read: ReadAt) {
  if (size < headLength + trailerLength) return undefined
  const offset = indexOffset(yield* read(size - trailerLength, trailerLength))
  if (offset === undefined || offset >= size) return undefined
  const bytes = yield* read(offset, size - trailerLength - offset)
  const head = frameHead(bytes)
  const payload = bytes.subarray(frameHeadLength)
  if (head?.kind !== kinds.index || !isWhole(head, payload)) return undefined
  const places = decodeIndex(payload)
  const payloadOf = (place: Place) => payloadAt(path, read, place)
  const metaPlace = places.find(({ kind }) => kind === kinds.meta)
  if (metaPlace === undefined) return undefined
  const meta = yield* metaOf(path, yield* payloadOf(metaPlace))
  const keys = new Map<number, ItemKey>()
  const byItem = new Map<number, Array<Place>>()
  for (const place of places) {
    if (place.kind === kinds.item) keys.set(place.item, decodeItem(yield* payloadOf(place)).key)
    const own = byItem.get(place.item)
    if (own === undefined) byItem.set(place.item, [place])
    else own.push(place)
  }
  const items = [...keys].map(([index, item]): TapeItem => {
    const own = byItem.get(index) ?? []
    const all = <A>(kind: number, decode: (from: ByteReader) => A) =>
      recordsAt(
        path,
        read,
        own.filter((place) => place.kind === kind),
        decode
      )
    return {
      item,
      batches: own
        .filter(({ kind }) => kind === kinds.books)
        .map((place): Batch => {
          const { count, from, length, to } = place
          const columns = Effect.map(payloadOf(place), (payload) =>
            decodeBooks(behindItem(payload).rest(), meta.currency)
          )
          return { item, count, from, to, bytes: frameHeadLength + length, read: columns }
        }),
      histories: all(kinds.history, decodeHistory),
      overviews: all(kinds.overview, decodeOverview),
      activities: all(kinds.activity, decodeActivity),
      owns: all(kinds.own, decodeOwn)
    }
  })
  const tape: Tape = { file: path, bytes: size, meta, sealed: true, items, lost: undefined }
  return tape
})

const metaOf = (file: string, payload: Uint8Array) =>
  decodeMeta(new TextDecoder().decode(payload)).pipe(
    Effect.mapError(() => damaged(file, "the description at its beginning"))
  )

/** A tape without an index: what a scan finds. */
const openEnded = Effect.fnUntraced(function* (path: string, size: number, read: ReadAt) {
  const first = frameHead(yield* read(headLength, frameHeadLength))
  if (first?.kind !== kinds.meta) return yield* damaged(path, "the description at its beginning")
  const meta = yield* metaOf(path, yield* payloadAt(path, read, { offset: headLength, length: first.length }))
  const gathered = gathering(meta.currency, (offset, length) => payloadAt(path, read, { offset, length }))
  const lost = yield* scan(read, size, gathered.take)
  const tape: Tape = {
    file: path,
    bytes: size,
    meta,
    sealed: false,
    items: gathered.items(),
    lost: lost === undefined ? undefined : { ...lost, after: gathered.last() as Millis | undefined }
  }
  return tape
})
