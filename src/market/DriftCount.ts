/**
 * Counts how the market's bodies depart from the contract (contract/Drift): the first sign that the interface changes. An operation whose
 * answers can no longer be understood is taken out of service (DriftCircuit), and samples of them are kept (DriftSamples).
 * Invariants: 1. paths only, never values. 2. the number of paths that are remembered is bounded. 3. it lives as long as the process;
 * `layer` built in several places of one composition is one counter.
 */
import { Clock, Context, Effect, Layer } from "effect"

import type { Departure, OutOfService } from "../domain/Drift.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Operation } from "../domain/Operation.ts"
import { driftOf } from "./contract/Drift.ts"
import { type Json } from "./contract/Json.ts"
import { operationInfo } from "./contract/Operations.ts"
import { type Answer } from "./contract/Reading.ts"
import { type Shapes } from "./contract/Shape.ts"
import { answered, asked, type Circuit, closedCircuit } from "./DriftCircuit.ts"
import { DriftSamples } from "./DriftSamples.ts"

export class DriftCount extends Context.Service<
  DriftCount,
  {
    /** Counts what is unknown to the contract, or missing, in an answer that decoded; remembers whether it did. `text` is its body. */
    readonly observe: (operation: Operation, answer: Answer<Shapes>, text: string) => Effect.Effect<void>
    /** Most frequent first. */
    readonly departures: Effect.Effect<ReadonlyArray<Departure>>
    readonly outOfService: Effect.Effect<ReadonlyArray<OutOfService>>
    /** True when the operation may be asked: it is in service, or a probe is due. */
    readonly mayAsk: (operation: Operation) => Effect.Effect<boolean>
  }
>()("haggle/market/DriftCount") {}

/** The first bodies of an operation that are not exactly what it names are looked at one and all, then one in so many: an interface that changed stays changed. */
const lookedAtAll = 100
const lookedAtLater = 16

/** Paths that are remembered; an interface that departs in more places is another one. */
const mostPaths = 2000

export const layer: Layer.Layer<DriftCount> = Layer.effect(
  DriftCount,
  Effect.gen(function* () {
    const sample = yield* DriftSamples
    const counts = new Map<string, Departure>()
    const seen = new Map<Operation, number>()
    const circuits = new Map<Operation, Circuit>()
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
    const look = (operation: Operation, answer: Answer<Shapes>) => {
      if (answer._tag !== "Shaped" || answer.exact || !isDue(operation)) return
      const schema = operationInfo(operation)?.shapes[answer.shape]?.schema
      if (schema === undefined) return
      const { missing, unknown } = driftOf(schema.ast, answer.body, answer.value as Json)
      for (const path of unknown) count(operation, "unknown", path)
      for (const path of missing) count(operation, "missing", path)
    }
    return DriftCount.of({
      observe: Effect.fnUntraced(function* (operation, answer, text) {
        look(operation, answer)
        if (answer._tag !== "Shaped" && answer._tag !== "Differs") return
        const path = answer._tag === "Differs" ? (answer.differences[0]?.path ?? "") : undefined
        const circuit = circuits.get(operation) ?? closedCircuit
        if (path === undefined && circuit.open === undefined && !circuit.differing.includes(true)) return
        circuits.set(operation, answered(circuit, path, yield* Clock.currentTimeMillis))
        if (path !== undefined) yield* sample(operation, text)
      }),
      departures: Effect.sync(() => [...counts.values()].toSorted((a, b) => b.count - a.count)),
      outOfService: Effect.sync(() =>
        [...circuits].flatMap(([operation, { open }]) =>
          open === undefined ? [] : [{ operation, since: open.since as Millis, path: open.path }]
        )
      ),
      mayAsk: (operation) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const circuit = circuits.get(operation)
          if (circuit?.open === undefined) return true
          const { after, may } = asked(circuit, now)
          circuits.set(operation, after)
          return may
        })
    })
  })
)
