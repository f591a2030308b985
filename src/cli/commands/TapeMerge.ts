/** `haggle tape merge`: several tapes of one market as one. */
import { Console, Effect } from "effect"

import { currencyOf } from "../../domain/Currency.ts"
import { sealTapes } from "../../tape/Seal.ts"
import type { Tape } from "../../tape/Tape.ts"
import { badConfig, cliError } from "../Exit.ts"
import { lossOf, mustBeNew, opened } from "./Tapes.ts"

export interface TapeMergeFlags {
  readonly json: boolean
  readonly files: ReadonlyArray<string>
  readonly out: string
}

const synthetic = (tapes: ReadonlyArray<Tape>): string | undefined =>
  tapes.find(({ meta }) => meta.synthetic !== undefined)?.meta.synthetic

export const run = Effect.fn("cli.tapeMerge")(function* (flags: TapeMergeFlags) {
  yield* mustBeNew(flags.out)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const tapes = yield* opened(flags.files)
      const [first] = tapes
      if (first === undefined) return
      const other = tapes.find(({ meta }) => meta.currency !== first.meta.currency)
      if (other !== undefined)
        return yield* cliError(
          badConfig,
          `${other.file} is in ${currencyOf(other.meta.currency).code}, ${first.file} in ${currencyOf(first.meta.currency).code}`,
          "tapes of one currency can be merged"
        )
      for (const tape of tapes) {
        const loss = lossOf(tape)
        if (loss !== undefined) yield* Console.error(loss)
      }
      const derived = synthetic(tapes)
      const meta = { ...first.meta, ...(derived === undefined ? {} : { synthetic: derived }) }
      const bytes = yield* sealTapes(tapes, flags.out, meta)
      yield* Console.log(
        flags.json ? JSON.stringify({ file: flags.out, bytes }) : `${flags.out}: ${bytes} bytes`
      )
    })
  )
})
