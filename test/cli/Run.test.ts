import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { afterAll, assert, describe, it } from "@effect/vitest"

import type { Summary } from "../../src/cli/text/Summary.ts"

const node = resolve("node_modules/.bin/node")
const launcher = resolve("src/haggle.mjs")
const root = mkdtempSync(join(tmpdir(), "haggle-run-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
const folder = (): string => join(root, `${++count}`)

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(node, [launcher, "run", "--json", ...args], { encoding: "utf8", maxBuffer: 1 << 26 })

const summaryOf = (stdout: string): Summary => JSON.parse(stdout) as Summary
const haggle = (...args: ReadonlyArray<string>) =>
  spawnSync(node, [launcher, ...args], { encoding: "utf8", maxBuffer: 1 << 26 })

const journalOf = (
  state: string
): ReadonlyArray<{ readonly _tag: string; readonly intent?: string | { readonly id: string } }> =>
  haggle("journal", "--state", state, "--limit", "100000", "--json")
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const assertEven = (summary: Summary): void => {
  assert.strictEqual(summary.wallet.ledger, summary.wallet.market)
  assert.strictEqual(summary.inventory.lots, summary.inventory.market)
  assert.strictEqual(summary.intents.unsettled, 0)
  assert.strictEqual(summary.rateLimited, 0)
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once("exit", (code) => done(code)))

/** Starts a run and calls back with everything that it has written so far, each time it writes. */
const follow = (args: ReadonlyArray<string>, onText: (text: string, child: ChildProcess) => void) => {
  const child = spawn(node, [launcher, "run", ...args])
  let text = ""
  const more = (chunk: Buffer) => {
    text += chunk.toString()
    onText(text, child)
  }
  child.stdout.on("data", more)
  child.stderr.on("data", more)
  return ended(child).then((code) => ({ code, text }))
}

describe("haggle run", () => {
  it("buys, lists, confirms and sells on the embedded market, and both sides' books agree", () => {
    const { status, stdout } = run("--for", "2h", "--speed", "100000", "--seed", "1", "--state", folder())
    const summary = summaryOf(stdout)
    assert.strictEqual(status, 0)
    assert.isAbove(summary.buyOrders.placed, 5)
    assert.isAbove(summary.buyOrders.unitsBought, 0)
    assert.isAbove(summary.listings.confirmed, 0)
    assert.isAbove(summary.listings.sold, 0)
    assertEven(summary)
  })

  it("trades on paper with --dry-run: nothing reaches the market, and every word of it says so", () => {
    const state = folder()
    const args = ["--for", "30m", "--speed", "100000", "--seed", "1", "--state", state]
    const { status, stderr, stdout } = haggle("run", "--dry-run", ...args)
    assert.strictEqual(status, 0)
    assert.notInclude(stderr, "do not agree")
    assert.match(stdout, /dry-run +orders are filled on paper; nothing is sent to the market/)
    assert.match(stdout, /dry-run · wallet/)
    assert.match(stdout, /run +dry-run/)
    assert.match(stdout, /[1-9]\d* units bought/)
    assert.match(haggle("status", "--state", state).stdout, /mode +dry-run/)
    const asked = readFileSync(join(state, "dry-run-seed-1", "exchange", "market.log"), "utf8")
    assert.notInclude(asked, "CreateBuyOrder")
    assert.notInclude(asked, "SellItem")
  })

  it("writes the same journal for the same seed at any speed, and another one for another seed", () => {
    const hashes = [
      ["1", "100000"],
      ["1", "2000"],
      ["2", "100000"]
    ].map(
      ([seed = "", speed = ""]) =>
        summaryOf(run("--for", "30m", "--speed", speed, "--seed", seed, "--state", folder()).stdout)
          .journalHash
    )
    assert.strictEqual(hashes[0], hashes[1])
    assert.notStrictEqual(hashes[0], hashes[2])
  })

  it("goes on after kill -9 where it was: nothing sent twice, books even, the run as long as it was given", async () => {
    const state = folder()
    const args = ["--for", "2h", "--speed", "100000", "--seed", "3", "--state", state]
    for (const enough of [20, 60, 120]) {
      // Killed in the middle of its work: after so many lines of the live log.
      await follow(args, (text, child) => {
        if (text.split("\n").length > enough) child.kill("SIGKILL")
      })
    }
    const summary = summaryOf(run(...args).stdout)
    assertEven(summary)
    assert.isAtLeast(summary.marketSeconds, 7_200)
    const sent = journalOf(state).flatMap((event) => (event._tag === "Sent" ? [event.intent] : []))
    assert.isAbove(sent.length, 10)
    assert.strictEqual(new Set(sent).size, sent.length)
  })

  it("opens a new world after a run that reached its end, and keeps the old one beside it", () => {
    const state = folder()
    const args = ["--for", "10m", "--speed", "100000", "--seed", "4", "--state", state]
    const [first, second] = [summaryOf(run(...args).stdout), summaryOf(run(...args).stdout)]
    assert.strictEqual(first.journalHash, second.journalHash)
    assert.isTrue(existsSync(join(state, "embedded-seed-4.finished-1", "haggle.db")))
  })

  it("ends a run in order on Ctrl-C, with its summary, and goes on with it the next time", async () => {
    const state = folder()
    const args = ["--speed", "600", "--seed", "5", "--state", state]
    let asked = false
    const { code, text } = await follow(args, (written, child) => {
      // Once: a second signal ends the process without its last words.
      if (asked || !written.includes("stands as order")) return
      asked = child.kill("SIGINT")
    })
    assert.strictEqual(code, 0)
    assert.match(text, /wallet +\$[\d.]+ by our ledger, \$[\d.]+ by the market/)
    const tags = journalOf(state).map(({ _tag }) => _tag)
    assert.strictEqual(tags.at(-1), "RunStopped")
    const longer = summaryOf(run("--for", "1h", "--speed", "100000", "--seed", "5", "--state", state).stdout)
    assertEven(longer)
    assert.isAtLeast(longer.marketSeconds, 3_600)
    assert.isFalse(existsSync(join(state, "embedded-seed-5.finished-1")))
  })

  it("takes an edited number at once, refuses a broken file with a caret, and goes on with the last good revision", async () => {
    const strategies = folder()
    cpSync("strategies", strategies, { recursive: true })
    const file = join(strategies, "spread-catcher.yaml")
    const good = readFileSync(file, "utf8")
    const seen: Array<string> = []
    const once = (step: string, act: () => void): void => {
      if (seen.includes(step)) return
      seen.push(step)
      act()
    }
    const inForce = /spread-catcher +strategy in force, revision (\w{8})/g
    const { code, text } = await follow(
      ["--json", "--speed", "60", "--strategies", strategies, "--state", folder()],
      (written, child) => {
        const revisions = [...written.matchAll(inForce)].map(([, revision]) => revision)
        if (revisions.length >= 1)
          once("edited", () => writeFileSync(file, good.replace(/default: 0\.06/, "default: 0.07")))
        if (revisions.length >= 2)
          once("broken", () => writeFileSync(file, good.replace("when: edge >", "when: egde >")))
        if (written.includes("did you mean `edge`?")) once("stopped", () => child.kill("SIGINT"))
      }
    )
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(seen, ["edited", "broken", "stopped"])
    assert.match(text, /spread-catcher\.yaml:\d+:\d+: unknown name `egde`\n(?: .*\n)*? +\| +\^{4}\n/)
    const revisions = [...text.matchAll(inForce)].map(([, revision]) => revision)
    assert.strictEqual(new Set(revisions).size, 2)
  })
})
