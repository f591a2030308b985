/**
 * What a scan of a tape without an index finds, item by item, as if it were sealed.
 * Invariants: 1. single books become batches, so that readers know one way only. 2. a record that was written wrong ends the tape: nothing
 * behind it is used.
 */
import { Effect } from "effect"

import type { CurrencyId } from "../domain/Currency.ts"
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { type BookAt, booksPerBatch, decodeBooks, encodeBooks } from "./Books.ts"
import { ByteReader, TornBytes } from "./Bytes.ts"
import { frameHeadLength, kinds } from "./Frames.ts"
import { decodeHistory } from "./Histories.ts"
import {
  behindItem,
  BookUnchain,
  decodeActivity,
  decodeHistogram,
  decodeItem,
  decodeOverview,
  decodeOwn
} from "./Records.ts"
import type { Frame } from "./Scan.ts"
import type { Batch, TapeError, TapeItem } from "./Tape.ts"

interface Gathered {
  readonly key: ItemKey
  chain: BookUnchain
  books: Array<BookAt>
  readonly batches: Array<Batch>
  /** Payloads behind the item, by kind. */
  readonly records: Map<number, Array<Uint8Array>>
}

type PayloadAt = (offset: number, length: number) => Effect.Effect<Uint8Array, TapeError>

export const gathering = (currency: CurrencyId, payloadAt: PayloadAt) => {
  const gathered = new Map<number, Gathered>()
  let last: number | undefined

  const closeBatch = (own: Gathered): void => {
    if (own.books.length === 0) return
    const payload = encodeBooks(own.books)
    const times = own.books.map(({ at }) => at)
    own.batches.push({
      ...spanOfTimes(own.key, times),
      bytes: payload.length,
      read: Effect.sync(() => decodeBooks(payload, currency))
    })
    own.books = []
  }

  const name = (payload: Uint8Array): void => {
    const { index, key } = decodeItem(payload)
    const known = gathered.get(index)
    // named again: the recording went on in another process, whose first book stands for itself
    if (known !== undefined) known.chain = new BookUnchain()
    else gathered.set(index, { key, chain: new BookUnchain(), books: [], batches: [], records: new Map() })
  }

  const batch = (own: Gathered, { offset, payload }: Frame): number | undefined => {
    closeBatch(own)
    const { at } = decodeBooks(behindItem(payload).rest(), currency)
    own.batches.push({
      ...spanOfTimes(own.key, at),
      bytes: frameHeadLength + payload.length,
      read: Effect.map(payloadAt(offset, payload.length), (again) =>
        decodeBooks(behindItem(again).rest(), currency)
      )
    })
    return at.at(-1)
  }

  /** Takes one record in; answers its time. */
  const record = (frame: Frame): number | undefined => {
    const { kind, payload } = frame
    const from = new ByteReader(payload)
    const own = gathered.get(from.natural())
    if (own === undefined) throw new TornBytes({ what: "a record of an item that was not named" })
    if (kind === kinds.books) return batch(own, frame)
    if (kind === kinds.book) {
      const book = own.chain.decode(from, currency)
      own.books.push(book)
      if (own.books.length === booksPerBatch) closeBatch(own)
      return book.at
    }
    const records = own.records.get(kind)
    const rest = from.rest().slice()
    if (records === undefined) own.records.set(kind, [rest])
    else records.push(rest)
    return from.natural()
  }

  return {
    /** False for a frame whose sum is right and whose content is not. */
    take: (frame: Frame): boolean => {
      if (frame.kind === kinds.meta || frame.kind === kinds.index) return true
      try {
        if (frame.kind === kinds.item) name(frame.payload)
        else last = record(frame) ?? last
        return true
      } catch (cause) {
        if (cause instanceof TornBytes) return false
        throw cause
      }
    },
    /** Time of the last record. */
    last: () => last,
    items: (): ReadonlyArray<TapeItem> => {
      for (const own of gathered.values()) closeBatch(own)
      return [...gathered.values()].map((own) => itemOf(own, currency))
    }
  }
}

const spanOfTimes = (item: ItemKey, at: ArrayLike<number>) => ({
  item,
  count: at.length,
  from: at[0] as Millis,
  to: at[at.length - 1] as Millis
})

const itemOf = ({ batches, key, records }: Gathered, currency: CurrencyId): TapeItem => {
  const all = <A>(kind: number, decode: (from: ByteReader) => A) =>
    Effect.sync(() => (records.get(kind) ?? []).map((payload) => decode(new ByteReader(payload))))
  return {
    item: key,
    batches,
    histories: all(kinds.history, decodeHistory),
    overviews: all(kinds.overview, decodeOverview),
    activities: all(kinds.activity, decodeActivity),
    histograms: all(kinds.histogram, decodeHistogram(currency)),
    owns: all(kinds.own, decodeOwn)
  }
}
