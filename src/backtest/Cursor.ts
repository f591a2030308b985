/**
 * One item's place on the tapes: the next thing that was seen of it, batch after batch.
 * Invariants: 1. it tells when the next thing happens and hands it out when its time has come, nothing behind it. 2. one batch is in
 * memory at most. 3. times never go back: what two tapes both hold of one moment is played once.
 */
import { Effect } from "effect"

import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import { type PriceHistory, priceHistory } from "../domain/Sales.ts"
import type { Traded } from "../domain/Standing.ts"
import type { Placed } from "../engine/Heap.ts"
import type { Known } from "../paper/Known.ts"
import { BatchRoom, type BookColumns } from "../tape/Books.ts"
import type { HistoryAt } from "../tape/Histories.ts"
import type { OverviewAt, OwnAt } from "../tape/Records.ts"
import type { Batch, TapeError } from "../tape/Tape.ts"

/** An item's part of the tapes, each list ascending by time. */
export interface Feed {
  readonly item: ItemKey
  readonly batches: ReadonlyArray<Batch>
  readonly histories: ReadonlyArray<HistoryAt>
  readonly overviews: ReadonlyArray<OverviewAt>
  /** Where orders of ours stood when the tape was recorded, and what they traded. */
  readonly owns: ReadonlyArray<OwnAt>
}

/** What comes next, in the order in which it is played when it happened at once. */
export const nexts = { History: 0, Overview: 1, Batch: 2, Book: 3 } as const

const emptyHistory = priceHistory([])

export class Cursor implements Placed {
  place = -1
  readonly item: ItemKey
  readonly index: number
  private readonly feed: Feed
  private readonly from: number
  private readonly to: number
  private batch = 0
  /** Time of the last book of the batch before. */
  private played = Number.NEGATIVE_INFINITY
  /** Memory of all batches, one after the other. */
  private room: BatchRoom | undefined
  private histories = 0
  /** Of the look at the sales that comes next; it takes decoding. */
  private historyAt: number
  private overviews = 0
  private owns = 0
  private readonly trades: ReadonlyArray<Traded>
  /** The batch that is played, and its book that comes next. */
  columns: BookColumns | undefined
  book = 0
  /** The last book that was handed out. */
  taken = -1
  /** When what comes next happens; never when nothing does. */
  at = Number.POSITIVE_INFINITY
  next: (typeof nexts)[keyof typeof nexts] = nexts.Batch
  history: PriceHistory = emptyHistory

  /** Books from `from` on and before `to` are played; what is older is only known. */
  constructor(feed: Feed, index: number, from: number, to: number) {
    this.item = feed.item
    this.index = index
    this.feed = feed
    // in the order in which they happened: a tape tells them when the engine heard of them
    this.trades = feed.owns.flatMap(({ trades }) => trades).toSorted((a, b) => a.at - b.at)
    this.from = from
    this.to = to
    this.historyAt = feed.histories[0]?.at ?? Number.POSITIVE_INFINITY
    this.skipBatches()
    this.settle()
  }

  private skipBatches(): void {
    while ((this.feed.batches[this.batch]?.to ?? this.from) < this.from) this.batch++
  }

  /** Reads the batch that is due. */
  get reading(): Effect.Effect<BookColumns, TapeError> {
    const due = this.feed.batches[this.batch]
    if (due === undefined) return Effect.die(new Error("no batch is due"))
    return due.readInto === undefined ? due.read : due.readInto((this.room ??= new BatchRoom()))
  }

  /** The batch is played. */
  leave(): void {
    const { columns } = this
    if (columns !== undefined) this.played = columns.at[columns.count - 1] as number
    this.columns = undefined
  }

  /** Puts the batch in place that was due; books up to the last one played are passed over. */
  load(columns: BookColumns): void {
    const { played } = this
    this.columns = columns
    this.batch++
    this.book = 0
    this.taken = -1
    while (
      this.book < columns.count &&
      ((columns.at[this.book] as number) <= played || (columns.at[this.book] as number) < this.from)
    )
      this.book++
    this.taken = this.book - 1
    this.settle()
  }

  /** Goes on to this book of the batch. */
  seek(book: number): void {
    this.book = book
    this.settle()
  }

  /** Hands the next book out and goes on behind it. */
  take(): OrderBook | undefined {
    this.taken = this.book
    this.seek(this.book + 1)
    return this.columns?.book(this.taken)
  }

  /** The last book before now when it was passed over; it counts as handed out then. */
  catchUp(): { readonly at: Millis; readonly book: OrderBook } | undefined {
    const { columns } = this
    const last = this.book - 1
    if (columns === undefined || last <= this.taken) return undefined
    this.taken = last
    return { at: columns.at[last] as Millis, book: columns.book(last) }
  }

  /** Books that were passed over and are later than this moment come after all. */
  rewind(now: number, sameMoment: boolean): void {
    const { columns } = this
    if (columns === undefined) return
    let book = this.taken + 1
    const isPast = (at: number) => (sameMoment ? at < now : at <= now)
    while (book < this.book && isPast(columns.at[book] as number)) book++
    if (book < this.book) this.seek(book)
  }

  /** What became of orders of ours up to this moment, which never goes back; undefined when the tape knows of none. */
  knownAt(at: number): Known | undefined {
    const { owns } = this.feed
    while ((owns[this.owns]?.at ?? Number.POSITIVE_INFINITY) <= at) this.owns++
    const standing = owns[this.owns - 1]
    return standing && { asks: standing.asks, bids: standing.bids, trades: this.trades }
  }

  takeHistory(): HistoryAt {
    const record = this.feed.histories[this.histories++] as HistoryAt
    this.historyAt = this.feed.histories[this.histories]?.at ?? Number.POSITIVE_INFINITY
    this.history = this.history.with(record.points)
    this.settle()
    return record
  }

  takeOverview(): OverviewAt {
    const record = this.feed.overviews[this.overviews++] as OverviewAt
    this.settle()
    return record
  }

  /** When the next thing but a book happens: books before it see the same history and overview. */
  get recordAt(): number {
    return Math.min(this.historyAt, this.feed.overviews[this.overviews]?.at ?? Number.POSITIVE_INFINITY)
  }

  private settle(): void {
    const { batches, overviews } = this.feed
    const { columns } = this
    const isPlaying = columns !== undefined && this.book < columns.count
    let at = isPlaying
      ? (columns.at[this.book] as number)
      : Math.max(batches[this.batch]?.from ?? Number.POSITIVE_INFINITY, this.from)
    let next: typeof this.next = isPlaying ? nexts.Book : nexts.Batch
    const overview = overviews[this.overviews]?.at ?? Number.POSITIVE_INFINITY
    if (overview <= at) [at, next] = [overview, nexts.Overview]
    if (this.historyAt <= at) [at, next] = [this.historyAt, nexts.History]
    this.at = at < this.to ? at : Number.POSITIVE_INFINITY
    this.next = next
  }
}
