import { assert, describe, it } from "@effect/vitest"

import type { Event } from "../../src/domain/Event.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import type { AssetId, BuyOrderId, ListingId } from "../../src/domain/Ids.ts"
import { itemKey } from "../../src/domain/Item.ts"
import { units } from "../../src/domain/Position.ts"
import { positionOf, type State } from "../../src/domain/State.ts"
import { awaiting } from "../../src/engine/Confirm.ts"
import { afterDeath, overdue, unsettled } from "../../src/engine/Recover.ts"
import { defaultTrackRules, needsHistory, track, type TrackInput } from "../../src/engine/Track.ts"
import {
  at,
  buyFill,
  glove,
  listAsset,
  openBid,
  order,
  placeBid,
  sellFill,
  sellListing,
  sentBid,
  stateAfter
} from "./Given.ts"

const key = itemKey(glove)
const empty = { buyOrders: [], listings: [] }
const nothing = { fills: [], returned: [] }

const look = (
  state: State,
  seconds: number,
  of: Partial<Pick<TrackInput, "open" | "history" | "missing" | "funds">> = {}
) => {
  const input: TrackInput = {
    state,
    open: empty,
    history: nothing,
    missing: new Map(),
    funds: undefined,
    now: at(seconds),
    rules: defaultTrackRules,
    ...of
  }
  const tracked = track(input)
  return {
    ...tracked,
    state: applyAll(state, tracked.events),
    tags: tracked.events.map((event) => event._tag)
  }
}

const lost = (intent: ReturnType<typeof placeBid>): ReadonlyArray<Event> => [
  ...sentBid(intent),
  { _tag: "OutcomeUnknown", at: at(0), intent: intent.id, reason: "TimedOut", detail: "" }
]

describe("track", () => {
  it("follows a partial fill: the unit, its cost and what is left of the order", () => {
    const state = stateAfter(...openBid(placeBid(842, 5)))
    const seen = look(state, 30, {
      open: { buyOrders: [order(842, 5, 4)], listings: [] },
      history: { fills: [buyFill("f1", 840, "a1")], returned: [] }
    })
    assert.deepStrictEqual(seen.tags, ["Filled", "BidProgressed"])
    assert.strictEqual(seen.state.ledger, 10_000 - 840)
    assert.strictEqual(units(positionOf(seen.state, key)), 1)
    const slot = seen.state.bids[key]
    assert.strictEqual(slot?._tag === "Open" ? slot.open.remaining : undefined, 4)
  })

  it("reads the same history page twice and changes nothing the second time", () => {
    const history = { fills: [buyFill("f1", 840, "a1")], returned: [] }
    const open = { buyOrders: [order(842, 5, 4)], listings: [] }
    const first = look(stateAfter(...openBid(placeBid(842, 5))), 30, { open, history })
    assert.deepStrictEqual(look(first.state, 60, { open, history }).events, [])
  })

  it("closes a bid only when its fills explain its absence, or after it was gone for long", () => {
    const state = stateAfter(...openBid(placeBid(842, 1)))
    assert.deepStrictEqual(
      look(state, 30, { history: { fills: [buyFill("f1", 842, "a1")], returned: [] } }).tags,
      ["Filled", "BidClosed"]
    )
    const absent = look(state, 30)
    assert.deepStrictEqual(absent.tags, [])
    assert.deepStrictEqual(look(state, 91, { missing: absent.missing }).tags, ["BidClosed"])
  })

  it("does not believe a smaller remainder before the history explains it, so that no unit is bought twice", () => {
    const state = stateAfter(...openBid(placeBid(842, 5)))
    const open = { buyOrders: [order(842, 5, 3)], listings: [] }
    assert.isTrue(needsHistory(state, open))
    assert.deepStrictEqual(look(state, 30, { open }).tags, [])
  })

  it("settles a lost answer by the order that stands there", () => {
    const seen = look(stateAfter(...lost(placeBid(842, 5))), 5, {
      open: { buyOrders: [order(842, 5, 5, "o9")], listings: [] }
    })
    assert.deepStrictEqual(seen.tags, ["Settled"])
    const slot = seen.state.bids[key]
    assert.strictEqual(slot?._tag === "Open" ? slot.open.order : undefined, "o9")
    assert.strictEqual(seen.state.counters.placed, 1)
  })

  it("settles a lost answer by its fills when the order was filled at once", () => {
    const seen = look(stateAfter(...lost(placeBid(842, 1))), 5, {
      history: { fills: [buyFill("f1", 800, "a1", 1)], returned: [] }
    })
    assert.deepStrictEqual(seen.tags, ["Filled", "Settled"])
    assert.isUndefined(seen.state.bids[key])
    assert.strictEqual(units(positionOf(seen.state, key)), 1)
  })

  it("blocks the item while the outcome is unknown and frees it only after the bound", () => {
    const state = stateAfter(...lost(placeBid(842, 5)))
    assert.deepStrictEqual(look(state, 59).tags, [])
    const late = look(state, 60)
    assert.deepStrictEqual(
      late.events.map((event) => (event._tag === "Settled" ? event.happened : undefined)),
      [false]
    )
    assert.isUndefined(late.state.bids[key])
  })

  it("shows an order that is not ours and leaves it alone", () => {
    const seen = look(stateAfter(), 30, { open: { buyOrders: [order(500, 2, 2, "manual")], listings: [] } })
    assert.deepStrictEqual(seen.tags, ["ForeignBidSeen"])
    assert.strictEqual(seen.state.bids[key]?._tag, "Foreign")
    assert.deepStrictEqual(look(seen.state, 60).tags, ["BidClosed"])
  })

  it("lets what the owner trades by hand move the ledger only", () => {
    const seen = look(stateAfter(), 30, {
      history: { fills: [buyFill("f1", 700, "x1"), sellFill("f2", 300, "x2")], returned: [] }
    })
    assert.strictEqual(seen.state.ledger, 10_000 - 700 + 300)
    assert.deepStrictEqual(positionOf(seen.state, key).lots, [])
  })

  it("follows a listing from staged to live to sold, with its profit", () => {
    const listed = listAsset("a1", 900, 1_035)
    const staged = stateAfter(
      ...openBid(placeBid(842, 1)),
      {
        _tag: "Filled",
        at: at(10),
        fill: buyFill("f1", 840, "a1"),
        intent: placeBid(842, 1).id,
        strategy: "maker"
      },
      { _tag: "BidClosed", at: at(10), item: glove, order: "o1" as BuyOrderId, as: "Filled" },
      { _tag: "IntentRecorded", at: at(11), intent: listed },
      { _tag: "Sent", at: at(11), intent: listed.id },
      { _tag: "Accepted", at: at(11), intent: listed.id }
    )
    assert.strictEqual(staged.asks["a1"]?._tag, "Staged")
    const live = look(staged, 20, { open: { buyOrders: [], listings: [sellListing("a1", "L7", "Live")] } })
    assert.strictEqual(live.state.asks["a1"]?._tag, "Live")
    const sold = look(live.state, 30, { history: { fills: [sellFill("f2", 900, "a1", 25)], returned: [] } })
    assert.deepStrictEqual(sold.tags, ["Filled", "ListingClosed"])
    assert.deepStrictEqual(sold.state.asks, {})
    assert.strictEqual(positionOf(sold.state, key).realised, 60)
    assert.strictEqual(sold.state.ledger, 10_000 - 840 + 900)
  })

  it("knows a listing's asset again when it comes back under a new id", () => {
    const listed = listAsset("a1", 900, 1_035)
    const live = look(
      stateAfter(
        ...openBid(placeBid(842, 1)),
        {
          _tag: "Filled",
          at: at(10),
          fill: buyFill("f1", 840, "a1"),
          intent: placeBid(842, 1).id,
          strategy: "maker"
        },
        { _tag: "BidClosed", at: at(10), item: glove, order: "o1" as BuyOrderId, as: "Filled" },
        { _tag: "IntentRecorded", at: at(11), intent: listed },
        { _tag: "Accepted", at: at(11), intent: listed.id }
      ),
      20,
      { open: { buyOrders: [], listings: [sellListing("a1", "L7", "Live")] } }
    )
    const back = look(live.state, 40, {
      history: {
        fills: [],
        returned: [
          {
            listing: "L7" as ListingId,
            item: glove,
            asset: "a1" as AssetId,
            returnedAs: "a2" as AssetId,
            at: at(35)
          }
        ]
      }
    })
    assert.deepStrictEqual(back.tags, ["Returned", "ListingClosed"])
    assert.deepStrictEqual(
      positionOf(back.state, key).holdings.map(({ asset }) => asset),
      ["a2"]
    )
  })
})

describe("afterDeath", () => {
  it("puts what was sent up for settlement and gives up what never left", () => {
    const sent = stateAfter(...sentBid(placeBid(842, 5)))
    assert.strictEqual(unsettled(sent), 1)
    const died = applyAll(sent, afterDeath(sent, at(100)))
    assert.strictEqual(died.bids[key]?._tag, "Uncertain")
    const recorded = stateAfter({ _tag: "IntentRecorded", at: at(0), intent: placeBid(842, 5) })
    const freed = applyAll(recorded, afterDeath(recorded, at(100)))
    assert.deepStrictEqual(freed.bids, {})
  })

  it("leaves orders that stand as they are", () => {
    const open = stateAfter(...openBid(placeBid(842, 5)))
    assert.deepStrictEqual(afterDeath(open, at(100)), [])
  })
})

describe("overdue", () => {
  it("tells a person after half an hour, and a read still settles it", () => {
    const state = stateAfter(...lost(placeBid(842, 5)))
    assert.deepStrictEqual(overdue(state, at(1_799), 3), [])
    const told = applyAll(state, overdue(state, at(1_800), 3))
    assert.strictEqual(told.bids[key]?._tag, "Quarantined")
    assert.strictEqual(unsettled(told), 1)
    assert.deepStrictEqual(overdue(told, at(3_600), 3), [])
    const seen = look(told, 3_600, { open: { buyOrders: [order(842, 5, 5, "o9")], listings: [] } })
    assert.strictEqual(seen.state.bids[key]?._tag, "Open")
  })
})

describe("What reads had denied", () => {
  const denied = stateAfter(...lost(placeBid(842, 5)), {
    _tag: "Settled",
    at: at(60),
    intent: placeBid(842, 5).id,
    happened: false
  })

  it("is ours again when the very order shows up late, and another order is the owner's", () => {
    const late = look(denied, 90, { open: { buyOrders: [order(842, 5, 5, "o7")], listings: [] } })
    assert.deepStrictEqual(late.tags, ["Reappeared"])
    const slot = late.state.bids[key]
    assert.strictEqual(slot?._tag === "Open" ? slot.open.order : undefined, "o7")
    const other = look(denied, 90, { open: { buyOrders: [order(841, 5, 5, "o7")], listings: [] } })
    assert.deepStrictEqual(other.tags, ["ForeignBidSeen"])
  })

  it("is anybody's after an hour", () => {
    const late = look(denied, 60 + 3_601, { open: { buyOrders: [order(842, 5, 5, "o7")], listings: [] } })
    assert.deepStrictEqual(late.tags, ["ForeignBidSeen"])
  })

  it("is a listing that waits for its confirmation like any other", () => {
    const intent = listAsset("a1", 900, 1_035)
    const state = stateAfter(
      { _tag: "IntentRecorded", at: at(0), intent },
      { _tag: "Sent", at: at(0), intent: intent.id },
      { _tag: "OutcomeUnknown", at: at(0), intent: intent.id, reason: "TimedOut", detail: "" },
      { _tag: "Settled", at: at(60), intent: intent.id, happened: false }
    )
    const late = look(state, 90, { open: { buyOrders: [], listings: [sellListing("a1", "L1", "Staged")] } })
    assert.deepStrictEqual(late.tags, ["Reappeared", "ListingSeen"])
    assert.strictEqual(late.state.asks["a1"]?._tag, "Staged")
  })
})

describe("A listing that is not confirmed", () => {
  const intent = listAsset("a1", 900, 1_035)
  const staged = stateAfter(
    { _tag: "IntentRecorded", at: at(0), intent },
    { _tag: "Sent", at: at(0), intent: intent.id },
    { _tag: "Accepted", at: at(0), intent: intent.id }
  )
  const overdueAt = (state: State, seconds: number) => overdue(state, at(seconds), 1)
  const told = applyAll(staged, overdueAt(staged, 900))

  it("is put before a person once, after its deadline, and not while the session is lost", () => {
    assert.deepStrictEqual(overdueAt(staged, 899), [])
    assert.deepStrictEqual(
      overdueAt(staged, 900).map((event) => event._tag),
      ["Quarantined"]
    )
    assert.deepStrictEqual(overdueAt(told, 1_800), [])
    const lostSession = applyAll(staged, [{ _tag: "SessionExpired", at: at(5), signal: "HTTP 401" }])
    assert.deepStrictEqual(overdueAt(lostSession, 1_800), [])
  })

  it("goes on waiting for its confirmation, and is live when it is seen to be", () => {
    assert.deepStrictEqual(
      awaiting(told).map(({ listed }) => listed.id),
      [intent.id]
    )
    const live = look(told, 1_000, { open: { buyOrders: [], listings: [sellListing("a1", "L1", "Live")] } })
    assert.strictEqual(live.state.asks["a1"]?._tag, "Live")
  })

  it("and any other quarantined intent is let go by a person, and by nobody else", () => {
    const uncertain = stateAfter(...lost(placeBid(842, 5)))
    const id = placeBid(842, 5).id
    const release: Event = { _tag: "Released", at: at(2_000), intent: id, who: "me", why: "" }
    assert.strictEqual(applyAll(uncertain, [release]).bids[key]?._tag, "Uncertain")
    const quarantined = applyAll(uncertain, overdueAt(uncertain, 1_800))
    assert.strictEqual(quarantined.bids[key]?._tag, "Quarantined")
    const free = applyAll(quarantined, [release])
    assert.isUndefined(free.bids[key])
    const late = look(free, 2_030, { open: { buyOrders: [order(842, 5, 5, "o7")], listings: [] } })
    assert.deepStrictEqual(late.tags, ["Reappeared"])
  })
})
