/**
 * What is remembered of strategies besides their orders: files that were refused and are not mended, and what searches found.
 * Invariant: all of it is bounded, by the files of a folder, by what the strategies in force search for and by the constant below.
 */
import { Schema } from "effect"

import type { Event } from "./Event.ts"
import { Millis } from "./Ids.ts"
import { Item, itemKey } from "./Item.ts"

/** Far more strategies than anybody keeps orders of. */
const keptLimit = 256

/** A file whose last text was refused; its last good revision goes on, when there is one. */
const Rejected = Schema.Struct({ at: Millis, message: Schema.String })

/** What a search of a universe gave last; `problems` are sentences for a person. */
const Found = Schema.Struct({
  at: Millis,
  about: Schema.String,
  items: Schema.Array(Item),
  problems: Schema.Array(Schema.String)
})

export const StrategyRecord = Schema.Struct({
  /** By file. */
  rejected: Schema.Record(Schema.String, Rejected),
  /** By the search's key. */
  found: Schema.Record(Schema.String, Found),
  /** Names of strategies whose bids stay when they are gone, the one that was loaded last at the end. */
  kept: Schema.Array(Schema.String)
})
export type StrategyRecord = typeof StrategyRecord.Type

export const noRecord: StrategyRecord = { rejected: {}, found: {}, kept: [] }

const without = <A>(from: Readonly<Record<string, A>>, key: string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(from).filter(([one]) => one !== key))

const mended = (record: StrategyRecord, file: string | undefined): StrategyRecord =>
  file === undefined || record.rejected[file] === undefined
    ? record
    : { ...record, rejected: without(record.rejected, file) }

const keeping = (record: StrategyRecord, name: string, keeps: boolean): StrategyRecord => {
  if (!keeps && !record.kept.includes(name)) return record
  const others = record.kept.filter((one) => one !== name)
  return { ...record, kept: keeps ? [...others, name].slice(-keptLimit) : others }
}

/** The record after an event; the same one when the event says nothing about strategies. */
export const recordAfter = (record: StrategyRecord, event: Event): StrategyRecord => {
  switch (event._tag) {
    // a run begins only when every file is good
    case "RunStarted":
      return { ...record, rejected: {} }
    case "StrategyRejected":
      return {
        ...record,
        rejected: { ...record.rejected, [event.file]: { at: event.at, message: event.message } }
      }
    case "StrategyLoaded":
      return keeping(mended(record, event.file), event.name, event.onRemove === "keep")
    case "StrategyRemoved":
    case "RejectionEnded":
      return mended(record, event.file)
    case "UniverseFound": {
      const before = record.found[event.search]?.items ?? []
      const gone = new Set(event.left.map(itemKey))
      const items = [...before.filter((of) => !gone.has(itemKey(of))), ...event.joined]
      const { about, at, problems } = event
      return { ...record, found: { ...record.found, [event.search]: { at, about, items, problems } } }
    }
    case "UniverseForgotten":
      return { ...record, found: without(record.found, event.search) }
    default:
      return record
  }
}
