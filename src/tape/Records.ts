/**
 * What a tape holds besides batches of books, record by record: one book, a histogram, points of a price history, an overview, orders of others and of ours.
 * Invariant: a record names its item by the index that the tape gave it; what a record repeats of the one before is not written again.
 */

import type { Millis } from "../domain/Ids.ts"
import { ItemKey } from "../domain/Item.ts"
import { money, type Money } from "../domain/Money.ts"
import type { Level, OrderBook } from "../domain/OrderBook.ts"
import type { Standing, Traded } from "../domain/Standing.ts"
import type { BookAt } from "./Books.ts"
import { ByteReader, ByteWriter } from "./Bytes.ts"
import { Side, writeChanges } from "./Depth.ts"
import type { HistoryAt } from "./Histories.ts"

export interface OverviewAt {
  readonly at: Millis
  readonly lowest: Money | undefined
  readonly median: Money | undefined
  readonly volume: number
}

/** An order of anybody that was placed, filled or cancelled. */
export interface ActivityEntry {
  readonly kind: string
  readonly units: number
  readonly price: Money | undefined
  readonly at: Millis | undefined
}
export interface ActivityAt {
  readonly at: Millis
  readonly entries: ReadonlyArray<ActivityEntry>
}

/** What the order histogram showed: a book that may end before the order book does. */
export type HistogramAt = BookAt

/** Where orders of ours stand since then, and what they have traded since the record before. */
export interface OwnAt extends Standing {
  readonly at: Millis
  readonly trades: ReadonlyArray<Traded>
}

export type TapeRecord =
  | ({ readonly _tag: "Book"; readonly item: ItemKey } & BookAt)
  | ({ readonly _tag: "History"; readonly item: ItemKey } & HistoryAt)
  | ({ readonly _tag: "Overview"; readonly item: ItemKey } & OverviewAt)
  | ({ readonly _tag: "Activity"; readonly item: ItemKey } & ActivityAt)
  | ({ readonly _tag: "Histogram"; readonly item: ItemKey } & HistogramAt)
  | ({ readonly _tag: "Own"; readonly item: ItemKey } & OwnAt)

export const encodeItem = (index: number, key: ItemKey): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.text(key)
  return out.view().slice()
}

export const decodeItem = (payload: Uint8Array): { readonly index: number; readonly key: ItemKey } => {
  const from = new ByteReader(payload)
  return { index: from.natural(), key: ItemKey.make(from.text()) }
}

/** A cursor behind the item's index, with which every record begins. */
export const behindItem = (payload: Uint8Array): ByteReader => {
  const from = new ByteReader(payload)
  from.natural()
  return from
}

type Levels = ReadonlyArray<Level>

/** Totals, and each side as changes to its levels before. */
const writeBook = (out: ByteWriter, bids: Levels, asks: Levels, book: OrderBook): void => {
  out.natural(book.bidUnits)
  out.natural(book.askUnits)
  writeChanges(out, bids, book.bids, -1)
  writeChanges(out, asks, book.asks, 1)
}

const readBook = (from: ByteReader, bids: Side, asks: Side, currency: OrderBook["currency"]): OrderBook => {
  const [bidUnits, askUnits] = [from.natural(), from.natural()]
  bids.readChanges(from)
  asks.readChanges(from)
  return { currency, bids: bids.levels, asks: asks.levels, bidUnits, askUnits }
}

/** One item's books, each written as changes to the one before. */
export class BookChain {
  private bids: ReadonlyArray<Level> = []
  private asks: ReadonlyArray<Level> = []

  encode(index: number, { at, book }: BookAt): Uint8Array {
    const out = new ByteWriter()
    out.natural(index)
    out.natural(at)
    writeBook(out, this.bids, this.asks, book)
    this.bids = book.bids
    this.asks = book.asks
    return out.view().slice()
  }
}

/** Reads what BookChain wrote, from the first on. */
export class BookUnchain {
  private readonly bids = new Side(-1)
  private readonly asks = new Side(1)

  /** The cursor stands behind the item's index. */
  decode(from: ByteReader, currency: OrderBook["currency"]): BookAt {
    return { at: from.natural() as Millis, book: readBook(from, this.bids, this.asks, currency) }
  }
}

/** 0 is "none"; every other number is one more than its value. */
const writeMaybe = (out: ByteWriter, value: number | undefined): void =>
  out.natural(value === undefined ? 0 : value + 1)
const readMaybe = (from: ByteReader): number | undefined => {
  const value = from.natural()
  return value === 0 ? undefined : value - 1
}
const readPrice = (from: ByteReader): Money | undefined => {
  const value = readMaybe(from)
  return value === undefined ? undefined : money(value)
}

export const encodeOverview = (index: number, of: OverviewAt): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.natural(of.at)
  writeMaybe(out, of.lowest)
  writeMaybe(out, of.median)
  out.natural(of.volume)
  return out.view().slice()
}

export const decodeOverview = (from: ByteReader): OverviewAt => ({
  at: from.natural() as Millis,
  lowest: readPrice(from),
  median: readPrice(from),
  volume: from.natural()
})

export const encodeActivity = (index: number, { at, entries }: ActivityAt): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.natural(at)
  out.natural(entries.length)
  for (const entry of entries) {
    out.text(entry.kind)
    out.natural(entry.units)
    writeMaybe(out, entry.price)
    writeMaybe(out, entry.at)
  }
  return out.view().slice()
}

export const decodeActivity = (from: ByteReader): ActivityAt => {
  const at = from.natural() as Millis
  const entries = Array.from({ length: from.natural() }, (): ActivityEntry => {
    const [kind, units, price, time] = [from.text(), from.natural(), readPrice(from), readMaybe(from)]
    return { kind, units, price, at: time as Millis | undefined }
  })
  return { at, entries }
}

/** Each stands for itself: an item has a few in an hour. */
export const encodeHistogram = (index: number, { at, book }: HistogramAt): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.natural(at)
  writeBook(out, [], [], book)
  return out.view().slice()
}

export const decodeHistogram =
  (currency: OrderBook["currency"]) =>
  (from: ByteReader): HistogramAt => ({
    at: from.natural() as Millis,
    book: readBook(from, new Side(-1), new Side(1), currency)
  })

export const encodeOwn = (index: number, { asks, at, bids, trades }: OwnAt): Uint8Array => {
  const out = new ByteWriter()
  out.natural(index)
  out.natural(at)
  writeChanges(out, [], bids, -1)
  writeChanges(out, [], asks, 1)
  out.natural(trades.length)
  for (const trade of trades) {
    out.natural(trade.side === "bids" ? 0 : 1)
    out.natural(trade.price)
    out.natural(trade.units)
    out.natural(trade.at)
  }
  return out.view().slice()
}

export const decodeOwn = (from: ByteReader): OwnAt => {
  const at = from.natural() as Millis
  const [bids, asks] = [new Side(-1), new Side(1)]
  bids.readChanges(from)
  asks.readChanges(from)
  const trades = Array.from({ length: from.natural() }, (): Traded => {
    const [side, price, units, time] = [from.natural(), from.natural(), from.natural(), from.natural()]
    return { side: side === 0 ? "bids" : "asks", price: money(price), units, at: time as Millis }
  })
  return { at, bids: bids.levels, asks: asks.levels, trades }
}
