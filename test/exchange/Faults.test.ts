import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem, Layer, Result, Schema } from "effect"
import { Yaml } from "effect/encoding"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"

import * as VirtualClock from "../../src/clock/VirtualClock.ts"
import { Exchange, layer } from "../../src/exchange/Exchange.ts"
import { FaultPlayer, Faults, lineLog } from "../../src/exchange/Faults.ts"
import { faultKinds } from "../../src/exchange/FaultsKinds.ts"
import { faultLine } from "../../src/exchange/FaultsLog.ts"
import { FaultPlan, type FaultRule } from "../../src/exchange/FaultsPlan.ts"
import { randomPlan } from "../../src/exchange/FaultsRandom.ts"
import { Hold } from "../../src/exchange/Hold.ts"
import { layerInProcess, serve } from "../../src/exchange/Server.ts"
import { hour, minute, startAt } from "./Fixture.ts"
import { book, confirm, create, get, glove, list, optionsOf, sell, visiting } from "./Visitor.ts"

const plan = (...faults: ReadonlyArray<FaultRule>): FaultPlan => ({ faults })
const errorOf = (error: { readonly reason: { readonly _tag: string } }) => error.reason._tag
const decode = Schema.decodeUnknownResult(FaultPlan, { onExcessProperty: "error", errors: "all" })

describe("docs/faults.md", () => {
  it("tells of every kind, and its example is a plan", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const text = yield* fs.readFileString("docs/faults.md")
        const [, table = ""] = text.split("| kind |")
        const kinds = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, kind]) => kind)
        assert.deepStrictEqual(kinds, [...faultKinds])
        const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(text) ?? []
        assert.isTrue(Result.isSuccess(decode(Yaml.parse(yaml))))
      }).pipe(Effect.provide(NodeFileSystem.layer))
    ))
})

describe("a fault plan", () => {
  it("is read with its times in milliseconds", () => {
    const read = decode({
      seed: 7,
      faults: [
        { kind: "maintenance", from: "2h", lasts: "1h30m" },
        { kind: "clock", offset: "-5m", operations: ["orderbook"], probability: 0.5 }
      ]
    })
    assert.deepStrictEqual(Result.getOrThrow(read), {
      seed: 7,
      faults: [
        { kind: "maintenance", from: 2 * hour, lasts: 90 * minute },
        { kind: "clock", offset: -5 * minute, operations: ["orderbook"], probability: 0.5 }
      ]
    })
  })

  const wrong: ReadonlyArray<readonly [what: string, rule: object]> = [
    ["an unknown kind", { kind: "earthquake" }],
    ["an unknown key", { kind: "reset", chance: 1 }],
    ["a field of another kind", { kind: "reset", status: 503 }],
    ["a missing field", { kind: "delay" }],
    ["a time that is none", { kind: "delay", delay: "soon" }],
    ["a probability above 1", { kind: "reset", probability: 2 }],
    ["two triggers", { kind: "reset", probability: 0.5, every: 2 }],
    ["a window that ends before it begins", { kind: "reset", from: "2h", until: "1h" }],
    [
      "an operation that it cannot happen to",
      { kind: "history", how: "reordered", operations: ["orderbook"] }
    ],
    ["an unknown operation", { kind: "reset", operations: ["buy-everything"] }]
  ]
  for (const [what, rule] of wrong)
    it(`is refused with ${what}`, () => assert.isTrue(Result.isFailure(decode({ faults: [rule] }))))

  it("is drawn from a seed: the same seed draws the same, another one another, and each can be written down", () => {
    assert.deepStrictEqual(randomPlan(3), randomPlan(3))
    assert.notDeepEqual(randomPlan(3), randomPlan(4))
    const encode = Schema.encodeUnknownResult(FaultPlan)
    const drawn = Array.from({ length: 60 }, (_, seed) => randomPlan(seed, { intensity: 0.2 }))
    for (const one of drawn) assert.isTrue(Result.isSuccess(Result.flatMap(encode(one), decode)))
    const kinds = new Set(drawn.flatMap(({ faults }) => faults.map(({ kind }) => kind)))
    assert.deepStrictEqual([...kinds].toSorted(), [...faultKinds].toSorted())
    assert.deepStrictEqual(randomPlan(3, { intensity: 0 }).faults, [])
  })
})

describe("a player", () => {
  const call = (at: number, account: number | undefined = 0) => ({
    operation: "orderbook" as const,
    account,
    at
  })
  const played = (rule: FaultRule, times: ReadonlyArray<number>, account?: number) => {
    const player = new FaultPlayer(plan(rule), { openedAt: 0 })
    return times.map((at) => {
      const plays = player.decide(call(at, account))
      for (const play of plays) Effect.runSync(player.played(play, call(at, account), "test"))
      return plays.length
    })
  }

  it("plays the calls that were named, every so many, or those inside its window", () => {
    const times = [1, 2, 3, 4, 5, 6]
    assert.deepStrictEqual(played({ kind: "reset", calls: [1, 4] }, times), [1, 0, 0, 1, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", every: 3 }, times), [0, 0, 1, 0, 0, 1])
    assert.deepStrictEqual(played({ kind: "reset", from: 2, until: 5 }, times), [0, 1, 1, 1, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", from: 2, lasts: 2 }, times), [0, 1, 1, 0, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", calls: [2], lasts: 3 }, times), [0, 1, 1, 1, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", times: 2 }, times), [1, 1, 0, 0, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", operations: ["sellitem"] }, times), [0, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", accounts: [1] }, times), [0, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(played({ kind: "reset", accounts: [1] }, times, 1), [1, 1, 1, 1, 1, 1])
  })

  it("keeps a maintenance up for an hour when nothing else is said", () => {
    const times = [0, minute, hour - 1, hour, 2 * hour]
    assert.deepStrictEqual(played({ kind: "maintenance", calls: [2] }, times), [0, 1, 1, 1, 0])
  })

  it("draws each rule from its own chance, so that one rule more changes nothing for the others", () => {
    const rule: FaultRule = { kind: "history", how: "reordered", operations: ["myhistory"], probability: 0.3 }
    const other: FaultRule = { kind: "funds-held", hold: hour, probability: 0.7 }
    const run = (faults: FaultPlan) => {
      const player = new FaultPlayer(faults, { openedAt: 0 })
      return Array.from({ length: 200 }, (_, at) =>
        player
          .decide({ operation: "myhistory", account: 0, at })
          .some(({ rule: { kind } }) => kind === "history")
      )
    }
    const alone = run(plan(rule))
    assert.deepStrictEqual(run(plan(rule, other)), alone)
    const share = alone.filter(Boolean).length / alone.length
    assert.isAbove(share, 0.2)
    assert.isBelow(share, 0.4)
  })

  it("spoils an answer once only: the first rule of the plan wins", () => {
    const player = new FaultPlayer(plan({ kind: "html" }, { kind: "reset" }, { kind: "clock", offset: 1000 }))
    assert.deepStrictEqual(
      player.decide(call(5)).map(({ rule: { kind } }) => kind),
      ["html", "clock"]
    )
  })
})

describe("answers in the place of the real one", () => {
  const cases: ReadonlyArray<readonly [FaultRule, status: number, text: RegExp]> = [
    [{ kind: "rate-limited" }, 429, /^null$/],
    [{ kind: "null" }, 200, /^null$/],
    [{ kind: "html" }, 200, /<!DOCTYPE html>/],
    [{ kind: "server-error", status: 500 }, 500, /<h1>Error/],
    [{ kind: "server-error", status: 502 }, 502, /<h1>Error/],
    [{ kind: "server-error" }, 503, /<h1>Error/],
    [{ kind: "maintenance" }, 503, /maintenance/],
    [{ kind: "session", signal: "sign-in-page" }, 200, /g_accountID = false;/],
    [{ kind: "session", signal: "unauthorized" }, 401, /^$/]
  ]
  for (const [rule, status, text] of cases)
    it.effect(`${rule.kind} ${status}: no order is placed, and the log tells`, () =>
      visiting(
        (faults) =>
          Effect.gen(function* () {
            const answer = yield* create()
            assert.strictEqual(answer.status, status)
            assert.match(answer.text, text)
            assert.strictEqual(answer.headers["retry-after"], undefined)
            const { accounts } = yield* (yield* Exchange).world
            assert.lengthOf(accounts[0]!.orders, 0)
            assert.deepStrictEqual(faults.log.counts, { [rule.kind]: 1 })
            const [entry] = faults.log.entries
            assert.deepInclude(entry, {
              number: 1,
              at: startAt,
              operation: "create-buyorder",
              account: 0,
              rule: 1
            })
          }),
        plan(rule)
      )
    )

  it.effect("redirect to the login, or to the lost session's own address", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const one = yield* get("/market/mylistings", { norender: 1 })
          assert.strictEqual(one.status, 302)
          assert.match(one.headers["location"] ?? "", /^\/login\/home\/\?goto=market/)
          const other = yield* get("/market/mylistings", { norender: 1 })
          assert.strictEqual(other.headers["location"], "platformmobile://lostauth")
        }),
      plan({ kind: "login", calls: [1] }, { kind: "session", signal: "lost-auth", calls: [2] })
    )
  )

  for (const code of [2, 8, 10, 16, 20, 25, 29, 40, 79, 84])
    it.effect(`success ${code} in the words of each mutation`, () =>
      visiting(
        () =>
          Effect.gen(function* () {
            const placed = yield* create()
            assert.deepStrictEqual([placed.status, placed.json.success], [200, code])
            assert.strictEqual("message" in placed.json, code !== 16)
            const cancelled = yield* get("/market/getbuyorderstatus", { sessionid: "x", buy_orderid: "1" })
            assert.notStrictEqual(cancelled.json.success, code)
            const confirmed = yield* confirm("/mobileconf/ajaxop", "allow", {
              op: "allow",
              cid: "1",
              ck: "1"
            })
            assert.strictEqual(confirmed.json.success, false)
            assert.include(confirmed.json.message, `(${code})`)
          }),
        plan({ kind: "code", code })
      )
    )

  it.effect("come after the effect where the plan says so", () =>
    visiting(
      (faults) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* create()).text, "null")
          const { accounts } = yield* (yield* Exchange).world
          assert.lengthOf(accounts[0]!.orders, 1)
          assert.strictEqual(faults.log.entries[0]?.detail, "null after the effect")
        }),
      plan({ kind: "null", effect: "done" })
    )
  )
})

describe("connections", () => {
  it.effect("break before the effect, or after it", () =>
    visiting(
      (faults) =>
        Effect.gen(function* () {
          assert.strictEqual(errorOf(yield* Effect.flip(create())), "TransportError")
          const orders = Effect.map(
            Effect.flatMap(Exchange, ({ world }) => world),
            (world) => world.accounts[0]!.orders
          )
          assert.lengthOf(yield* orders, 0)
          assert.strictEqual(errorOf(yield* Effect.flip(create())), "TransportError")
          assert.lengthOf(yield* orders, 1)
          assert.strictEqual((yield* create()).json.success, 29)
          assert.deepStrictEqual(faults.log.counts, { "lost-answer": 1, reset: 1 })
        }),
      plan({ kind: "reset", calls: [1] }, { kind: "lost-answer", calls: [2] })
    )
  )

  it.effect("wait without holding anybody else up", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const slow = yield* Effect.forkChild(create())
          yield* Effect.yieldNow
          assert.strictEqual((yield* book()).status, 200)
          assert.strictEqual(slow.pollUnsafe(), undefined)
          const { accounts } = yield* (yield* Exchange).world
          assert.lengthOf(accounts[0]!.orders, 1)
          yield* TestClock.adjust(minute)
          assert.strictEqual((yield* Fiber.join(slow)).json.success, 1)
        }),
      plan({ kind: "delay", delay: minute, operations: ["create-buyorder"] })
    )
  )

  it.effect("may wait before the effect: a caller that gave up has changed nothing", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const slow = yield* Effect.forkChild(create())
          yield* TestClock.adjust(30_000)
          yield* Fiber.interrupt(slow)
          yield* TestClock.adjust(minute)
          const { accounts } = yield* (yield* Exchange).world
          assert.lengthOf(accounts[0]!.orders, 0)
        }),
      plan({ kind: "delay", delay: minute, before: true })
    )
  )

  it.live("wait in virtual time while a handler holds it", () => {
    const faults = new FaultPlayer(plan({ kind: "delay", delay: minute }))
    const hold = Layer.effect(
      Hold,
      Effect.map(VirtualClock.VirtualClock, ({ held }) => held)
    )
    const market = layerInProcess.pipe(
      Layer.provide([Layer.succeed(Faults, faults), hold]),
      Layer.provideMerge(layer(optionsOf())),
      Layer.provideMerge(VirtualClock.layer({ startAtMillis: startAt }))
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* create()).json.success, 1)
      assert.strictEqual(yield* Clock.currentTimeMillis, startAt + minute)
    }).pipe(Effect.provide(market))
  })

  it.effect("cut a body in half", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const half = yield* book()
          assert.deepStrictEqual([half.status, half.json], [200, undefined])
          assert.match(half.text, /^\{"data"/)
        }),
      plan({ kind: "truncated" })
    )
  )
})

describe("sessions", () => {
  it.effect("end in the middle and come back: each operation answers as to a stranger", () =>
    visiting(
      (faults) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* create()).json.success, 1)
          yield* TestClock.adjust(minute)
          assert.deepStrictEqual((yield* create()).json, [])
          assert.strictEqual((yield* get("/market/userbillinginfo")).status, 302)
          assert.deepInclude((yield* confirm("/mobileconf/getlist", "conf")).json, { needauth: true })
          assert.strictEqual((yield* book()).status, 200)
          assert.isTrue(faults.log.entries.every(({ account }) => account === 0))
          const lost = faults.log.entries.length
          yield* book({})
          assert.lengthOf(faults.log.entries, lost)
          yield* TestClock.adjust(minute)
          assert.strictEqual((yield* create()).json.success, 29)
        }),
      plan({ kind: "session", from: minute, until: 2 * minute })
    )
  )

  it.effect("end without a word: empty lists, or only a header", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          yield* create()
          const empty = (yield* get("/market/mylistings", { norender: 1 })).json
          assert.deepInclude(empty, { success: true, buy_orders: [], total_count: 0 })
          const told = yield* book()
          assert.strictEqual(told.headers["x-notloggedin"], "1")
          assert.lengthOf((yield* get("/market/mylistings", { norender: 1 })).json.buy_orders, 1)
        }),
      plan(
        { kind: "session", signal: "empty-lists", operations: ["mylistings"], calls: [1] },
        { kind: "session", signal: "header", operations: ["orderbook"] }
      )
    )
  )
})

describe("confirmations", () => {
  const listed = Effect.map(confirm("/mobileconf/getlist", "conf"), ({ json }) => json)

  it.effect("come late", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          yield* sell(900)
          assert.lengthOf((yield* listed).conf, 0)
          yield* TestClock.adjust(minute)
          assert.lengthOf((yield* listed).conf, 1)
        }),
      plan({ kind: "confirmations", how: "late", delay: minute })
    )
  )

  it.effect("come never, twice, or ask for a login; one that was allowed twice is settled once", () =>
    visiting(
      (faults) =>
        Effect.gen(function* () {
          yield* sell(900)
          assert.lengthOf((yield* listed).conf, 0)
          const twice = (yield* listed).conf
          assert.lengthOf(twice, 2)
          assert.deepStrictEqual(yield* listed, { success: false, needauth: true })
          const allow = { op: "allow", cid: twice[0].id, ck: twice[0].nonce }
          assert.strictEqual((yield* confirm("/mobileconf/ajaxop", "allow", allow)).json.success, true)
          assert.strictEqual((yield* confirm("/mobileconf/ajaxop", "allow", allow)).json.success, false)
          assert.strictEqual(faults.log.counts.confirmations, 3)
        }),
      plan(
        { kind: "confirmations", how: "never", calls: [1] },
        { kind: "confirmations", how: "twice", calls: [2] },
        { kind: "confirmations", how: "needauth", calls: [3] }
      )
    )
  )
})

describe("the market's state", () => {
  it.effect("has another clock, in the Date header and for signatures", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* book()).headers["date"], "Tue, 02 Jan 2024 10:10:00 GMT")
          assert.deepInclude((yield* confirm("/mobileconf/getlist", "conf")).json, { needauth: true })
          assert.strictEqual((yield* confirm("/mobileconf/getlist", "conf", {}, 600)).json.success, true)
        }),
      plan({ kind: "clock", offset: 10 * minute })
    )
  )

  it.effect("has an order that the owner placed by hand", () =>
    visiting(
      (faults) =>
        Effect.gen(function* () {
          const { buy_orders } = (yield* get("/market/mylistings", { norender: 1 })).json
          assert.lengthOf(buy_orders, 1)
          assert.match(faults.log.entries[0]?.detail ?? "", /^the owner ordered \d+\//)
          assert.lengthOf((yield* get("/market/mylistings", { norender: 1 })).json.buy_orders, 1)
        }),
      plan({ kind: "manual-order", times: 1 })
    )
  )

  it.effect("has lost a listing to somebody else by the time it is asked about", () =>
    visiting(
      (faults) =>
        Effect.gen(function* () {
          const { json } = yield* book()
          const listing = yield* list(Math.floor((json.data.data.amtMinSellOrder - 1) / 1.15))
          const { accounts } = yield* (yield* Exchange).world
          assert.strictEqual(accounts[0]!.listings[0]?.live, true)
          const gone = yield* get("/market/mylistings", { norender: 1 })
          assert.lengthOf(gone.json.listings, 0)
          assert.strictEqual(faults.log.counts.bought, 1)
          const { events } = (yield* get("/market/myhistory", { norender: 1 })).json
          assert.strictEqual(events[0].event_type, 3)
          assert.isString(listing)
        }),
      plan({ kind: "bought", operations: ["mylistings"], calls: [1] })
    )
  )

  it.effect("shows the book in another currency", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const yen = (yield* book()).json.data.data
          const dollars = (yield* book()).json.data.data
          assert.deepStrictEqual([yen.eCurrency, dollars.eCurrency], [8, 1])
          assert.isAbove(yen.amtMinSellOrder, 20 * dollars.amtMinSellOrder)
          assert.strictEqual(yen.rgCompactSellOrders[0], yen.amtMinSellOrder)
          assert.strictEqual(yen.cSellOrders, dollars.cSellOrders)
        }),
      plan({ kind: "currency", currency: "JPY", calls: [1] })
    )
  )

  it.effect("tells the history twice, or backwards", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          yield* list(90_000)
          yield* list(90_001)
          const history = Effect.map(get("/market/myhistory", { norender: 1 }), ({ json }) => json.events)
          const ids = (events: ReadonlyArray<{ readonly listingid: string }>) =>
            events.map(({ listingid }) => listingid)
          const [doubled, turned, real] = [ids(yield* history), ids(yield* history), ids(yield* history)]
          assert.deepStrictEqual(
            doubled,
            real.flatMap((id) => [id, id])
          )
          assert.deepStrictEqual(turned, real.toReversed())
        }),
      plan(
        { kind: "history", how: "duplicated", calls: [1] },
        { kind: "history", how: "reordered", calls: [2] }
      )
    )
  )

  it.effect("holds the money of sales back, in the wallet as in the history", () =>
    visiting(
      () =>
        Effect.gen(function* () {
          const best = (yield* book()).json.data.data.amtMaxBuyOrder
          yield* list(Math.floor(best / 1.2))
          const { accounts } = yield* (yield* Exchange).world
          const sold = accounts[0]!.history.find(({ kind }) => kind === "Sold")
          assert.isDefined(sold, `nobody bought ${glove}`)
          const { wallet_info } = (yield* get("/market/userbillinginfo")).json
          assert.strictEqual(wallet_info.wallet_balance, "10000")
          assert.strictEqual(wallet_info.wallet_delayed_balance, String(sold!.take))
          const { purchases } = (yield* get("/market/myhistory", { norender: 1 })).json
          const [purchase] = Object.values<Record<string, number>>(purchases)
          assert.strictEqual(purchase?.["funds_held"], 1)
          yield* TestClock.adjust(hour)
          const later = (yield* get("/market/userbillinginfo")).json.wallet_info
          assert.strictEqual(later.wallet_balance, String(10_000 + sold!.take))
        }),
      plan({ kind: "funds-held", hold: hour })
    )
  )
})

describe("the log", () => {
  it.effect("is the same for the same plan, seed and calls, and reports each fault as it is played", () => {
    const run = (seed: number) =>
      visiting(
        (faults) =>
          Effect.gen(function* () {
            for (let turn = 0; turn < 15; turn++) {
              yield* TestClock.adjust(7 * minute)
              yield* Effect.ignore(create())
              yield* Effect.ignore(confirm("/mobileconf/getlist", "conf"))
              yield* Effect.ignore(book())
              yield* Effect.ignore(get("/market/mylistings", { norender: 1 }))
            }
            return faults.log.entries.map(faultLine)
          }),
        {
          ...randomPlan(seed, { intensity: 0.4, lengthMillis: 2 * hour }),
          faults: randomPlan(seed, { intensity: 0.4, lengthMillis: 2 * hour }).faults.filter(
            ({ kind }) => kind !== "delay"
          )
        }
      )
    return Effect.gen(function* () {
      const lines = yield* run(5)
      assert.isAbove(lines.length, 5)
      assert.match(
        lines[0] ?? "",
        /^fault 1 2024-01-02T1\d:\d\d:\d\d\.\d{3}Z [a-z-]+ [a-z-]+: .+ \(rule \d+, .+\)$/
      )
      assert.deepStrictEqual(yield* run(5), lines)
      assert.notDeepEqual(yield* run(6), lines)
    })
  })
})

describe("a line log", () => {
  it.effect("has every fault in a file, after what was there", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(file, "before\n")
      const report = yield* lineLog(file)
      const player = new FaultPlayer(plan({ kind: "reset" }), { report })
      const asked = { operation: "orderbook", account: undefined, at: startAt } as const
      for (const play of player.decide(asked)) yield* player.played(play, asked, "test")
      assert.strictEqual(
        yield* fs.readFileString(file),
        "before\nfault 1 2024-01-02T10:00:00.000Z orderbook reset: test (rule 1, nobody)\n"
      )
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )
})

describe("on a socket", () => {
  const openedNow = Layer.unwrap(
    Effect.map(Clock.currentTimeMillis, (startAtMillis) => layer(optionsOf({ startAtMillis })))
  )

  it.live("a lost answer is a broken connection, and the effect is there", () =>
    Effect.gen(function* () {
      const faults = new FaultPlayer(plan({ kind: "lost-answer", calls: [1] }, { kind: "reset", calls: [3] }))
      const { url } = yield* serve({ port: 0 }).pipe(Effect.provideService(Faults, faults))
      const as = { account: 0, base: url }
      assert.strictEqual(errorOf(yield* Effect.flip(create({}, as))), "TransportError")
      assert.strictEqual((yield* create({}, as)).json.success, 29)
      assert.strictEqual(errorOf(yield* Effect.flip(create({}, as))), "TransportError")
      assert.deepStrictEqual(faults.log.counts, { "lost-answer": 1, reset: 1 })
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(openedNow, FetchHttpClient.layer)))
  )
})
