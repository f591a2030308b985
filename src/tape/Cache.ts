/**
 * Tapes that are played again and again: what was decoded once is kept, so that a sweep's later runs over a part of the time read nothing.
 * Invariants: 1. so many books are kept at most, those that were read first; the others are read each time. 2. what is handed out is
 * shared and must not be changed.
 */
import { Effect } from "effect"

import type { BookColumns } from "./Books.ts"
import type { Batch, Tape, TapeError, TapeItem } from "./Tape.ts"

/** At 56 bytes a book some 60 MB, for each thread. */
const booksKept = 1_000_000

export interface TapeCache {
  readonly tapes: ReadonlyArray<Tape>
  /** Forgets the books: another part of the time is played now. */
  readonly forget: () => void
}

export const tapeCache = (tapes: ReadonlyArray<Tape>): TapeCache => {
  const columns = new Map<Batch, BookColumns>()
  let kept = 0
  // without its `readInto`: nobody may write over what is kept
  const keeping = (batch: Batch): Batch => ({
    item: batch.item,
    count: batch.count,
    from: batch.from,
    to: batch.to,
    bytes: batch.bytes,
    read: Effect.suspend(() => {
      const known = columns.get(batch)
      if (known !== undefined) return Effect.succeed(known)
      if (kept + batch.count > booksKept) return batch.read
      return Effect.tap(batch.read, (read) =>
        Effect.sync(() => {
          columns.set(batch, read)
          kept += batch.count
        })
      )
    })
  })
  const item = (of: TapeItem): TapeItem => ({
    ...of,
    batches: of.batches.map(keeping),
    histories: once(of.histories),
    overviews: once(of.overviews),
    owns: once(of.owns)
  })
  return {
    tapes: tapes.map((tape) => ({ ...tape, items: tape.items.map(item) })),
    forget: () => {
      columns.clear()
      kept = 0
    }
  }
}

/** Small records are kept for good: a run knows all that were seen before its part. */
const once = <A>(read: Effect.Effect<ReadonlyArray<A>, TapeError>) => {
  let known: ReadonlyArray<A> | undefined
  return Effect.suspend(() =>
    known === undefined
      ? Effect.tap(read, (records) =>
          Effect.sync(() => {
            known = records
          })
        )
      : Effect.succeed(known)
  )
}
