/** Protections: what trips them, that a restart forgets nothing of them, and what they leave of a strategy's wishes. */
import { assert, describe, it } from "@effect/vitest"

import type { Event } from "../../src/domain/Event.ts"
import { type Facts, seen, unseen } from "../../src/domain/Facts.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import type { AssetId, BuyOrderId } from "../../src/domain/Ids.ts"
import { item, itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import type { Protection } from "../../src/domain/Protection.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import type { State } from "../../src/domain/State.ts"
import { haltedStrategies, type EquityPoint, trailOf } from "../../src/domain/Trail.ts"
import { defaultPlanRules } from "../../src/engine/Draft.ts"
import { equityOf } from "../../src/engine/Equity.ts"
import { factsOf, emptyView } from "../../src/engine/Observe.ts"
import { plan } from "../../src/engine/Plan.ts"
import { withPrice } from "../../src/engine/PriceTrail.ts"
import { pausesOf, protect, protectionEvents, type Watched } from "../../src/engine/Protections.ts"
import { defaultAccountLimits } from "../../src/engine/Room.ts"
import {
  ask,
  at,
  bid,
  buyFill,
  decision,
  glove,
  listAsset,
  openBid,
  placeBid,
  sellFill,
  stateAfter,
  wallet
} from "./Given.ts"

const key = itemKey(glove)
const hour = 3_600
const minutes = (count: number) => count * 60_000

const strategy = (...protections: ReadonlyArray<Protection>) => ({ name: "maker", protections })

/** Bought for so much and sold again for so much, by the strategy, at these seconds. */
const roundTrip = (
  id: string,
  paid: number,
  received: number,
  [boughtAt, soldAt]: readonly [number, number],
  of = glove
): ReadonlyArray<Event> => [
  {
    _tag: "Filled",
    at: at(boughtAt),
    fill: { ...buyFill(`b${id}`, paid, `a${id}`, boughtAt), item: of },
    intent: placeBid(1, 1).id,
    strategy: "maker"
  },
  {
    _tag: "Filled",
    at: at(soldAt),
    fill: { ...sellFill(`s${id}`, received, `a${id}`, soldAt), item: of },
    intent: listAsset("x", 1, 3).id,
    strategy: "seller"
  }
]

const facts = (state: State, seconds: number, of: Partial<Facts> = {}): Facts => {
  const view = { ...emptyView(), wallet: seen(wallet, at(seconds)) }
  const found = factsOf(view, state, glove, at(seconds))
  assert.isDefined(found)
  return { ...found, ...of }
}

const watched = (state: State, seconds: number, of: Partial<Watched> = {}): Watched => ({
  state,
  facts: facts(state, seconds),
  prices: [],
  equity: undefined,
  ...of
})

/** The state after what the protections make of it. */
const after = (state: State, seconds: number, protection: Protection, of: Partial<Watched> = {}): State =>
  applyAll(state, protectionEvents(strategy(protection), watched(state, seconds, of)))
const paused = (state: State, seconds: number, protection: Protection) =>
  pausesOf(strategy(protection), state, key, at(seconds)).map(({ kind, until }) => [
    kind,
    (until - at(seconds)) / 60_000
  ])
const kinds = (events: ReadonlyArray<Event>) => events.map(({ _tag }) => _tag)

const cooldown: Protection = { kind: "cooldown", after: "sell", forMillis: minutes(30), scope: "item" }

describe("a cooldown", () => {
  const sold = stateAfter(...roundTrip("1", 900, 1_000, [0, 600]))

  it("begins with the sale, is journaled once, and is over after its time", () => {
    const state = after(sold, 660, cooldown)
    assert.deepStrictEqual(paused(state, 660, cooldown), [["cooldown", 29]])
    assert.deepStrictEqual(protectionEvents(strategy(cooldown), watched(state, 700)), [])
    assert.deepStrictEqual(paused(state, 600 + 1_800, cooldown), [])
    assert.deepStrictEqual(protectionEvents(strategy(cooldown), watched(sold, 600 + 1_800)), [])
  })

  it("begins anew with the next sale", () => {
    const again = applyAll(after(sold, 660, cooldown), roundTrip("2", 900, 1_000, [700, 1_200]))
    assert.deepStrictEqual(paused(after(again, 1_260, cooldown), 1_260, cooldown), [["cooldown", 29]])
  })

  it("counts for the strategy that bought the unit, whoever sold it, and by what it is after", () => {
    assert.isDefined(sold.trails["maker"])
    assert.isUndefined(sold.trails["seller"])
    const loss: Protection = { ...cooldown, after: "loss" }
    assert.deepStrictEqual(paused(after(sold, 660, loss), 660, loss), [])
    const lost = stateAfter(...roundTrip("1", 900, 800, [0, 600]))
    assert.deepStrictEqual(paused(after(lost, 660, loss), 660, loss), [["cooldown", 29]])
  })

  it("is about its item, or about all of the strategy's", () => {
    const elsewhere = stateAfter(...roundTrip("1", 900, 1_000, [0, 600], item(730, "Chroma 2 Case")))
    assert.deepStrictEqual(paused(after(elsewhere, 660, cooldown), 660, cooldown), [])
    const wide: Protection = { ...cooldown, scope: "strategy" }
    assert.deepStrictEqual(paused(after(elsewhere, 660, wide), 660, wide), [["cooldown", 29]])
  })

  it("lasts as long as the file says now, and not at all when it is gone from the file", () => {
    const state = after(sold, 660, cooldown)
    assert.deepStrictEqual(paused(state, 660, { ...cooldown, forMillis: minutes(5) }), [["cooldown", 4]])
    assert.deepStrictEqual(pausesOf(strategy(), state, key, at(660)), [])
  })
})

describe("a losing streak", () => {
  const streak: Protection = {
    kind: "losing-streak",
    sales: 2,
    overMillis: minutes(60),
    forMillis: minutes(60),
    scope: "strategy"
  }

  it("pauses after so many losses in a row within its window", () => {
    const twice = stateAfter(
      ...roundTrip("1", 900, 800, [0, 600]),
      ...roundTrip("2", 900, 800, [700, 1_200], item(730, "Chroma 2 Case"))
    )
    assert.deepStrictEqual(paused(after(twice, 1_200, streak), 1_200, streak), [["losing-streak", 60]])
    const apart = stateAfter(
      ...roundTrip("1", 900, 800, [0, 600]),
      ...roundTrip("2", 900, 800, [700, 2 * hour])
    )
    assert.deepStrictEqual(paused(after(apart, 2 * hour, streak), 2 * hour, streak), [])
    const between = stateAfter(
      ...roundTrip("1", 900, 800, [0, 600]),
      ...roundTrip("2", 900, 950, [700, 1_200])
    )
    assert.deepStrictEqual(paused(after(between, 1_200, streak), 1_200, streak), [])
  })
})

describe("a drawdown", () => {
  const drawdown = (consequence: "reduce" | "halt" | "halt-all"): Protection => ({
    kind: "drawdown",
    overMillis: 24 * minutes(60),
    maxFraction: 0.15,
    consequence
  })
  const point = (seconds: number, profit: number, invested: number): EquityPoint => ({
    at: at(seconds),
    profit: money(profit),
    invested: money(invested)
  })
  const started = after(stateAfter(), 0, drawdown("reduce"), { equity: point(0, 0, 10_000) })

  it("is measured from the highest profit, by the most that was invested, and journaled hourly", () => {
    assert.deepStrictEqual(trailOf(started.trails, "maker").equity, [point(0, 0, 10_000)])
    const better = after(started, hour, drawdown("reduce"), { equity: point(hour, 500, 8_000) })
    const events = (profit: number) =>
      kinds(
        protectionEvents(
          strategy(drawdown("reduce")),
          watched(better, hour + 60, { equity: point(hour + 60, profit, 5_000) })
        )
      )
    assert.deepStrictEqual(events(-1_000), [])
    assert.deepStrictEqual(events(-1_001), ["Protected"])
  })

  it("forgets what lies before its window", () => {
    const late = watched(started, 25 * hour, { equity: point(25 * hour, -9_000, 1_000) })
    assert.deepStrictEqual(kinds(protectionEvents(strategy(drawdown("reduce")), late)), ["EquityMarked"])
  })

  it("halts the strategy or everything when it says so, once, and resume lets both go on", () => {
    const down = { equity: point(60, -2_000, 10_000) }
    const halted = after(started, 60, drawdown("halt"), down)
    assert.deepStrictEqual(
      haltedStrategies(halted.trails).map(([name]) => name),
      ["maker"]
    )
    assert.deepStrictEqual(protectionEvents(strategy(drawdown("halt")), watched(halted, 70, down)), [])
    const all = after(started, 60, drawdown("halt-all"), down)
    assert.strictEqual(all.control._tag, "Halted")
    assert.deepStrictEqual(protectionEvents(strategy(drawdown("halt-all")), watched(all, 70, down)), [])
    const resumed = applyAll(halted, [{ _tag: "Resumed", at: at(80), who: "me", why: "" }])
    assert.deepStrictEqual(haltedStrategies(resumed.trails), [])
    // what was lost before does not halt it again
    assert.deepStrictEqual(kinds(protectionEvents(strategy(drawdown("halt")), watched(resumed, 90, down))), [
      "EquityMarked"
    ])
  })

  it("reckons what is held at what a listing at the best ask would bring, and without a book at its cost", () => {
    const [bought] = roundTrip("1", 900, 1, [0, 600])
    assert.isDefined(bought)
    const state = stateAfter(bought)
    assert.deepStrictEqual(equityOf(state, "maker", new Map(), wallet.fees), {
      profit: money(0),
      invested: money(900)
    })
    const book = orderBook({
      currency: 1,
      bids: [{ price: money(500), units: 1 }],
      asks: [{ price: money(1_150), units: 1 }]
    })
    const marked = equityOf(state, "maker", new Map([[key, seen(book, at(1))]]), wallet.fees)
    assert.deepStrictEqual(marked, { profit: money(100), invested: money(900) })
    assert.strictEqual(equityOf(state, "another", new Map(), wallet.fees).invested, 0)
    // what was invested for a moment counts until it is written down
    const sold = stateAfter(...roundTrip("1", 900, 800, [0, 600]))
    assert.strictEqual(equityOf(sold, "maker", new Map(), wallet.fees).invested, 900)
    const noted = applyAll(sold, [
      { _tag: "EquityMarked", at: at(700), strategy: "maker", profit: money(-100), invested: money(900) }
    ])
    assert.strictEqual(equityOf(noted, "maker", new Map(), wallet.fees).invested, 0)
  })
})

describe("a price jump", () => {
  const jump: Protection = {
    kind: "price-jump",
    of: "mid",
    against: "book",
    maxFraction: 0.2,
    overMillis: minutes(10),
    forMillis: minutes(30)
  }
  const bookAt = (seconds: number, middle: number) =>
    seen(
      orderBook({
        currency: 1,
        bids: [{ price: money(middle - 10), units: 1 }],
        asks: [{ price: money(middle + 10), units: 1 }]
      }),
      at(seconds)
    )
  const prices = withPrice(withPrice([], bookAt(0, 1_000), minutes(10)), bookAt(60, 1_050), minutes(10))

  const looked = (seconds: number, middle: number, of: Partial<Facts> = {}) => {
    const state = stateAfter()
    return watched(state, seconds, {
      prices,
      facts: facts(state, seconds, { book: bookAt(seconds, middle), ...of })
    })
  }

  it("pauses when the price left all that was seen in the window by more than its bound, up or down", () => {
    assert.deepStrictEqual(kinds(protectionEvents(strategy(jump), looked(120, 1_201))), ["Protected"])
    assert.deepStrictEqual(kinds(protectionEvents(strategy(jump), looked(120, 1_200))), [])
    assert.deepStrictEqual(kinds(protectionEvents(strategy(jump), looked(120, 839))), ["Protected"])
    assert.deepStrictEqual(kinds(protectionEvents(strategy(jump), looked(120, 841))), [])
    assert.deepStrictEqual(kinds(protectionEvents(strategy(jump), looked(1_000, 2_000))), [])
  })

  it("goes on through a restart that has forgotten the prices, and is told once", () => {
    const [event] = protectionEvents(strategy(jump), looked(120, 1_300))
    assert.isDefined(event)
    const state = stateAfter(event)
    assert.deepStrictEqual(paused(state, 180, jump), [["price-jump", 29]])
    assert.deepStrictEqual(protectionEvents(strategy(jump), { ...looked(180, 1_300), state }), [])
  })

  it("can be measured from the history", () => {
    const usual: Protection = { ...jump, against: "history", overMillis: minutes(60 * 24) }
    const history = seen(priceHistory([salesPoint(at(-hour), 10, 5)]), at(0))
    const events = (middle: number) =>
      kinds(protectionEvents(strategy(usual), looked(120, middle, { history })))
    assert.deepStrictEqual(events(1_201), ["Protected"])
    assert.deepStrictEqual(events(1_199), [])
  })

  it("remembers a bounded number of prices", () => {
    let many: typeof prices = []
    for (let second = 0; second < 5_000; second++)
      many = withPrice(many, bookAt(second, 1_000 + second), minutes(10))
    assert.isAtMost(many.length, 65)
    assert.strictEqual(withPrice(many, unseen, minutes(10)), many)
  })
})

describe("a paused strategy", () => {
  const state = after(
    stateAfter(...roundTrip("1", 900, 1_000, [0, 600]), ...openBid({ ...placeBid(842, 3), at: at(610) })),
    660,
    cooldown
  )
  const protectedBy = (of: State, name = "maker") =>
    protect(
      { name, protections: [cooldown] },
      { ...decision({ bid: bid(842, 3), ask: ask(1_035) }), strategy: name },
      of,
      key,
      at(660)
    )
  const planned = (of: State, name?: string) =>
    plan({
      state: of,
      item: glove,
      now: at(660),
      fees: wallet.fees,
      decisions: [protectedBy(of, name)],
      rules: defaultPlanRules,
      account: defaultAccountLimits
    }).map((draft) => draft._tag)

  it("buys nothing, cancels its own bid and says why; what it sells goes on", () => {
    const left = protectedBy(state)
    assert.strictEqual(left.bid?._tag, "NoBid")
    assert.include(left.bid?._tag === "NoBid" ? left.bid.reason.because : "", "cooldown, after a sell")
    assert.strictEqual(left.ask?._tag, "Ask")
    assert.deepStrictEqual(
      left.pauses?.map(({ kind }) => kind),
      ["cooldown"]
    )
    assert.deepStrictEqual(planned(state), ["CancelBid"])
  })

  it("does not touch the bid of another strategy, nor stand in its way", () => {
    const foreign = applyAll(state, [
      { _tag: "BidClosed", at: at(650), item: glove, order: "o1" as BuyOrderId, as: "Gone" },
      ...openBid({
        ...placeBid(842, 3, "i2"),
        reason: { ...placeBid(1, 1).reason, origin: { strategy: "other", revision: "0", rule: "r" } }
      })
    ])
    assert.isUndefined(protectedBy(foreign).bid)
    assert.deepStrictEqual(planned(foreign), [])
  })

  it("does nothing at all but cancel when it is halted", () => {
    const held: Event = {
      _tag: "Filled",
      at: at(640),
      fill: buyFill("b9", 842, "a9" as AssetId, 640),
      intent: placeBid(842, 3).id,
      strategy: "maker"
    }
    const halt: Event = { _tag: "StrategyHalted", at: at(650), strategy: "maker", why: "it is down" }
    const halted = applyAll(state, [held, halt])
    assert.deepStrictEqual(planned(halted), ["CancelBid"])
    assert.strictEqual(protectedBy(halted).halted, "it is down")
    assert.deepStrictEqual(planned(applyAll(state, [held])), ["CancelBid", "ListAsset"])
  })
})
