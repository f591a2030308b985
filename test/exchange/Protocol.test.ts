import * as Http from "node:http"

import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"

import { Exchange, layer } from "../../src/exchange/Exchange.ts"
import { operationOf } from "../../src/exchange/OperationOf.ts"
import { admit, admitItem } from "../../src/exchange/Quota.ts"
import { serve } from "../../src/exchange/Server.ts"
import { registry } from "../../src/market/contract/Operations.ts"
import { hour, minute, startAt } from "./Fixture.ts"
import {
  book,
  confirm,
  create,
  get,
  glove,
  jsonOf,
  optionsOf,
  sell,
  send,
  signed,
  visiting
} from "./Visitor.ts"

const bookUrl = `/market/orderbook?${new URLSearchParams({ q: "Load", qp: JSON.stringify([730, glove]) })}`
const overview = { country: "US", currency: 1, appid: 730, market_hash_name: glove }

describe("addresses", () => {
  it("are those of the contract, with a slash more or less at the end", () => {
    for (const { method, operation, path } of registry) {
      const url = path.replaceAll(/:\w+/g, "5")
      assert.strictEqual(operationOf(method, url)?.operation, operation)
      const other = url.endsWith("/") ? url.slice(0, -1) : `${url}/`
      assert.deepStrictEqual(operationOf(method, `${other}?a=/b/`), { operation, url: `${url}?a=/b/` })
    }
    assert.strictEqual(operationOf("GET", "/market/nothing"), undefined)
    assert.strictEqual(operationOf("DELETE", "/market/orderbook"), undefined)
  })

  it.effect("that the market does not have are 404, as is HEAD", () =>
    visiting(() =>
      Effect.gen(function* () {
        for (const path of ["/", "/market/nothing", "/mobileconf", "/market/orderbook/more", "/%E0%A4%A"]) {
          const { headers, status } = yield* get(path)
          assert.deepStrictEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"], path)
        }
        assert.strictEqual((yield* send(HttpClientRequest.head("/market/orderbook"))).status, 404)
        assert.strictEqual((yield* send(HttpClientRequest.delete("/market/orderbook"))).status, 404)
        const { status } = yield* get("/market/priceoverview", overview)
        assert.strictEqual(status, 200)
      })
    )
  )
})

describe("requests that break the contract", () => {
  const wrong: ReadonlyArray<readonly [path: string, query: Record<string, string>]> = [
    ["/market/mylistings", { norender: "5" }],
    ["/market/mylistings", { norender: "1", start: "-1" }],
    ["/market/myhistory", { count: "0" }],
    ["/market/orderbook", { q: "Load" }],
    ["/market/orderbook", { q: "Store", qp: '[730,"x"]' }],
    ["/market/orderbook", { q: "Load", qp: "[730" }],
    ["/market/priceoverview/", { country: "US", currency: "dollar", appid: "730", market_hash_name: glove }],
    ["/mobileconf/getlist", { tag: "conf" }],
    ["/mobileconf/ajaxop", { op: "perhaps" }]
  ]
  for (const [path, query] of wrong)
    it.effect(`end as 400: ${path} ${JSON.stringify(query)}`, () =>
      visiting(() =>
        Effect.gen(function* () {
          const { status, text } = yield* get(path, query)
          assert.deepStrictEqual([status, text], [400, "[]"])
        })
      )
    )

  it.effect("end as 4xx when the form is none, of another kind or too large", () =>
    visiting(() =>
      Effect.gen(function* () {
        const posted = (body: string, type: string) =>
          send(HttpClientRequest.post("/market/createbuyorder/").pipe(HttpClientRequest.bodyText(body, type)))
        assert.strictEqual((yield* posted("a=b", "application/x-www-form-urlencoded")).status, 400)
        assert.strictEqual((yield* posted("{}", "application/json")).status, 415)
        const cut = yield* posted("--x\r\nContent-Disposition: form-data", "multipart/form-data; boundary=x")
        assert.isAtLeast(cut.status, 400)
        assert.isBelow(cut.status, 500)
        const large = yield* posted("a".repeat(1_100_000), "application/x-www-form-urlencoded")
        assert.strictEqual(large.status, 413)
      })
    )
  )
})

describe("limits", () => {
  it("let ten distinct items an hour through, and polls of one of them on top", () => {
    const items = new Map()
    for (let item = 0; item < 10; item++) {
      assert.isTrue(admitItem(items, "0", "histogram", String(item), startAt + item * minute))
    }
    assert.isFalse(admitItem(items, "0", "histogram", "10", startAt + 10 * minute))
    assert.isTrue(admitItem(items, "0", "histogram", "3", startAt + 11 * minute))
    assert.isTrue(admitItem(items, "1", "histogram", "10", startAt + 11 * minute))
    assert.isFalse(admitItem(items, "0", "histogram", "10", startAt + hour - 1))
    assert.isTrue(admitItem(items, "0", "histogram", "10", startAt + hour))
    assert.isTrue(admitItem(items, "0", "orderbook", "11", startAt))
  })

  it("are counted per client and operation, and a refused request does not count", () => {
    const counted = new Map()
    const ask = (client: string, at: number) => admit(counted, client, "search-render", at)
    for (let count = 0; count < 20; count++) assert.isTrue(ask("0", startAt + count))
    for (let count = 0; count < 50; count++) assert.isFalse(ask("0", startAt + 1000))
    assert.isTrue(ask("1", startAt))
    assert.isTrue(ask("0", startAt + minute))
    assert.isFalse(ask("0", startAt + minute))
    assert.isTrue(admit(counted, "0", "orderbook", startAt))
  })
})

describe("unchanged bodies", () => {
  it.effect("of the order book are 304 to their ETag", () =>
    visiting(() =>
      Effect.gen(function* () {
        const first = yield* book()
        const tag = first.headers["etag"] ?? ""
        assert.match(tag, /^"[0-9a-f]{16}"$/)
        const again = yield* book({ account: 0, headers: { "if-none-match": tag } })
        assert.deepStrictEqual([again.status, again.text, again.headers["etag"]], [304, "", tag])
        assert.strictEqual(
          (yield* book({ account: 0, headers: { "if-none-match": `W/${tag}` } })).status,
          304
        )
        assert.strictEqual((yield* book({ account: 0, headers: { "if-none-match": '"0"' } })).status, 200)
        yield* TestClock.adjust(6 * hour)
        const later = yield* book({ account: 0, headers: { "if-none-match": tag } })
        assert.strictEqual(later.status, 200)
        assert.notStrictEqual(later.headers["etag"], tag)
      })
    )
  )

  it.effect("of a price overview are 304 to their Last-Modified", () =>
    visiting(() =>
      Effect.gen(function* () {
        const ask = (since?: string) =>
          get("/market/priceoverview/", overview, {
            account: 0,
            headers: since === undefined ? {} : { "if-modified-since": since }
          })
        const { headers } = yield* ask()
        const since = headers["last-modified"] ?? ""
        assert.strictEqual(since, "Tue, 02 Jan 2024 10:00:00 GMT")
        assert.strictEqual((yield* ask(since)).status, 304)
        assert.strictEqual((yield* ask("Tue, 02 Jan 2024 09:59:59 GMT")).status, 200)
        yield* TestClock.adjust(6 * hour)
        const later = yield* ask(since)
        assert.strictEqual(later.status, 200)
        assert.strictEqual(later.headers["last-modified"], "Tue, 02 Jan 2024 16:00:00 GMT")
      })
    )
  )
})

describe("lost sessions", () => {
  it.effect("are told by a header where the answer sends the caller to the login", () =>
    visiting(() =>
      Effect.gen(function* () {
        const anonymous = yield* get("/market/mylistings", {}, {})
        assert.deepStrictEqual([anonymous.status, anonymous.headers["x-notloggedin"]], [302, undefined])
        const gone = { headers: { cookie: "platformLoginSecure=7656%7C%7Cgone; sessionid=0" } }
        const lost = yield* get("/market/mylistings", {}, gone)
        assert.deepStrictEqual([lost.status, lost.headers["x-notloggedin"]], [302, "1"])
        assert.strictEqual((yield* book(gone)).headers["x-notloggedin"], undefined)
        yield* TestClock.setTime(startAt + 401 * 24 * hour)
        const expired = yield* get("/market/mylistings")
        assert.deepStrictEqual([expired.status, expired.headers["x-notloggedin"]], [302, "1"])
        assert.match(expired.headers["location"] ?? "", /^\/login\/home/)
      })
    )
  )
})

describe("multiajaxop", () => {
  const staged = Effect.gen(function* () {
    yield* sell(90_000)
    yield* sell(90_000)
    const { json } = yield* confirm("/mobileconf/getlist", "conf")
    return json.conf as ReadonlyArray<{ readonly id: string; readonly nonce: string }>
  })
  const live = Effect.gen(function* () {
    const { accounts } = yield* (yield* Exchange).world
    return accounts[0]!.listings.filter((listing) => listing.live).length
  })
  const posted = (fields: ReadonlyArray<readonly [string, string]>) =>
    send(
      HttpClientRequest.post("/mobileconf/multiajaxop").pipe(
        HttpClientRequest.bodyText(
          new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
          "application/x-www-form-urlencoded"
        )
      )
    )

  for (const style of ["[]", "[n]"] as const)
    it.effect(`settles several at once, written as cid${style}`, () =>
      visiting(() =>
        Effect.gen(function* () {
          const rows = yield* staged
          const place = (index: number) => (style === "[]" ? "[]" : `[${index}]`)
          const pairs = rows.flatMap(({ id, nonce }, index): ReadonlyArray<readonly [string, string]> => [
            [`cid${place(index)}`, id],
            [`ck${place(index)}`, nonce]
          ])
          const signature = Object.entries(yield* signed("allow"))
          const done = yield* posted([["op", "allow"], ...signature, ...pairs])
          assert.deepStrictEqual([done.status, done.json], [200, { success: true }])
          assert.strictEqual(yield* live, 2)
          const again = yield* posted([["op", "allow"], ...Object.entries(yield* signed("allow")), ...pairs])
          assert.strictEqual(again.json.success, false)
        })
      )
    )

  it.effect("wants the signature of its own tag, and as many nonces as ids", () =>
    visiting(() =>
      Effect.gen(function* () {
        const [row] = yield* staged
        const pair = [
          ["cid[]", row!.id],
          ["ck[]", row!.nonce]
        ] as const
        const unsigned = yield* posted([["op", "allow"], ...Object.entries(yield* signed("conf")), ...pair])
        assert.deepStrictEqual(unsigned.json, { success: false, needsauth: true })
        const uneven = yield* posted([["op", "allow"], ...Object.entries(yield* signed("allow")), pair[0]])
        assert.strictEqual(uneven.status, 400)
        assert.strictEqual((yield* posted([])).status, 400)
        assert.strictEqual(yield* live, 0)
      })
    )
  )
})

describe("tags", () => {
  const aliases = [
    ["/mobileconf/getlist", ["conf", "list", "getlist"]],
    ["/mobileconf/details/1", ["details1", "details", "detail"]],
    ["/mobileconf/ajaxop?op=allow&cid=1&ck=1", ["allow", "accept", "conf"]],
    ["/mobileconf/ajaxop?op=cancel&cid=1&ck=1", ["cancel", "reject", "conf"]]
  ] as const
  for (const lenient of [false, true])
    it.effect(lenient ? "have aliases where the market is lenient" : "are the document's by default", () =>
      visiting(
        () =>
          Effect.gen(function* () {
            for (const [url, tags] of aliases) {
              for (const [index, tag] of tags.entries()) {
                const [path = "", query] = url.split("?")
                const { json } = yield* confirm(path, tag, Object.fromEntries(new URLSearchParams(query)))
                assert.strictEqual(json.needauth !== true, lenient || index === 0, `${url} ${tag}`)
              }
            }
          }),
        undefined,
        { lenient }
      )
    )
})

describe("on a socket", () => {
  const openedNow = Layer.unwrap(
    Effect.map(Clock.currentTimeMillis, (startAtMillis) => layer(optionsOf({ startAtMillis })))
  )
  const live = <A, E>(
    name: string,
    effect: (
      url: string,
      port: number
    ) => Effect.Effect<A, E, Exchange | Layer.Success<typeof FetchHttpClient.layer>>
  ) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const { port, url } = yield* serve({ port: 0 })
        return yield* effect(url, port)
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(openedNow, FetchHttpClient.layer)))
    )

  const raw = (options: Http.RequestOptions, body = "") =>
    Effect.callback<{ readonly status: number; readonly text: string; readonly socket: unknown }>(
      (resume) => {
        const request = Http.request({ host: "127.0.0.1", ...options }, (response) => {
          let text = ""
          const { socket } = response
          response.on("data", (chunk: Buffer) => (text += chunk.toString()))
          response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0, text, socket })))
        })
        request.on("error", () => resume(Effect.succeed({ status: 0, text: "", socket: undefined })))
        request.end(body)
      }
    )

  live("may be asked as a proxy, for whatever host", (_, port) =>
    Effect.gen(function* () {
      const { status, text } = yield* raw({ port, path: `http://any.host${bookUrl}` })
      assert.strictEqual(status, 200)
      assert.strictEqual(jsonOf(text).data.success, true)
      assert.strictEqual((yield* raw({ port, path: "http://any.host/nothing" })).status, 404)
    })
  )

  live("keeps connections, and answers many clients at once", (url, port) =>
    Effect.gen(function* () {
      const agent = new Http.Agent({ keepAlive: true, maxSockets: 1 })
      const [one, two] = [
        yield* raw({ port, path: bookUrl, agent }),
        yield* raw({ port, path: bookUrl, agent })
      ]
      assert.deepStrictEqual([one.status, two.status], [200, 200])
      assert.strictEqual(one.socket, two.socket)
      agent.destroy()
      const orders = yield* Effect.forEach([0, 1, 2], (account) => create({}, { account, base: url }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        orders.map(({ json }) => json.success),
        [1, 1, 1]
      )
      const books = yield* Effect.all(
        Array.from({ length: 50 }, () => book({ account: 0, base: url })),
        { concurrency: "unbounded" }
      )
      assert.isTrue(books.every(({ status }) => status === 200))
    })
  )

  live("refuses a body without an end, and lives on", (url, port) =>
    Effect.gen(function* () {
      const headers = { "content-type": "application/x-www-form-urlencoded", "transfer-encoding": "chunked" }
      const path = "/market/createbuyorder/"
      const { status } = yield* raw({ port, path, method: "POST", headers }, "a".repeat(1_200_000))
      assert.include([413, 0], status)
      assert.strictEqual((yield* book({ account: 0, base: url })).status, 200)
    })
  )

  live("answers 404 without a body to HEAD", (_, port) =>
    Effect.gen(function* () {
      assert.deepInclude(yield* raw({ port, path: bookUrl, method: "HEAD" }), { status: 404, text: "" })
    })
  )
})
