import { spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { env, platform } from "node:process"

import { assert, describe, it } from "@effect/vitest"

const node = resolve("node_modules/.bin/node")
const names = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"] as const

/** What a process that asked to be lean runs with in the end, and how many processes it took. */
const started = (flags: ReadonlyArray<string>, own: Readonly<Record<string, string>>) => {
  const script = `
    import { execArgv, env, pid, ppid } from "node:process"
    import { lean } from ${JSON.stringify(resolve("src/lean.mjs"))}
    lean()
    const flags = execArgv.filter((flag) => flag.startsWith("--max-"))
    console.log(JSON.stringify({ pid, flags, env: ${JSON.stringify(names)}.map((name) => env[name]) }))
  `
  const inherited = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:MALLOC|NODE_OPT)/.test(name))
  )
  const { pid, stdout } = spawnSync(node, [...flags, "--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...inherited, ...own }
  })
  const told = JSON.parse(stdout) as { pid: number; flags: Array<string>; env: Array<string | null> }
  return { ...told, samePid: told.pid === pid }
}

describe.skipIf(platform === "win32")("A lean start", () => {
  it("replaces the process by one with small half spaces and one arena, under the same pid", () => {
    const { env: found, flags, samePid } = started([], {})
    assert.deepStrictEqual(flags, ["--max-semi-space-size=2"])
    assert.deepStrictEqual(found, ["1", "131072", "131072"])
    assert.isTrue(samePid)
  })

  it("leaves what the operator has set", () => {
    const { env: found, flags } = started(["--max_semi_space_size=8"], { MALLOC_ARENA_MAX: "4" })
    assert.deepStrictEqual(flags, [])
    assert.deepStrictEqual(found, ["4", "131072", "131072"])
  })
})
