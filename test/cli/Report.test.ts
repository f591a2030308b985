import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"

import { reportCsv } from "../../src/backtest/ReportCsv.ts"
import { putReport, reportIsNew } from "../../src/cli/commands/ReportOut.ts"
import { reportText } from "../../src/cli/text/ReportText.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { small } from "../backtest/Results.ts"
import { haggle } from "./haggle.ts"

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
    assert.lengthOf(readdirSync(join(folder, "csv")), 11)
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

describe("haggle drift", () => {
  it.effect("says what is wrong with its file or the database", () =>
    Effect.gen(function* () {
      const [kept, other] = [join(folder, "kept.json"), join(folder, "other.json")]
      writeFileSync(kept, JSON.stringify(small))
      writeFileSync(other, "{}")
      const none = yield* haggle("drift", join(folder, "none.json"))
      assert.deepStrictEqual([none.exitCode, none.err.includes("cannot be read")], [2, true])
      const wrong = yield* haggle("drift", other)
      assert.deepStrictEqual(
        [wrong.exitCode, wrong.err.includes("is neither a result of a backtest nor")],
        [4, true]
      )
      assert.strictEqual((yield* haggle("drift", kept, "--state", folder)).exitCode, 3)
    })
  )

  it.live(
    "compares a kept result with what a daemon did in the same time",
    () =>
      Effect.gen(function* () {
        const [state, kept] = [join(folder, "state"), join(folder, "embedded.json")]
        const ran = yield* haggle("run", "--for", "20m", "--speed", "100000", "--state", state, "--json")
        assert.strictEqual(ran.exitCode, 0)
        const { unitsBought } = JSON.parse(ran.out.split("\n").at(-1) ?? "").buyOrders
        assert.isAbove(unitsBought, 0)
        const trades = JSON.parse((yield* haggle("trades", "--state", state, "--json")).out).trades
        const items = [
          ...new Set<string>(
            trades.map(({ fill }: { readonly fill: Fill }) => `${fill.item.app}/${fill.item.name}`)
          )
        ]
        writeFileSync(
          kept,
          JSON.stringify({
            ...small,
            trades: [],
            orders: [],
            to: small.from + 3_600_000,
            items: items.map((item) => Object.assign({}, small.items[0], { item }))
          })
        )
        const drift = JSON.parse((yield* haggle("drift", kept, "--state", state, "--json")).out)
        assert.deepStrictEqual([drift.run.bought, drift.replay.bought, drift.same.units], [unitsBought, 0, 0])
        const text = (yield* haggle("drift", kept, "--state", state)).out
        assert.match(text, /^embedded +\d+ +its rules wanted nothing there$/m)
        // a dry-run's database in the place of the result
        yield* haggle("run", "--dry-run", "--for", "20m", "--speed", "100000", "--state", state, "--json")
        const [real, paper] = ["embedded", "dry-run"].map((mode) =>
          join(state, `${mode}-seed-1`, "haggle.db")
        )
        const of = ["--db", real ?? "", "--json"]
        const both = JSON.parse((yield* haggle("drift", paper ?? "", ...of)).out)
        assert.deepStrictEqual(both.between, {
          run: { file: real, what: "embedded" },
          replay: { file: paper, what: "dry-run" }
        })
        assert.strictEqual(both.run.bought, unitsBought)
        assert.isAbove(both.replay.bought, 0)
        const itself = yield* haggle("drift", real ?? "", ...of)
        assert.deepStrictEqual([itself.exitCode, itself.err.includes("with itself")], [4, true])
      }),
    60_000
  )
})
