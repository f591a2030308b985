/** The guard: limits across restarts and strategies, price sanity, and the losses of other bots that it is there to prevent. */
import { readFileSync } from "node:fs"

import { assert, describe, it } from "@effect/vitest"

import { noLimits } from "../../src/domain/Decision.ts"
import type { Event } from "../../src/domain/Event.ts"
import { seen, unseen } from "../../src/domain/Facts.ts"
import type { BuyOrderId } from "../../src/domain/Ids.ts"
import type { ListAsset, PlaceBid } from "../../src/domain/Intent.ts"
import { item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import type { State } from "../../src/domain/State.ts"
import type { Draft } from "../../src/engine/Draft.ts"
import { defaultGuardRules, type GuardInput, rule } from "../../src/engine/Guard.ts"
import { refusals, refusalsText } from "../../src/engine/Refusals.ts"
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
  stateAfter,
  tags,
  wallet
} from "./Given.ts"

const other = item(730, "Chroma 2 Case")
const levels = (price: number, units = 3) => [{ price: money(price), units }]
const bookAt = (bidAt: number | undefined, askAt: number | undefined, seconds = 0) =>
  seen(
    orderBook({
      currency: 1,
      bids: bidAt === undefined ? [] : levels(bidAt),
      asks: askAt === undefined ? [] : levels(askAt)
    }),
    at(seconds)
  )
/** A week in which it sold for this, in major units, ten units a day. */
const usually = (major: number, units = 10) =>
  seen(
    priceHistory(Array.from({ length: 7 }, (_, day) => salesPoint(at(-86_400 * (day + 0.5)), major, units))),
    at(0)
  )

const guard = (draft: Draft, state: State, of: Partial<GuardInput> = {}) =>
  rule(draft, {
    state,
    account: "1",
    wallet,
    book: bookAt(840, 1_000),
    history: unseen,
    now: at(0),
    marketRests: false,
    rules: defaultGuardRules,
    ...of
  })
const bidDraft = (price: number, quantity: number, limits = noLimits): Draft => {
  const [draft] = drafts(stateAfter(), 0, decision({ bid: bid(price, quantity) }, limits))
  if (draft === undefined) throw new Error("no draft")
  return draft
}
const code = (ruling: ReturnType<typeof rule>) => (ruling._tag === "Refused" ? ruling.code : "Approved")

const refusal = (intent: PlaceBid | ListAsset, code = "Failed"): ReadonlyArray<Event> => [
  { _tag: "IntentRecorded", at: at(0), intent },
  { _tag: "Sent", at: at(0), intent: intent.id },
  { _tag: "Refused", at: at(0), intent: intent.id, code, message: "" }
]

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

  it("stops when the book is in another currency, when trading is halted, and while a side cools down", () => {
    const euros = seen(orderBook({ currency: 3, bids: [], asks: [] }), at(0))
    assert.strictEqual(code(guard(bidDraft(842, 1), stateAfter(), { book: euros })), "CurrencyMismatch")
    const suspect: Event = { _tag: "CurrencyDiffers", at: at(0), item: other, book: 3, wallet: 1 }
    const again: Event = { _tag: "CurrencyAgrees", at: at(1), item: other }
    assert.strictEqual(code(guard(bidDraft(842, 1), stateAfter(suspect))), "CurrencyMismatch")
    assert.strictEqual(code(guard(bidDraft(842, 1), stateAfter(suspect, again))), "Approved")
    assert.strictEqual(
      code(guard(bidDraft(842, 1), stateAfter({ _tag: "Halted", at: at(0), why: "test" }))),
      "Halted"
    )
    const refused = stateAfter(...refusal(placeBid(842, 1)))
    assert.strictEqual(code(guard(bidDraft(842, 1), refused)), "CoolingDown")
    assert.strictEqual(code(guard(bidDraft(842, 1), refused, { now: at(60) })), "Approved")
  })

  it("never refuses to take risk away", () => {
    const halted = stateAfter(...openBid(placeBid(842, 5)), { _tag: "Halted", at: at(0), why: "test" })
    const [cancel] = drafts(halted, 1, decision({ bid: { _tag: "NoBid", reason } }))
    assert.strictEqual(cancel === undefined ? "" : code(guard(cancel, halted)), "Approved")
  })

  it("holds the account's limits over all strategies, also over one that was renamed", () => {
    const before = stateAfter(...holding)
    const limits = { ...noLimits, spendPerDay: money(2_000) }
    const [draft] = drafts(
      before,
      20,
      decision(
        { bid: { ...bid(842, 2), reason: { ...reason, origin: { ...reason.origin, strategy: "maker2" } } } },
        limits
      )
    )
    if (draft === undefined) throw new Error("no draft")
    const account = (of: Partial<GuardInput["rules"]["account"]>) => ({
      rules: { ...defaultGuardRules, account: { ...defaultGuardRules.account, ...of } }
    })
    assert.strictEqual(code(guard(draft, before)), "Approved")
    const spending = guard(draft, before, account({ spendPerDay: money(1_000) }))
    assert.strictEqual(code(spending), "AccountSpendPerDay")
    assert.strictEqual(code(guard(draft, before, account({ exposure: money(1_000) }))), "AccountExposure")
    const standing = stateAfter(...openBid({ ...placeBid(100, 1), item: other }))
    assert.strictEqual(code(guard(draft, standing, account({ openOrders: 1 }))), "AccountOpenOrders")
  })

  it("lets open orders be worth more than the wallet only as often as the configuration says, and no single one", () => {
    const standing = stateAfter(...openBid({ ...placeBid(4_900, 2), item: other }))
    const rules = {
      ...defaultGuardRules,
      account: { ...defaultGuardRules.account, ordersOverWallet: 3 }
    }
    assert.strictEqual(code(guard(bidDraft(842, 5), standing)), "InsufficientFunds")
    assert.strictEqual(code(guard(bidDraft(842, 5), standing, { rules })), "Approved")
    const poor = { ...wallet, balance: money(800) }
    assert.strictEqual(code(guard(bidDraft(842, 5), standing, { rules, wallet: poor })), "InsufficientFunds")
  })

  it("counts an order that was just cancelled until the account was read after it", () => {
    const bought = placeBid(900, 2)
    const cancelling = stateAfter(
      ...openBid({ ...bought, item: other }),
      {
        _tag: "IntentRecorded",
        at: at(1),
        intent: {
          ...bought,
          _tag: "CancelBid",
          id: "c1" as typeof bought.id,
          order: "o1" as BuyOrderId,
          item: other
        }
      },
      { _tag: "Accepted", at: at(1), intent: "c1" as typeof bought.id }
    )
    assert.strictEqual(cancelling.bids["730/Chroma 2 Case"]?._tag, "Settling")
    const limits = { ...noLimits, spendPerDay: money(2_000) }
    assert.strictEqual(code(guard(bidDraft(842, 1, limits), cancelling)), "SpendPerDay")
  })

  it("asks for confirmations of no more listings than the market lets wait", () => {
    const waiting = Array.from({ length: 250 }, (_, index): Event => ({
      _tag: "IntentRecorded",
      at: at(0),
      intent: { ...listAsset(`w${index}`, 900, 1_035), item: other }
    }))
    assert.strictEqual(
      code(guard(askDraft(1_035), stateAfter(...holding, ...waiting))),
      "UnconfirmedListings"
    )
    assert.strictEqual(code(guard(askDraft(1_035), stateAfter(...holding, ...waiting.slice(1)))), "Approved")
  })
})

/** One unit that cost 8.40, to be listed at this price. */
const askDraft = (price: number, allowLoss = false): Draft => {
  const [draft] = drafts(stateAfter(...holding), 20, decision({ ask: ask(price, allowLoss) }))
  if (draft === undefined) throw new Error("no draft")
  return draft
}
const asking = (price: number, of: Partial<GuardInput>, allowLoss = false) =>
  code(guard(askDraft(price, allowLoss), stateAfter(...holding), of))
const bidding = (price: number, of: Partial<GuardInput>) => code(guard(bidDraft(price, 1), stateAfter(), of))

describe("price sanity", () => {
  it("does not sell below cost after fees unless the rule says so, to the unit", () => {
    assert.strictEqual(asking(966, {}), "Approved")
    assert.strictEqual(asking(965, {}), "BelowCost")
    assert.strictEqual(asking(965, {}, true), "Approved")
  })

  it("never lists an expensive item for next to nothing, whatever the rule says (SEE#188)", () => {
    const dumped = bookAt(1, 2)
    assert.strictEqual(asking(3, {}, true), "PriceFarFromBook")
    assert.strictEqual(asking(3, { book: dumped }), "BelowCost")
    assert.strictEqual(asking(3, { book: dumped }, true), "LossTooLarge")
    assert.strictEqual(asking(500, { book: dumped, history: usually(10.5) }, true), "PriceFarFromBook")
    assert.strictEqual(
      asking(500, { book: bookAt(1, 600), history: usually(10.5) }, true),
      "PriceFarFromHistory"
    )
    assert.strictEqual(asking(600, { book: bookAt(1, 600), history: usually(10.5) }, true), "Approved")
  })

  it("bids neither far over the ask, nor far over what it usually costs", () => {
    assert.strictEqual(bidding(1_101, {}), "PriceFarFromBook")
    assert.strictEqual(bidding(1_100, {}), "Approved")
    assert.strictEqual(bidding(1_000, { history: usually(4.5) }), "PriceFarFromHistory")
    assert.strictEqual(bidding(1_000, { history: usually(4.5, 0) }), "Approved")
    assert.strictEqual(bidding(900, { book: bookAt(440, undefined) }), "PriceFarFromBook")
    assert.strictEqual(bidding(880, { book: bookAt(440, undefined) }), "Approved")
    assert.strictEqual(bidding(880, { book: bookAt(undefined, undefined) }), "BookEmpty")
  })

  it("asks by the history where it is alone in the book", () => {
    const alone = bookAt(undefined, undefined)
    assert.strictEqual(asking(1_155, { book: alone, history: usually(10.5) }), "Approved")
    assert.strictEqual(asking(22_000, { book: alone, history: usually(10.5) }), "PriceFarFromHistory")
  })

  it("judges by no book that is gone or old at the moment of sending", () => {
    assert.strictEqual(bidding(842, { book: unseen }), "NoBook")
    assert.strictEqual(bidding(842, { now: at(600) }), "Approved")
    assert.strictEqual(bidding(842, { now: at(601) }), "BookStale")
    assert.strictEqual(asking(1_035, { now: at(601) }), "BookStale")
  })

  it("keeps to the market's own smallest and largest price", () => {
    assert.strictEqual(bidding(2, {}), "BelowMarketMinimum")
    const tradeMaximum = money(1_000)
    assert.strictEqual(bidding(1_001, { wallet: { ...wallet, tradeMaximum } }), "AboveMarketMaximum")
    assert.strictEqual(asking(1_035, { wallet: { ...wallet, tradeMaximum } }), "AboveMarketMaximum")
  })

  it("stops when the wallet itself has another currency than the ledger", () => {
    assert.strictEqual(bidding(842, { wallet: { ...wallet, currency: 3 } }), "CurrencyMismatch")
  })
})

describe("what other bots lost by", () => {
  it("buys nothing twice from a stale position (passivbot#980)", () => {
    const limits = { ...noLimits, perItemUnits: 1 }
    const [draft] = drafts(stateAfter(), 0, decision({ bid: bid(842, 1) }, limits))
    if (draft === undefined) throw new Error("no draft")
    // the fill came between the decision and the sending
    assert.strictEqual(code(guard(draft, stateAfter(...holding))), "PerItemUnits")
  })

  it("places no second order while the first one's outcome is unknown (hummingbot#493)", () => {
    const first = placeBid(842, 5)
    const open: Event = { _tag: "IntentRecorded", at: at(0), intent: first }
    const lost: Event = {
      _tag: "OutcomeUnknown",
      at: at(1),
      intent: first.id,
      reason: "TimedOut",
      detail: ""
    }
    assert.deepStrictEqual(tags(stateAfter(open, lost), 6_000, decision({ bid: bid(842, 5) })), [])
  })

  it("does not sell in a loop what the market refuses to list (freqtrade#1371)", () => {
    const draft = askDraft(1_035)
    const state = stateAfter(...holding, ...refusal(listAsset("a1", 900, 1_035)))
    assert.strictEqual(code(guard(draft, state)), "CoolingDown")
    // another side of the same item is not punished for it
    assert.strictEqual(code(guard(bidDraft(842, 1), state)), "Approved")
  })

  it("leaves what the owner ordered by hand alone, and counts it (hummingbot#3214)", () => {
    const foreign: Event = {
      _tag: "ForeignBidSeen",
      at: at(0),
      order: { id: "f1" as BuyOrderId, item: glove, price: money(900), quantity: 11, remaining: 11 }
    }
    const state = stateAfter(foreign)
    assert.deepStrictEqual(tags(state, 6_000, decision({ bid: bid(842, 5) })), [])
    const [elsewhere] = drafts(stateAfter(), 0, { ...decision({ bid: bid(842, 1) }) })
    if (elsewhere === undefined) throw new Error("no draft")
    assert.strictEqual(code(guard({ ...elsewhere, item: other }, state)), "InsufficientFunds")
  })
})

describe("docs/refusals.md", () => {
  it("lists every code; regenerate it by: node test/engine/refusals.ts", () => {
    assert.strictEqual(readFileSync("docs/refusals.md", "utf8"), refusalsText())
    for (const code of Object.keys(refusals)) assert.include(refusalsText(), `\`${code}\``)
  })
})
