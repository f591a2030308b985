/**
 * The worlds of embedded runs on disk: one folder per seed and recording below the state folder, with the daemon's database and the
 * exchange's journal in it. Invariants: 1. a run that reached its end is finished: the next one opens a new world, the old is kept beside
 * it. 2. a run that was interrupted or killed goes on where it was.
 */
import { Effect, FileSystem, Option, Path } from "effect"

import { Store, type StoreError } from "../../store/Store.ts"
import { layerReadOnly } from "../../store/StoreSqlite.ts"
import { cliError, type CliError, failed } from "../Exit.ts"

/** Finished worlds that are kept for a look. */
const finishedKept = 3

interface WorldFolder {
  readonly database: string
  readonly exchange: string
  /** Its own ledger of requests: market time has nothing to do with that of other worlds. */
  readonly ledger: string
  /** Market time of the last entry of a run that goes on. */
  readonly lastAt: number | undefined
}

export const worldFolder = Effect.fn("Embedded.worldFolder")(function* (state: string, world: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(state, world)
  const database = path.join(folder, "haggle.db")
  yield* writableFolder(state)
  const before = (yield* fs.exists(database)) ? yield* lastRun(database) : undefined
  if (before?.finished === true) yield* putAside(folder)
  yield* makeFolder(folder)
  const result: WorldFolder = {
    database,
    exchange: path.join(folder, "exchange"),
    ledger: path.join(folder, "requests.db"),
    lastAt: before?.finished === true ? undefined : before?.lastAt
  }
  return result
})

const lastRun = (
  database: string
): Effect.Effect<{ finished: boolean; lastAt: number | undefined }, StoreError> =>
  Effect.gen(function* () {
    const store = yield* Store
    const [run] = yield* store.journal({ kinds: ["RunStarted", "RunStopped"], last: 1 })
    const [last] = yield* store.journal({ last: 1 })
    return {
      finished: run?.event._tag === "RunStopped" && run.event.why === finished,
      lastAt: Option.getOrUndefined(Option.map(Option.fromUndefinedOr(last), ({ event }) => event.at))
    }
  }).pipe(Effect.provide(layerReadOnly(database)))

/** Why a run stopped that needs no sequel. */
export const finished = "finished"

const putAside = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const aside = (count: number) => `${folder}.finished-${count}`
  yield* fs.remove(aside(finishedKept), { recursive: true, force: true })
  for (let count = finishedKept - 1; count >= 1; count--)
    if (yield* fs.exists(aside(count))) yield* fs.rename(aside(count), aside(count + 1))
  yield* fs.rename(folder, aside(1))
})

/** Makes the folder and what is missing above it, one by one: a place where nothing can be made answers at once, and is named. */
const makeFolder: (folder: string) => Effect.Effect<void, CliError, FileSystem.FileSystem | Path.Path> =
  Effect.fn("Embedded.makeFolder")(function* (folder: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const unusable = (why: string) =>
      cliError(
        failed,
        `the state folder ${folder} cannot be written: ${why}`,
        "give its owner the right to write, or choose another folder with --state DIR"
      )
    if (!(yield* Effect.orElseSucceed(fs.exists(folder), () => false))) {
      const above = path.dirname(path.resolve(folder))
      if (above !== path.resolve(folder))
        yield* Effect.mapError(makeFolder(above), () => unusable(`${above} cannot be used`))
      yield* Effect.mapError(fs.makeDirectory(folder, { mode: 0o700 }), (error) =>
        unusable(error.reason._tag)
      )
    }
    const { type } = yield* Effect.mapError(fs.stat(folder), (error) => unusable(error.reason._tag))
    if (type !== "Directory") return yield* unusable("it is not a folder")
  })

/** The folder is there and can be written to. */
export const writableFolder = Effect.fn("Embedded.writableFolder")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* makeFolder(folder)
  yield* Effect.mapError(fs.access(folder, { writable: true }), ({ reason }) =>
    cliError(
      failed,
      `the state folder ${folder} cannot be written: ${reason._tag === "PermissionDenied" ? "no right to write" : "it is read-only"}`,
      "give its owner the right to write, or choose another folder with --state DIR"
    )
  )
})
