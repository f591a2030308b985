/**
 * The memory of a daemon: an append-only journal, the state that is its fold, and what the faces ask of both.
 * Invariants: 1. events and read model are written in one transaction, or not at all. 2. `append` returns only when the events are on
 * disk. 3. a database belongs to one account, mode and market, and to one process at a time.
 */
import { Context, type Effect, type Option, Schema } from "effect"

import type { Event, EventKind } from "../domain/Event.ts"
import { Millis } from "../domain/Ids.ts"
import type { State } from "../domain/State.ts"

/** The file cannot be opened, is no database, or is damaged. */
export class Corrupt extends Schema.TaggedError<Corrupt>()("Corrupt", {
  file: Schema.String,
  detail: Schema.String
}) {}
/** The folder or file cannot be written. */
export class NotWritable extends Schema.TaggedError<NotWritable>()("NotWritable", {
  path: Schema.String,
  detail: Schema.String
}) {}
/** The database was made for another account, mode or market; `found` and `wanted` are `account/mode/market`. */
export class OtherStamp extends Schema.TaggedError<OtherStamp>()("OtherStamp", {
  file: Schema.String,
  found: Schema.String,
  wanted: Schema.String
}) {}
/** Another process has the database open; `pid` is 0 when it has not said who it is yet. */
export class InUse extends Schema.TaggedError<InUse>()("InUse", { file: Schema.String, pid: Schema.Int }) {}
/** There is no database to read; only the read-only adapter says so. */
export class Missing extends Schema.TaggedError<Missing>()("Missing", { file: Schema.String }) {}
/** Written by a newer version of haggle. */
export class TooNew extends Schema.TaggedError<TooNew>()("TooNew", {
  file: Schema.String,
  found: Schema.Int,
  known: Schema.Int
}) {}
/** A read or write failed. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {
  operation: Schema.String,
  detail: Schema.String
}) {}

export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: Schema.Union([Corrupt, NotWritable, OtherStamp, InUse, TooNew, Missing, Failed])
}) {}

/** Whose database it is. */
export interface Stamp {
  readonly account: string
  readonly mode: "embedded" | "dry-run" | "live"
  readonly market: string
}

/** An event at its place in the journal; `seq` begins at 1 and has no gaps. */
export interface Entry {
  readonly seq: number
  readonly event: Event
}

export interface JournalQuery {
  readonly kinds?: ReadonlyArray<EventKind>
  /** Only events that name this intent, order, listing, asset or fill id. */
  readonly about?: string
  readonly after?: number
  /** The last so many, in order. */
  readonly last?: number
}

/** Numbers of the running (or last) run that are not events: requests, polls, evaluations…; survive a crash as of the last beat. */
export const Heartbeat = Schema.Struct({
  at: Millis,
  /** Process that wrote it; 0 in memory. */
  pid: Schema.Int,
  numbers: Schema.Record(Schema.String, Schema.Finite),
  notes: Schema.Record(Schema.String, Schema.String),
  /** The run ended in order with this beat. */
  last: Schema.Boolean
})
export type Heartbeat = typeof Heartbeat.Type

export class Store extends Context.Service<
  Store,
  {
    readonly stamp: Stamp
    /** The fold of everything appended so far. */
    readonly state: Effect.Effect<State>
    /**
     * Writes the events in one transaction and returns the state after them. Refuses (Failed, nothing written) an intent or a fill
     * whose id the journal already has, and the event that does not fit its schema.
     */
    readonly append: (events: ReadonlyArray<Event>) => Effect.Effect<State, StoreError>
    readonly journal: (query: JournalQuery) => Effect.Effect<ReadonlyArray<Entry>, StoreError>
    /** Chained SHA-256 over the canonical form of all events, hex; equal journals have equal hashes. Costs no scan. */
    readonly journalHash: Effect.Effect<string, StoreError>
    readonly beat: (beat: Omit<Heartbeat, "pid">) => Effect.Effect<void, StoreError>
    readonly lastBeat: Effect.Effect<Option.Option<Heartbeat>, StoreError>
  }
>()("haggle/store/Store") {}
