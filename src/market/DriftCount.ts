/**
 * Counts how the market's bodies depart from the contract (contract/Drift): the first sign that the interface changes.
 * Invariants: 1. paths only, never values. 2. the number of paths that are remembered is bounded. 3. it lives as long as the process;
 * `layer` built in several places of one composition is one counter.
 */
import { Context, Effect, Layer } from "effect"

import { type Operation } from "../domain/Operation.ts"
import { driftOf } from "./contract/Drift.ts"
import { type Json } from "./contract/Json.ts"
import { operationInfo } from "./contract/Operations.ts"
import { type Answer } from "./contract/Reading.ts"
import { type Shapes } from "./contract/Shape.ts"

export interface Departure {
  readonly operation: Operation
  readonly kind: "unknown" | "missing"
  readonly path: string
  readonly count: number
}

export class DriftCount extends Context.Service<
  DriftCount,
  {
    /** Counts what is unknown to the contract, or missing, in an answer that decoded. */
    readonly observe: (operation: Operation, answer: Answer<Shapes>) => Effect.Effect<void>
    /** Most frequent first. */
    readonly departures: Effect.Effect<ReadonlyArray<Departure>>
  }
>()("haggle/market/DriftCount") {}

/** The first bodies of an operation are looked at one and all, then one in so many: an interface that changed stays changed. */
const lookedAtAll = 100
const lookedAtLater = 16

/** Paths that are remembered; an interface that departs in more places is another one. */
const mostPaths = 2000

export const layer: Layer.Layer<DriftCount> = Layer.sync(DriftCount, () => {
  const counts = new Map<string, Departure>()
  const seen = new Map<Operation, number>()
  const isDue = (operation: Operation): boolean => {
    const before = seen.get(operation) ?? 0
    seen.set(operation, before + 1)
    return before < lookedAtAll || before % lookedAtLater === 0
  }
  const count = (operation: Operation, kind: Departure["kind"], path: string) => {
    const key = `${operation} ${kind} ${path}`
    const known = counts.get(key)
    if (known === undefined && counts.size >= mostPaths) return
    counts.set(key, { operation, kind, path, count: (known?.count ?? 0) + 1 })
  }
  return DriftCount.of({
    observe: (operation, answer) =>
      Effect.sync(() => {
        if (answer._tag !== "Shaped" || !isDue(operation)) return
        const schema = operationInfo(operation)?.shapes[answer.shape]?.schema
        if (schema === undefined) return
        const { missing, unknown } = driftOf(schema.ast, answer.body, answer.value as Json)
        for (const path of unknown) count(operation, "unknown", path)
        for (const path of missing) count(operation, "missing", path)
      }),
    departures: Effect.sync(() => [...counts.values()].toSorted((a, b) => b.count - a.count))
  })
})
