/**
 * Many books of one item as columns: times, best prices and units decode on their own, whole depths only when somebody asks.
 * Invariants: 1. a batch stands for itself: nothing before it is needed to read it. 2. books ascend by time. 3. the book of an index is
 * the book that was recorded, level by level.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Level, OrderBook } from "../domain/OrderBook.ts"
import { ByteReader, ByteWriter } from "./Bytes.ts"
import { readColumn, readTimes, writeColumn, writeTimes } from "./Columns.ts"
import { Side, writeChanges } from "./Depth.ts"

/** A book and the moment it was asked for. */
export interface BookAt {
  readonly at: Millis
  readonly book: OrderBook
}

/** Books of one item in ascending time. Prices in minor units, NaN where a side is empty. */
export interface BookColumns {
  readonly count: number
  /** Milliseconds since the Unix epoch. */
  readonly at: Float64Array
  readonly bid: Float64Array
  readonly ask: Float64Array
  /** Units at the best price, 0 where a side is empty. */
  readonly bidBest: Float64Array
  readonly askBest: Float64Array
  /** Units in the whole book, also beyond the levels. */
  readonly bidUnits: Float64Array
  readonly askUnits: Float64Array
  /** The whole book of an index. Going forward costs the changes in between, going back begins anew. */
  readonly book: (index: number) => OrderBook
}

/** Books that a batch holds at most. */
export const booksPerBatch = 4_096

const columnNames = ["bid", "ask", "bidBest", "askBest", "bidUnits", "askUnits"] as const
const noLevels: ReadonlyArray<Level> = []

const valuesOf = (
  books: ReadonlyArray<BookAt>,
  name: (typeof columnNames)[number]
): ReadonlyArray<number> => {
  switch (name) {
    case "bid":
      return books.map(({ book }) => book.bids[0]?.price ?? 0)
    case "ask":
      return books.map(({ book }) => book.asks[0]?.price ?? 0)
    case "bidBest":
      return books.map(({ book }) => book.bids[0]?.units ?? 0)
    case "askBest":
      return books.map(({ book }) => book.asks[0]?.units ?? 0)
    case "bidUnits":
      return books.map(({ book }) => book.bidUnits)
    case "askUnits":
      return books.map(({ book }) => book.askUnits)
  }
}

/** The payload of a batch: count, times, six columns, depth; each behind its length. */
export const encodeBooks = (books: ReadonlyArray<BookAt>): Uint8Array => {
  const out = new ByteWriter()
  const part = new ByteWriter()
  const put = (write: () => void) => {
    part.clear()
    write()
    out.section(part)
  }
  out.natural(books.length)
  put(() =>
    writeTimes(
      part,
      books.map(({ at }) => at),
      books.length
    )
  )
  for (const name of columnNames) put(() => writeColumn(part, valuesOf(books, name), books.length))
  put(() => {
    let [bids, asks] = [noLevels, noLevels]
    for (const { book } of books) {
      writeChanges(part, bids, book.bids, -1)
      writeChanges(part, asks, book.asks, 1)
      bids = book.bids
      asks = book.asks
    }
  })
  return out.view().slice()
}

const prices = (column: Float64Array): Float64Array => {
  for (let index = 0; index < column.length; index++) if (column[index] === 0) column[index] = Number.NaN
  return column
}

/** Memory for the columns of one batch and its bytes, to be used again for a later one. */
export class BatchRoom {
  private bytes = new Uint8Array()
  private readonly columns: Array<Float64Array> = []

  /** A buffer of this length. */
  bytesOf(length: number): Uint8Array {
    if (this.bytes.length < length) this.bytes = new Uint8Array(length + (length >>> 2))
    return this.bytes.subarray(0, length)
  }

  column(index: number, count: number): Float64Array {
    const known = this.columns[index]
    if (known !== undefined && known.length >= count) return known
    return (this.columns[index] = new Float64Array(Math.max(count, booksPerBatch)))
  }
}

/** Columns stay good for as long as nobody else uses the room, and the bytes do not change. */
export const decodeBooks = (payload: Uint8Array, currency: CurrencyId, room?: BatchRoom): BookColumns => {
  const from = new ByteReader(payload)
  const count = from.natural()
  let place = 0
  const next = () => room?.column(place++, count)
  const at = readTimes(new ByteReader(from.section()), count, next())
  const column = () => readColumn(new ByteReader(from.section()), count, next())
  const [bid, ask] = [prices(column()), prices(column())]
  // a replay never asks for these two
  const best = [onDemand(from.section(), count), onDemand(from.section(), count)] as const
  const [bidUnits, askUnits] = [column(), column()]
  const depth = depthOf(from.section())
  return {
    count,
    at,
    bid,
    ask,
    get bidBest() {
      return best[0]()
    },
    get askBest() {
      return best[1]()
    },
    bidUnits,
    askUnits,
    book: (index) => ({
      currency,
      ...depth(index),
      bidUnits: bidUnits[index] as number,
      askUnits: askUnits[index] as number
    })
  }
}

/** A column that is decoded when somebody asks for it. */
const onDemand = (section: Uint8Array, count: number): (() => Float64Array) => {
  let known: Float64Array | undefined
  return () => (known ??= readColumn(new ByteReader(section), count))
}

interface Depth {
  readonly bids: ReadonlyArray<Level>
  readonly asks: ReadonlyArray<Level>
}

const depthOf = (section: Uint8Array): ((index: number) => Depth) => {
  let [from, bids, asks, read] = [new ByteReader(section), new Side(-1), new Side(1), 0]
  return (index) => {
    if (index < read - 1) [from, bids, asks, read] = [new ByteReader(section), new Side(-1), new Side(1), 0]
    for (; read <= index; read++) {
      bids.readChanges(from)
      asks.readChanges(from)
    }
    return { bids: bids.levels, asks: asks.levels }
  }
}

/** A batch of books that are in memory already; the same columns as of a tape. */
export const columnsOf = (books: ReadonlyArray<BookAt>): BookColumns => {
  const column = (name: (typeof columnNames)[number]) => Float64Array.from(valuesOf(books, name))
  return {
    count: books.length,
    at: Float64Array.from(books, ({ at }) => at),
    bid: prices(column("bid")),
    ask: prices(column("ask")),
    bidBest: column("bidBest"),
    askBest: column("askBest"),
    bidUnits: column("bidUnits"),
    askUnits: column("askUnits"),
    book: (index) => (books[index] as BookAt).book
  }
}
