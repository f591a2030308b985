/**
 * What a running daemon answers to the other commands of its owner, as one HttpApi: server and client are derived from it.
 * Times are milliseconds since 1970 of the market's clock.
 */
import { Schema, Struct } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

import { Confirmation } from "../domain/Confirmation.ts"
import { Control, controlWords } from "../domain/Control.ts"
import { Departure } from "../domain/Drift.ts"
import { IntentId, Millis } from "../domain/Ids.ts"
import { Money } from "../domain/Money.ts"
import { NotThere } from "../engine/Explain.ts"
import { Explanation } from "../engine/Explanation.ts"

/** What only the process itself knows; the rest of a status is in the database. */
export const LiveStatus = Schema.Struct({
  pid: Schema.Int,
  now: Millis,
  control: Control,
  /** False until the account was read and what a dead process left was put up for settlement. */
  started: Schema.Boolean,
  /** When each loop showed progress last, and how long it may be silent. */
  loops: Schema.Array(Schema.Struct({ loop: Schema.String, at: Millis, boundMillis: Schema.Finite }))
})
export type LiveStatus = typeof LiveStatus.Type

const Spoken = Schema.Struct({
  word: Schema.Literals(controlWords),
  who: Schema.String,
  why: Schema.String
})

/** The word contradicts what is in force. */
export class Contradicted extends Schema.TaggedError<Contradicted>()("Contradicted", {
  message: Schema.String
}) {}
/** The word could not be written down, so it is not in force. */
export class NotWritten extends Schema.TaggedError<NotWritten>()("NotWritten", { message: Schema.String }) {}

/** The market did not answer as it should. */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", {
  message: Schema.String
}) {}

const speaker = { who: Schema.String, why: Schema.String }
const refusals = [
  Contradicted.pipe(HttpApiSchema.status(409)),
  NotWritten.pipe(HttpApiSchema.status(500))
] as const

class DaemonGroup extends HttpApiGroup.make("daemon").add(
  HttpApiEndpoint.get("status", "/status", { success: LiveStatus }),
  HttpApiEndpoint.get("explain", "/explain", {
    query: { strategy: Schema.String, item: Schema.String },
    success: Explanation,
    error: NotThere.pipe(HttpApiSchema.status(404))
  }),
  HttpApiEndpoint.post("control", "/control", {
    payload: Spoken,
    success: Control,
    error: refusals
  }),
  HttpApiEndpoint.get("drift", "/drift", { success: Schema.Array(Departure) }),
  /** Lets quarantined intents go; their ids. */
  HttpApiEndpoint.post("release", "/release", {
    payload: Schema.Struct({ target: Schema.String, ...speaker }),
    success: Schema.Array(IntentId),
    error: refusals
  }),
  /** Takes the difference between ledger and wallet for the owner's; what it was. */
  HttpApiEndpoint.post("take", "/ledger/take", {
    payload: Schema.Struct(speaker),
    success: Money,
    error: refusals
  }),
  HttpApiEndpoint.get("confirmations", "/confirmations", {
    success: Schema.Array(Confirmation.mapFields(Struct.omit(["nonce"]))),
    error: NotAnswered.pipe(HttpApiSchema.status(502))
  }),
  /** Allows or cancels one confirmation by its id; the market's word on it. */
  HttpApiEndpoint.post("settle", "/confirmations", {
    payload: Schema.Struct({
      id: Schema.String,
      op: Schema.Literals(["allow", "cancel"]),
      who: Schema.String
    }),
    success: Schema.String,
    error: [...refusals, NotAnswered.pipe(HttpApiSchema.status(502))]
  })
) {}

export class ControlApi extends HttpApi.make("control").add(DaemonGroup) {}
