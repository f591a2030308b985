import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"

import { firstLine, started } from "./served.ts"

interface FirstLine {
  readonly url: string
  readonly accounts: ReadonlyArray<unknown>
}

const folder = mkdtempSync(join(tmpdir(), "haggle-record-"))
let market: ChildProcess
let first: FirstLine

/** Runs it to its end. */
const ran = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((done) => {
    const child = started(...args)
    const text = { out: "", err: "" }
    child.stdout?.on("data", (chunk: Buffer) => (text.out += chunk.toString()))
    child.stderr?.on("data", (chunk: Buffer) => (text.err += chunk.toString()))
    child.once("close", (code) => done({ code, ...text }))
  })

beforeAll(async () => {
  market = started("exchange", "--json", "--port", "0", "--seed", "1")
  first = await firstLine(market)
  writeFileSync(join(folder, "account.json"), JSON.stringify(first.accounts[0]), { mode: 0o600 })
})
afterAll(() => {
  market.kill()
  rmSync(folder, { recursive: true })
})

describe("haggle record", () => {
  it("puts books, histories, activity and histograms of an item onto a sealed tape", async () => {
    const [session, tapes] = [join(folder, "account.json"), join(folder, "tapes")]
    const where = ["--url", first.url, "--session", session, "--state", folder, "--out", tapes]
    const what = ["--item", "730/Glove Case", "--every", "1s", "--activity", "--histogram"]
    const recorded = await ran("record", ...where, ...what, "--for", "6s", "--json")
    assert.strictEqual(recorded.code, 0, recorded.err)
    assert.deepStrictEqual(JSON.parse(recorded.out), { folder: tapes, items: ["730/Glove Case"] })
    const [name = ""] = readdirSync(tapes)
    const tape = join(tapes, name)
    const { out } = await ran("tape", "info", tape, "--json")
    const info = JSON.parse(out) as {
      readonly sealed: boolean
      readonly items: ReadonlyArray<Record<"books" | "points" | "activities" | "histograms", number>>
    }
    assert.isTrue(info.sealed)
    const [item] = info.items
    assert.isAtLeast(item?.books ?? 0, 3)
    assert.isAtLeast(item?.points ?? 0, 24)
    assert.isAtLeast(item?.activities ?? 0, 1)
    assert.isAtLeast(item?.histograms ?? 0, 1)
    // both show one book: the best levels of either are the same where they were read together
    const [levels, histogram] = [
      await ran("tape", "export", tape, "--part", "levels"),
      await ran("tape", "export", tape, "--part", "histogram")
    ]
    const bids = (text: string) =>
      new Set(text.split("\n").flatMap((line) => (line.includes(",bid,") ? [line.split(",bid,")[1]] : [])))
    const shown = [...bids(histogram.out)]
    assert.isAbove(shown.length, 0)
    assert.isTrue(bids(levels.out).has(shown[0]), `${shown[0]} is in no book`)
  })

  it("says what is wrong with an item's name", async () => {
    const { code, err } = await ran("record", "--url", first.url, "--item", "Glove Case", "--state", folder)
    assert.strictEqual(code, 4)
    assert.match(err, /Glove Case is no item\n {2}= write it as app\/name/)
  })
})
