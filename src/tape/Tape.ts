/**
 * A tape: what a market showed over time, on disk, to be played again. Here are the values that readers and writers share.
 * Invariants: 1. every price is of the tape's currency. 2. a tape that was cut or damaged opens to its last whole record and says what
 * is missing. 3. batches and records of an item ascend by time.
 */
import { type Effect, Schema } from "effect"

import { CurrencyId } from "../domain/Currency.ts"
import { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { BatchRoom, BookColumns } from "./Books.ts"
import type { HistoryAt } from "./Histories.ts"
import type { ActivityAt, HistogramAt, OverviewAt, OwnAt } from "./Records.ts"

/** What a tape is about. */
export const TapeMeta = Schema.Struct({
  currency: CurrencyId,
  /** Origin of the market, or the name of an embedded world. */
  market: Schema.String,
  source: Schema.Literals(["recorded", "imported", "derived"]),
  createdAt: Millis,
  /** Books that were computed of something else and that nobody saw, in words. */
  synthetic: Schema.optionalKey(Schema.String)
})
export type TapeMeta = typeof TapeMeta.Type

/** The file is no tape, is of another version, or cannot be read; `remedy` says what to do. */
export class TapeError extends Schema.TaggedError<TapeError>()("TapeError", {
  file: Schema.String,
  message: Schema.String,
  remedy: Schema.String
}) {}

/** Books of one item that are read at once. */
export interface Batch {
  readonly item: ItemKey
  readonly count: number
  /** Times of the first and the last book. */
  readonly from: Millis
  readonly to: Millis
  /** Bytes on disk. */
  readonly bytes: number
  readonly read: Effect.Effect<BookColumns, TapeError>
  /** The same into memory of the caller, for whoever goes from batch to batch; absent where nothing has to be read. */
  readonly readInto?: (room: BatchRoom) => Effect.Effect<BookColumns, TapeError>
}

/** What is missing at the end of a tape. */
export interface Lost {
  /** Bytes behind the last whole frame. */
  readonly bytes: number
  /** Offset of the first byte that could not be used. */
  readonly offset: number
  /** Time of the last record that is there. */
  readonly after: Millis | undefined
  readonly why: string
}

export interface TapeItem {
  readonly item: ItemKey
  readonly batches: ReadonlyArray<Batch>
  readonly histories: Effect.Effect<ReadonlyArray<HistoryAt>, TapeError>
  readonly overviews: Effect.Effect<ReadonlyArray<OverviewAt>, TapeError>
  readonly activities: Effect.Effect<ReadonlyArray<ActivityAt>, TapeError>
  readonly histograms: Effect.Effect<ReadonlyArray<HistogramAt>, TapeError>
  readonly owns: Effect.Effect<ReadonlyArray<OwnAt>, TapeError>
}

export interface Tape {
  readonly file: string
  readonly bytes: number
  readonly meta: TapeMeta
  /** Sealed tapes have an index; a tape that is being recorded, or that was cut, has none. */
  readonly sealed: boolean
  readonly items: ReadonlyArray<TapeItem>
  readonly lost: Lost | undefined
}

/** Books, first and last time over all items; times are undefined when there is no book. */
export const spanOf = (
  tape: Tape
): { readonly books: number; readonly from: Millis | undefined; readonly to: Millis | undefined } => {
  const batches = tape.items.flatMap((one) => one.batches)
  const books = batches.reduce((count, batch) => count + batch.count, 0)
  return batches.length === 0
    ? { books, from: undefined, to: undefined }
    : {
        books,
        from: Math.min(...batches.map(({ from }) => from)) as Millis,
        to: Math.max(...batches.map(({ to }) => to)) as Millis
      }
}
