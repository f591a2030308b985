/**
 * The ledger of requests: what was sent to a market and how it went, by every process that shares the ledger. The budgets are a function
 * of it, so a process that is started again, or that another runs beside, goes on exactly where the ledger ends.
 * Invariants: 1. between what `transact` hands in and what it writes nobody else writes. 2. entries come in the order they were written,
 * each once. 3. what was written survives the process, however it ends.
 */
import { Context, Layer } from "effect"

import { type Operation } from "../domain/Operation.ts"

export interface Entry {
  /** `sent` before the request leaves; `late` when it was under way for long; the others when its answer, or none, has come. */
  readonly kind: "sent" | "late" | "succeeded" | "refused" | "failed"
  readonly operation: Operation
  /** Unix milliseconds. */
  readonly at: number
  /** What was asked for, where a budget counts distinct items. */
  readonly item?: string
  /** Written by a process with the same account. */
  readonly mine: boolean
}

export class RateLedger extends Context.Service<
  RateLedger,
  {
    /**
     * Hands in what was written since the last call (at first: all that can still matter) and writes the entry that is returned, as one
     * transaction. Throws a LedgerError: without the ledger no budget can be kept.
     */
    readonly transact: (now: number, decide: (news: ReadonlyArray<Entry>) => Entry | undefined) => void
  }
>()("haggle/market/RateLedger") {}

/** The longest window of any budget that makes sense, and some more; and the same where no window is longer than an hour. */
export const remembersMillis = 25 * 3_600_000
export const remembersBrieflyMillis = 2 * 3_600_000

/** Entries that outlive the processes that write them. */
export interface LedgerMemory {
  entries: Array<Entry>
  /** Entries that were dropped before the first. */
  dropped: number
  /** With more entries than this those that nobody counts any more are dropped. */
  tidyAbove: number
}
const leastTidyAbove = 20_000
export const emptyLedger = (): LedgerMemory => ({ entries: [], dropped: 0, tidyAbove: leastTidyAbove })

/** A ledger that lives as long as the memory that is given. */
export const layerMemory = (memory: LedgerMemory = emptyLedger()): Layer.Layer<RateLedger> =>
  Layer.sync(RateLedger, () => {
    let read = 0
    return RateLedger.of({
      transact: (now, decide) => {
        const written = decide(memory.entries.slice(Math.max(0, read - memory.dropped)))
        if (written !== undefined) memory.entries.push(written)
        if (memory.entries.length > memory.tidyAbove) tidy(memory, now)
        read = memory.dropped + memory.entries.length
      }
    })
  })

const tidy = (memory: LedgerMemory, now: number): void => {
  const kept = memory.entries.filter(({ at }) => at > now - remembersMillis)
  memory.dropped += memory.entries.length - kept.length
  memory.entries = kept
  // Looking through all of them is worth it only when there may be as many again.
  memory.tidyAbove = Math.max(leastTidyAbove, 2 * kept.length)
}
