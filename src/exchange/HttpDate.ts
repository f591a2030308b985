/** Moments as HTTP headers write them: `Tue, 02 Jan 2024 11:00:00 GMT`. */
import { DateTime } from "effect"

/** Milliseconds are cut off. */
export const httpDate = (millis: number): string =>
  DateTime.toDateUtc(DateTime.makeUnsafe(millis)).toUTCString()
