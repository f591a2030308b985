/**
 * Shadows on disk, beside the run's database: what people read of them, and what a restart needs to go on.
 * Invariants: 1. the file is replaced whole. 2. a file that cannot be understood is as none: shadows begin anew. 3. it is written only while
 * there are shadows, so that the last word on one outlives its file.
 */
import { Effect, FileSystem, Option, type Path, Schema } from "effect"

import { Money } from "../domain/Money.ts"
import { State } from "../domain/State.ts"
import { PaperState } from "../paper/PaperState.ts"
import { PaperTrade, ShadowReport } from "./ShadowReport.ts"

/** A strategy's account on paper, as a restart takes it up. */
const TrackMemory = Schema.Struct({
  state: State,
  paper: PaperState,
  /** What was unrealised of each item when it was first seen, by item key. */
  taken: Schema.Record(Schema.String, Money),
  orders: Schema.Natural,
  refused: Schema.Natural,
  trades: Schema.Array(PaperTrade)
})
export type TrackMemory = typeof TrackMemory.Type

export const Kept = Schema.Struct({
  report: ShadowReport,
  /** What the strategy in force had realised when the shadow began. */
  realisedBefore: Money,
  current: Schema.optionalKey(TrackMemory),
  shadow: TrackMemory
})
export type Kept = typeof Kept.Type

const version = Schema.Literal(1)
const Whole = Schema.fromJsonString(Schema.Struct({ version, shadows: Schema.Array(Kept) }))
const Reports = Schema.fromJsonString(
  Schema.Struct({ version, shadows: Schema.Array(Schema.Struct({ report: ShadowReport })) })
)
const encode = Schema.encodeSync(Whole)
const decodeWhole = Schema.decodeUnknownOption(Whole)
const decodeReports = Schema.decodeUnknownOption(Reports)

/** Where the shadows of a database's run are kept. */
export const shadowFile = (path: Path.Path, database: string): string =>
  path.join(path.dirname(database), "shadow.json")

const textOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.option(fs.readFileString(file))
})

/** All that was kept; nothing when there is no such file. */
export const readKept = (file: string) =>
  Effect.map(textOf(file), (text) =>
    Option.match(Option.flatMap(text, decodeWhole), { onNone: () => [], onSome: ({ shadows }) => shadows })
  )

/** What people read; none when there is no such file. */
export const readReports = (file: string) =>
  Effect.map(textOf(file), (text) =>
    Option.map(Option.flatMap(text, decodeReports), ({ shadows }) => shadows.map(({ report }) => report))
  )

export const writeKept = Effect.fn("Shadow.write")(function* (file: string, shadows: ReadonlyArray<Kept>) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(`${file}.new`, encode({ version: 1, shadows }), { mode: 0o600 })
  yield* fs.rename(`${file}.new`, file)
})
