/** From an open tape to a sealed one. Invariant: the open one goes only when the sealed one is whole on the disk. */
import { Effect, FileSystem } from "effect"

import { openTape } from "./Open.ts"
import type { TapeRecord } from "./Records.ts"
import { sealTapes } from "./Seal.ts"
import { TapeError, type TapeMeta } from "./Tape.ts"
import { writeTape } from "./Writer.ts"

/** Seals the tape at `open` as `sealed` and removes it; answers the bytes of the sealed one. */
export const sealFile = Effect.fn("Tape.sealFile")(function* (open: string, sealed: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.scoped(
    Effect.flatMap(openTape(open), (tape) => sealTapes([tape], sealed, tape.meta))
  )
  yield* fs.remove(open).pipe(
    Effect.mapError(
      (cause) =>
        new TapeError({
          file: open,
          message: `${open} cannot be removed: ${cause.message}`,
          remedy: `remove it by hand: ${sealed} has all of it`
        })
    )
  )
  return bytes
})

/** Writes these records, in the order of time, as a sealed tape. */
export const writeSealed = Effect.fn("Tape.writeSealed")(function* (
  path: string,
  meta: TapeMeta,
  records: Iterable<TapeRecord>
) {
  const open = `${path}.open`
  yield* Effect.scoped(
    Effect.gen(function* () {
      const tape = yield* writeTape(open, meta)
      for (const record of records) yield* tape.write(record)
    })
  )
  return yield* sealFile(open, path)
})
