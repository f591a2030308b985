/**
 * The exchange's record of every fault it played, so that a run can be held against what was done to it.
 * Invariants: 1. a fault is recorded when it is carried out, in the order of the calls. 2. counts are of the whole run, entries of its
 * last `entriesKept`. 3. an entry holds no cookie, form or signature.
 */
import { DateTime, type Effect } from "effect"

import { type Operation } from "../domain/Operation.ts"
import { faultKinds, type FaultKind } from "./FaultsKinds.ts"

export interface FaultEntry {
  /** Running number, from 1. */
  readonly number: number
  /** Market time, milliseconds. */
  readonly at: number
  readonly operation: Operation
  /** Index of the account, undefined without a session. */
  readonly account: number | undefined
  readonly kind: FaultKind
  /** Position of the rule in its plan, from 1. */
  readonly rule: number
  /** What exactly was done, e.g. `HTTP 503`. */
  readonly detail: string
}

/** Entries that are kept in memory; a line log keeps all. */
const entriesKept = 10_000

export type Report = (entry: FaultEntry) => Effect.Effect<void>

export class FaultLog {
  private readonly kept: Array<FaultEntry> = []
  private readonly counted = new Map<FaultKind, number>()
  private number = 0

  add(entry: Omit<FaultEntry, "number">): FaultEntry {
    this.number += 1
    const numbered = { number: this.number, ...entry }
    this.kept.push(numbered)
    if (this.kept.length > 2 * entriesKept) this.kept.splice(0, entriesKept)
    this.counted.set(entry.kind, (this.counted.get(entry.kind) ?? 0) + 1)
    return numbered
  }

  /** The last entries, oldest first. */
  get entries(): ReadonlyArray<FaultEntry> {
    return this.kept.slice(-entriesKept)
  }

  /** How often each kind was played; kinds that were not are left out. */
  get counts(): Readonly<Partial<Record<FaultKind, number>>> {
    return Object.fromEntries(
      faultKinds.flatMap((kind) => {
        const count = this.counted.get(kind)
        return count === undefined ? [] : [[kind, count] as const]
      })
    )
  }
}

/** `fault 3 2024-01-02T10:00:05.000Z orderbook rate-limited: HTTP 429 (rule 1, account 0)` */
export const faultLine = ({ account, at, detail, kind, number, operation, rule }: FaultEntry): string => {
  const who = account === undefined ? "nobody" : `account ${account}`
  const time = DateTime.formatIso(DateTime.makeUnsafe(at))
  return `fault ${number} ${time} ${operation} ${kind}: ${detail} (rule ${rule}, ${who})`
}
