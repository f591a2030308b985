import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { resolve } from "node:path"

import { assert, describe, it } from "@effect/vitest"

const node = resolve("node_modules/.bin/node")
const launcher = resolve("src/haggle.mjs")

const haggle = (...args: ReadonlyArray<string>) => spawnSync(node, [launcher, ...args], { encoding: "utf8" })

/** A node before 22.19 on this machine, if there is one. */
const oldNode = ["/usr/bin/node", "/usr/local/bin/node", "/bin/node"].find((path) => {
  const [major = 0, minor = 0] = spawnSync(path, ["-p", "process.versions.node"], { encoding: "utf8" })
    .stdout?.split(".")
    .map(Number) ?? [99]
  return major > 0 && (major < 22 || (major === 22 && minor < 19))
})

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once("exit", (code) => done(code)))

describe("The process", () => {
  it("shows help on stdout, also without any argument", () => {
    for (const args of [["--help"], []]) {
      const { status, stderr, stdout } = haggle(...args)
      assert.strictEqual(status, 0)
      assert.strictEqual(stderr, "")
      for (const command of [
        "run",
        "check",
        "exchange",
        "call",
        "contract",
        "status",
        "orders",
        "why",
        "config"
      ])
        assert.match(stdout, new RegExp(`^  ${command} +\\S`, "m"))
    }
  })

  it("tells its version", () => {
    assert.match(haggle("--version").stdout, /^haggle v\d+\.\d+\.\d+\n$/)
  })

  it("ends with 1, nothing on stdout and a hint for a command or flag that there is not", () => {
    for (const args of [
      ["confg"],
      ["config", "--nope"],
      ["run", "--for", "2x"],
      ["run", "--for", "-1h"],
      ["why"],
      ["journal", "--limit", "0"]
    ]) {
      const { status, stderr, stdout } = haggle(...args)
      assert.deepStrictEqual([args, status, stdout], [args, 1, ""])
      assert.match(stderr, /^haggle: [^\n]+/)
      assert.match(stderr, /= see `haggle[^`]* --help`/)
      assert.notMatch(stderr, /\n\s+at /)
    }
    assert.include(haggle("confg").stderr, "config")
  })

  it("ends with 4 for a configuration that is missing, without a trace", () => {
    const { status, stderr, stdout } = haggle("config", "--config", "nowhere.yaml")
    assert.deepStrictEqual([status, stdout], [4, ""])
    assert.match(stderr, /^haggle: there is no configuration file nowhere\.yaml\n {2}= /)
  })

  it("does not mind a reader that closes early", () => {
    const child = spawn(node, [launcher, "config"], { stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.destroy()
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    return ended(child).then((code) => assert.deepStrictEqual([code, stderr], [0, ""]))
  })

  it.skipIf(oldNode === undefined)("says in one line that an old Node is too old", () => {
    const { status, stderr, stdout } = spawnSync(oldNode ?? "", [launcher, "--help"], { encoding: "utf8" })
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.match(stderr, /^haggle needs Node 22\.19 or newer, and this is Node [\d.]+: run `npm ci`[^\n]+\n$/)
  })
})
