import { assert, describe, it } from "@effect/vitest"

import type { AskWish, BidWish, Decision } from "../../src/domain/Decision.ts"
import { noLimits } from "../../src/domain/Decision.ts"
import type { Event } from "../../src/domain/Event.ts"
import type { BuyOrderId } from "../../src/domain/Ids.ts"
import { money } from "../../src/domain/Money.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import type { State } from "../../src/domain/State.ts"
import { coolingKey, type GuardInput, rule } from "../../src/engine/Guard.ts"
import { defaultPlanRules, type Draft, plan } from "../../src/engine/Plan.ts"
import {
  at,
  buyFill,
  glove,
  listAsset,
  openBid,
  placeBid,
  reason,
  sellListing,
  stateAfter,
  wallet
} from "./Given.ts"

const decision = (of: { readonly bid?: BidWish; readonly ask?: AskWish }, limits = noLimits): Decision => ({
  strategy: "maker",
  revision: "0011aabb",
  item: glove,
  at: at(0),
  verdicts: [],
  bid: of.bid,
  ask: of.ask,
  holds: [],
  buys: [],
  signals: [],
  limits,
  yields: []
})
const bid = (price: number, quantity: number): BidWish => ({
  _tag: "Bid",
  price: money(price),
  quantity,
  expireMillis: undefined,
  reason
})
const ask = (price: number): AskWish => ({ _tag: "Ask", price: money(price), reprice: undefined, reason })

const drafts = (state: State, seconds: number, ...decisions: ReadonlyArray<Decision>): ReadonlyArray<Draft> =>
  plan({ state, item: glove, now: at(seconds), fees: wallet.fees, decisions, rules: defaultPlanRules })
const tags = (state: State, seconds: number, ...decisions: ReadonlyArray<Decision>) =>
  drafts(state, seconds, ...decisions).map((draft) => draft._tag)

const only = (actual: object | undefined, ...keys: ReadonlyArray<string>): object =>
  Object.fromEntries(Object.entries(actual ?? {}).filter(([key]) => keys.includes(key)))

const holding: ReadonlyArray<Event> = [
  ...openBid(placeBid(842, 1)),
  {
    _tag: "Filled",
    at: at(10),
    fill: buyFill("f1", 840, "a1"),
    intent: placeBid(842, 1).id,
    strategy: "maker"
  },
  { _tag: "BidClosed", at: at(10), item: glove, order: "o1" as BuyOrderId, as: "Filled" }
]

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
})

const guard = (draft: Draft, state: State, of: Partial<GuardInput> = {}) =>
  rule(draft, {
    state,
    account: "1",
    wallet,
    book: orderBook({
      currency: 1,
      bids: [{ price: money(840), units: 3 }],
      asks: [{ price: money(1_000), units: 2 }]
    }),
    now: at(0),
    coolingUntil: new Map(),
    ...of
  })
const bidDraft = (price: number, quantity: number, limits = noLimits): Draft => {
  const [draft] = drafts(stateAfter(), 0, decision({ bid: bid(price, quantity) }, limits))
  if (draft === undefined) throw new Error("no draft")
  return draft
}
const code = (ruling: ReturnType<typeof rule>) => (ruling._tag === "Refused" ? ruling.code : "Approved")

describe("the guard", () => {
  it("gives the same intent the same id, and another one after the next epoch", () => {
    const first = guard(bidDraft(842, 5), stateAfter())
    const again = guard(bidDraft(842, 5), stateAfter())
    const later = guard(bidDraft(842, 5), stateAfter(...openBid(placeBid(1, 1))))
    const id = (ruling: ReturnType<typeof rule>) =>
      ruling._tag === "Approved" ? ruling.intent.id : undefined
    assert.isDefined(id(first))
    assert.strictEqual(id(first), id(again))
    assert.notStrictEqual(id(first), id(later))
  })

  it("cuts a bid down to what every limit leaves, and refuses it when nothing is left", () => {
    const limits = { ...noLimits, spendPerDay: money(2_000) }
    const ruling = guard(bidDraft(842, 5, limits), stateAfter())
    assert.deepStrictEqual(only(ruling._tag === "Approved" ? ruling.intent : undefined, "quantity"), {
      quantity: 2
    })
    assert.strictEqual(
      code(guard(bidDraft(842, 5, { ...noLimits, spendPerDay: money(800) }), stateAfter())),
      "SpendPerDay"
    )
    assert.strictEqual(
      code(guard(bidDraft(842, 5, { ...noLimits, perItemUnits: 1 }), stateAfter(...holding))),
      "PerItemUnits"
    )
    assert.strictEqual(
      code(guard(bidDraft(842, 5, { ...noLimits, exposure: money(900) }), stateAfter(...holding))),
      "Exposure"
    )
  })

  it("counts open bids as if they were filled", () => {
    const state = stateAfter(...openBid(placeBid(900, 11)))
    assert.strictEqual(code(guard(bidDraft(842, 5), state)), "InsufficientFunds")
    assert.strictEqual(code(guard(bidDraft(842, 1, { ...noLimits, openOrders: 1 }), state)), "OpenOrders")
  })

  it("does not replace a bid because a limit had cut it", () => {
    const ruling = guard(bidDraft(842, 4, { ...noLimits, spendPerDay: money(900) }), stateAfter())
    assert.deepStrictEqual(
      only(ruling._tag === "Approved" ? ruling.intent : undefined, "quantity", "wished"),
      {
        quantity: 1,
        wished: 4
      }
    )
    const standing = stateAfter(...openBid({ ...placeBid(842, 1), wished: 4 }))
    assert.deepStrictEqual(tags(standing, 6_000, decision({ bid: bid(842, 4) })), [])
    assert.deepStrictEqual(tags(standing, 6_000, decision({ bid: bid(842, 8) })), ["CancelBid"])
  })

  it("takes a price far from the book for a mistake", () => {
    assert.strictEqual(code(guard(bidDraft(1_200, 1), stateAfter())), "PriceFarFromBook")
    const [cheap] = drafts(stateAfter(...holding), 20, decision({ ask: ask(100) }))
    assert.strictEqual(
      cheap === undefined ? "" : code(guard(cheap, stateAfter(...holding))),
      "PriceFarFromBook"
    )
  })

  it("stops when the book is in another currency, when trading is halted, and while a side cools down", () => {
    const euros = orderBook({ currency: 3, bids: [], asks: [] })
    assert.strictEqual(code(guard(bidDraft(842, 1), stateAfter(), { book: euros })), "CurrencyMismatch")
    assert.strictEqual(
      code(guard(bidDraft(842, 1), stateAfter({ _tag: "Halted", at: at(0), why: "test" }))),
      "Halted"
    )
    const coolingUntil = new Map([[coolingKey(bidDraft(842, 1)), at(60)]])
    assert.strictEqual(code(guard(bidDraft(842, 1), stateAfter(), { coolingUntil })), "CoolingDown")
    assert.strictEqual(code(guard(bidDraft(842, 1), stateAfter(), { coolingUntil, now: at(60) })), "Approved")
  })

  it("never refuses to take risk away", () => {
    const halted = stateAfter(...openBid(placeBid(842, 5)), { _tag: "Halted", at: at(0), why: "test" })
    const [cancel] = drafts(halted, 1, decision({ bid: { _tag: "NoBid", reason } }))
    assert.strictEqual(cancel === undefined ? "" : code(guard(cancel, halted)), "Approved")
  })
})
