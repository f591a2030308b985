/**
 * `haggle shadow`: how edited strategies that run beside the ones in force compare with them: agreement, differences, profit on paper.
 * Invariant: it reads the file that the daemon writes, and nothing else.
 */
import { Console, Effect, Option, Path } from "effect"

import { didYouMean } from "../../rules/SourceError.ts"
import { readReports, shadowFile } from "../../shadow/ShadowFile.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { cliError, notFound } from "../Exit.ts"
import { shadowText } from "../text/ShadowText.ts"
import { type DatabaseFlags, seenAsData, withDatabase } from "./Database.ts"

export interface ShadowFlags extends DatabaseFlags {
  readonly name: Option.Option<string>
  readonly why: boolean
}

const howTo =
  "copy the strategy's file within its folder, give the copy a `name` of its own and `shadowOf: NAME`, and edit the copy while the daemon runs"

export const run = Effect.fn("cli.shadow")(function* (flags: ShadowFlags, config: ResolvedConfig) {
  const path = yield* Path.Path
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const all = Option.getOrElse(yield* readReports(shadowFile(path, seen.file)), () => [])
      if (all.length === 0) return yield* cliError(notFound, `no shadow has run beside ${seen.file}`, howTo)
      const reports = Option.match(flags.name, {
        onNone: () => all,
        onSome: (name) => all.filter(({ shadow }) => shadow.name === name)
      })
      if (reports.length === 0) {
        const names = all.map(({ shadow }) => shadow.name)
        const wanted = Option.getOrElse(flags.name, () => "")
        return yield* cliError(
          notFound,
          `there is no shadow ${wanted}`,
          didYouMean(wanted, names, "there are") ?? howTo
        )
      }
      yield* Console.log(
        flags.json
          ? JSON.stringify({ ...seenAsData(seen), shadows: reports })
          : reports.map((report) => shadowText(report, seen.currency, flags.why)).join("\n\n\n")
      )
    })
  )
})
