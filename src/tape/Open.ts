/**
 * Opens a tape for reading: by its index when it is sealed, by a scan otherwise.
 * Invariants: 1. a sealed tape's books are read batch by batch, when somebody asks. 2. records of a tape without an index are gathered
 * into batches of the same kind, so that readers know one way only.
 */
import { Effect, FileSystem, Schema } from "effect"

import type { Millis } from "../domain/Ids.ts"
import { type BatchRoom, decodeBooks } from "./Books.ts"
import type { ByteReader } from "./Bytes.ts"
import {
  frameHead,
  frameHeadLength,
  headLength,
  isReadable,
  isWhole,
  type Kind,
  kinds,
  versionOf
} from "./Frames.ts"
import { gathering } from "./Gather.ts"
import { packedHistories } from "./Histories.ts"
import { indexOffset, type Place, readIndex, trailerLength } from "./Index.ts"
import {
  behindItem,
  decodeActivity,
  decodeHistogram,
  decodeItem,
  decodeOverview,
  decodeOwn
} from "./Records.ts"
import { type ReadAt, readingAt, readingInto, type ReadInto, scan } from "./Scan.ts"
import { type Frames, payloadIn, recordsAt } from "./Small.ts"
import { type Batch, type Tape, TapeError, type TapeItem, TapeMeta } from "./Tape.ts"

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
  return (
    (yield* sealedTape(path, size, read, readingInto(file, failed))) ?? (yield* openEnded(path, size, read))
  )
})

const damaged = (file: string, what: string): TapeError =>
  new TapeError({
    file,
    message: `${file}: ${what} is damaged`,
    remedy: "use a copy of the tape, or save what is whole with `haggle tape cut`"
  })

type Where = Pick<Place, "offset" | "length">

const damagedAt = (file: string, offset: number): TapeError => damaged(file, `the record at byte ${offset}`)

/** The payload of a frame that was read. */
const checked = (file: string, bytes: Uint8Array, offset: number) =>
  Effect.suspend(() => {
    const payload = payloadIn(bytes)
    return payload === undefined ? Effect.fail(damagedAt(file, offset)) : Effect.succeed(payload)
  })

/** One frame's payload, checked. */
const payloadAt = (file: string, read: ReadAt, { length, offset }: Where) =>
  Effect.flatMap(read(offset, frameHeadLength + length), (bytes) => checked(file, bytes, offset))

const noFrames: Frames = { offsets: [], lengths: [] }

/** What an index tells of an item. */
interface Contents {
  named: Place | undefined
  readonly batches: Array<Place>
  readonly small: Map<Kind, Frames>
}

const contentsOf = (payload: Uint8Array) => {
  const items = new Map<number, Contents>()
  let meta: Place | undefined
  readIndex(payload, (place) => {
    if (place.kind === kinds.meta) {
      meta = place
      return
    }
    let own = items.get(place.item)
    if (own === undefined) items.set(place.item, (own = { named: undefined, batches: [], small: new Map() }))
    if (place.kind === kinds.item) own.named = place
    else if (place.kind === kinds.books) own.batches.push(place)
    else {
      const frames = own.small.get(place.kind) ?? { offsets: [], lengths: [] }
      if (frames.offsets.length === 0) own.small.set(place.kind, frames)
      frames.offsets.push(place.offset)
      frames.lengths.push(place.length)
    }
  })
  return { items, meta: meta as Place | undefined }
}

/** Undefined when there is no index, or none that can be believed. */
const sealedTape = Effect.fnUntraced(function* (
  path: string,
  size: number,
  read: ReadAt,
  readInto: ReadInto
) {
  if (size < headLength + trailerLength) return undefined
  const offset = indexOffset(yield* read(size - trailerLength, trailerLength))
  if (offset === undefined || offset >= size) return undefined
  const bytes = yield* read(offset, size - trailerLength - offset)
  const head = frameHead(bytes)
  const payload = bytes.subarray(frameHeadLength)
  if (head?.kind !== kinds.index || !isWhole(head, payload)) return undefined
  const { items: found, meta: metaPlace } = contentsOf(payload)
  if (metaPlace === undefined) return undefined
  const meta = yield* metaOf(path, yield* payloadAt(path, read, metaPlace))
  const items: Array<TapeItem> = []
  for (const { batches, named, small } of found.values()) {
    if (named === undefined) continue
    const item = decodeItem(yield* payloadAt(path, read, named)).key
    const all = <A>(kind: Kind, decode: (from: ByteReader) => A) =>
      recordsAt(small.get(kind) ?? noFrames, read, (offset) => damagedAt(path, offset), decode)
    items.push({
      item,
      batches: batches.map((place): Batch => {
        const { count, from, length, to } = place
        const bytes = frameHeadLength + length
        const decoded = (payload: Uint8Array, room?: BatchRoom) =>
          decodeBooks(behindItem(payload).rest(), meta.currency, room)
        return {
          item,
          count,
          from,
          to,
          bytes,
          read: Effect.map(payloadAt(path, read, place), (payload) => decoded(payload)),
          readInto: (room) =>
            readInto(place.offset, room.bytesOf(bytes)).pipe(
              Effect.flatMap((frame) => checked(path, frame, place.offset)),
              Effect.map((payload) => decoded(payload, room))
            )
        }
      }),
      histories: all(kinds.history, packedHistories()),
      overviews: all(kinds.overview, decodeOverview),
      activities: all(kinds.activity, decodeActivity),
      histograms: all(kinds.histogram, decodeHistogram(meta.currency)),
      owns: all(kinds.own, decodeOwn)
    })
  }
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
