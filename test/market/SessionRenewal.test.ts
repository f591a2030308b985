// @effect-diagnostics strictEffectProvide:off
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem, Layer, Path, Redacted, Stream } from "effect"

import type { SessionNews } from "../../src/domain/SessionState.ts"
import { Session } from "../../src/market/Session.ts"
import { layer, type SessionSource } from "../../src/market/SessionRenewal.ts"

const account = "76561197960287930"
const cookiesUntil = (exp: number, of = account) => ({
  platformLoginSecure: `${of}%7C%7Chead.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.tail`
})
const far = 4_000_000_000
const fileOf = (exp: number, of = account) =>
  JSON.stringify({ accountId: of, sessionid: "0123", cookies: cookiesUntil(exp, of), identitySecret: "aWRl" })

const inFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const put = Effect.fnUntraced(function* (name: string, text: string, mode = 0o600) {
    const file = path.join(folder, name)
    const fresh = path.join(folder, `.${name}.fresh`)
    yield* fs.writeFileString(fresh, text, { mode })
    yield* fs.rename(fresh, file)
    return file
  })
  return { put, file: path.join(folder, "session.json") }
})

const sourceOf = (file: string, command?: ReadonlyArray<string>): SessionSource => ({
  file,
  command,
  commandTimeoutMillis: 5_000,
  renewBeforeMillis: 60_000,
  host: "market.example"
})

/** The next news of the session after something was done. */
const newsAfter = <A, E, R>(act: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const session = yield* Session
    const next = yield* Effect.forkChild(Stream.runCollect(Stream.take(session.news, 1)), {
      startImmediately: true
    })
    yield* act
    const [news] = yield* Fiber.join(next)
    return news as SessionNews
  })

const live = <A, E>(
  source: SessionSource,
  work: Effect.Effect<A, E, Session | FileSystem.FileSystem | Path.Path>
) => work.pipe(Effect.provide(Layer.fresh(layer(source))))

describe("A live session", () => {
  it.live("is replaced by the file that is put in its place", () =>
    Effect.gen(function* () {
      const { file, put } = yield* inFolder
      yield* put("session.json", fileOf(far))
      yield* live(
        sourceOf(file),
        Effect.gen(function* () {
          const news = yield* newsAfter(put("session.json", fileOf(far + 60)))
          assert.strictEqual(news._tag === "Replaced" ? news.expiresAt : undefined, (far + 60) * 1_000)
          const { current } = yield* Session
          assert.strictEqual((yield* current).expiresAt, (far + 60) * 1_000)
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("goes on when the new file is another account's, open to others, or no session", () =>
    Effect.gen(function* () {
      const { file, put } = yield* inFolder
      yield* put("session.json", fileOf(far))
      yield* live(
        sourceOf(file),
        Effect.gen(function* () {
          const { current } = yield* Session
          const bad = [
            [fileOf(far + 60, "76561197960287931"), 0o600, "another account"],
            [fileOf(far + 61), 0o644, "chmod 600"],
            ["{}", 0o600, "malformed"]
          ] as const
          for (const [text, mode, words] of bad) {
            const news = yield* newsAfter(put("session.json", text, mode))
            assert.include(news._tag === "RenewalFailed" ? news.message : "", words)
          }
          assert.strictEqual((yield* current).expiresAt, far * 1_000)
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("is renewed by the command when the market no longer knows it, and keeps the authenticator", () =>
    Effect.gen(function* () {
      const { file, put } = yield* inFolder
      yield* put("session.json", fileOf(far))
      const script = yield* put("renew.sh", `printf '%s' '${JSON.stringify(cookiesUntil(far + 120))}'`)
      yield* live(
        sourceOf(file, ["sh", script]),
        Effect.gen(function* () {
          const session = yield* Session
          const news = yield* newsAfter(session.lost("HTTP 401"))
          assert.strictEqual(news._tag, "Replaced")
          const { expiresAt, identitySecret } = yield* session.current
          assert.strictEqual(expiresAt, (far + 120) * 1_000)
          assert.strictEqual(identitySecret === undefined ? "" : Redacted.value(identitySecret), "aWRl")
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("comes from the command at the start when the file's is over, and before its end", () =>
    Effect.gen(function* () {
      const { file, put } = yield* inFolder
      yield* put("session.json", fileOf(1_000))
      const script = yield* put("renew.sh", `printf '%s' '${JSON.stringify(cookiesUntil(far))}'`)
      yield* live(
        sourceOf(file, ["sh", script]),
        Effect.gen(function* () {
          assert.strictEqual((yield* (yield* Session).current).expiresAt, far * 1_000)
        })
      )
      yield* put("session.json", fileOf(Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 30))
      yield* live(
        sourceOf(file, ["sh", script]),
        Effect.gen(function* () {
          const news = yield* newsAfter(Effect.void)
          assert.strictEqual(news._tag === "Replaced" ? news.expiresAt : undefined, far * 1_000)
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("does not repeat what a failing command printed", () =>
    Effect.gen(function* () {
      const { file, put } = yield* inFolder
      yield* put("session.json", fileOf(far))
      const script = yield* put("renew.sh", "echo topsecret; echo topsecret >&2; exit 3")
      yield* live(
        sourceOf(file, ["sh", script]),
        Effect.gen(function* () {
          const session = yield* Session
          const news = yield* newsAfter(session.lost("HTTP 401"))
          const message = news._tag === "RenewalFailed" ? news.message : ""
          assert.include(message, "code 3")
          assert.notInclude(message, "topsecret")
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
