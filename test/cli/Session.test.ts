import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

import { haggle } from "./haggle.ts"

const account = "76561197960287930"
const claims = Buffer.from(JSON.stringify({ exp: 4_000_000_000 })).toString("base64url")
const loginOf = (id: string) => `${id}%7C%7Ccanaryhead.${claims}.canarytail`
const netscape = (id: string) =>
  `# Netscape HTTP Cookie File\n.market.example\tTRUE\t/\tTRUE\t0\tplatformLoginSecure\t${loginOf(id)}\n`
const authenticator = `{"identity_secret":"Y2FuYXJ5","device_id":"android:canary","Session":{"AnyID":${account}}}`

const folder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(`${path}/cookies.txt`, netscape(account))
  yield* fs.writeFileString(`${path}/other.txt`, netscape("76561197960287931"))
  yield* fs.writeFileString(`${path}/auth.maFile`, authenticator)
  return path
})
const here = Effect.provide(NodeServices.layer)

describe("haggle session", () => {
  it.effect("imports cookies and an authenticator into a file of its owner's, and prints no secret", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const file = `${path}/config/secrets.json`
      const imported = yield* haggle(
        "session",
        "import",
        "--session",
        file,
        `${path}/auth.maFile`,
        `${path}/cookies.txt`
      )
      assert.strictEqual(imported.exitCode, 0, imported.err)
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      const checked = yield* haggle("session", "check", "--session", file, "--json")
      assert.strictEqual(checked.exitCode, 0, checked.err)
      const { known, ...told } = JSON.parse(checked.out) as Record<string, unknown>
      assert.isNull(known)
      assert.deepInclude(told, { account, expiresAt: 4_000_000_000_000, isOver: false, canConfirm: true })
      for (const text of [imported.out, imported.err, checked.out, checked.err]) {
        assert.notInclude(text, "canary")
        assert.notInclude(text, "Y2FuYXJ5")
      }
    }).pipe(Effect.scoped, here)
  )

  it.effect("keeps the authenticator when new cookies come, and refuses another account's", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const file = `${path}/s.json`
      const take = (...names: ReadonlyArray<string>) =>
        haggle("session", "import", "--session", file, ...names.map((name) => `${path}/${name}`))
      yield* take("auth.maFile", "cookies.txt")
      yield* take("cookies.txt")
      const before = yield* fs.readFileString(file)
      assert.include(before, "Y2FuYXJ5")
      const other = yield* take("other.txt")
      assert.strictEqual(other.exitCode, 4)
      assert.include(other.err, "--replace")
      assert.strictEqual(yield* fs.readFileString(file), before)
      const alone = yield* haggle("session", "import", "--session", `${path}/t.json`, `${path}/auth.maFile`)
      assert.strictEqual(alone.exitCode, 4)
      assert.include(alone.err, "login cookie")
    }).pipe(Effect.scoped, here)
  )
})
