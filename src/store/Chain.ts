/**
 * How an event is written, chained and read back: the part of a store that is the same for every adapter.
 * Invariants: 1. digest n is the SHA-256 of digest n−1 and the canonical line of event n, so equal journals end in equal digests.
 * 2. the state of a tip is the fold of what was written, as it will be read again, not of what was handed in. 3. sequence numbers
 * begin at 1 and have no gaps.
 */

import { createHash } from "node:crypto"

import { Result, Schema } from "effect"

import { Event } from "../domain/Event.ts"
import { apply } from "../domain/Fold.ts"
import { emptyState, type State } from "../domain/State.ts"
import type { Entry } from "./Store.ts"

/** Where a journal ends: the last event's number and digest, and the state after it. */
export interface Tip {
  readonly seq: number
  readonly digest: string
  readonly state: State
}

/** One event on its way into the journal, with the state on both sides of it. */
export interface Step {
  readonly entry: Entry
  /** JSON text of the event, keys in the order that they were given. */
  readonly body: string
  readonly digest: string
  readonly before: State
  readonly after: State
}

/** The end of a journal without events. */
export const emptyTip: Tip = { seq: 0, digest: "0".repeat(64), state: emptyState }

export const tipOf = (step: Step): Tip => ({ seq: step.entry.seq, digest: step.digest, state: step.after })

const encodeBody = Schema.encodeUnknownResult(Schema.fromJsonString(Event))
const parseJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decodeEvent = Schema.decodeUnknownResult(Event)

/** The event that a journal row holds, or what is wrong with the row. */
export const readBody = (body: string): Result.Result<Event, string> =>
  parseJson(body).pipe(
    Result.flatMap(decodeEvent),
    Result.mapError((error) => error.message)
  )

/** The step that a written row makes from the tip before it. */
export const stepOver = (tip: Tip, body: string): Result.Result<Step, string> =>
  Result.gen(function* () {
    const raw = yield* Result.mapError(parseJson(body), (error) => error.message)
    const event = yield* Result.mapError(decodeEvent(raw), (error) => error.message)
    return {
      entry: { seq: tip.seq + 1, event },
      body,
      digest: createHash("sha256")
        .update(`${tip.digest}\n${canonical(raw)}`)
        .digest("hex"),
      before: tip.state,
      after: apply(tip.state, event)
    }
  })

/** The steps that these events make from the tip, or what is wrong with the first that makes none. */
export const stepsFrom = (
  tip: Tip,
  events: ReadonlyArray<Event>
): Result.Result<ReadonlyArray<Step>, string> =>
  Result.gen(function* () {
    const steps: Array<Step> = []
    let last = tip
    for (const event of events) {
      const body = yield* Result.mapError(encodeBody(event), (error) => `${event._tag}: ${error.message}`)
      const step = yield* stepOver(last, body)
      steps.push(step)
      last = tipOf(step)
    }
    return steps
  })

/** JSON without spaces and with sorted keys: one text for one value, however it was put together. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`
}
