import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import { haggle } from "./haggle.ts"

describe("haggle check", () => {
  it.effect("tells what is wrong with the configuration and with every strategy at once, also as data", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const [config, strategy] = [`${folder}/haggle.yaml`, `${folder}/s.yaml`]
      yield* fs.writeFileString(config, "mode: liv\nengine: { trackEvry: 30s }\n")
      yield* fs.writeFileString(strategy, "version: 1\nuniverse: []\nrules: []\n")
      const { err, exitCode } = yield* haggle("check", strategy, "--config", config)
      assert.strictEqual(exitCode, 4)
      for (const place of ["haggle.yaml:1:7: ", "haggle.yaml:2:11: ", "s.yaml:2:11: ", "s.yaml:3:8: "])
        assert.include(err, place)
      const { out } = yield* haggle("check", strategy, "--config", config, "--json")
      const { errors } = JSON.parse(out) as { errors: ReadonlyArray<{ file: string; remedy?: string }> }
      assert.strictEqual(errors.length, 4)
      assert.strictEqual(errors[0]?.remedy, "did you mean `live`?")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
