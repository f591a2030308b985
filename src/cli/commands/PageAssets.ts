/** The scripts and styles that a report's page carries with it: the charts' library as installed, and the page's own. */
import { createRequire } from "node:module"

import { Effect, FileSystem } from "effect"

import type { PageAssets } from "../../backtest/page/Html.ts"
import { cliError, failed } from "../Exit.ts"

const { resolve } = createRequire(import.meta.url)

/** Read once per page; fails when the installation is incomplete. */
export const pageAssets = Effect.fn("cli.pageAssets")(function* () {
  const fs = yield* FileSystem.FileSystem
  const read = (name: string) =>
    Effect.try({
      try: () => resolve(name),
      catch: () => undefined
    }).pipe(
      Effect.flatMap((path) => fs.readFileString(path)),
      Effect.mapError(() => cliError(failed, `a part of the page, ${name}, is not installed`, "run `npm ci`"))
    )
  return {
    chartsScript: yield* read("uplot/dist/uPlot.iife.min.js"),
    chartsStyle: yield* read("uplot/dist/uPlot.min.css"),
    script: yield* read("../../backtest/page/page.client.mjs"),
    style: yield* read("../../backtest/page/page.css")
  } satisfies PageAssets
})
