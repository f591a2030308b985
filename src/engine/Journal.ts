/** Writes events to the store and tells the watchers; the one place where the engine's state changes. */
import { Clock, Context, Effect, Layer } from "effect"

import type { Event } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import type { State } from "../domain/State.ts"
import { Store, type StoreError } from "../store/Store.ts"
import { Activity } from "./Activity.ts"

export class Journal extends Context.Service<
  Journal,
  {
    readonly state: Effect.Effect<State>
    /** Durable when it returns; an empty list writes nothing. */
    readonly append: (events: ReadonlyArray<Event>) => Effect.Effect<State, StoreError>
    /** Whose journal it is: part of every intent's id. */
    readonly account: string
  }
>()("haggle/engine/Journal") {}

export const layer: Layer.Layer<Journal, never, Store | Activity> = Layer.effect(
  Journal,
  Effect.gen(function* () {
    const store = yield* Store
    const activity = yield* Activity
    const append = Effect.fn("Journal.append")(function* (events: ReadonlyArray<Event>) {
      if (events.length === 0) return yield* store.state
      const state = yield* store.append(events)
      yield* Effect.forEach(events, (event) => activity.tell({ _tag: "Journaled", event }), { discard: true })
      return state
    })
    return Journal.of({ state: store.state, append, account: store.stamp.account })
  })
)

/** The market's time now. */
export const marketNow: Effect.Effect<Millis> = Effect.map(Clock.currentTimeMillis, (now) => now as Millis)
