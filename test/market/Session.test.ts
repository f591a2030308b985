// @effect-diagnostics strictEffectProvide:off
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path, Redacted } from "effect"

import { sessionOf } from "../../src/market/Session.ts"
import { readSession } from "../../src/market/SessionFile.ts"
import { session } from "./support.ts"

const written = Effect.fnUntraced(function* (text: string, mode = 0o600) {
  const fs = yield* FileSystem.FileSystem
  const file = (yield* Path.Path).join(yield* fs.makeTempDirectoryScoped(), "session")
  yield* fs.writeFileString(file, text)
  yield* fs.chmod(file, mode)
  return file
})

const account = { ...session, wallet: { currency: 1, balance: 10_000 } }

describe("a session file", () => {
  it.effect("is read as the embedded market writes its accounts", () =>
    Effect.gen(function* () {
      const value = yield* readSession(yield* written(JSON.stringify(account)))
      assert.strictEqual(Redacted.value(value.accountId), session.accountId)
      assert.strictEqual(Redacted.value(value.sessionid), session.sessionid)
      assert.deepStrictEqual(Redacted.value(value.cookies), session.cookies)
      assert.notInclude(JSON.stringify(value), session.sessionid)
      assert.notInclude(String(value.sessionid), session.sessionid)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("may be YAML", () =>
    Effect.gen(function* () {
      const file = yield* written(
        `accountId: "76561197960287930"\ncookies:\n  platformLoginSecure: abc\nsessionid: "0123"\n`
      )
      const value = yield* readSession(file)
      assert.strictEqual(Redacted.value(value.sessionid), "0123")
      assert.isUndefined(value.identitySecret)
      assert.strictEqual(Redacted.value(value.deviceId), "android:6d3f10d9-6369-a1ae-97a0-94df28b95192")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  for (const mode of [0o640, 0o604, 0o666])
    it.effect(`of mode ${mode.toString(8)} is refused with the remedy`, () =>
      Effect.gen(function* () {
        const file = yield* written(JSON.stringify(account), mode)
        const error = yield* Effect.flip(readSession(file))
        assert.strictEqual(error.kind, "TooOpen")
        assert.include(error.message, `chmod 600 ${file}`)
      }).pipe(Effect.provide(NodeServices.layer))
    )

  it.effect("that is missing is named", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readSession("/nowhere/session.json"))
      assert.strictEqual(error.kind, "Missing")
      assert.include(error.message, "/nowhere/session.json")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("that is malformed is told by its keys, without its values", () =>
    Effect.gen(function* () {
      const secret = "not base64, but secret!"
      const wrong = yield* Effect.flip(
        readSession(yield* written(JSON.stringify({ ...account, identitySecret: secret })))
      )
      assert.strictEqual(wrong.kind, "Malformed")
      assert.include(wrong.message, "identitySecret")
      assert.notInclude(wrong.message, secret)
      const unquoted = yield* Effect.flip(
        readSession(yield* written("accountId: 76561197960287930\ncookies: {}\nsessionid: x1\n"))
      )
      assert.include(unquoted.message, "accountId")
      const broken = yield* Effect.flip(readSession(yield* written('{"sessionid": "topsecret')))
      assert.strictEqual(broken.kind, "Malformed")
      assert.notInclude(broken.message, "topsecret")
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("a session's end", () => {
  const claims = Buffer.from(JSON.stringify({ iss: "r", exp: 1_700_000_000 })).toString("base64url")
  it("is read from the login cookie's token", () => {
    const cookies = { platformLoginSecure: `1%7C%7Cheader.${claims}.signature` }
    assert.strictEqual(sessionOf({ ...session, cookies }).expiresAt, 1_700_000_000_000)
  })
  it("is unknown when the cookie has no such token", () => {
    assert.isUndefined(sessionOf(session).expiresAt)
    assert.isUndefined(sessionOf({ ...session, cookies: {} }).expiresAt)
  })
})
