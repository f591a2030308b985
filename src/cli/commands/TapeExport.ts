/** `haggle tape export`: a tape in another program's format, to a file or to stdout. */
import { Console, Effect, FileSystem, Option } from "effect"

import { exportTape } from "../../tape/Export.ts"
import type { Format, Part } from "../../tape/Formats.ts"
import { badConfig, cliError, failed } from "../Exit.ts"
import { lossOf, mustBeNew, opened } from "./Tapes.ts"

export interface TapeExportFlags {
  readonly json: boolean
  readonly file: string
  readonly out: Option.Option<string>
  readonly format: Format
  readonly part: Part
}

const toStdout = (bytes: Uint8Array) => {
  const text = new TextDecoder().decode(bytes).replace(/\n$/, "")
  return text === "" ? Effect.void : Console.log(text)
}

const toFile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const unwritable = () =>
    cliError(failed, `${path} cannot be written`, "check its folder and the room on the disk")
  const file = yield* fs.open(path, { flag: "wx" }).pipe(Effect.mapError(unwritable))
  return (bytes: Uint8Array) => file.writeAll(bytes).pipe(Effect.mapError(unwritable))
})

export const run = Effect.fn("cli.tapeExport")(function* (flags: TapeExportFlags) {
  const path = Option.getOrUndefined(flags.out)
  if (path === undefined && flags.format === "parquet")
    return yield* cliError(badConfig, "Parquet is no text", "name a file with --out FILE")
  if (path !== undefined) yield* mustBeNew(path)
  yield* Effect.scoped(
    Effect.gen(function* () {
      for (const tape of yield* opened([flags.file])) {
        const loss = lossOf(tape)
        if (loss !== undefined) yield* Console.error(loss)
        yield* exportTape(tape, flags.part, flags.format, path === undefined ? toStdout : yield* toFile(path))
      }
    })
  )
  if (path !== undefined) yield* Console.log(flags.json ? JSON.stringify({ file: path }) : path)
})
