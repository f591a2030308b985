import { NodeServices } from "@effect/platform-node"
import { assert, layer as suite } from "@effect/vitest"
import { Effect, FileSystem, Option, Path, Queue } from "effect"

import { resolve } from "../../src/cli/config/Config.ts"
import { watchConfig } from "../../src/cli/config/ConfigWatch.ts"

suite(NodeServices.layer)("a configuration that is edited while haggle runs", (it) => {
  it.effect("is told with what takes hold at the next start, or with the place of its error", () =>
    Effect.gen(function* () {
      const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
      const file = path.join(yield* fs.makeTempDirectoryScoped(), "haggle.yaml")
      yield* fs.writeFileString(file, "exchange: { seed: 3 }\n")
      const running = yield* resolve({
        file: Option.some(file),
        overrides: [{ path: "exchange.speed", flag: "--speed", value: "100" }]
      })
      const told = yield* Queue.unbounded<string>()
      yield* watchConfig(running, (text) => Queue.offer(told, text))

      yield* fs.writeFileString(file, "exchange: { seed: 4, speed: 7 }\nengine: { trackEvery: 1m }\n")
      assert.strictEqual(
        yield* Queue.take(told),
        `${file} was changed: exchange.seed, engine.trackEvery take hold when haggle is started again`
      )
      yield* fs.writeFileString(file, "exchange: { sead: 4 }\n")
      assert.include(yield* Queue.take(told), `${file}:1:13: unknown key \`sead\``)
      yield* fs.writeFileString(file, "exchange: { seed: 3 } # as before\n")
      assert.strictEqual(yield* Queue.take(told), `${file} says what runs already`)
    })
  )
})
