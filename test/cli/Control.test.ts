import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { afterAll, assert, describe, it } from "@effect/vitest"

const node = resolve("node_modules/.bin/node")
const launcher = resolve("src/haggle.mjs")
const root = mkdtempSync(join(tmpdir(), "haggle-control-"))
const children: Array<ChildProcess> = []
afterAll(() => {
  // a failed assertion leaves its daemon behind
  for (const child of children) child.kill("SIGKILL")
  rmSync(root, { recursive: true, force: true })
})

const haggle = (...args: ReadonlyArray<string>) =>
  spawnSync(node, [launcher, ...args], { encoding: "utf8", maxBuffer: 1 << 26 })

interface Running {
  readonly saw: (text: string) => Promise<void>
  readonly end: (signal: "SIGINT" | "SIGKILL") => Promise<number | null>
}

/** A run in its own process; `saw` waits until it has written the text. */
const started = (state: string): Running => {
  const child = spawn(node, [launcher, "run", "--state", state, "--seed", "7", "--speed", "600"])
  children.push(child)
  const gone = new Promise<number | null>((done) => child.once("exit", done))
  let text = ""
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      wake()
    })
  return {
    saw: async (wanted) => {
      while (!text.includes(wanted)) await new Promise<void>((next) => (wake = next))
    },
    end: (signal) => {
      child.kill(signal)
      return gone
    }
  }
}

/** What was sent to the market after the last event of this kind. */
const intentsAfter = (state: string, kind: string): ReadonlyArray<string> => {
  const events = haggle("journal", "--state", state, "--limit", "100000", "--json")
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { _tag: string; intent?: { _tag: string } })
  return events
    .slice(events.findLastIndex(({ _tag }) => _tag === kind))
    .flatMap(({ _tag, intent }) => (_tag === "IntentRecorded" && intent !== undefined ? [intent._tag] : []))
}

describe("pause, resume, drain and halt", () => {
  it("need something to act on: without a database it is not running", () => {
    const { status, stderr } = haggle("halt", "--state", join(root, "none"))
    assert.strictEqual(status, 3)
    assert.match(stderr, /^haggle: not running: no database under [^\n]+\n {2}= start it/)
  })

  it("halt a running daemon at once and through kill -9, until somebody says resume", async () => {
    const state = join(root, "halted")
    const first = started(state)
    await first.saw("stands as order")
    const { status, stdout } = haggle("halt", "enough for today", "--state", state, "--json")
    assert.strictEqual(status, 0)
    const answer = JSON.parse(stdout) as { running: boolean; control: { _tag: string; why: string } }
    assert.deepStrictEqual(
      [answer.running, answer.control._tag, answer.control.why],
      [true, "Halted", "enough for today"]
    )
    await first.saw("trading is halted")
    const refused = haggle("drain", "--state", state)
    assert.deepStrictEqual([refused.status, refused.stdout], [1, ""])
    assert.include(refused.stderr, "only `haggle resume` clears a halt")
    await first.end("SIGKILL")

    const second = started(state)
    await second.saw("held back: trading is halted")
    const { outcomes, rules } = JSON.parse(
      haggle("explain", "spread-catcher", "glove", "--state", state, "--json").stdout
    ) as {
      outcomes: ReadonlyArray<{ side: string; code?: string; remedy?: string }>
      rules: ReadonlyArray<{ rule: string; trace: ReadonlyArray<{ name: string; ageMillis?: number }> }>
    }
    const bid = outcomes.find(({ side }) => side === "bid")
    assert.deepStrictEqual(
      [bid?.code, bid?.remedy],
      ["Halted", "`haggle status` says why; `haggle resume` ends it"]
    )
    const enter = rules.find(({ rule }) => rule === "enter")?.trace
    assert.isNumber(enter?.find(({ name }) => name === "book.ask")?.ageMillis)
    const unknown = haggle("explain", "spread-catche", "glove", "--state", state)
    assert.deepStrictEqual(
      [unknown.status, unknown.stderr],
      [2, "haggle: there is no strategy `spread-catche`\n  = did you mean `spread-catcher`?\n"]
    )
    assert.include(haggle("orders", "--state", state, "--json").stdout, '"orders":[]')
    assert.match(
      haggle("status", "--state", state).stdout,
      /^state +halted by [^:]+: enough for today; running/
    )
    assert.strictEqual(await second.end("SIGINT"), 0)
    const sent = intentsAfter(state, "Halted")
    assert.isAbove(sent.length, 0)
    assert.deepStrictEqual(
      sent.filter((intent) => intent !== "CancelBid"),
      []
    )

    const resumed = haggle("resume", "--state", state)
    assert.strictEqual(resumed.status, 0)
    assert.match(resumed.stderr, /not running; it is in force from the next start/)
    const third = started(state)
    await third.saw("stands as order")
    assert.strictEqual(await third.end("SIGINT"), 0)
  })

  it("go through a door that only the owner can open", async () => {
    const state = join(root, "door")
    const running = started(state)
    await running.saw("bid ")
    const file = join(state, "embedded-seed-7", "control.json")
    assert.strictEqual(statSync(file).mode & 0o077, 0)
    const { key, url } = JSON.parse(readFileSync(file, "utf8")) as { key: string; url: string }
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
    const asked = (authorization?: string) =>
      new Promise<number | undefined>((done) =>
        get(`${url}/status`, { headers: authorization === undefined ? {} : { authorization } }, (answer) => {
          answer.resume()
          done(answer.statusCode)
        })
      )
    assert.deepStrictEqual(
      [await asked(), await asked("Bearer 00"), await asked(`Bearer ${key}`)],
      [401, 401, 200]
    )
    assert.strictEqual(await running.end("SIGINT"), 0)
  })
})
