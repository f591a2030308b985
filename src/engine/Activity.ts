/** What the engine tells whoever watches: every journal entry, every decision that changed, every poll that failed. Nothing waits for a listener. */
import { Context, Effect, Layer, PubSub, Stream } from "effect"

import type { Decision } from "../domain/Decision.ts"
import type { Event } from "../domain/Event.ts"
import type { Facts } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"

export type Happening =
  | { readonly _tag: "Journaled"; readonly event: Event }
  | { readonly _tag: "Decided"; readonly decision: Decision; readonly facts: Facts }
  | {
      readonly _tag: "PollFailed"
      readonly at: Millis
      readonly operation: string
      readonly about: string
      readonly why: string
    }

/** A watcher that is slower than this many happenings loses the oldest, never the engine its pace. */
const watcherBacklog = 4_096

export class Activity extends Context.Service<
  Activity,
  {
    readonly tell: (happening: Happening) => Effect.Effect<void>
    readonly happenings: Stream.Stream<Happening>
  }
>()("haggle/engine/Activity") {}

export const layer: Layer.Layer<Activity> = Layer.effect(
  Activity,
  Effect.map(PubSub.sliding<Happening>({ capacity: watcherBacklog }), (hub) =>
    Activity.of({
      tell: (happening) => Effect.asVoid(PubSub.publish(hub, happening)),
      happenings: Stream.fromPubSub(hub)
    })
  )
)
