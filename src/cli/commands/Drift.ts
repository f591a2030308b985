/**
 * `haggle drift`: a try (a kept result of a backtest, or the database of a dry-run) against what a daemon really did in the same time.
 * Invariant: both are compared in the time that both know, and on the items that both could trade.
 */
import { Console, Effect, FileSystem, Schema } from "effect"

import { deedsOf, driftOf, within } from "../../backtest/Drift.ts"
import { deedKinds, deedsOfJournal } from "../../backtest/DriftJournal.ts"
import type { BacktestResult } from "../../backtest/Result.ts"
import type { Millis } from "../../domain/Ids.ts"
import { Store } from "../../store/Store.ts"
import { layerReadOnly } from "../../store/StoreSqlite.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { badConfig, cliError, notFound } from "../Exit.ts"
import { driftText, type Side } from "../text/DriftText.ts"
import { moment } from "../text/Format.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"

export interface DriftFlags extends DatabaseFlags {
  readonly result: string
}

const Kept = Schema.fromJsonString(Schema.Struct({ version: Schema.Literal(1), digest: Schema.String }))

/** A result that `backtest --out` wrote; what stands in it is not checked further than that. */
const keptResult = Effect.fnUntraced(function* (path: string, text: string) {
  yield* Schema.decodeUnknownEffect(Kept)(text).pipe(
    Effect.mapError(() =>
      cliError(
        badConfig,
        `${path} is neither a result of a backtest nor a database`,
        "write a result with `haggle backtest --out FILE`, or name the haggle.db of a dry-run"
      )
    )
  )
  const result = JSON.parse(text) as BacktestResult
  const { currency, from, items, to } = result
  const side: Side = {
    file: path,
    what: "backtest",
    currency,
    from,
    to,
    items: new Set(items.map(({ item }) => item)),
    deeds: deedsOf(result)
  }
  return side
})

/** What the daemon of this database did. */
const ofStore = Effect.fnUntraced(function* (file: string) {
  const store = yield* Store
  const { currency, openedAt } = yield* store.state
  const entries = yield* store.journal({ kinds: deedKinds })
  const [last] = yield* store.journal({ last: 1 })
  const to = (last?.event.at ?? openedAt ?? 0) as Millis
  const side: Side = {
    file,
    what: store.stamp.mode,
    currency,
    // what was older than `journal.keep` is not there any more
    from: (entries[0]?.event.at ?? openedAt ?? to) as Millis,
    to,
    items: undefined,
    deeds: deedsOfJournal(
      entries.map(({ event }) => event),
      to
    )
  }
  return side
})

const sqliteBegins = "SQLite format 3\0"

const tried = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* fs
    .readFile(path)
    .pipe(Effect.mapError(() => cliError(notFound, `${path} cannot be read`, "check the path")))
  const text = new TextDecoder()
  if (text.decode(bytes.subarray(0, sqliteBegins.length)) !== sqliteBegins)
    return yield* keptResult(path, text.decode(bytes))
  // a command is an entry point
  return yield* Effect.provide(ofStore(path), layerReadOnly(path))
})

const told = ({ file, from, to, what }: Side): string => `${what} ${file} (${moment(from)} to ${moment(to)})`

/** The time that both know; a sentence when there is none, or when they cannot be compared. */
const commonOf = (run: Side, replay: Side) => {
  const from = Math.max(run.from, replay.from) as Millis
  const to = Math.min(run.to, replay.to) as Millis
  if (run.currency !== undefined && replay.currency !== undefined && run.currency !== replay.currency)
    return cliError(badConfig, "the two are in different currencies", "compare runs of one wallet")
  return from < to
    ? Effect.succeed({ from, to })
    : cliError(
        notFound,
        `the two have no time in common: ${told(run)}, ${told(replay)}`,
        "choose another run with --db FILE, or play the tape of that time"
      )
}

export const run = Effect.fn("cli.drift")(function* (flags: DriftFlags, config: ResolvedConfig) {
  const replay = yield* tried(flags.result)
  const real = yield* withDatabase(flags, config, ({ file }) => ofStore(file))
  if (real.file === replay.file)
    return yield* cliError(
      badConfig,
      `${real.file} is compared with itself`,
      "name the real run's database with --db FILE"
    )
  const span = yield* commonOf(real, replay)
  const drift = driftOf(
    within(real.deeds, span, replay.items),
    within(replay.deeds, span, real.items ?? replay.items)
  )
  const about = ({ file, what }: Side) => ({ file, what })
  yield* Console.log(
    flags.json
      ? JSON.stringify({ ...span, between: { run: about(real), replay: about(replay) }, ...drift })
      : driftText(drift, real, replay, span)
  )
})
