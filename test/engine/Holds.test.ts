import { assert, describe, it } from "@effect/vitest"

import type { Event } from "../../src/domain/Event.ts"
import { seen } from "../../src/domain/Facts.ts"
import { itemKey } from "../../src/domain/Item.ts"
import type { State } from "../../src/domain/State.ts"
import { emptyView, factsOf, listable } from "../../src/engine/Observe.ts"
import { at, buyFill, glove, listAsset, openBid, placeBid, stateAfter, wallet } from "./Given.ts"

const key = itemKey(glove)
const bid = placeBid(842, 2)
const two: ReadonlyArray<Event> = [
  ...openBid(bid, "o1"),
  { _tag: "Filled", at: at(10), fill: buyFill("f1", 840, "a1"), intent: bid.id, strategy: "maker" },
  { _tag: "Filled", at: at(11), fill: buyFill("f2", 840, "a2"), intent: bid.id, strategy: "maker" }
]

const refusedAt = (seconds: number, code = "NotInInventory", id = `l${seconds}`): ReadonlyArray<Event> => [
  { _tag: "IntentRecorded", at: at(seconds), intent: listAsset("a1", 900, 1_035, id) },
  { _tag: "Sent", at: at(seconds), intent: listAsset("a1", 900, 1_035, id).id },
  { _tag: "Refused", at: at(seconds), intent: listAsset("a1", 900, 1_035, id).id, code, message: "" }
]

const positionAt = (state: State, seconds: number, marketable?: boolean) => {
  const view = emptyView()
  view.wallet = seen(wallet, at(0))
  if (marketable !== undefined)
    view.descriptions.set(key, seen({ tags: new Map(), commodity: true, marketable }, at(0)))
  const position = factsOf(view, state, glove, at(seconds))?.position
  return [position?.units, position?.sellable, position?.held]
}

describe("units that may not be listed yet", () => {
  it("are held from the market's refusal on, the others are sellable", () => {
    const state = stateAfter(...two, ...refusedAt(20))
    assert.deepStrictEqual(positionAt(stateAfter(...two), 20), [2, 2, 0])
    assert.deepStrictEqual(positionAt(state, 21), [2, 1, 1])
    assert.deepStrictEqual(
      listable(state, key, at(21)).map(({ asset }) => asset),
      ["a2"]
    )
  })

  it("are tried again after a while that doubles up to six hours", () => {
    const once = stateAfter(...two, ...refusedAt(0))
    assert.deepStrictEqual(positionAt(once, 299), [2, 1, 1])
    assert.deepStrictEqual(positionAt(once, 300), [2, 2, 0])
    const twice = stateAfter(...two, ...refusedAt(0), ...refusedAt(300))
    assert.deepStrictEqual(positionAt(twice, 899), [2, 1, 1])
    assert.deepStrictEqual(positionAt(twice, 900), [2, 2, 0])
    const often = stateAfter(...two, ...Array.from({ length: 20 }, (_, n) => refusedAt(n)).flat())
    assert.deepStrictEqual(positionAt(often, 19 + 6 * 3_600 - 1), [2, 1, 1])
    assert.deepStrictEqual(positionAt(often, 19 + 6 * 3_600), [2, 2, 0])
  })

  it("are free again when the market takes the listing, and another refusal holds nothing", () => {
    const listed = listAsset("a1", 900, 1_035, "l9")
    const taken = stateAfter(
      ...two,
      ...refusedAt(0),
      { _tag: "IntentRecorded", at: at(400), intent: listed },
      { _tag: "Accepted", at: at(401), intent: listed.id }
    )
    assert.deepStrictEqual(taken.held, {})
    assert.deepStrictEqual(stateAfter(...two, ...refusedAt(0, "Busy")).held, {})
  })

  it("are all of them when the market does not let the item be listed at all", () => {
    assert.deepStrictEqual(positionAt(stateAfter(...two), 20, false), [2, 0, 2])
    assert.deepStrictEqual(positionAt(stateAfter(...two), 20, true), [2, 2, 0])
  })
})
