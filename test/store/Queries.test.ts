import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"

import type { Event } from "../../src/domain/Event.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import { item } from "../../src/domain/Item.ts"
import { emptyState } from "../../src/domain/State.ts"
import * as Queries from "../../src/store/Queries.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import * as Given from "./events.ts"

const after = (events: ReadonlyArray<Event>) => applyAll(emptyState, events)

const asking = <A, E>(events: ReadonlyArray<Event>, query: Effect.Effect<A, E, Store>) =>
  Effect.andThen(
    Effect.flatMap(Store, (store) => store.append(events)),
    query
  ).pipe(Effect.provide(layerMemory({ account: "1", mode: "embedded", market: "m" })))

/** The fields with plain numbers and strings for the branded ones. */
const plain = (shown: object | undefined): Readonly<Record<string, unknown>> => ({ ...shown })

describe("openOrders", () => {
  it("shows an order with what is left of it and why it stands there", () => {
    const [order, ...rest] = Queries.openOrders(after(Given.story.slice(0, 5)))
    assert.lengthOf(rest, 0)
    assert.deepInclude(plain(order), {
      item: Given.gloves,
      state: "Open",
      order: "o1",
      price: 3820,
      quantity: 2,
      remaining: 1,
      since: Given.at(3),
      intent: "p1"
    })
    assert.strictEqual(order?.reason?.origin.rule, "buy")
  })

  it("shows one that is on its way, or of unknown outcome, without an id of the market", () => {
    const begun = [Given.opened, Given.recorded(Given.placeBid("p1"))]
    assert.deepInclude(plain(Queries.openOrders(after(begun))[0]), {
      state: "Placing",
      order: undefined,
      remaining: 2
    })
    const lost = [...begun, Given.sent("p1"), Given.unknown("p1")]
    assert.deepInclude(plain(Queries.openOrders(after(lost))[0]), {
      state: "Uncertain",
      order: undefined,
      quantity: 2
    })
  })

  it("leaves out what is closed, and keeps the order of items", () => {
    assert.deepStrictEqual(Queries.openOrders(after(Given.story)), [])
    const two = ["B", "A"].flatMap((name) => [
      Given.recorded(Given.placeBid(`p${name}`, 10, 1, item(730, name))),
      Given.accepted(`p${name}`, `o${name}`)
    ])
    assert.deepStrictEqual(
      Queries.openOrders(after(two)).map((order) => order.item.name),
      ["A", "B"]
    )
    const cancelled = [
      ...two,
      Given.recorded(Given.cancelBid("c", "oA", item(730, "A"))),
      Given.accepted("c")
    ]
    assert.deepStrictEqual(
      Queries.openOrders(after(cancelled)).map((order) => order.item.name),
      ["B"]
    )
  })
})

describe("openListings", () => {
  it("shows a listing from its intent to the market's id", () => {
    const state = (events: number) => Queries.openListings(after(Given.story.slice(0, events)))
    assert.deepInclude(plain(state(9)[0]), {
      state: "Listing",
      asset: "a1",
      listing: undefined,
      sellerReceives: 4000,
      buyerPays: 4600
    })
    assert.deepInclude(plain(state(11)[0]), {
      state: "Staged",
      listing: undefined,
      since: Given.at(3),
      intent: "s1"
    })
    assert.deepInclude(plain(state(14)[0]), { state: "Live", listing: "l1" })
    assert.deepStrictEqual(state(16), [])
  })
})

describe("positions", () => {
  it("show units, assets and average cost of what is held, and the profit of what is sold", () => {
    assert.deepStrictEqual(Queries.positions(after(Given.story)), [
      {
        item: Given.gloves,
        units: 1,
        assets: ["a2"],
        cost: 3800 as never,
        avgCost: 3800 as never,
        unitsBought: 2,
        unitsSold: 1,
        realised: 180 as never,
        fees: 1452 as never
      }
    ])
    const both = Queries.positions(after(Given.story.slice(0, 7)))
    assert.deepInclude(plain(both[0]), { units: 2, cost: 7620, avgCost: 3810 })
  })
})

describe("trades", () => {
  it.effect("come with the rule that made them; the owner's own have none", () =>
    Effect.gen(function* () {
      const events = [...Given.story, Given.filled("f4", "Buy", "a7", 55)]
      const all = yield* asking(events, Queries.trades())
      assert.deepStrictEqual(
        all.map(({ fill, intent, origin, seq }) => [seq, fill.id, intent, origin?.rule]),
        [
          [6, "f1", "p1", "buy"],
          [7, "f2", "p1", "buy"],
          [15, "f3", "s1", "sell"],
          [20, "f4", undefined, undefined]
        ]
      )
      const last = yield* asking(events, Queries.trades({ last: 2 }))
      assert.deepStrictEqual(
        last.map(({ fill }) => fill.id),
        ["f3", "f4"]
      )
    })
  )
})

describe("why", () => {
  const story = (id: string) =>
    asking(
      Given.story,
      Effect.map(
        Queries.why(id),
        Option.map((found) => ({
          intents: found.intents.map((intent) => intent.id as string),
          seqs: found.entries.map((entry) => entry.seq)
        }))
      )
    )
  const bid = { intents: ["p1"], seqs: [2, 3, 4, 5, 6, 7, 8] }
  const whole = { intents: ["p1", "s1"], seqs: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] }

  it.effect("tells a bid by its intent, by its order and by a fill", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* story("p1"), Option.some(bid))
      assert.deepStrictEqual(yield* story("o1"), Option.some(bid))
      assert.deepStrictEqual(yield* story("f2"), Option.some(bid))
    })
  )

  it.effect(
    "tells an asset from its purchase to its sale, asked by asset, listing, confirmation or sale",
    () =>
      Effect.gen(function* () {
        for (const id of ["a1", "s1", "l1", "c-s1", "f3"])
          assert.deepStrictEqual(yield* story(id), Option.some(whole), id)
      })
  )

  it.effect("shows the reason of the intent with the values that the rule saw", () =>
    Effect.gen(function* () {
      const found = yield* asking(Given.story, Queries.why("o1"))
      const [intent] = Option.getOrThrow(found).intents
      assert.deepStrictEqual(intent?.reason.saw, { spread: "4.20", bid: "38.20", ask: "42.40" })
      assert.strictEqual(intent?.reason.because, "the spread pays for both fees")
    })
  )

  it.effect("tells a refusal, and knows nothing of an id that it never saw", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* story("p2"), Option.some({ intents: ["p2"], seqs: [17, 18, 19] }))
      assert.deepStrictEqual(yield* story("p9"), Option.none())
    })
  )
})
