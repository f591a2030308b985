/**
 * The exchange's own memory: an append-only log of accepted commands and marks of time, and snapshots of the world.
 * Invariants: 1. a line is on the disk before the answer goes out. 2. a torn last line is dropped at open; damage anywhere else is an
 * error that names the line, never a guess. 3. snapshot + later lines make the same world as all lines from the first one.
 */
import { Effect, Option, Schema } from "effect"

import { CurrencyId } from "../domain/Currency.ts"
import { Command } from "./Command.ts"
import { type World } from "./World.ts"

/** What the market was opened with; the first line of the log. */
export const Opening = Schema.Struct({
  seed: Schema.Int,
  startAt: Schema.Finite,
  currency: Schema.Int,
  balance: Schema.Int,
  accounts: Schema.Int,
  currencies: Schema.optionalKey(Schema.Array(CurrencyId)),
  firstAccountHasItems: Schema.Boolean,
  confirmPurchases: Schema.Boolean,
  confirmationCreator: Schema.Literals(["asset", "listing"]),
  /** Hash of the recorded histories that items follow, empty without. */
  recordings: Schema.String
})
export type Opening = typeof Opening.Type

/** A command, or without one only the time that was answered for. */
export const Entry = Schema.Struct({
  number: Schema.Int,
  at: Schema.Finite,
  opening: Schema.optionalKey(Opening),
  command: Schema.optionalKey(Command)
})
export type Entry = typeof Entry.Type

export interface Snapshot {
  /** Number of the last entry that the world contains. */
  readonly number: number
  readonly world: World
}

interface Recovered {
  readonly snapshot: Snapshot | undefined
  readonly entries: ReadonlyArray<Entry>
  /** Bytes of a torn last line that were dropped. */
  readonly dropped: number
}

export interface Journal {
  /** What was there when it was opened. */
  readonly recovered: Recovered
  readonly append: (entry: Entry) => Effect.Effect<void, JournalError>
  readonly snapshot: (snapshot: Snapshot) => Effect.Effect<void, JournalError>
}

/** The disk or a file of the journal failed; `path` says which. */
export class Unwritable extends Schema.TaggedError<Unwritable>()("Unwritable", {
  path: Schema.String,
  detail: Schema.String
}) {}
/** A line that is not the last one is damaged. */
export class Damaged extends Schema.TaggedError<Damaged>()("Damaged", {
  path: Schema.String,
  line: Schema.Int
}) {}
/** The folder belongs to a market with another seed, currency or history. */
export class OtherMarket extends Schema.TaggedError<OtherMarket>()("OtherMarket", {
  detail: Schema.String
}) {}

export class JournalError extends Schema.TaggedError<JournalError>()("JournalError", {
  reason: Schema.Union([Unwritable, Damaged, OtherMarket])
}) {
  override get message(): string {
    const { reason } = this
    switch (reason._tag) {
      case "Unwritable":
        return `the market's journal ${reason.path} cannot be used: ${reason.detail}`
      case "Damaged":
        return `the market's journal ${reason.path} is damaged in line ${reason.line}; move the folder away to begin a new market`
      case "OtherMarket":
        return `the market's journal belongs to another market (${reason.detail}); use another state folder or the same options`
    }
  }
}

/** 32 bits over the text, as eight hex digits: finds torn and edited lines. */
const checksum = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash.toString(16).padStart(8, "0")
}

export const sealed = (text: string): string => `${checksum(text)} ${text}\n`

/** The text of a sealed line; None when its checksum does not fit. */
export const unsealed = (line: string): Option.Option<string> => {
  const text = line.slice(9)
  return line[8] === " " && line.slice(0, 8) === checksum(text) ? Option.some(text) : Option.none()
}

const decodeEntry = Schema.decodeUnknownOption(Schema.fromJsonString(Entry))

/** The log's entries; the length of what is sound, so that the rest can be cut off. */
export const readLog = (
  path: string,
  text: string
): Effect.Effect<{ readonly entries: ReadonlyArray<Entry>; readonly soundLength: number }, JournalError> =>
  Effect.gen(function* () {
    const entries: Array<Entry> = []
    const lines = text.split("\n")
    let soundLength = 0
    for (const [index, line] of lines.entries()) {
      if (index === lines.length - 1 && line === "") break
      const whole = index < lines.length - 1
      const entry = whole ? Option.flatMap(unsealed(line), decodeEntry) : Option.none()
      const follows = Option.isSome(entry) && entry.value.number === entries.length
      if (!follows) {
        const last = index >= lines.length - 2 && lines.slice(index + 1).every((rest) => rest === "")
        if (last) break
        return yield* new JournalError({ reason: new Damaged({ path, line: index + 1 }) })
      }
      entries.push(entry.value)
      soundLength += line.length + 1
    }
    return { entries, soundLength }
  })

/** Lines and snapshot of a market that forgets at the end of the process, or between two openings of one test. */
export interface Memory {
  lines: Array<Entry>
  snapshot: Snapshot | undefined
}
export const emptyMemory = (): Memory => ({ lines: [], snapshot: undefined })

export const journalMemory = (memory: Memory): Journal => ({
  recovered: { snapshot: memory.snapshot, entries: [...memory.lines], dropped: 0 },
  append: (entry) => Effect.sync(() => void memory.lines.push(entry)),
  snapshot: (snapshot) =>
    Effect.sync(() => {
      memory.snapshot = snapshot
    })
})
