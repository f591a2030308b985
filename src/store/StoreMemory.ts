/**
 * The store without a file, for backtests and tests. It keeps the same promises as the one with a file, but for surviving the process.
 */
import { Effect, Layer, Option, Ref, Semaphore } from "effect"

import type { Event } from "../domain/Event.ts"
import { emptyTip, type Step, stepsFrom, tipOf } from "./Chain.ts"
import { mentionsOf } from "./Mentions.ts"
import { Failed, type Heartbeat, type JournalQuery, type Stamp, Store, StoreError } from "./Store.ts"

export const layerMemory = (stamp: Stamp): Layer.Layer<Store> => Layer.effect(Store, make(stamp))

const make = Effect.fnUntraced(function* (stamp: Stamp) {
  // Appended to in place: copying a journal at every append would make a long backtest quadratic.
  const written: Array<Step["entry"]> = []
  const once = new Set<string>()
  const tip = yield* Ref.make(emptyTip)
  const heart = yield* Ref.make(Option.none<Heartbeat>())
  const oneByOne = yield* Semaphore.make(1)

  const append = Effect.fn("Store.append")(
    function* (events: ReadonlyArray<Event>) {
      const before = yield* Ref.get(tip)
      const refuse = (detail: string) =>
        new StoreError({ reason: new Failed({ operation: "append", detail }) })
      const steps = yield* Effect.fromResult(stepsFrom(before, events)).pipe(Effect.mapError(refuse))
      const ids = steps.flatMap((step) => onceOf(step.entry.event))
      const clash = ids.find((id, index) => once.has(id) || ids.indexOf(id) !== index)
      if (clash !== undefined) return yield* refuse(`${clash} is in the journal already`)
      const last = steps.at(-1)
      if (last === undefined) return before.state
      for (const id of ids) once.add(id)
      for (const step of steps) written.push(step.entry)
      yield* Ref.set(tip, tipOf(last))
      return last.after
    },
    (write) => oneByOne.withPermit(Effect.uninterruptible(write))
  )

  return Store.of({
    stamp,
    state: Effect.map(Ref.get(tip), ({ state }) => state),
    append,
    journal: (query) =>
      Effect.sync(() => {
        const found = written.slice(Math.max(0, query.after ?? 0)).filter(({ event }) => asked(query, event))
        return query.last === undefined
          ? found
          : found.slice(Math.max(0, found.length - Math.max(0, query.last)))
      }),
    journalHash: Effect.map(Ref.get(tip), ({ digest }) => digest),
    beat: (beat) => Ref.set(heart, Option.some({ ...beat, pid: 0 })),
    lastBeat: Ref.get(heart)
  })
})

/** What may be in a journal only once. */
const onceOf = (event: Event): ReadonlyArray<string> => {
  if (event._tag === "IntentRecorded") return [`intent ${event.intent.id}`]
  return event._tag === "Filled" ? [`fill ${event.fill.id}`] : []
}

const asked = ({ about, kinds }: JournalQuery, event: Event): boolean =>
  (kinds === undefined || kinds.includes(event._tag)) &&
  (about === undefined || mentionsOf(event).includes(about))
