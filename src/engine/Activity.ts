/**
 * What the engine tells whoever watches: every answer of the market, every journal entry,
 * every decision that changed, every poll that failed. Nothing waits for a listener.
 */
import { Context, Effect, Layer, PubSub, Stream } from "effect"

import type { Decision } from "../domain/Decision.ts"
import type { Event } from "../domain/Event.ts"
import type { Facts, Overview } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Item } from "../domain/Item.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import type { Standing } from "../domain/Standing.ts"

/** What the market showed: the book without our own orders, and where those stood. */
export interface Observed {
  readonly at: Millis
  readonly item: Item
  readonly saw:
    | {
        readonly _tag: "Book"
        readonly book: OrderBook
        readonly own: Standing
      }
    | { readonly _tag: "History"; readonly history: PriceHistory }
    | { readonly _tag: "Overview"; readonly overview: Overview }
}

export type Happening =
  | ({ readonly _tag: "Observed" } & Observed)
  | { readonly _tag: "Journaled"; readonly event: Event }
  | { readonly _tag: "Decided"; readonly decision: Decision; readonly facts: Facts }
  /** A look at an item's facts, for shadows: told only while there are some. */
  | { readonly _tag: "Stepped"; readonly facts: Facts; readonly own: Standing }
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
