import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Queue, Redacted, Ref } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { TestClock } from "effect/testing"

import type { Millis } from "../../src/domain/Ids.ts"
import { command, file } from "../../src/notify/Channels.ts"
import { defaultRules, layer } from "../../src/notify/Dispatch.ts"
import { type Channel, type Notice, Notifier, NotTold } from "../../src/notify/Notifier.ts"
import { quiet, throttled } from "../../src/notify/Throttle.ts"
import { type Dialect, webhook } from "../../src/notify/Webhook.ts"

const root = mkdtempSync(join(tmpdir(), "haggle-notify-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const notice = (text: string, urgency: Notice["urgency"] = "warning"): Notice => ({
  at: 1_700_000_000_000 as Millis,
  urgency,
  kind: "Halted",
  title: "Trading is halted",
  text
})

/** What goes out of these notices, so many minutes apart. */
const goesOut = (
  notices: ReadonlyArray<Notice>,
  minutesApart: number,
  perHour = 20
): ReadonlyArray<string> => {
  let throttle = quiet
  return notices.flatMap((one, index) => {
    const [after, out] = throttled(throttle, one, index * minutesApart * 60_000, { ...defaultRules, perHour })
    throttle = after
    return out === undefined ? [] : [out.text]
  })
}

describe("The throttle", () => {
  it("tells the same again at once when another word on the matter came between", () => {
    const about = "session"
    const [lost, back] = [
      { ...notice("lost"), about },
      { ...notice("back"), about }
    ]
    assert.deepStrictEqual(goesOut([lost, lost, back, lost], 5), [
      "lost",
      "back\n(1 more since the last message were held back)",
      "lost"
    ])
  })

  it("tells the same once an hour, and how often it was held back", () => {
    assert.deepStrictEqual(goesOut([notice("a"), notice("a"), notice("b")], 5), [
      "a",
      "b\n(1 more since the last message were held back)"
    ])
    assert.deepStrictEqual(goesOut([notice("a"), notice("a")], 60), ["a", "a"])
  })

  it("tells at most so many an hour, but critical ones always", () => {
    const many = Array.from({ length: 6 }, (_, index) => notice(`n${index}`))
    assert.strictEqual(goesOut(many, 1, 3).length, 3)
    assert.strictEqual(
      goesOut(
        many.map(({ text }) => notice(text, "critical")),
        1,
        3
      ).length,
      6
    )
  })
})

const told = Effect.fnUntraced(function* (channels: ReadonlyArray<Channel>, ...texts: ReadonlyArray<string>) {
  yield* Effect.gen(function* () {
    const notifier = yield* Notifier
    for (const text of texts) yield* notifier.notify(notice(text))
    yield* TestClock.adjust("2 minutes")
  }).pipe(Effect.provide(layer(channels)))
})

describe("The notifier", () => {
  it.effect("tries a channel that fails again, and a bounded number of times", () =>
    Effect.gen(function* () {
      const tries = yield* Ref.make(0)
      const failing: Channel = {
        name: "post",
        send: () =>
          Effect.andThen(
            Ref.update(tries, (count) => count + 1),
            new NotTold({ channel: "post", detail: "closed" })
          )
      }
      yield* told([failing], "a")
      assert.strictEqual(yield* Ref.get(tries), 6)
    })
  )

  it.effect("lets no channel that hangs hold up another, nor who tells", () =>
    Effect.gen(function* () {
      const heard = yield* Queue.unbounded<string>()
      const hanging: Channel = { name: "hanging", send: () => Effect.never }
      const good: Channel = { name: "good", send: ({ text }) => Effect.asVoid(Queue.offer(heard, text)) }
      yield* told([hanging, good], ...Array.from({ length: 5 }, (_, index) => `n${index}`))
      assert.strictEqual(yield* Queue.size(heard), 5)
    })
  )
})

/** What a server on the loopback was sent. */
const received = (dialect: Dialect, status = 200) =>
  Effect.gen(function* () {
    const posts = yield* Queue.unbounded<{ body: string; title: string | undefined; path: string }>()
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const listening = createServer((request, response) => {
          let body = ""
          request.on("data", (chunk: Buffer) => (body += chunk.toString()))
          request.on("end", () => {
            Queue.offerUnsafe(posts, {
              body,
              title: request.headers["title"]?.toString(),
              path: request.url ?? ""
            })
            response.writeHead(status).end("no secrets here")
          })
        }).listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
      }),
      (listening) => Effect.sync(() => listening.close())
    )
    const address = server.address()
    const port = typeof address === "object" ? (address?.port ?? 0) : 0
    const client = yield* HttpClient.HttpClient
    const url = Redacted.make(`http://127.0.0.1:${port}/hook/s3cret-token`)
    const result = yield* Effect.result(webhook(client, url, dialect).send(notice("because of a rule")))
    return { result, post: yield* Queue.take(posts) }
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

describe("A webhook", () => {
  it.live("speaks the words of the service behind it", () =>
    Effect.gen(function* () {
      const json = yield* received("json")
      assert.deepStrictEqual(JSON.parse(json.post.body), notice("because of a rule"))
      assert.strictEqual(json.post.path, "/hook/s3cret-token")
      const discord = JSON.parse((yield* received("discord")).post.body) as { content: string }
      assert.strictEqual(discord.content, "**Trading is halted**\nbecause of a rule")
      const telegram = JSON.parse((yield* received("telegram")).post.body) as { text: string }
      assert.strictEqual(telegram.text, "Trading is halted\nbecause of a rule")
      const { post } = yield* received("ntfy")
      assert.deepStrictEqual([post.title, post.body], ["Trading is halted", "because of a rule"])
    })
  )

  it.live("names its address in no error and no log", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const noting = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      const { result } = yield* Effect.provide(received("json", 403), noting)
      assert.strictEqual(result._tag === "Failure" ? result.failure.detail : "", "HTTP 403")
      const client = yield* HttpClient.HttpClient
      const nowhere = webhook(client, Redacted.make("http://127.0.0.1:1/s3cret-token"), "slack")
      const unreached = yield* Effect.flip(Effect.provide(nowhere.send(notice("a")), noting))
      assert.notInclude(`${JSON.stringify(unreached)} ${String(unreached)} ${lines.join()}`, "s3cret")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("A file and a command", () => {
  it.live("take a notice as one line of JSON", () =>
    Effect.gen(function* () {
      const path = join(root, "notices.ndjson")
      yield* file(path).send(notice("a"))
      yield* file(path).send(notice("b"))
      const lines = readFileSync(path, "utf8").trim().split("\n")
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line) as Notice),
        [notice("a"), notice("b")]
      )
      const copy = join(root, "stdin")
      yield* command("tee", [copy]).send(notice("c"))
      assert.deepStrictEqual(JSON.parse(readFileSync(copy, "utf8")), notice("c"))
    })
  )

  it.live("say what went wrong", () =>
    Effect.gen(function* () {
      const detail = (channel: Channel) =>
        Effect.map(Effect.flip(channel.send(notice("a"))), (error) => error.detail)
      assert.strictEqual(yield* detail(file(join(root, "none", "x"))), "ENOENT")
      assert.strictEqual(yield* detail(command("false", [])), "it ended with 1")
      assert.strictEqual(yield* detail(command("no-such-program-here", [])), "it cannot be started")
    })
  )
})
