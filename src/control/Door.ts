/**
 * Where a running daemon listens, and the key to it: a file beside its database that only its owner may read.
 * Invariants: 1. the daemon listens on the loopback alone and answers nobody without the key. 2. the file appears whole or not at all,
 * and goes with the daemon; one that a killed process left leads to a closed port, which is "not running".
 */
import { randomBytes, timingSafeEqual } from "node:crypto"

import { Effect, FileSystem, Path, Redacted, Schema } from "effect"

const ownerOnly = 0o600
const keyBytes = 32

const DoorText = Schema.fromJsonString(
  Schema.Struct({ url: Schema.String, key: Schema.RedactedFromValue(Schema.String), pid: Schema.Int })
)
export type Door = typeof DoorText.Type

const encode = (door: Door): string =>
  JSON.stringify({ url: door.url, key: Redacted.value(door.key), pid: door.pid })
const decode = Schema.decodeUnknownEffect(DoorText)

/** The door of the daemon that works with this database. */
const doorFile = Effect.fnUntraced(function* (database: string) {
  const path = yield* Path.Path
  return path.join(path.dirname(database), "control.json")
})

export const newKey: Effect.Effect<Redacted.Redacted> = Effect.sync(() =>
  Redacted.make(randomBytes(keyBytes).toString("hex"))
)

/** True when the header carries the key; takes the same time for every wrong one. */
export const opens = (key: Redacted.Redacted, authorization: string | undefined): boolean => {
  const wanted = Buffer.from(`Bearer ${Redacted.value(key)}`)
  const given = Buffer.from(authorization ?? "")
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

/** Writes the door for as long as the scope lasts. */
export const hang = Effect.fn("Door.hang")(function* (database: string, door: Door) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* doorFile(database)
  const fresh = `${file}.${door.pid}`
  yield* Effect.acquireRelease(
    fs
      .remove(fresh, { force: true })
      .pipe(
        Effect.andThen(fs.writeFileString(fresh, encode(door), { mode: ownerOnly, flag: "wx" })),
        Effect.andThen(fs.rename(fresh, file))
      ),
    () => Effect.ignore(fs.remove(file, { force: true }))
  )
})

/** The door beside a database; undefined without one, or with one that cannot be read. */
export const findDoor = Effect.fn("Door.find")(function* (database: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* doorFile(database)
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap((text) => decode(text)),
    Effect.orElseSucceed((): Door | undefined => undefined)
  )
})
