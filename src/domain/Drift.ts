/** How the market's answers depart from the interface as this version understands it. Paths only, never values. */
import { Schema } from "effect"

import { Millis } from "./Ids.ts"
import { Operation } from "./Operation.ts"

/** A field that is unknown, or missing, and in how many answers it was. */
export const Departure = Schema.Struct({
  operation: Operation,
  kind: Schema.Literals(["unknown", "missing"]),
  path: Schema.String,
  count: Schema.Natural
})
export type Departure = typeof Departure.Type

/** An operation whose answers cannot be understood any more: it is not asked but for a probe now and then. */
export const OutOfService = Schema.Struct({
  operation: Operation,
  since: Millis,
  /** Where the answers differ first. */
  path: Schema.String
})
export type OutOfService = typeof OutOfService.Type
