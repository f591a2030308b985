/**
 * The budgets' memory over a restart: what was sent, as text for whoever keeps it, and what must be assumed after a crash.
 * Invariant: a published budget is never exceeded because the last minutes before a crash were not written down; they count as used up.
 */
import { Option, Schema } from "effect"

import { type Operation, operations } from "../domain/Operation.ts"
import type { Quotas } from "./Quotas.ts"

/** What a restart must not forget: when requests were sent and until when an operation cools down, Unix milliseconds. */
export interface RateSnapshot {
  readonly requests: Readonly<Partial<Record<Operation, ReadonlyArray<number>>>>
  readonly cooling: Readonly<
    Partial<Record<Operation, { readonly refusals: number; readonly until: number }>>
  >
}

const Times = Schema.Array(Schema.Finite)
const Cooling = Schema.Struct({ refusals: Schema.Natural, until: Schema.Finite })
const perOperation = <S extends Schema.Top>(of: S) =>
  Schema.Struct(
    Object.fromEntries(operations.map((operation) => [operation, Schema.optionalKey(of)])) as {
      readonly [K in Operation]: Schema.optionalKey<S>
    }
  )
const Memory = Schema.fromJsonString(
  Schema.Struct({ requests: perOperation(Times), cooling: perOperation(Cooling) })
)

export const emptyMemory: RateSnapshot = { requests: {}, cooling: {} }
export const encodeMemory = Schema.encodeSync(Memory)
/** What was kept; nothing when it cannot be read, which costs no more than a wait. */
export const decodeMemory = (text: string): RateSnapshot =>
  Option.getOrElse(Schema.decodeUnknownOption(Memory)(text), () => emptyMemory)

/** Operations whose budgets the interface publishes (interface, Limits). */
const published: ReadonlyArray<Operation> = ["search-render", "histogram", "priceoverview"]

/** The memory with the published budgets used to the full from the moment it was kept for as long as the next keeping was away. */
export const afterCrash = (
  memory: RateSnapshot,
  quotas: Quotas,
  keptAtMillis: number,
  keptEveryMillis: number
): RateSnapshot => {
  const requests = { ...memory.requests }
  for (const operation of published) {
    const budgets = quotas.flatMap((meter) => (meter.operations.includes(operation) ? meter.budgets : []))
    const most = budgets.map((budget) => Math.ceil(keptEveryMillis / budget.windowMillis) * budget.requests)
    const count = Math.min(...most)
    const gap = keptEveryMillis / count
    requests[operation] = [
      ...(memory.requests[operation] ?? []),
      ...Array.from({ length: count }, (_, index) => keptAtMillis + Math.round((index + 1) * gap))
    ]
  }
  return { ...memory, requests }
}
