/**
 * Which database a face reads: `--db FILE`, else the one below the state folder that was written last.
 * Invariant: nothing here writes, locks or creates a file.
 */
import { Clock, Console, Effect, FileSystem, Option, Path } from "effect"

import { type CurrencyId, currencyOf } from "../../domain/Currency.ts"
import { Store, type StoreError } from "../../store/Store.ts"
import { layerReadOnly } from "../../store/StoreSqlite.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { cliError, type CliError, notRunning } from "../Exit.ts"

/** Flags of every command that reads a database; the folder is a setting. */
export interface DatabaseFlags {
  readonly json: boolean
  readonly db: Option.Option<string>
}

const name = "haggle.db"

/** What the rows of a face are shown with. */
export interface Seen {
  readonly file: string
  readonly currency: CurrencyId | undefined
  /** Now on the market's clock, as far as the database knows it. */
  readonly nowMillis: number
}

/** The same for `--json`. */
export const seenAsData = ({ currency, file, nowMillis }: Seen) => ({
  database: file,
  currency: currency === undefined ? null : currencyOf(currency).code,
  nowMillis
})

interface Candidate {
  readonly file: string
  readonly writtenMillis: number
}

const writtenMillis = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  // a commit touches the write-ahead log and not the file
  const times = yield* Effect.forEach([file, `${file}-wal`], (one) =>
    fs.stat(one).pipe(
      Effect.map((info) => Option.match(info.mtime, { onNone: () => 0, onSome: (time) => time.getTime() })),
      Effect.orElseSucceed(() => undefined)
    )
  )
  return times[0] === undefined ? undefined : Math.max(times[0], times[1] ?? 0)
})

const candidates = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* fs.readDirectory(folder).pipe(Effect.orElseSucceed((): ReadonlyArray<string> => []))
  const found: Array<Candidate> = []
  for (const inside of names) {
    const file = path.join(folder, inside, name)
    const written = yield* writtenMillis(file)
    if (written !== undefined) found.push({ file, writtenMillis: written })
  }
  return found.toSorted((left, right) => right.writtenMillis - left.writtenMillis)
})

/** A folder stands for the database in it. */
const inFolder = Effect.fnUntraced(function* (named: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isFolder = yield* fs.stat(named).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  return isFolder ? path.join(named, name) : named
})

/** The database's file; exit 3 when there is none. */
const databaseFile = Effect.fn("cli.databaseFile")(function* (flags: DatabaseFlags, config: ResolvedConfig) {
  if (Option.isSome(flags.db)) return yield* inFolder(flags.db.value)
  const folder = config.settings.state
  const [latest, ...others] = yield* candidates(folder)
  if (latest === undefined)
    return yield* cliError(
      notRunning,
      `not running: no database under ${folder}`,
      "start it with `haggle run`, or name the folder with --state DIR or the file with --db FILE"
    )
  if (others.length > 0)
    yield* Console.error(
      `haggle: reading ${latest.file}, the latest of ${others.length + 1}; choose another with --db FILE`
    )
  return latest.file
})

const seenOf = Effect.fnUntraced(function* (file: string) {
  const store = yield* Store
  const { currency } = yield* store.state
  const beat = yield* store.lastBeat
  const [last] = yield* store.journal({ last: 1 })
  const known = Math.max(Option.match(beat, { onNone: () => 0, onSome: ({ at }) => at }), last?.event.at ?? 0)
  // the embedded market has no address, and its time stands still when nobody runs it
  const nowMillis = URL.canParse(store.stamp.market) ? yield* Clock.currentTimeMillis : known
  return { file, currency, nowMillis } satisfies Seen
})

/** Runs the work against the database that the flags choose. */
export const withDatabase = <A, E, R>(
  flags: DatabaseFlags,
  config: ResolvedConfig,
  work: (seen: Seen) => Effect.Effect<A, E, R | Store>
): Effect.Effect<A, E | CliError | StoreError, Exclude<R, Store> | FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(databaseFile(flags, config), (file) =>
    // a command is an entry point
    Effect.flatMap(seenOf(file), work).pipe(Effect.provide(layerReadOnly(file)))
  )
