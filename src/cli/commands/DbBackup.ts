/** `haggle db backup [FILE]`: a checked copy of the database, also while its daemon runs; without FILE beside it, the newest kept. */
import { Clock, Console, DateTime, Effect, FileSystem, Option, Path } from "effect"

import { backup } from "../../store/Backup.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"

export interface BackupFlags extends DatabaseFlags {
  readonly file: Option.Option<string>
  readonly keep: Option.Option<number>
}

const folderName = "backups"
const isOurs = /^haggle-\d{8}T\d{6}Z\.db$/u

/** `20260105T140307Z`: sorts as it was made. */
const stampOf = (nowMillis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(nowMillis))
    .replace(/\.\d+Z$/u, "Z")
    .replaceAll(/[-:]/gu, "")

/** Removes all but the newest so many of the backups that were named here. */
const thinned = Effect.fnUntraced(function* (folder: string, keep: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = (yield* fs.readDirectory(folder)).filter((name) => isOurs.test(name)).toSorted()
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) yield* fs.remove(path.join(folder, name))
  return old.length
})

export const run = Effect.fn("cli.db.backup")(function* (flags: BackupFlags, config: ResolvedConfig) {
  const path = yield* Path.Path
  yield* withDatabase(flags, config, ({ file }) =>
    Effect.gen(function* () {
      const folder = path.join(path.dirname(file), folderName)
      const named = path.join(folder, `haggle-${stampOf(yield* Clock.currentTimeMillis)}.db`)
      const made = yield* backup(
        file,
        Option.getOrElse(flags.file, () => named)
      )
      const removed =
        Option.isSome(flags.keep) && Option.isNone(flags.file) ? yield* thinned(folder, flags.keep.value) : 0
      yield* Console.log(
        flags.json
          ? JSON.stringify({ database: file, ...made, removed })
          : `${made.file}: ${made.events} events, checked${removed === 0 ? "" : `; ${removed} older removed`}`
      )
    })
  )
})
