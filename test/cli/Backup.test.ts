import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import type { Summary } from "../../src/cli/text/Summary.ts"
import { Store } from "../../src/store/Store.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { opened } from "../store/events.ts"
import { haggle as haggleHere } from "./haggle.ts"

const node = resolve("node_modules/.bin/node")
const launcher = resolve("src/haggle.mjs")
const root = mkdtempSync(join(tmpdir(), "haggle-backup-"))
const children: Array<ChildProcess> = []
afterAll(() => {
  // a failed assertion leaves its daemon behind
  for (const child of children) child.kill("SIGKILL")
  rmSync(root, { recursive: true, force: true })
})

const haggle = (...args: ReadonlyArray<string>) =>
  spawnSync(node, [launcher, ...args], { encoding: "utf8", maxBuffer: 1 << 26 })
interface Made {
  readonly file: string
  readonly events: number
  readonly digest: string
}

describe("haggle db backup", () => {
  it("copies the database of a running daemon, and a run from the copy goes on where it was made", async () => {
    const state = join(root, "state")
    const args = ["run", "--state", state, "--seed", "9", "--speed", "1200"]
    const child = spawn(node, [launcher, ...args])
    children.push(child)
    const gone = new Promise((done) => child.once("exit", done))
    await new Promise<void>((done) => {
      let text = ""
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString()
        if (text.includes("bought")) done()
      })
    })
    const copy = join(root, "copies", "one.db")
    const { status, stdout } = haggle("db", "backup", copy, "--state", state, "--json")
    assert.strictEqual(status, 0)
    const made = JSON.parse(stdout) as Made
    assert.deepStrictEqual(readdirSync(join(root, "copies")), ["one.db"])
    assert.strictEqual(statSync(copy).mode & 0o077, 0)
    child.kill("SIGINT")
    await gone

    const entries = (db: string, ...more: ReadonlyArray<string>) =>
      haggle("journal", "--db", db, "--limit", "100000", "--json", ...more)
        .stdout.trim()
        .split("\n")
    const original = entries(join(state, "embedded-seed-9", "haggle.db"))
    assert.isAbove(original.length, made.events)
    assert.deepStrictEqual(entries(copy), original.slice(0, made.events))

    // restored: the copy in the place of the database, while the market has gone on
    const restored = join(root, "restored", "embedded-seed-9")
    cpSync(join(state, "embedded-seed-9"), restored, { recursive: true })
    for (const end of ["-wal", "-shm"]) rmSync(join(restored, `haggle.db${end}`), { force: true })
    copyFileSync(copy, join(restored, "haggle.db"))
    const again = haggle(
      "run",
      "--state",
      join(root, "restored"),
      "--seed",
      "9",
      "--for",
      "1h",
      "--speed",
      "100000",
      "--json"
    )
    assert.strictEqual(again.status, 0)
    const { intents, wallet } = JSON.parse(again.stdout) as Summary
    assert.deepStrictEqual([wallet.ledger, intents.unsettled], [wallet.market, 0])
  })

  it.live(
    "overwrites nothing, copies nothing that is no database of ours, and keeps as many as it is told",
    () =>
      Effect.gen(function* () {
        const home = join(root, "kept")
        const db = join(home, "haggle.db")
        const stamp = { account: "1", mode: "embedded", market: "test" } as const
        yield* Effect.flatMap(Store, (store) => store.append([opened])).pipe(
          Effect.provide(layerSqlite({ file: db, stamp }))
        )
        const there = join(root, "there.db")
        writeFileSync(there, "something of somebody")
        const refused = yield* haggleHere("db", "backup", there, "--db", db)
        assert.deepStrictEqual([refused.exitCode, readFileSync(there, "utf8")], [1, "something of somebody"])
        assert.include(refused.err, "is there already")
        assert.strictEqual((yield* haggleHere("db", "backup", join(root, "x.db"), "--db", there)).exitCode, 1)
        const folder = join(home, "backups")
        mkdirSync(folder)
        for (const day of [1, 2, 3]) writeFileSync(join(folder, `haggle-2026010${day}T000000Z.db`), "")
        writeFileSync(join(folder, "mine.db"), "")
        assert.strictEqual((yield* haggleHere("db", "backup", "--keep", "2", "--db", db)).exitCode, 0)
        const names = readdirSync(folder)
        assert.strictEqual(names.length, 3)
        assert.includeMembers(names, ["haggle-20260103T000000Z.db", "mine.db"])
      })
  )
})
