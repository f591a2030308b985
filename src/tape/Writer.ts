/**
 * Appends records to a tape as they come. Invariants: 1. whatever is on the disk is a tape: a cut anywhere loses the records behind it and
 * no other. 2. memory is bounded by the buffer and one book per item.
 */
import { Effect, FileSystem, Schema, type Scope } from "effect"

import type { ItemKey } from "../domain/Item.ts"
import { ByteWriter } from "./Bytes.ts"
import { head, type Kind, kinds, writeFrame } from "./Frames.ts"
import { encodeHistory } from "./Histories.ts"
import {
  BookChain,
  encodeActivity,
  encodeHistogram,
  encodeItem,
  encodeOverview,
  encodeOwn,
  type TapeRecord
} from "./Records.ts"
import { TapeError, TapeMeta } from "./Tape.ts"

/** Written to the disk at once when as much is waiting. */
const bufferBytes = 64 * 1024

export interface TapeWriter {
  /** Takes the record in; it is on the disk after the next flush. Books in another currency than the tape's are left out. */
  readonly write: (record: TapeRecord) => Effect.Effect<void, TapeError>
  /** Puts what waits on the disk. */
  readonly flush: Effect.Effect<void, TapeError>
  /** Bytes written and waiting so far. */
  readonly bytes: Effect.Effect<number>
}

const encodeMeta = Schema.encodeSync(Schema.fromJsonString(TapeMeta))

/** The frames of records, one behind the other. */
export class RecordEncoder {
  private readonly items = new Map<ItemKey, { readonly index: number; readonly chain: BookChain }>()
  private readonly meta: TapeMeta
  readonly out = new ByteWriter()

  constructor(meta: TapeMeta) {
    this.meta = meta
    this.out.append(head())
    writeFrame(this.out, kinds.meta, new TextEncoder().encode(encodeMeta(meta)))
  }

  add(record: TapeRecord): void {
    if ("book" in record && record.book.currency !== this.meta.currency) return
    const { chain, index } = this.itemOf(record.item)
    const [kind, payload] = encode(record, index, chain)
    writeFrame(this.out, kind, payload)
  }

  private itemOf(key: ItemKey) {
    const known = this.items.get(key)
    if (known !== undefined) return known
    const added = { index: this.items.size, chain: new BookChain() }
    this.items.set(key, added)
    writeFrame(this.out, kinds.item, encodeItem(added.index, key))
    return added
  }
}

const encode = (record: TapeRecord, index: number, chain: BookChain): readonly [Kind, Uint8Array] => {
  switch (record._tag) {
    case "Book":
      return [kinds.book, chain.encode(index, record)]
    case "History":
      return [kinds.history, encodeHistory(index, record)]
    case "Overview":
      return [kinds.overview, encodeOverview(index, record)]
    case "Activity":
      return [kinds.activity, encodeActivity(index, record)]
    case "Histogram":
      return [kinds.histogram, encodeHistogram(index, record)]
    case "Own":
      return [kinds.own, encodeOwn(index, record)]
  }
}

/** A new tape in a file that does not exist yet; what waits is written when the scope closes. */
export const writeTape = Effect.fn("Tape.write")(function* (
  path: string,
  meta: TapeMeta
): Effect.fn.Return<TapeWriter, TapeError, FileSystem.FileSystem | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const failed = (cause: { readonly message: string }) =>
    new TapeError({
      file: path,
      message: `${path} cannot be written: ${cause.message}`,
      remedy: "make room on the disk, or name another folder"
    })
  const file = yield* fs.open(path, { flag: "wx", mode: 0o600 }).pipe(Effect.mapError(failed))
  const encoder = new RecordEncoder(meta)
  let written = 0
  const flush = Effect.gen(function* () {
    if (encoder.out.length === 0) return
    const waiting = encoder.out.view().slice()
    encoder.out.clear()
    yield* file.writeAll(waiting).pipe(Effect.mapError(failed))
    written += waiting.length
  })
  yield* Effect.addFinalizer(() =>
    Effect.ignore(Effect.andThen(flush, file.sync.pipe(Effect.mapError(failed))))
  )
  yield* flush
  return {
    write: (record) =>
      Effect.suspend(() => {
        encoder.add(record)
        return encoder.out.length < bufferBytes ? Effect.void : flush
      }),
    flush,
    bytes: Effect.sync(() => written + encoder.out.length)
  }
})
