/** What the two processes of a soak tell each other: the plan in a file, a line after each day, and any line to go on. */
import { Schema } from "effect"

import { SessionFields } from "../../src/market/Session.ts"

/** Names a request's market time, milliseconds. */
export const timeHeader = "x-soak-time"

export const SoakPlan = Schema.fromJsonString(
  Schema.Struct({
    startAtMillis: Schema.Finite,
    days: Schema.Int,
    url: Schema.String,
    session: SessionFields,
    /** Holds `haggle.db`, `requests.db` and the folder `strategies`. */
    folder: Schema.String
  })
)
export type SoakPlan = typeof SoakPlan.Type

/** The daemon's weight after a day; it waits for an answer before it goes on. */
export interface Weight {
  readonly day: number
  readonly rssBytes: number
  readonly heapBytes: number
  /** The most that it ever was. */
  readonly peakBytes: number
}

/** Begins the lines on stdout that are weights. */
export const weightMark = "weight "

export const weightLine = (weight: Weight): string => `${weightMark}${JSON.stringify(weight)}\n`

export const weightIn = (line: string): Weight => JSON.parse(line.slice(weightMark.length)) as Weight
