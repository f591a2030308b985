import { assert, describe, it } from "@effect/vitest"

import { type Deeds, deedsOf, driftOf } from "../../src/backtest/Drift.ts"
import { deedsOfJournal } from "../../src/backtest/DriftJournal.ts"
import type { TradedUnits } from "../../src/backtest/RoundTrips.ts"
import type { Event } from "../../src/domain/Event.ts"
import type { IntentId } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { at, crate, glove, small } from "./Results.ts"

const nothing: Deeds = { fills: [], orders: [], refusals: [], seen: new Map() }
const fill = (
  hours: number,
  side: "Buy" | "Sell",
  units: number,
  amount: number,
  item = glove
): TradedUnits => ({
  at: at(hours),
  item,
  side,
  units,
  amount: money(amount),
  fee: money(0),
  strategy: "spread",
  rule: side === "Buy" ? "enter" : "exit"
})

describe("How far a replay is from what happened", () => {
  it("is nothing when both did the same", () => {
    const same = driftOf(deedsOf(small), deedsOf(small))
    assert.deepStrictEqual(
      [same.onlyRun, same.onlyReplay, same.same],
      [[], [], { units: 7, paidMore: 0, receivedMore: 0 }]
    )
    assert.deepStrictEqual(same.run, same.replay)
    assert.strictEqual(same.run.profit, 10)
    assert.deepStrictEqual(
      same.items.map(({ item, run }) => [item, run.bought, run.paid, run.sold, run.received, run.profit]),
      [
        [crate, 1, 200, 1, 150, -50],
        [glove, 3, 100, 2, 130, 60]
      ]
    )
  })

  it("matches units within an hour, part of a fill with part of another", () => {
    const run = { ...nothing, fills: [fill(1, "Buy", 3, 300), fill(5, "Buy", 1, 100)] }
    const replay = {
      ...nothing,
      fills: [fill(1.5, "Buy", 2, 190), fill(7, "Buy", 1, 100), fill(1, "Sell", 1, 120)]
    }
    const drift = driftOf(run, replay)
    assert.deepStrictEqual(drift.same, { units: 2, paidMore: -5, receivedMore: undefined })
    assert.deepStrictEqual(
      drift.onlyRun.map(({ units }) => units),
      [1, 1]
    )
    assert.deepStrictEqual(
      drift.onlyReplay.map(({ fill, units }) => [fill.side, units]),
      [
        ["Buy", 1],
        ["Sell", 1]
      ]
    )
  })

  it("counts a sale of what was held before for its units and not for its profit", () => {
    const { run } = driftOf({ ...nothing, fills: [fill(1, "Sell", 2, 500)] }, nothing)
    assert.deepStrictEqual([run.sold, run.received, run.profit], [2, 250, 0])
  })

  it("has a cause for every fill that only one of them had", () => {
    const causeAgainst = (other: Partial<Deeds>, side: "Buy" | "Sell" = "Buy") =>
      driftOf({ ...nothing, fills: [fill(10, side, 1, 100)] }, { ...nothing, ...other }).onlyRun.map(
        ({ cause }) => cause
      )
    const stood = (price: number, side: "Buy" | "Sell" = "Buy", from = 8) => ({
      orders: [{ item: glove, side, at: at(from), until: at(from + 4), price }]
    })
    assert.deepStrictEqual(causeAgainst({}), ["decided"])
    assert.deepStrictEqual(causeAgainst({ seen: new Map([[glove, { from: at(11), to: at(20) }]]) }), ["data"])
    assert.deepStrictEqual(causeAgainst(stood(100)), ["queue"])
    assert.deepStrictEqual(causeAgainst(stood(99)), ["price"])
    assert.deepStrictEqual(causeAgainst(stood(101, "Sell"), "Sell"), ["price"])
    assert.deepStrictEqual(causeAgainst(stood(99, "Sell"), "Sell"), ["queue"])
    assert.deepStrictEqual(causeAgainst(stood(100, "Buy", 10.5)), ["late"])
    assert.deepStrictEqual(causeAgainst(stood(100, "Buy", 1)), ["decided"])
    const refusals = [{ item: glove, side: "Buy" as const, at: at(9.5), code: "Exposure" }]
    assert.deepStrictEqual(causeAgainst({ refusals }), ["refused"])
    assert.deepStrictEqual(causeAgainst({ refusals }, "Sell"), ["decided"])
    assert.deepStrictEqual(causeAgainst({ ...stood(100), off: [{ from: at(9), to: at(11) }] }), ["off"])
  })
})

describe("What a daemon did, by its journal", () => {
  const reason = {
    origin: { strategy: "spread", revision: "00000000", rule: "enter" },
    because: "",
    saw: {}
  }
  const bid = (id: string, hours: number, price: number): Event => ({
    _tag: "IntentRecorded",
    at: at(hours),
    intent: {
      _tag: "PlaceBid",
      id: id as IntentId,
      item: item(730, "Glove Case"),
      reason,
      at: at(hours),
      price: money(price),
      quantity: 1
    }
  })
  const said = (_tag: "Paused" | "Resumed", hours: number): Event => ({
    _tag,
    at: at(hours),
    who: "me",
    why: ""
  })

  it("is its orders until their end, what was refused, and when it could not trade", () => {
    const events: ReadonlyArray<Event> = [
      { _tag: "RunStarted", at: at(0), mode: "live" },
      bid("a", 1, 100),
      bid("b", 3, 110),
      { _tag: "Refused", at: at(3), intent: "b" as IntentId, code: "LimitExceeded", message: "" },
      bid("c", 5, 120),
      said("Paused", 6),
      said("Resumed", 7),
      { _tag: "RunStopped", at: at(8), why: "signal" }
    ]
    const { off, orders, refusals } = deedsOfJournal(events, at(10))
    assert.deepStrictEqual(
      orders.map(({ at: from, price, until }) => [price, from, until]),
      [
        [100, at(1), at(3)],
        [120, at(5), at(10)]
      ]
    )
    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["LimitExceeded"]
    )
    assert.deepStrictEqual(off, [
      { from: at(6), to: at(7) },
      { from: at(8), to: at(10) }
    ])
  })
})
