/** `haggle tape cut`: a part of a tape as a tape of its own, or all that is whole of a torn one. */
import { Console, Effect } from "effect"

import { sealTapes } from "../../tape/Seal.ts"
import { itemsOf, lossOf, mustBeNew, opened, type SelectionFlags, selectionOf } from "./Tapes.ts"

export interface TapeCutFlags extends SelectionFlags {
  readonly json: boolean
  readonly file: string
  readonly out: string
}

export const run = Effect.fn("cli.tapeCut")(function* (flags: TapeCutFlags) {
  yield* mustBeNew(flags.out)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const tapes = yield* opened([flags.file])
      for (const tape of tapes) {
        const loss = lossOf(tape)
        if (loss !== undefined) yield* Console.error(loss)
        const selection = selectionOf(yield* itemsOf(tapes, flags.item), flags)
        const bytes = yield* sealTapes(tapes, flags.out, tape.meta, selection)
        yield* Console.log(
          flags.json ? JSON.stringify({ file: flags.out, bytes }) : `${flags.out}: ${bytes} bytes`
        )
      }
    })
  )
})
