/**
 * Tells people what they should know. Invariants: 1. whoever tells never waits and never fails. 2. a secret, such as a channel's address,
 * appears in no message of ours.
 */
import { Context, type Effect, Schema } from "effect"

import { Millis } from "../domain/Ids.ts"

/** `critical`: nothing is traded until somebody acts; `warning`: somebody should look; `info`: good to know. */
const urgencies = ["info", "warning", "critical"] as const

export const Notice = Schema.Struct({
  at: Millis,
  urgency: Schema.Literals(urgencies),
  /** What happened, as the journal's kind of event. */
  kind: Schema.String,
  /** What it is the newest word on: a text that was told before is news again when another word on it came between. */
  about: Schema.optionalKey(Schema.String),
  title: Schema.String,
  text: Schema.String
})
export type Notice = typeof Notice.Type

/** A channel did not take a notice; the detail names no address. */
export class NotTold extends Schema.TaggedError<NotTold>()("NotTold", {
  channel: Schema.String,
  detail: Schema.String
}) {}

/** One way to people. */
export interface Channel {
  /** As a person knows it, without its address. */
  readonly name: string
  readonly send: (notice: Notice) => Effect.Effect<void, NotTold>
}

export class Notifier extends Context.Service<
  Notifier,
  {
    readonly notify: (notice: Notice) => Effect.Effect<void>
    /** Waits a moment until every channel has told or given up what it was given. */
    readonly flushed: Effect.Effect<void>
  }
>()("haggle/notify/Notifier") {}
