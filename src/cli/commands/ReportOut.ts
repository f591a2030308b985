/**
 * Where a report goes: stdout as tables or JSON, a page, a folder of CSV, the result itself for later comparisons.
 * Invariants: 1. every file is checked before the work begins, so that no long replay ends in a file that cannot be written. 2. no
 * file is written over.
 */
import { Console, Effect, FileSystem, Option } from "effect"

import { reportPage } from "../../backtest/page/ReportPage.ts"
import { reportOf } from "../../backtest/Report.ts"
import { reportCsv } from "../../backtest/ReportCsv.ts"
import type { BacktestResult } from "../../backtest/Result.ts"
import { cliError, failed } from "../Exit.ts"
import { reportText } from "../text/ReportText.ts"
import { pageAssets } from "./PageAssets.ts"
import { mustBeNew } from "./Tapes.ts"

export interface ReportFlags {
  readonly json: boolean
  readonly html: Option.Option<string>
  readonly csv: Option.Option<string>
  readonly out: Option.Option<string>
}

const unwritable = (path: string) => () =>
  cliError(failed, `${path} cannot be written`, "check its folder and the room on the disk")

/** Fails when a file that the flags name is there already. */
export const reportIsNew = Effect.fn("cli.reportIsNew")(function* (flags: ReportFlags) {
  for (const name of ["html", "csv", "out"] as const) {
    const path = Option.getOrUndefined(flags[name])
    if (path !== undefined) yield* mustBeNew(path, `--${name}`)
  }
})

export const writeNew = Effect.fn("cli.writeNew")(function* (path: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(path, text, { flag: "wx" }).pipe(Effect.mapError(unwritable(path)))
})

/** The result with its report: what `--json` prints. */
const asData = (result: BacktestResult) => {
  return { ...result, report: reportOf(result) }
}

export const putReport = Effect.fn("cli.putReport")(function* (flags: ReportFlags, result: BacktestResult) {
  const fs = yield* FileSystem.FileSystem
  const [html, csv, out] = [flags.html, flags.csv, flags.out].map(Option.getOrUndefined)
  if (html !== undefined) yield* writeNew(html, reportPage(result, yield* pageAssets()))
  if (csv !== undefined) {
    yield* fs.makeDirectory(csv, { recursive: true }).pipe(Effect.mapError(unwritable(csv)))
    for (const [name, text] of Object.entries(reportCsv(result))) yield* writeNew(`${csv}/${name}.csv`, text)
  }
  if (out !== undefined) yield* writeNew(out, JSON.stringify(result))
  yield* Console.log(flags.json ? JSON.stringify(asData(result)) : reportText(result))
})
