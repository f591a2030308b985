import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient } from "effect/http"

import type { CommandOf } from "../../src/exchange/Command.ts"
import type { Tamper } from "./Daemon.ts"
import { dice } from "./Dice.ts"
import { Referee } from "./Referee.ts"
import { simulate } from "./Simulation.ts"
import { playWorld } from "./World.ts"

const minutes = 60_000

/** The numbers of the promises that the referee saw broken in one short world. */
const broken = (seed: number, tamper: Tamper) =>
  Effect.map(
    playWorld({ seed, hours: 0.5, tamper }),
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

/** Sales are booked twice over. */
const generous: Tamper = {
  written: (events) =>
    events.flatMap((event) =>
      event._tag === "Filled" && event.fill.side === "Sell"
        ? [{ ...event, fill: { ...event.fill, amount: (event.fill.amount + 1) as typeof event.fill.amount } }]
        : [event]
    )
}

describe("simulate", () => {
  it.live(
    "keeps every promise in five worlds of crashes and lost answers, and repeats one of them with SQLite",
    () =>
      Effect.gen(function* () {
        const result = yield* simulate({ first: 1, seeds: 5, hours: 1 })
        assert.deepStrictEqual(result.violations, [])
        assert.strictEqual(result.worlds, 6)
        assert.isAbove(result.crashes, 10)
        assert.isAbove(result.unknowns.raised, 10)
        assert.strictEqual(result.unknowns.settled + result.unknowns.quarantined, result.unknowns.raised)
        assert.isAbove(result.worstRecoverySeconds, 0)
      }),
    2 * minutes
  )

  it.live("writes another journal for another seed", () =>
    Effect.gen(function* () {
      const [one, other] = [
        yield* playWorld({ seed: 11, hours: 0.5 }),
        yield* playWorld({ seed: 12, hours: 0.5 })
      ]
      assert.notStrictEqual(one.journalHash, other.journalHash)
    })
  )

  it.live("notices an order that is sent twice", () =>
    Effect.map(broken(21, twice), (promises) => assert.include([...promises], "2"))
  )

  it.live("notices a mutation that nobody wrote down", () =>
    Effect.map(broken(21, unwritten), (promises) => assert.include([...promises], "2"))
  )

  it.live("notices the cancel of an order that is not the bot's", () =>
    Effect.map(broken(21, meddling), (promises) => assert.include([...promises], "2"))
  )

  it.live("notices a ledger that is a cent off", () =>
    Effect.map(broken(21, generous), (promises) => assert.include([...promises], "4"))
  )

  it.live("notices the confirmation of a listing that the owner staged", () =>
    Effect.gen(function* () {
      // The first worlds whose owner trades by hand and whose bot confirms something.
      const worlds = yield* Effect.forEach([21, 22, 23, 24, 25, 26], (seed) => broken(seed, blind))
      assert.isTrue(worlds.some((promises) => promises.has("7")))
    })
  )

  it("names the promise that an odd answer, word or wait breaks", () => {
    const referee = new Referee(["s3cret"])
    referee.answered("/market/priceoverview/", 429, 0)
    referee.said("a log line", "key=s3cret")
    const intent = "a1" as never
    referee.journaled([{ _tag: "OutcomeUnknown", at: 0 as never, intent, reason: "TimedOut", detail: "" }], 0)
    referee.journaled([], 16 * minutes)
    assert.deepStrictEqual(
      referee.violations.map((violation) => violation.split(":")[0]),
      ["5", "8", "6"]
    )
    assert.isFalse(referee.violations.some((violation) => violation.includes("s3cret")))
  })

  it("does not count the time that the daemon was down against it", () => {
    const referee = new Referee([])
    const intent = "a1" as never
    referee.journaled([{ _tag: "OutcomeUnknown", at: 0 as never, intent, reason: "TimedOut", detail: "" }], 0)
    referee.died(minutes)
    referee.booted(20 * minutes)
    referee.journaled([], 21 * minutes)
    assert.deepStrictEqual(referee.violations, [])
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
