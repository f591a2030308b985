import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"

import { reportCsv } from "../../src/backtest/ReportCsv.ts"
import { putReport, reportIsNew } from "../../src/cli/ReportOut.ts"
import { reportText } from "../../src/cli/ReportText.ts"
import { small } from "../backtest/Results.ts"

const folder = mkdtempSync(join(tmpdir(), "haggle-report-"))
afterAll(() => rmSync(folder, { recursive: true }))

const flags = {
  json: false,
  html: Option.some(join(folder, "run.html")),
  csv: Option.some(join(folder, "csv")),
  out: Option.some(join(folder, "run.json"))
}

describe("A report on the command line", () => {
  it("begins with what was earned and ends with what makes it hard to believe", () => {
    const text = reportText(small)
    const lines = text.split("\n")
    assert.match(text, /^profit +\+\$0\.35 +0\.35 % of \$100\.00, after fees$/m)
    assert.match(text, /^730\/Glove Case +\+\$0\.85 +\+\$0\.60 /m)
    assert.match(text, /^spread#enter +\+\$0\.10 /m)
    assert.match(text, /^SpendPerDay +1 +the day's money is spent$/m)
    assert.isAbove(lines.indexOf("Before you believe it:"), lines.length / 2)
    assert.deepStrictEqual(
      lines.filter((line) => line.endsWith(" ")),
      []
    )
  })

  it("has exact figures in its CSV, and quotes what would break a line", () => {
    const { equity, items, trades } = reportCsv({
      ...small,
      trades: small.trades.map((trade) => ({ ...trade, rule: 'a "b", c' }))
    })
    assert.match(items ?? "", /^730\/Glove Case,85,60,25,30,3,2,1,1,,/m)
    assert.include(trades ?? "", '"a ""b"", c"')
    assert.strictEqual(equity?.split("\n").length, small.equity.length + 2)
  })

  it("is written to new files only, and the result can be read again", async () => {
    const run = <A, E>(effect: Effect.Effect<A, E, NodeServices.NodeServices>) =>
      Effect.runPromise(Effect.provide(Effect.result(effect), NodeServices.layer))
    assert.strictEqual((await run(reportIsNew(flags)))._tag, "Success")
    assert.strictEqual((await run(putReport(flags, small)))._tag, "Success")
    assert.deepStrictEqual(
      JSON.parse(readFileSync(join(folder, "run.json"), "utf8")),
      JSON.parse(JSON.stringify(small))
    )
    assert.lengthOf(readdirSync(join(folder, "csv")), 10)
    assert.match(readFileSync(join(folder, "run.html"), "utf8"), /^<!DOCTYPE html>/)
    const again = await run(reportIsNew({ ...flags, html: Option.none() }))
    assert.strictEqual(
      again._tag === "Failure" ? again.failure.message : "",
      `--csv: ${folder}/csv is there already`
    )
    writeFileSync(join(folder, "other.html"), "mine")
    const taken = {
      ...flags,
      html: Option.some(join(folder, "other.html")),
      csv: Option.none(),
      out: Option.none()
    }
    assert.strictEqual((await run(putReport(taken, small)))._tag, "Failure")
    assert.strictEqual(readFileSync(join(folder, "other.html"), "utf8"), "mine")
  })
})
