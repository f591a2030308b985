import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient } from "effect/http"

import type { CommandOf } from "../../src/exchange/Command.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import { budgets } from "./checkers/Budgets.ts"
import { secrets } from "./checkers/Secrets.ts"
import { settled } from "./checkers/Settled.ts"
import type { Tamper } from "./Daemon.ts"
import { dice } from "./Dice.ts"
import type { Occasion, Record } from "./Occasion.ts"
import { type Death, planOf, type WorldPlan } from "./Plan.ts"
import { playSeed } from "./Seed.ts"
import { shrink } from "./Shrink.ts"
import { simulate } from "./Simulation.ts"
import { crew } from "./Workers.ts"
import { playWorld } from "./World.ts"

const minutes = 60_000

/** A world whose bot buys and sells within minutes, and in which nothing goes wrong. */
const lively: WorldPlan = {
  ...planOf(1, { minutes: 4 }),
  quietMinutes: 4,
  currency: 1 as WorldPlan["currency"],
  balance: 40_000,
  minBidAgeMillis: 20_000,
  minAskAgeMillis: 60_000,
  strategies: [
    {
      name: "churn",
      text: `version: 1
name: churn
universe:
  - { app: 730, items: ["Glove Case", "Chroma 2 Case", "Meridian Case"] }
rules:
  - { id: take, when: position.units < 3, do: bid, at: book.ask, qty: 3 - position.units, expire: 3m }
  - { id: give, when: position.units > 0, do: ask, at: book.bid, allowLoss: true }
`
    }
  ],
  edits: [],
  acts: [],
  words: [],
  caps: {},
  faults: { faults: [] },
  deaths: []
}

/** The numbers of the promises that the referee saw broken. */
const broken = (plan: WorldPlan, tamper: Tamper) =>
  Effect.map(
    playWorld({ plan, tamper }),
    ({ violations }) => new Set(violations.map((violation) => violation.split(":")[0]))
  )

/** Every buy order reaches the exchange twice. */
const twice: Tamper = {
  client: (client) =>
    HttpClient.make((request) =>
      request.url.includes("createbuyorder")
        ? Effect.andThen(client.execute(request), client.execute(request))
        : client.execute(request)
    )
}

/** Listings are never written down. */
const unwritten: Tamper = {
  written: (events) =>
    events.filter((event) => event._tag !== "IntentRecorded" || event.intent._tag !== "ListAsset")
}

/** Whoever allows one confirmation allows them all. */
const blind: Tamper = {
  execute: (execute, exchange) =>
    Effect.fnUntraced(function* (command) {
      if (command._tag !== "SettleConfirmation") return yield* execute(command)
      const { accounts } = yield* exchange.world
      for (const { id, nonce } of accounts[0]?.confirmations ?? []) {
        const other: CommandOf<"SettleConfirmation"> = { ...command, id, nonce }
        if (id !== command.id) yield* execute(other)
      }
      return yield* execute(command)
    })
}

/** A stranger's form goes out with every cancel. */
const meddling: Tamper = {
  execute: (execute) => (command) =>
    command._tag === "CancelBuyOrder"
      ? Effect.andThen(execute({ ...command, order: "6500009999" }), execute(command))
      : execute(command)
}

/** Sales are booked with a cent too much. */
const generous: Tamper = {
  written: (events) =>
    events.flatMap((event) =>
      event._tag === "Filled" && event.fill.side === "Sell"
        ? [{ ...event, fill: { ...event.fill, amount: (event.fill.amount + 1) as typeof event.fill.amount } }]
        : [event]
    )
}

const nobody: Record = { intents: new Map(), orders: new Map(), listings: new Map() }

describe("simulate", () => {
  it.live(
    "keeps every promise in worlds of crashes, lost answers, edits and owners, on any number of threads",
    () =>
      Effect.gen(function* () {
        const play = (size: number) =>
          Effect.scoped(
            Effect.flatMap(crew(size), (workers) => simulate(workers, { first: 7, seeds: 4, minutes: 20 }))
          )
        const result = yield* play(2)
        assert.deepStrictEqual(result.violations, [])
        assert.strictEqual(result.worlds, 5)
        assert.isAbove(result.crashes, 10)
        assert.isAbove(result.unknowns.raised, 1)
        assert.strictEqual(result.unknowns.settled + result.unknowns.quarantined, result.unknowns.raised)
        assert.isAbove(result.worstRecoverySeconds, 0)
        assert.deepStrictEqual(yield* play(1), result)
      }),
    2 * minutes
  )

  it.live("plays a seed again byte for byte, and writes another journal for another seed", () =>
    Effect.gen(function* () {
      const [one, again, other] = [
        yield* playSeed({ seed: 11, minutes: 15 }),
        yield* playSeed({ seed: 11, minutes: 15 }),
        yield* playSeed({ seed: 12, minutes: 15 })
      ]
      assert.deepStrictEqual(again, one)
      assert.notStrictEqual(one.reports[0]?.journalHash, other.reports[0]?.journalHash)
    })
  )

  it.live("finds nothing wrong where nothing goes wrong", () =>
    Effect.gen(function* () {
      const { counters, violations } = yield* playWorld({ plan: lively })
      assert.deepStrictEqual(violations, [])
      assert.isAbove(counters.unitsBought, 3)
      assert.isAbove(counters.sold, 0)
    })
  )

  it.live("holds a purchase's confirmation back when a halt comes while its list is read", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 25 }, (_, index) => [
        { atSeconds: 16.5 + index * 9, word: "halt" as const },
        { atSeconds: 18 + index * 9, word: "resume" as const }
      ]).flat()
      const { violations } = yield* playWorld({ plan: { ...lively, confirmPurchases: true, words } })
      assert.deepStrictEqual(violations, [])
    })
  )

  it.live("notices an order that is sent twice", () =>
    Effect.map(broken(lively, twice), (promises) => assert.include([...promises], "2"))
  )

  it.live("notices a mutation that nobody wrote down", () =>
    Effect.map(broken(lively, unwritten), (promises) => assert.include([...promises], "2"))
  )

  it.live("notices the cancel of an order that is not the bot's", () =>
    Effect.map(broken(lively, meddling), (promises) => assert.include([...promises], "2"))
  )

  it.live("notices a ledger that is a cent off", () =>
    Effect.map(broken(lively, generous), (promises) => assert.include([...promises], "4"))
  )

  it.live("notices a login that is written down in disguise", () =>
    Effect.gen(function* () {
      const leaking = Effect.fnUntraced(function* (disguise: (cookie: string) => string) {
        let cookie = ""
        const tamper: Tamper = {
          client: (client) =>
            HttpClient.make((request) => {
              cookie = request.headers["cookie"] ?? cookie
              return client.execute(request)
            }),
          written: (events) =>
            events.map((event) =>
              event._tag === "RunStarted" ? { ...event, mode: `live ${disguise(cookie)}` } : event
            )
        }
        return yield* broken({ ...lively, minutes: 1, quietMinutes: 1 }, tamper)
      })
      assert.notInclude([...(yield* leaking(() => ""))], "8")
      assert.include([...(yield* leaking((cookie) => btoa(`x=${cookie}`)))], "8")
    })
  )

  it.live("notices the confirmation of a listing that the owner staged", () =>
    Effect.map(broken({ ...lively, acts: [{ atSeconds: 5, act: "stage", roll: 5 }] }, blind), (promises) =>
      assert.include([...promises], "7")
    )
  )

  it("names the promise that an odd answer, word or wait breaks", () => {
    const checker = secrets([{ name: "the key", value: "s3cret-key" }])
    const told = checker.see({ _tag: "Said", where: "a log line", text: "key=s3cret-key" }, nobody)
    assert.deepStrictEqual(told, ["the key as it is, in a log line"])
    const refused = {
      _tag: "Answered",
      operation: "priceoverview",
      status: 429,
      isFault: false,
      now: 0
    } as const
    assert.lengthOf(budgets().see(refused, nobody), 1)
    assert.lengthOf(budgets().see({ ...refused, isFault: true }, nobody), 0)
  })

  it("counts the published budgets over a moving window", () => {
    const checker = budgets()
    const ask = (now: number) =>
      checker.see({ _tag: "Asked", operation: "priceoverview", item: "", now }, nobody)
    for (let count = 0; count < 20; count++) assert.lengthOf(ask(count * 1_000), 0)
    assert.lengthOf(ask(59_999), 1)
    assert.lengthOf(ask(80_000), 0)
  })

  it("does not count the time that the daemon was down against it", () => {
    const checker = settled()
    const see = (occasion: Occasion) => checker.see(occasion, nobody)
    const unknown = {
      _tag: "OutcomeUnknown",
      at: 0 as never,
      intent: "a1" as never,
      reason: "TimedOut",
      detail: ""
    } as const
    const journaled = (now: number, events: ReadonlyArray<typeof unknown> = []) =>
      see({ _tag: "Journaled", events, now, world: undefined as never, life: 0 })
    see({ _tag: "Up", now: 0 })
    journaled(0, [unknown])
    see({ _tag: "Died", now: minutes })
    see({ _tag: "Up", now: 60 * minutes })
    assert.deepStrictEqual(journaled(61 * minutes), [])
    assert.lengthOf(journaled(100 * minutes), 1)
  })

  it.effect("takes out of a failing plan what it fails without", () =>
    Effect.gen(function* () {
      const plan = planOf(9)
      const culprit: Death = { at: "append", nth: 77, when: "after" }
      const worse: WorldPlan = { ...plan, deaths: [...plan.deaths, culprit] }
      const smaller = yield* shrink(worse, ({ deaths, minutes }) =>
        Effect.succeed(minutes >= 10 && deaths.includes(culprit))
      )
      assert.deepStrictEqual(smaller.deaths, [culprit])
      assert.isBelow(smaller.minutes, 20)
      assert.lengthOf(smaller.faults.faults, 0)
      assert.lengthOf(smaller.strategies, 1)
    })
  )

  it("writes strategies that compile, and edits of which some do not", () => {
    const plans = Array.from({ length: 40 }, (_, index) => planOf(1_000 + index))
    const compiles = (plan: WorldPlan, text: string) =>
      compileStrategy("a.yaml", text, { currency: plan.currency })._tag === "Success"
    assert.isTrue(plans.every((plan) => plan.strategies.every(({ text }) => compiles(plan, text))))
    const edits = plans.flatMap((plan) =>
      plan.edits.flatMap(({ text }) => (text === undefined ? [] : [compiles(plan, text)]))
    )
    assert.include(edits, true)
    assert.include(edits, false)
  })

  it("ends every fault before the quiet while in which the bot is judged", () => {
    const plans = Array.from({ length: 400 }, (_, index) => planOf(1 + index))
    const late = plans.filter(({ faults, minutes }) =>
      faults.faults.some(({ until = Infinity }) => until > minutes * 60_000)
    )
    assert.deepStrictEqual(late, [])
  })

  it("throws the same dice for the same words", () => {
    const [one, same, other] = [dice(7, "a"), dice(7, "a"), dice(7, "b")]
    const row = (of: typeof one) => Array.from({ length: 50 }, () => of.between(1, 1_000))
    const [first, second, third] = [row(one), row(same), row(other)]
    assert.deepStrictEqual(first, second)
    assert.notDeepEqual(first, third)
    assert.isTrue(first.every((value) => value >= 1 && value <= 1_000))
  })
})
