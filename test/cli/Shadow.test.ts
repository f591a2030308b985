import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import { haggle } from "./haggle.ts"

const folder = mkdtempSync(join(tmpdir(), "haggle-shadow-"))
afterAll(() => rmSync(folder, { recursive: true }))

const strategy = "strategies/spread-catcher.yaml"

/** Runs the strategies of this folder for a while and tells what was traded. */
const traded = (strategies: string, state: string) =>
  Effect.gen(function* () {
    const args = ["--for", "30m", "--speed", "100000", "--seed", "2", "--strategies", strategies]
    assert.strictEqual((yield* haggle("run", ...args, "--state", state, "--json")).exitCode, 0)
    return JSON.parse((yield* haggle("trades", "--state", state, "--json")).out).trades as ReadonlyArray<{
      readonly fill: unknown
    }>
  })

describe("haggle shadow", () => {
  it.live(
    "tells how an edit would have done beside the strategy in force, which trades as if it were not there",
    () =>
      Effect.gen(function* () {
        const [alone, beside] = [join(folder, "alone"), join(folder, "beside")]
        for (const strategies of [alone, beside]) {
          mkdirSync(strategies)
          cpSync(strategy, join(strategies, "spread-catcher.yaml"))
        }
        writeFileSync(
          join(beside, "pickier.yaml"),
          readFileSync(strategy, "utf8")
            .replace(/^name: .*$/m, "name: pickier\nshadowOf: spread-catcher")
            .replace("stock: { default: 4", "stock: { default: 2")
            .replace(/^tests:[\s\S]*/m, "")
        )
        const without = yield* traded(alone, join(folder, "state-alone"))
        const state = join(folder, "state-beside")
        const fills = ({ fill }: { readonly fill: unknown }) => fill
        assert.deepStrictEqual((yield* traded(beside, state)).map(fills), without.map(fills))
        const { exitCode, out } = yield* haggle("shadow", "--state", state)
        assert.strictEqual(exitCode, 0)
        assert.match(out, /^shadow +pickier@[0-9a-f]{8}$/m)
        assert.match(out, /^beside +spread-catcher@[0-9a-f]{8}$/m)
        assert.match(out, /^agreed +\d+\.\d % of \d+ looks at 5 items$/m)
        assert.match(out, /^profit +[+-]?\$\d/m)
        assert.match((yield* haggle("shadow", "pickier", "--why", "--state", state)).out, / = \S+/)
        const { shadows } = JSON.parse((yield* haggle("shadow", "--state", state, "--json")).out)
        assert.isAbove(shadows[0].onPaper.shadow.orders, 0)
        const unknown = yield* haggle("shadow", "picker", "--state", state)
        assert.deepStrictEqual([unknown.exitCode, unknown.err.includes("did you mean `pickier`")], [2, true])
        const none = yield* haggle("shadow", "--state", join(folder, "state-alone"))
        assert.deepStrictEqual([none.exitCode, none.err.includes("shadowOf")], [2, true])
      }),
    60_000
  )
})
