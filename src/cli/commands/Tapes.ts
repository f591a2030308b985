/** What the commands about tapes share: opening them, choosing items, a new file that must not be there yet. */
import { Effect, FileSystem, type Option } from "effect"

import type { Millis } from "../../domain/Ids.ts"
import type { ItemKey } from "../../domain/Item.ts"
import { openTape } from "../../tape/Open.ts"
import type { Selection } from "../../tape/Seal.ts"
import type { Tape } from "../../tape/Tape.ts"
import { badConfig, cliError, notFound } from "../Exit.ts"
import { moment } from "../text/Format.ts"

/** Opens every tape; a file that is not there is told as such. */
export const opened = Effect.fn("cli.openTapes")(function* (paths: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.forEach(paths, (path) =>
    Effect.gen(function* () {
      const type = yield* fs.stat(path).pipe(
        Effect.map((stat) => stat.type),
        Effect.orElseSucceed(() => undefined)
      )
      if (type === undefined) return yield* cliError(notFound, `${path} does not exist`, "check the path")
      if (type === "Directory")
        return yield* cliError(badConfig, `${path} is a folder, not a tape`, `name its tapes: ${path}/*.tape`)
      return yield* openTape(path)
    })
  )
})

/** A file of ours is never written over. */
export const mustBeNew = Effect.fn("cli.mustBeNew")(function* (path: string, flag = "--out") {
  const fs = yield* FileSystem.FileSystem
  const isThere = yield* fs.exists(path).pipe(Effect.orElseSucceed(() => false))
  if (isThere) return yield* cliError(badConfig, `${flag}: ${path} is there already`, "name another file")
})

/** Keys of the items that are named, by `app/name` or by a name alone. */
export const itemsOf = Effect.fn("cli.itemsOf")(function* (
  tapes: ReadonlyArray<Tape>,
  named: ReadonlyArray<string>
) {
  const all = [...new Set(tapes.flatMap((tape) => tape.items.map(({ item }) => item)))]
  return yield* Effect.forEach(named, (name) => {
    const key = all.find((item) => item === name || item.slice(item.indexOf("/") + 1) === name)
    return key === undefined
      ? cliError(
          notFound,
          `--item: the tape has no item ${name}`,
          `its items: ${all.slice(0, itemsTold).join(", ")}${all.length > itemsTold ? ", …" : ""}`
        )
      : Effect.succeed(key)
  })
})

const itemsTold = 12

export interface SelectionFlags {
  readonly item: ReadonlyArray<string>
  readonly from: Option.Option<Millis>
  readonly to: Option.Option<Millis>
}

export const selectionOf = (
  items: ReadonlyArray<ItemKey>,
  { from, to }: Pick<SelectionFlags, "from" | "to">
): Selection => ({
  ...(items.length === 0 ? {} : { items: new Set(items) }),
  ...(from._tag === "Some" ? { from: from.value } : {}),
  ...(to._tag === "Some" ? { to: to.value } : {})
})

/** What is missing of a torn tape, in one sentence. */
export const lossOf = ({ file, lost }: Tape): string | undefined =>
  lost === undefined
    ? undefined
    : `${file}: ${lost.why}: the last ${lost.bytes} bytes, behind byte ${lost.offset}, are not used` +
      (lost.after === undefined
        ? "; nothing was recorded before"
        : `; the last record is of ${moment(lost.after)} UTC`)
