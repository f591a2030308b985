import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import { leaves, variableOf } from "../../src/cli/config/Config.ts"
import { configJsonSchemaText } from "../../src/cli/config/ConfigSchema.ts"
import { defaults, descriptions } from "../../src/cli/config/Settings.ts"
import { haggle, haggleWith } from "./haggle.ts"

interface Shown {
  readonly file: string | null
  readonly values: Readonly<Record<string, { readonly value: unknown; readonly origin: string }>>
}

const shown = (out: string): Shown => JSON.parse(out) as Shown

/** A configuration file with this text. */
const configFile = (text: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${folder}/haggle.yaml`, text)
    return `${folder}/haggle.yaml`
  })

describe("The configuration", () => {
  it.effect(
    "takes each value from the first of flag, environment, file and default, and says from where",
    () =>
      Effect.gen(function* () {
        const file = yield* configFile("exchange:\n  seed: 3\n  speed: 60\nmarket:\n  platformName: bazaar\n")
        const env = { HAGGLE_EXCHANGE_SPEED: "120", HAGGLE_MARKET_PLATFORM_NAME: "souk" }
        const { exitCode, out } = yield* haggleWith(
          env,
          "config",
          "--json",
          "--config",
          file,
          "--log-level",
          "warn"
        )
        assert.strictEqual(exitCode, 0)
        const { values } = shown(out)
        const of = (path: string) => [values[path]?.value, values[path]?.origin]
        assert.deepStrictEqual(of("logLevel"), ["warn", "--log-level"])
        assert.deepStrictEqual(of("exchange.speed"), [120, "HAGGLE_EXCHANGE_SPEED"])
        assert.deepStrictEqual(of("market.platformName"), ["souk", "HAGGLE_MARKET_PLATFORM_NAME"])
        assert.deepStrictEqual(of("exchange.seed"), [3, `${file}:2`])
        assert.deepStrictEqual(of("exchange.balance"), ["100.00", "default"])
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("shows header names and never their values", () =>
    Effect.gen(function* () {
      const env = { HAGGLE_MARKET_HEADERS: '{"cookie":"topsecret"}' }
      for (const json of [[], ["--json"]]) {
        const { err, out } = yield* haggleWith(env, "config", ...json)
        assert.include(out, '"cookie":"<redacted>"')
        assert.notInclude(out + err, "topsecret")
      }
      const bad = yield* haggleWith({ HAGGLE_MARKET_HEADERS: "topsecret" }, "config")
      assert.strictEqual(bad.exitCode, 4)
      assert.include(bad.err, "HAGGLE_MARKET_HEADERS")
      assert.notInclude(bad.err, "topsecret")
    })
  )

  it.effect("names a bad variable and what it takes", () =>
    Effect.gen(function* () {
      const { err, exitCode, out } = yield* haggleWith({ HAGGLE_EXCHANGE_SEED: "one" }, "config")
      assert.strictEqual(exitCode, 4)
      assert.strictEqual(out, "")
      assert.include(err, "HAGGLE_EXCHANGE_SEED: `exchange.seed` takes a number")
    })
  )

  it.effect("tells every error of a file with its line, column and caret", () =>
    Effect.gen(function* () {
      const file = yield* configFile("mode: lively\nmarket:\n  timeout: 5\n  urll: x\n")
      const { err, exitCode } = yield* haggle("config", "--config", file)
      assert.strictEqual(exitCode, 4)
      assert.include(err, `${file}:1:7: \`mode\` takes `)
      assert.include(err, `${file}:3:12: \`market.timeout\` takes a time`)
      assert.include(err, `${file}:4:3: unknown key \`urll\``)
      assert.include(err, "did you mean `url`?")
      assert.match(err, /\n\s+\|\s+\^/)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("ends with 4 when a file that was asked for is missing or empty of sense", () =>
    Effect.gen(function* () {
      const missing = yield* haggle("config", "--config", "nowhere/haggle.yaml")
      assert.strictEqual(missing.exitCode, 4)
      assert.include(missing.err, "there is no configuration file nowhere/haggle.yaml")
      const list = yield* haggle("config", "--config", yield* configFile("- a\n- b\n"))
      assert.strictEqual(list.exitCode, 4)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("takes a file in which everything is commented out for an empty one", () =>
    Effect.gen(function* () {
      const file = yield* configFile("# mode: live\n\n  # nothing\n")
      const { exitCode, out } = yield* haggle("config", "--json", "--config", file)
      assert.strictEqual(exitCode, 0)
      assert.strictEqual(shown(out).values["mode"]?.origin, "default")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("ships a file that says the defaults", () =>
    Effect.gen(function* () {
      const shipped = shown((yield* haggle("config", "--json", "--config", "config/haggle.yaml")).out).values
      const empty = shown(
        (yield* haggle("config", "--json", "--config", yield* configFile("# nothing\n"))).out
      ).values
      for (const { key } of leaves) assert.deepStrictEqual(shipped[key]?.value, empty[key]?.value, key)
      const { values } = shown((yield* haggle("config", "--json")).out)
      assert.strictEqual(values["mode"]?.value, defaults.mode)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it("describes every setting and has a variable of its own for each", () => {
    assert.deepStrictEqual(Object.keys(descriptions).toSorted(), leaves.map(({ key }) => key).toSorted())
    assert.strictEqual(new Set(leaves.map(({ key }) => variableOf(key))).size, leaves.length)
    assert.strictEqual(variableOf("market.platformName"), "HAGGLE_MARKET_PLATFORM_NAME")
  })

  it.effect("is the JSON Schema that is committed for editors", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const committed = yield* fs.readFileString("config/schema/config.schema.json")
      assert.strictEqual(committed, configJsonSchemaText(), "run haggle schema --write")
      assert.include(committed, descriptions["market.timeout"] ?? "-")
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
