import { assert, describe, it } from "@effect/vitest"

import { defaultCoolDown, restsUntil } from "../../src/domain/CoolDown.ts"
import type { Event } from "../../src/domain/Event.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import type { PlaceBid } from "../../src/domain/Intent.ts"
import { item } from "../../src/domain/Item.ts"
import { at, openBid, placeBid, sentBid, stateAfter } from "../engine/Given.ts"

const bid = placeBid(842, 1)
const refusedAt = (seconds: number, of: PlaceBid = bid): ReadonlyArray<Event> => [
  ...sentBid(of),
  { _tag: "Refused", at: at(seconds), intent: of.id, code: "Failed", message: "" }
]
const restSeconds = (...events: ReadonlyArray<Event>): number =>
  (restsUntil(stateAfter(...events), bid, defaultCoolDown) - at(0)) / 1_000

describe("a rest after refusals", () => {
  it("doubles with each in a row up to an hour, and is over with the first yes", () => {
    assert.strictEqual(restSeconds(...refusedAt(0)), 60)
    assert.strictEqual(restSeconds(...refusedAt(0), ...refusedAt(60)), 60 + 120)
    const often = Array.from({ length: 50 }, () => refusedAt(0)).flat()
    assert.strictEqual(restSeconds(...often), 3_600)
    assert.deepStrictEqual(stateAfter(...often, ...openBid(bid)).cooling, {})
  })

  it("is none for what was written down and never sent", () => {
    const [recorded, , refused] = refusedAt(0)
    if (recorded === undefined || refused === undefined) throw new Error("no events")
    assert.deepStrictEqual(stateAfter(recorded, refused).cooling, {})
  })

  it("is remembered of the thousand sides that were refused last, and for a day", () => {
    const other = (index: number): PlaceBid => ({ ...bid, item: item(730, `Case ${index}`) })
    const many = Array.from({ length: 1_200 }, (_, index) => refusedAt(index, other(index))).flat()
    const { cooling } = stateAfter(...many)
    assert.lengthOf(Object.keys(cooling), 1_000)
    assert.isUndefined(cooling["entry bid:730/Case 199"])
    assert.isDefined(cooling["entry bid:730/Case 200"])
    const later = applyAll(stateAfter(...many), refusedAt(86_400 + 1_000))
    assert.lengthOf(Object.keys(later.cooling), 200)
  })
})
