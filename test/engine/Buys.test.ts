import { assert, describe, it } from "@effect/vitest"

import type { BuyWish, Decision, Limits } from "../../src/domain/Decision.ts"
import { noLimits } from "../../src/domain/Decision.ts"
import type { Event } from "../../src/domain/Event.ts"
import { seen, unseen } from "../../src/domain/Facts.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import type { AssetId, IntentId, ListingId } from "../../src/domain/Ids.ts"
import type { BuyListing } from "../../src/domain/Intent.ts"
import { itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import type { Offer } from "../../src/domain/Offer.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import type { State } from "../../src/domain/State.ts"
import { type Draft, defaultPlanRules } from "../../src/engine/Draft.ts"
import { defaultGuardRules, type GuardInput, rule } from "../../src/engine/Guard.ts"
import { committed } from "../../src/engine/Observe.ts"
import { plan } from "../../src/engine/Plan.ts"
import { afterDeath, overdue, unsettled } from "../../src/engine/Recover.ts"
import { defaultAccountLimits } from "../../src/engine/Room.ts"
import { defaultTrackRules, needsHistory, track, type TrackInput } from "../../src/engine/Track.ts"
import { at, buyFill, glove, openBid, opened, placeBid, reason, stateAfter, wallet } from "./Given.ts"

const key = itemKey(glove)

const offer = (total: number, listing = "L1", of: Partial<Offer> = {}): Offer => ({
  listing: listing as ListingId,
  item: glove,
  asset: `a-${listing}` as AssetId,
  context: "2",
  units: 1,
  currency: 1,
  subtotal: money(total - Math.round(total * 0.13)),
  fee: money(Math.round(total * 0.13)),
  isMine: false,
  properties: new Map(),
  accessories: [],
  ...of
})

const buyListing = (total: number, listing = "L1", id = "b1"): BuyListing => {
  const { asset, fee, subtotal } = offer(total, listing)
  return {
    _tag: "BuyListing",
    id: id as IntentId,
    item: glove,
    reason,
    at: at(0),
    listing: listing as ListingId,
    asset,
    currency: 1,
    subtotal,
    fee,
    units: 1,
    limit: money(total)
  }
}

const recorded = (intent: BuyListing): Event => ({ _tag: "IntentRecorded", at: at(0), intent })
const sent = (intent: BuyListing): ReadonlyArray<Event> => [
  recorded(intent),
  { _tag: "Sent", at: at(0), intent: intent.id }
]
const yes = (intent: BuyListing): ReadonlyArray<Event> => [
  ...sent(intent),
  { _tag: "Accepted", at: at(1), intent: intent.id }
]
const lost = (intent: BuyListing): ReadonlyArray<Event> => [
  ...sent(intent),
  { _tag: "OutcomeUnknown", at: at(0), intent: intent.id, reason: "TimedOut", detail: "" }
]

const wish = (of: Offer, limit = 1_000): BuyWish => ({ _tag: "Buy", offer: of, limit: money(limit), reason })

const decision = (buys: ReadonlyArray<BuyWish>, of: Partial<Decision> = {}): Decision => ({
  strategy: "maker",
  revision: "0011aabb",
  item: glove,
  at: at(0),
  verdicts: [],
  bid: undefined,
  ask: undefined,
  trace: () => [],
  buys,
  signals: [],
  limits: noLimits,
  yields: [],
  ...of
})

const drafts = (state: State, ...decisions: ReadonlyArray<Decision>): ReadonlyArray<Draft> =>
  plan({
    state,
    item: glove,
    now: at(60),
    fees: wallet.fees,
    decisions,
    rules: defaultPlanRules,
    account: defaultAccountLimits
  })

const book = orderBook({
  currency: 1,
  bids: [{ price: money(840), units: 3 }],
  asks: [{ price: money(900), units: 2 }]
})

const ruled = (
  state: State,
  of: { total?: number; limit?: number; limits?: Partial<Limits>; offer?: Partial<Offer> } = {}
): string => {
  const limits = { ...noLimits, ...of.limits }
  const wanted = wish(offer(of.total ?? 900, "L1", of.offer), of.limit)
  const [draft] = drafts(stateAfter(), decision([wanted], { limits }))
  assert.isDefined(draft)
  const input: GuardInput = {
    state,
    account: "1",
    wallet,
    book: seen(book, at(60)),
    history: unseen,
    now: at(60),
    marketRests: false,
    rules: defaultGuardRules
  }
  const ruling = rule(draft, input)
  return ruling._tag === "Approved" ? "Approved" : ruling.code
}

const look = (
  state: State,
  seconds: number,
  of: Partial<Pick<TrackInput, "history" | "missing" | "funds">> = {}
) => {
  const tracked = track({
    state,
    open: { buyOrders: [], listings: [] },
    history: { fills: [], returned: [] },
    missing: new Map(),
    funds: 10_000,
    now: at(seconds),
    rules: defaultTrackRules,
    ...of
  })
  return {
    ...tracked,
    state: applyAll(state, tracked.events),
    tags: tracked.events.map((event) =>
      event._tag === "BuyClosed" ? `${event._tag} ${event.as}` : event._tag
    )
  }
}

const fillOf = (intent: BuyListing, seconds = 10) => ({
  ...buyFill("f1", 900, "new1", seconds),
  listing: intent.listing
})

describe("planning a purchase", () => {
  it("takes the cheapest offer that is wished for, one at a time, and lets the bid wait", () => {
    const both = decision([wish(offer(880, "L1")), wish(offer(890, "L2"))], {
      bid: { _tag: "Bid", price: money(842), quantity: 2, expireMillis: undefined, reason }
    })
    const planned = drafts(stateAfter(), both)
    assert.deepStrictEqual(
      planned.map((draft) => (draft._tag === "BuyListing" ? draft.listing : draft._tag)),
      ["L1"]
    )
  })

  it("drafts nothing on the item's bid side while a purchase, its unit or a bid is on its way", () => {
    const wanted = decision([wish(offer(880, "L2"))], {
      bid: { _tag: "Bid", price: money(842), quantity: 2, expireMillis: undefined, reason }
    })
    const intent = buyListing(900)
    for (const events of [[recorded(intent)], sent(intent), yes(intent), lost(intent)])
      assert.deepStrictEqual(drafts(stateAfter(...events), wanted), [])
    const placing = stateAfter({ _tag: "IntentRecorded", at: at(0), intent: placeBid(842, 2) })
    assert.deepStrictEqual(drafts(placing, decision([wish(offer(880))])), [])
  })

  it("never wishes for a listing of ours or one that was bought before, whatever an old list says", () => {
    const own = decision([wish(offer(880, "L1", { isMine: true }))])
    assert.deepStrictEqual(drafts(stateAfter(), own), [])
    const intent = buyListing(900, "L1")
    const bought = look(stateAfter(...yes(intent)), 30, {
      history: { fills: [fillOf(intent)], returned: [] }
    }).state
    assert.deepStrictEqual(drafts(bought, decision([wish(offer(900, "L1"))])), [])
    assert.strictEqual(drafts(bought, decision([wish(offer(900, "L2"))])).length, 1)
  })
})

describe("the guard on a purchase", () => {
  it("lets one through that is within the rule's limit, the strategy's limits, the wallet and the book", () => {
    assert.strictEqual(ruled(stateAfter()), "Approved")
  })

  it("refuses what costs more than the rule's limit or than is sane against the ask", () => {
    assert.strictEqual(ruled(stateAfter(), { total: 1_001 }), "AboveLimit")
    assert.strictEqual(ruled(stateAfter(), { total: 1_801, limit: 9_000 }), "PriceFarFromBook")
    assert.strictEqual(ruled(stateAfter(), { limits: { maxPrice: money(899) } }), "AboveMaxPrice")
    assert.strictEqual(ruled(stateAfter(), { limits: { minPrice: money(901) } }), "BelowMinPrice")
  })

  it("refuses a listing in another currency than the wallet's", () => {
    assert.strictEqual(ruled(stateAfter(), { offer: { currency: 3 } }), "CurrencyMismatch")
  })

  it("counts units on order as held, a purchase that is not booked as spent, and none as an order that stands", () => {
    const bidding = stateAfter(...openBid(placeBid(842, 5)))
    assert.strictEqual(ruled(bidding, { limits: { perItemUnits: 5 } }), "PerItemUnits")
    assert.strictEqual(ruled(bidding, { limits: { perItemUnits: 6 } }), "Approved")
    assert.strictEqual(ruled(bidding, { limits: { openOrders: 1 } }), "Approved")
    const other = { ...buyListing(900), item: { ...glove, name: "Other Case" } }
    const buying = stateAfter(...yes(other))
    assert.strictEqual(committed(buying), 900)
    assert.strictEqual(ruled(buying, { limits: { spendPerDay: money(1_799) } }), "SpendPerDay")
    assert.strictEqual(ruled(buying, { limits: { exposure: money(1_799) } }), "Exposure")
    assert.strictEqual(ruled(buying, { limits: { spendPerDay: money(1_800) } }), "Approved")
    assert.strictEqual(ruled({ ...buying, ledger: money(1_799) }), "InsufficientFunds")
  })

  it("refuses while an outcome on the side is open", () => {
    assert.strictEqual(ruled(stateAfter(...lost(buyListing(900)))), "Unsettled")
  })
})

describe("following a purchase", () => {
  it("reads the history for as long as one is on its way", () => {
    const nothing = { buyOrders: [], listings: [] }
    assert.isFalse(needsHistory(stateAfter(), nothing))
    assert.isTrue(needsHistory(stateAfter(...yes(buyListing(900))), nothing))
  })

  it("books the unit to the intent that bought its listing and closes it", () => {
    const intent = buyListing(900)
    const seen = look(stateAfter(...yes(intent)), 30, { history: { fills: [fillOf(intent)], returned: [] } })
    assert.deepStrictEqual(seen.tags, ["Filled", "BuyClosed Bought"])
    const [filled] = seen.events
    assert.strictEqual(filled?._tag === "Filled" ? filled.intent : undefined, intent.id)
    assert.deepStrictEqual(seen.state.buys, {})
    assert.strictEqual(seen.state.ledger, 9_100)
    assert.strictEqual(seen.state.positions[key]?.lots[0]?.strategy, "maker")
  })

  it("does not take a standing order's fill for the purchase's", () => {
    const [bid, intent] = [placeBid(842, 2), buyListing(900)]
    const state = stateAfter(...openBid(bid), ...yes(intent))
    const seen = look(state, 30, { history: { fills: [buyFill("f9", 840, "a9")], returned: [] } })
    const [filled] = seen.events
    assert.strictEqual(filled?._tag === "Filled" ? filled.intent : undefined, bid.id)
    assert.strictEqual(seen.state.buys[key]?._tag, "Settling")
  })

  it("believes that an unclear one did not happen only late, and only with the money still there", () => {
    const intent = buyListing(900)
    const state = stateAfter(...lost(intent))
    const early = look(state, 30)
    assert.deepStrictEqual(early.tags, [])
    assert.deepStrictEqual(look(state, 90, { missing: early.missing, funds: 9_100 }).tags, [])
    const late = look(state, 90, { missing: early.missing })
    assert.deepStrictEqual(late.events, [{ _tag: "Settled", at: at(90), intent: intent.id, happened: false }])
    assert.deepStrictEqual(late.state.buys, {})
  })

  it("settles an unclear one by the history, also after it was quarantined", () => {
    const intent = buyListing(900)
    const state = stateAfter(...lost(intent), {
      _tag: "Quarantined",
      at: at(1_800),
      intent: intent.id,
      tries: 9
    })
    const seen = look(state, 1_900, { history: { fills: [fillOf(intent)], returned: [] }, funds: 9_100 })
    assert.deepStrictEqual(seen.tags, ["Filled", "Settled", "BuyClosed Bought"])
    assert.strictEqual(seen.state.ledger, 9_100)
  })

  it("gives up on a unit that the market said it sold and never showed", () => {
    const state = stateAfter(...yes(buyListing(900)))
    assert.deepStrictEqual(look(state, 1_000).tags, [])
    assert.deepStrictEqual(look(state, 1_801).tags, ["BuyClosed Gone"])
  })
})

describe("a purchase and death", () => {
  it("is never sent again: unsent it is refused, sent it is a question", () => {
    const intent = buyListing(900)
    const died = (...events: ReadonlyArray<Event>) => {
      const state = stateAfter(...events)
      return applyAll(state, afterDeath(state, at(5))).buys[key]?._tag
    }
    assert.strictEqual(died(recorded(intent)), undefined)
    assert.strictEqual(died(...sent(intent)), "Uncertain")
    const pended: Event = { _tag: "Pended", at: at(1), intent: intent.id, confirmation: "c1" as never }
    assert.strictEqual(died(...sent(intent), pended), "Uncertain")
    assert.strictEqual(died(...yes(intent)), "Settling")
  })

  it("is told to a person when reads could not settle it", () => {
    const state = stateAfter(...lost(buyListing(900)))
    assert.strictEqual(unsettled(state), 1)
    assert.deepStrictEqual(overdue(state, at(1_799), 9), [])
    assert.deepStrictEqual(
      overdue(state, at(1_800), 9).map(({ _tag }) => _tag),
      ["Quarantined"]
    )
  })

  it("opens the ledger with nothing on its way", () => {
    assert.deepStrictEqual(stateAfter(opened).buys, {})
  })
})
