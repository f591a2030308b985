/**
 * Outcomes of a sweep on disk, one JSON object a line, so that a sweep that was ended goes on where it was.
 * Invariants: 1. an outcome is found again by what it is the outcome of: strategy, params, time, tapes and settings; anything else in the file
 * is left alone. 2. a last line that was cut is as if it was not there. 3. lines are only ever added.
 */
import { Effect, FileSystem, Option, Schema } from "effect"

import { meaningHash } from "../domain/Ids.ts"
import type { Tape } from "../tape/Tape.ts"
import { Outcome, type SweepJob } from "./Sweep.ts"

const Line = Schema.fromJsonString(Schema.Struct({ id: Schema.String, outcome: Outcome }))
const decode = Schema.decodeUnknownOption(Line)

/** What the runs of a sweep have in common, as it goes into their ids. */
export const sharedId = (revision: string, tapes: ReadonlyArray<Tape>, settings: object): string =>
  meaningHash(
    revision,
    ...tapes.flatMap(({ bytes, meta }) => [bytes, meta.market, meta.createdAt]),
    JSON.stringify(settings)
  )

export const jobId = (shared: string, { params, part }: SweepJob): string =>
  meaningHash(shared, JSON.stringify(Object.entries(params).toSorted()), part.from, part.to)

/** What a file knows already; nothing when it is not there. */
export const knownOutcomes = Effect.fn("Sweep.known")(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = (yield* fs.exists(path)) ? yield* fs.readFileString(path) : ""
  const known = new Map<string, Outcome>()
  for (const line of text.split("\n")) {
    const read = decode(line)
    if (Option.isSome(read)) known.set(read.value.id, read.value.outcome)
  }
  return known
})

/** Adds outcomes to a file; a line that was cut before is ended first. */
export const appending = Effect.fn("Sweep.appending")(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const isCut = (yield* fs.exists(path)) && !(yield* fs.readFileString(path)).endsWith("\n")
  const file = yield* fs.open(path, { flag: "a" })
  const write = (text: string) => file.writeAll(new TextEncoder().encode(text))
  if (isCut) yield* write("\n")
  return (id: string, outcome: Outcome) => write(`${JSON.stringify({ id, outcome })}\n`)
})
