import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import { haggle, haggleWith } from "./haggle.ts"

const secret = "S3cr3t-T0ken"

/** Wrong in one way each, and with a credential on the line of the error or beside it. */
const wrong: Readonly<Record<string, string>> = {
  "an unknown key in a channel": `notify: { channels: [ { webhok: "https://hooks.example/${secret}" } ] }`,
  "a wrong word beside an address": `notify:\n  channels:\n    - { webhook: "https://hooks.example/${secret}", as: dicsord }`,
  "an address that is none": `notify:\n  channels:\n    - webhook: htps://hooks.example/${secret}`,
  "a number beside a header": `market:\n  headers: { Authorization: "Bearer ${secret}", x: 5 }`,
  "a quote that is not closed": `market:\n  headers: { Authorization: "Bearer ${secret} }`,
  "an alias that is none": `session:\n  command: [renew, *${secret}]`,
  "an unknown section": `market:\n  header: { Authorization: "Bearer ${secret}" }`,
  "a text where a list was due": `session:\n  command: "renew --key ${secret}"`,
  "a password in the address": `market: { url: "https://me:${secret}@market.example" }`,
  "an error on the line above": `engine: { trackEvry: 30s }\nmarket:\n  headers: { Authorization: ${secret} }`,
  "an error on the line below": `notify:\n  channels:\n    - webhook: https://hooks.example/${secret}\n  perHour: many`,
  "a comment": `engine: { trackEvery: 30 } # was ${secret}\n# notify: ${secret}\nmode: liv`,
  "a text of several lines": `market:\n  headers:\n    cookie: |\n      a=${secret}\n      b=${secret}\n  speed: 3`
}

const configured = (text: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/haggle.yaml`
    yield* fs.writeFileString(file, `${text}\n`)
    return yield* haggle("config", "--config", file)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("A wrong configuration", () => {
  it.effect("is told with its place and without a credential on that line or beside it", () =>
    Effect.forEach(Object.entries(wrong), ([what, text]) =>
      Effect.map(configured(text), ({ err, exitCode, out }) => {
        assert.strictEqual(exitCode, 4, what)
        assert.match(err, /haggle\.yaml:\d+:\d+: /u, what)
        assert.notInclude(out + err, secret, what)
      })
    )
  )

  it.effect("shows the line of a setting that is no secret as it stands", () =>
    Effect.map(configured("engine:\n  trackEvery: soon\n  coolDown: 1m"), ({ err }) => {
      assert.include(err, "> 2 |   trackEvery: soon")
      assert.include(err, "3 |   coolDown: 1m")
    })
  )

  it.effect("does not repeat a variable that may hold a credential", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["HAGGLE_MARKET_URL", `https://me:${secret}@market.example`],
        ["HAGGLE_NOTIFY_CHANNELS", `[{ webhok: "https://hooks.example/${secret}" }]`]
      ] as const) {
        const { err, exitCode, out } = yield* haggleWith({ [name]: value }, "config")
        assert.strictEqual(exitCode, 4)
        assert.include(err, name)
        assert.notInclude(out + err, secret)
      }
    })
  )
})
