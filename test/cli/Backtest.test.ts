import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execPath } from "node:process"

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import { haggle, type Ran } from "./haggle.ts"

const folder = mkdtempSync(join(tmpdir(), "haggle-backtest-"))
afterAll(() => rmSync(folder, { recursive: true }))
const inFolder = (name: string) => join(folder, name)

const strategy = (item: string) => `version: 1
universe: [{ app: 730, items: ["${item}"] }]
params:
  dip: { default: 6%, min: 0%, max: 20% }
rules:
  - { id: enter, when: "position.units < 4", do: bid, at: book.ask * (1 + params.dip), qty: 4 }
  - { id: exit, when: "position.units > 0", do: ask, at: position.avgCost * 1.02 }
freshness: { book: 2h }
`

const label = (hour: number) =>
  `Jan ${String(5 + Math.floor(hour / 24)).padStart(2, "0")} 2026 ${String(hour % 24).padStart(2, "0")}: +0`
const prices = Array.from({ length: 96 }, (_, hour) => [label(hour), 10 + 2 * Math.sin(hour / 7), "40"])

const main = join(import.meta.dirname, "..", "..", "src", "main.ts")
/** The command as a process of its own. */
const asProcess = (...args: ReadonlyArray<string>): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(execPath, [main, ...args], { cwd: folder }, (error, out, err) =>
      resolve({ exitCode: typeof error?.code === "number" ? error.code : 0, out, err })
    )
  })

const tape = inFolder("days.tape")
const played = ["--strategies", inFolder("dip"), "--tape", tape]

beforeAll(async () => {
  writeFileSync(inFolder("days.json"), JSON.stringify({ success: true, prices }))
  for (const [name, item] of [
    ["dip", "Glove Case"],
    ["other", "Chroma 2 Case"]
  ] as const) {
    mkdirSync(inFolder(name))
    writeFileSync(join(inFolder(name), `${name}.yaml`), strategy(item))
  }
  const made = await Effect.runPromise(
    haggle("tape", "import", inFolder("days.json"), "--item=730/Glove Case", "--spread=0.1", `--out=${tape}`)
  )
  assert.strictEqual(made.exitCode, 0)
})

describe("haggle backtest", () => {
  it("as a process: prints figures and doubts, keeps the result, and drift finds it again", async () => {
    const ran = await asProcess("backtest", ...played, "--out", "kept.json", "--csv", "csv")
    assert.strictEqual(ran.exitCode, 0)
    assert.match(ran.out, /^profit +[+-]/m)
    assert.include(ran.out, "Before you believe it:")
    assert.match(ran.err, /^\d+ books in /m)
    const kept = JSON.parse(readFileSync(inFolder("kept.json"), "utf8"))
    const again = await asProcess("backtest", ...played, "--json")
    assert.strictEqual(JSON.parse(again.out).digest, kept.digest)
    const nowhere = await asProcess("drift", "kept.json", "--db", "none.db")
    assert.deepStrictEqual([nowhere.exitCode, nowhere.out], [3, ""])
  })

  it.effect(
    "plays the embedded market without a tape",
    () =>
      Effect.gen(function* () {
        const { exitCode, out } = yield* haggle(
          "backtest",
          "--embedded",
          "--days=0.03",
          "--seed=3",
          "--json",
          "--strategies=strategies/spread-catcher.yaml"
        )
        assert.strictEqual(exitCode, 0)
        const result = JSON.parse(out)
        assert.strictEqual(result.to - result.from >= 0.03 * 86_400_000, true)
        assert.isAbove(result.orders.length, 0)
        assert.isAbove(result.equity.length, 30)
        assert.strictEqual(result.tapes[0].market, "embedded-seed-3")
        // the ledger's way and that of the items arrive at the same
        const { cash, stock } = result.equity.at(-1)
        assert.strictEqual(cash + stock, result.report.metrics.equity)
      }),
    60_000
  )

  it.effect("says what is wrong with a mistake, and what to do", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
        [["--strategies", inFolder("dip")], 4, "neither --tape nor --embedded"],
        [["--strategies", inFolder("dip"), "--tape", inFolder("no.tape")], 2, "no.tape does not exist"],
        [[...played, "--embedded"], 4, "--embedded and --tape exclude each other"],
        [["--embedded", "--pessimism=0.2"], 4, "--pessimism belongs to tapes"],
        [["--embedded", "--item=Glove Case"], 4, "--item belongs to tapes"],
        [[...played, "--days=2"], 4, "--days belongs to --embedded"],
        [[...played, "--from=2026-01-07", "--to=2026-01-06"], 4, "is not before --to"],
        [[...played, "--from=2027-01-01"], 2, "the books are of 2026-01-05"],
        [[...played, "--from=yesterday"], 1, 'not "yesterday"'],
        [[...played, "--item=Gloves"], 2, "its items: 730/Glove Case"],
        [["--tape", tape, "--strategies", inFolder("other")], 2, "they look after 730/Chroma 2 Case"],
        [["--tape", tape, "--strategies", inFolder("nowhere")], 4, "nowhere does not exist"],
        [["--tape", inFolder("days.json"), "--strategies", inFolder("dip")], 1, "days.json"],
        [["--tape", folder, "--strategies", inFolder("dip")], 4, "is a folder, not a tape"],
        [[...played, "--balance=-5"], 1, "--balance"],
        [[...played, "--pessimism=2"], 1, "a share from 0 to 1"],
        [[...played, "--out", inFolder("days.json")], 4, "is there already"]
      ]
      for (const [args, exitCode, says] of cases) {
        const ran = yield* haggle("backtest", ...args)
        assert.deepStrictEqual([ran.exitCode, ran.out], [exitCode, ""], args.join(" "))
        assert.include(ran.err, says)
        assert.match(ran.err, /^ {2}= \S/m, args.join(" "))
      }
    })
  )
})

describe("haggle sweep and drift", () => {
  it.effect("say what is wrong with a mistake, and what to do", () =>
    Effect.gen(function* () {
      const dip = join(inFolder("dip"), "dip.yaml")
      const notATape = inFolder("days.json")
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
        [["sweep", dip], 1, "--tape"],
        [["sweep", dip, "--tape", inFolder("no.tape")], 2, "does not exist"],
        [["sweep", inFolder("no.yaml"), "--tape", tape], 4, "no.yaml does not exist"],
        [["sweep", dip, "--tape", tape, "--param=dop=1"], 4, "there is no param `dop`; it has dip"],
        [["sweep", dip, "--tape", tape, "--param=dip=much"], 4, "a percentage such as 12%"],
        [["sweep", dip, "--tape", tape, "--from=2027-01-01"], 2, "the books are of 2026-01-05"],
        [["sweep", join(inFolder("other"), "other.yaml"), "--tape", tape], 2, "no strategy looks after"],
        [["drift", inFolder("no.json")], 2, "cannot be read"],
        [["drift", notATape], 4, "is neither a result of a backtest nor"]
      ]
      for (const [args, exitCode, says] of cases) {
        const ran = yield* haggle(...args)
        assert.deepStrictEqual([ran.exitCode, ran.out], [exitCode, ""], args.join(" "))
        assert.include(ran.err, says)
      }
    })
  )
})
