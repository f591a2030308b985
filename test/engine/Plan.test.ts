import { assert, describe, it } from "@effect/vitest"

import { type AskWish, type BidWish, type Limits, noLimits } from "../../src/domain/Decision.ts"
import type { AssetId, ListingId } from "../../src/domain/Ids.ts"
import { money } from "../../src/domain/Money.ts"
import {
  ask,
  at,
  bid,
  decision,
  drafts,
  glove,
  holding,
  listAsset,
  only,
  openBid,
  placeBid,
  reason,
  sellListing,
  stateAfter,
  tags
} from "./Given.ts"

describe("plan", () => {
  it("places a bid where none stands and leaves one that is as wished", () => {
    assert.deepStrictEqual(tags(stateAfter(), 0, decision({ bid: bid(842, 5) })), ["PlaceBid"])
    assert.deepStrictEqual(
      tags(stateAfter(...openBid(placeBid(842, 5))), 600, decision({ bid: bid(842, 5) })),
      []
    )
  })

  it("does not give up a place in the queue for a tick, or before the order has stood a while", () => {
    const standing = stateAfter(...openBid(placeBid(842, 5)))
    assert.deepStrictEqual(tags(standing, 600, decision({ bid: bid(843, 5) })), [])
    assert.deepStrictEqual(tags(standing, 60, decision({ bid: bid(900, 5) })), [])
    assert.deepStrictEqual(tags(standing, 600, decision({ bid: bid(900, 5) })), ["CancelBid"])
  })

  it("cancels at once when the bid is no longer wanted, and when its time is over", () => {
    assert.deepStrictEqual(
      tags(stateAfter(...openBid(placeBid(842, 5))), 1, decision({ bid: { _tag: "NoBid", reason } })),
      ["CancelBid"]
    )
    const expiring = stateAfter(...openBid({ ...placeBid(842, 5), expiresAt: at(100) }))
    assert.deepStrictEqual(tags(expiring, 99), [])
    assert.deepStrictEqual(tags(expiring, 100), ["CancelBid"])
  })

  it("leaves a side without a wish alone", () => {
    assert.deepStrictEqual(tags(stateAfter(...openBid(placeBid(842, 5))), 600, decision({})), [])
  })

  it("leaves a side that is held alone, also where a strategy of less precedence wants something", () => {
    const held = decision({ bid: { _tag: "Hold", reason } })
    assert.deepStrictEqual(tags(stateAfter(...openBid(placeBid(842, 5))), 600, held), [])
    assert.deepStrictEqual(tags(stateAfter(), 600, held, decision({ bid: bid(900, 5) })), [])
  })

  it("plans nothing on a slot in flight", () => {
    const inFlight = stateAfter({ _tag: "IntentRecorded", at: at(0), intent: placeBid(842, 5) })
    assert.deepStrictEqual(tags(inFlight, 600, decision({ bid: bid(900, 5) })), [])
  })

  it("lists every free unit at the largest take whose buyer's price is not above the wish", () => {
    const [draft] = drafts(stateAfter(...holding), 20, decision({ ask: ask(1_035) }))
    assert.deepStrictEqual(only(draft, "_tag", "asset", "sellerReceives", "buyerPays"), {
      _tag: "ListAsset",
      asset: "a1",
      sellerReceives: 900,
      buyerPays: 1_035
    })
  })

  it("asks a step less for what waited too long, down to the floor", () => {
    const listed = listAsset("a1", 900, 1_035)
    const live = stateAfter(
      ...holding,
      { _tag: "IntentRecorded", at: at(11), intent: listed },
      { _tag: "Accepted", at: at(11), intent: listed.id },
      { _tag: "ListingSeen", at: at(12), listing: sellListing("a1", "L7", "Live") }
    )
    const patient: AskWish = {
      _tag: "Ask",
      price: money(1_035),
      reprice: { afterMillis: 3_600_000, stepFraction: -0.1, floor: money(950) },
      reason
    }
    assert.deepStrictEqual(drafts(live, 3_000, decision({ ask: patient })), [])
    const [draft] = drafts(live, 3_700, decision({ ask: patient }))
    assert.deepStrictEqual(only(draft, "_tag", "repriceTo"), { _tag: "RemoveListing", repriceTo: 950 })
  })

  it("lists what came back from a listing that waited under its new asset id, and not below the floor", () => {
    const listed = listAsset("a1", 900, 1_035)
    const returned = {
      listing: "L7" as ListingId,
      item: glove,
      asset: listed.asset,
      returnedAs: "a2" as AssetId,
      at: at(3_710)
    }
    const back = stateAfter(
      ...holding,
      { _tag: "IntentRecorded", at: at(11), intent: listed },
      { _tag: "Accepted", at: at(11), intent: listed.id },
      { _tag: "ListingSeen", at: at(12), listing: sellListing("a1", "L7", "Live") },
      {
        _tag: "IntentRecorded",
        at: at(3_700),
        intent: {
          _tag: "RemoveListing",
          id: "r1" as typeof listed.id,
          item: glove,
          reason,
          at: at(3_700),
          listing: "L7" as ListingId,
          asset: listed.asset,
          repriceTo: money(940)
        }
      },
      { _tag: "Accepted", at: at(3_700), intent: "r1" as typeof listed.id },
      { _tag: "Returned", at: at(3_710), returned },
      { _tag: "ListingClosed", at: at(3_710), item: glove, asset: listed.asset, as: "Removed" }
    )
    const patient = (floor: number): AskWish => ({
      _tag: "Ask",
      price: money(1_035),
      reprice: { afterMillis: 3_600_000, stepFraction: -0.1, floor: money(floor) },
      reason
    })
    const again = (floor: number) =>
      only(drafts(back, 3_720, decision({ ask: patient(floor) }))[0], "asset", "buyerPays")
    assert.deepStrictEqual(again(900), { asset: "a2", buyerPays: 940 })
    // the floor has risen since
    assert.deepStrictEqual(again(950), { asset: "a2", buyerPays: 950 })
  })

  it("lowers a cheap listing by a unit at least, though a step is less than one", () => {
    const listed = listAsset("a1", 18, 20)
    const live = stateAfter(
      ...holding,
      { _tag: "IntentRecorded", at: at(11), intent: listed },
      { _tag: "Accepted", at: at(11), intent: listed.id },
      { _tag: "ListingSeen", at: at(12), listing: sellListing("a1", "L7", "Live") }
    )
    const patient: AskWish = {
      _tag: "Ask",
      price: money(20),
      reprice: { afterMillis: 3_600_000, stepFraction: -0.01, floor: money(3) },
      reason
    }
    const [draft] = drafts(live, 3_700, decision({ ask: patient }))
    assert.deepStrictEqual(only(draft, "_tag", "repriceTo"), { _tag: "RemoveListing", repriceTo: 19 })
  })

  it("follows what the rule says about a worthwhile step and age", () => {
    const standing = stateAfter(...openBid(placeBid(842, 5)))
    const wish = (price: number, minStepFraction: number, minAgeMillis: number) =>
      tags(standing, 600, decision({ bid: { ...bid(price, 5), minStepFraction, minAgeMillis } as BidWish }))
    assert.deepStrictEqual(wish(844, 0, 1_000), ["CancelBid"])
    assert.deepStrictEqual(wish(843, 0, 1_000), [])
    assert.deepStrictEqual(wish(900, 0.1, 1_000), [])
    assert.deepStrictEqual(wish(900, 0, 601_000), [])
  })

  it("cancels a bid that its limits allow no more", () => {
    const standing = stateAfter(...openBid(placeBid(842, 5)))
    const under = (limits: Partial<Limits>) =>
      drafts(standing, 1, decision({ bid: bid(842, 5) }, { ...noLimits, ...limits })).map(
        ({ _tag, reason: { because } }) => [_tag, because]
      )
    assert.deepStrictEqual(
      under({ spendPerDay: money(4_210), perItemUnits: 5, openOrders: 1, maxPrice: money(842) }),
      []
    )
    assert.deepStrictEqual(under({ spendPerDay: money(4_209) }), [
      ["CancelBid", "its limits allow it no more: the strategy's spendPerDay is used up"]
    ])
    assert.deepStrictEqual(under({ perItemUnits: 4 })[0]?.[0], "CancelBid")
    assert.deepStrictEqual(under({ maxPrice: money(841) })[0]?.[0], "CancelBid")
  })
})
