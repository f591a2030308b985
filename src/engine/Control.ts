/**
 * The operator's hand on the daemon: journals a word at once, whatever the deciding fiber is at, and carries out what follows from it.
 * Invariants: 1. a word is in the journal, and so in the guard, before it is answered. 2. what follows from it (bids cancelled, the end of
 * a drain) is done by the deciding fiber between two steps, and tried again until it is done, also after a restart.
 */
import { Context, Effect, Layer, Queue, Result, Schema } from "effect"

import { type Command, type Control as Mode, commanded, drained, itself } from "../domain/Control.ts"
import { restsUntil } from "../domain/CoolDown.ts"
import { noLimits, retold } from "../domain/Decision.ts"
import { units } from "../domain/Position.ts"
import type { State } from "../domain/State.ts"
import { haltedStrategies } from "../domain/Trail.ts"
import type { Market } from "../market/Market.ts"
import type { RateLimiter } from "../market/RateLimiter.ts"
import type { StoreError } from "../store/Store.ts"
import { cancelOwn } from "./Decide.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"

/** A word that cannot be obeyed as things are. */
export class Contradiction extends Schema.TaggedError<Contradiction>()("Contradiction", {
  message: Schema.String
}) {}

export class Control extends Context.Service<
  Control,
  {
    /** Durable and in force when it returns; the control as it is then. */
    readonly command: (command: Command) => Effect.Effect<Mode, StoreError | Contradiction>
    /** Waits for the next word; several that came meanwhile are one. */
    readonly given: Effect.Effect<void>
  }
>()("haggle/engine/Control") {}

export const layer: Layer.Layer<Control, never, Journal> = Layer.effect(
  Control,
  Effect.gen(function* () {
    const journal = yield* Journal
    const nudge = yield* Queue.sliding<void>(1)
    return Control.of({
      command: Effect.fn("Control.command")(function* (command) {
        const { control, trails } = yield* journal.state
        const events = yield* Effect.fromResult(
          Result.mapError(
            commanded(control, command, yield* marketNow, haltedStrategies(trails).length > 0),
            (message) => new Contradiction({ message })
          )
        )
        const after = yield* journal.append(events)
        yield* Queue.offer(nudge, undefined)
        return after.control
      }),
      given: Queue.take(nudge)
    })
  })
)

/** Nothing of ours is held or stands on the market; what the owner placed by hand is his. */
const flat = ({ asks, bids, positions }: State): boolean =>
  Object.keys(asks).length === 0 &&
  Object.values(bids).every((slot) => slot._tag === "Foreign") &&
  Object.values(positions).every((position) => units(position) === 0)

/** Does what the control asks for beyond saying no; true when something was sent. */
export const obey = Effect.fn("Control.obey")(function* (desk: Desk) {
  const journal = yield* Journal
  const { control } = yield* journal.state
  if (control._tag !== "Draining" && control._tag !== "Halted") return false
  const sent = yield* withdraw(desk, control)
  if (control._tag === "Draining" && flat(yield* journal.state))
    yield* journal.append([
      {
        _tag: "Paused",
        at: yield* marketNow,
        who: itself,
        why: drained
      }
    ])
  return sent
})

/** Cancels our open bids; one whose cancel was refused rests as any exit does. */
const withdraw: (
  desk: Desk,
  control: Mode
) => Effect.Effect<boolean, StoreError, Journal | Market | RateLimiter> = Effect.fnUntraced(
  function* (desk, control) {
    const journal = yield* Journal
    const { bids } = yield* journal.state
    let sent = false
    for (const slot of Object.values(bids)) {
      if (slot._tag !== "Open") continue
      const { order, placed } = slot.open
      const at = yield* marketNow
      const reason = retold(placed.reason, `trading is ${control._tag.toLowerCase()}`)
      const draft = { _tag: "CancelBid", item: placed.item, at, order, limits: noLimits, reason } as const
      if (restsUntil(yield* journal.state, draft, desk.options.guard.coolDown) > at) continue
      sent = (yield* cancelOwn(desk, draft)) || sent
    }
    return sent
  }
)
