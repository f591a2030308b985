import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import type { Decision, RuleVerdict } from "../../src/domain/Decision.ts"
import { forgotten, seen, unseen } from "../../src/domain/Facts.ts"
import { money } from "../../src/domain/Money.ts"
import type { Held } from "../../src/rules/Program.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { namedItems } from "../../src/rules/Universe.ts"
import {
  aged,
  at,
  book,
  compiled,
  facts,
  fees,
  headOf,
  holding,
  hour,
  now,
  ownBid,
  withRules
} from "./support.ts"

const none: Held = new Map()
const verdict = (decision: Decision, rule: string): RuleVerdict["verdict"] | undefined =>
  decision.verdicts.find((one) => one.rule === rule)?.verdict

const whyUnknown = (decision: Decision, rule: string): string | undefined => {
  const found = verdict(decision, rule)
  return found?._tag === "Unknown" ? found.why : undefined
}

const bidding = `  - id: enter
    when: book.ask > book.bid
    do: bid
    at: book.bid + tick(1)
    qty: 3
`

describe("evaluation", () => {
  it("is pure: the same facts give the same decision", () => {
    const strategy = withRules(bidding)
    const [once, again] = [1, 2].map(() => JSON.stringify(strategy.evaluate(facts(), none)))
    assert.strictEqual(again, once)
    assert.include(once, '"because":"book.ask > book.bid"')
  })

  it("rounds a bid down and an ask up to the price step", () => {
    const strategy = withRules(`  - { id: b, when: true, do: bid, at: book.bid * 0.333, qty: 2.9 }
  - { id: a, when: true, do: ask, at: book.ask * 0.333, reprice: { after: 1h, step: -2.5%, floor: book.bid * 0.333 } }
`)
    const { decision } = strategy.evaluate(facts({ fees: { ...fees, increment: 5 } }), none)
    assert.strictEqual(decision.bid?._tag, "Bid")
    assert.strictEqual(decision.ask?._tag, "Ask")
    if (decision.bid?._tag !== "Bid" || decision.ask?._tag !== "Ask") return
    assert.deepStrictEqual([decision.bid.price, decision.bid.quantity, decision.ask.price], [330, 2, 435])
    assert.deepStrictEqual(decision.ask.reprice, {
      afterMillis: hour,
      stepFraction: -0.025,
      floor: money(335)
    })
  })

  it("does not lose a tick to binary noise", () => {
    const strategy = withRules(`  - { id: b, when: true, do: bid, at: book.bid * 0.57, qty: 1 }
  - { id: a, when: true, do: ask, at: book.bid * 1.1 }
`)
    const { decision } = strategy.evaluate(facts({ book: seen(book(100, 110), now) }), none)
    assert.strictEqual(decision.bid?._tag === "Bid" ? decision.bid.price : 0, 57)
    assert.strictEqual(decision.ask?._tag === "Ask" ? decision.ask.price : 0, 110)
  })

  it("lets the first match decide its side and keeps the verdicts of the others", () => {
    const strategy = withRules(`  - { id: one, when: false, do: bid, at: 1.00, qty: 1 }
  - { id: two, when: true, do: cancel-bid, because: '"two"' }
  - { id: three, when: true, do: bid, at: 1.00, qty: 1 }
  - { id: four, when: true, do: ask, at: 2.00 }
  - { id: five, when: true, do: cancel-ask }
`)
    const { decision } = strategy.evaluate(facts(), none)
    assert.strictEqual(decision.bid?._tag, "NoBid")
    assert.strictEqual(decision.bid?.reason.because, "two")
    assert.strictEqual(decision.ask?._tag, "Ask")
    assert.deepStrictEqual(
      decision.verdicts.map((one) => one.verdict._tag),
      ["NoMatch", "Match", "Match", "Match", "Match"]
    )
  })

  it("holds both sides that are still open, and only those", () => {
    const { decision } = withRules(`  - { id: b, when: true, do: bid, at: 1.00, qty: 1 }
  - { id: h, when: true, do: hold }
  - { id: c, when: true, do: cancel-bid }
  - { id: a, when: true, do: ask, at: 2.00 }
`).evaluate(facts(), none)
    assert.strictEqual(decision.bid?._tag, "Bid")
    assert.strictEqual(decision.ask?._tag, "Hold")
    assert.strictEqual(decision.ask?.reason.origin.rule, "h")
  })

  it("carries when an order may be moved and whether it may end under cost, the rule's words before the file's", () => {
    const { decision } = compiled(`${headOf()}minStep: 2%
minAge: 10m
rules:
  - { id: b, when: true, do: bid, at: 1.00, qty: 1, minStep: 0.5% }
  - { id: a, when: true, do: ask, at: 2.00, allowLoss: true, minAge: 1h }
`).evaluate(facts(), none)
    assert.include(decision.bid, { minStepFraction: 0.005, minAgeMillis: 600_000 })
    assert.include(decision.ask, { minStepFraction: 0.02, minAgeMillis: hour, allowLoss: true })
  })

  it("does nothing on facts that are missing or older than their freshness, and says why", () => {
    const strategy = compiled(`${headOf()}freshness: { book: 90s }\nrules:\n${bidding}`)
    const missing = strategy.evaluate(facts({ book: unseen }), none).decision
    assert.strictEqual(missing.bid, undefined)
    assert.strictEqual(whyUnknown(missing, "enter"), "book was not seen yet")
    const stale = strategy.evaluate(facts({ book: aged(facts().book, 90_001) }), none).decision
    assert.strictEqual(whyUnknown(stale, "enter"), "book is 1m30s old, at most 1m30s is allowed")
    const fresh = strategy.evaluate(facts({ book: aged(facts().book, 90_000) }), none).decision
    assert.strictEqual(fresh.bid?._tag, "Bid")
  })

  it("does nothing when the price, the quantity or the floor is not known", () => {
    const strategy = withRules(`  - { id: price, when: true, do: bid, at: overview.median, qty: 1 }
  - { id: units, when: true, do: bid, at: 1.00, qty: 1 / 0 }
  - { id: floor, when: true, do: ask, at: 1.00, reprice: { after: 1h, step: -1%, floor: position.avgCost } }
  - { id: low, when: true, do: bid, at: tick(1) * 0.4, qty: 1 }
`)
    const { decision } = strategy.evaluate(facts({ overview: unseen }), none)
    assert.deepStrictEqual([decision.bid, decision.ask], [undefined, undefined])
    assert.deepStrictEqual(
      decision.verdicts.map(({ verdict }) => (verdict._tag === "Unknown" ? verdict.why : verdict._tag)),
      ["overview was not seen yet", "division by zero", "no units are held", "the price is not above zero"]
    )
  })

  it("wants no order when it wants no units", () => {
    const { decision } = withRules(
      `  - { id: b, when: true, do: bid, at: 1.00, qty: 3 - position.units }\n`
    ).evaluate(facts({ position: holding(3, 100) }), none)
    assert.strictEqual(decision.bid?._tag, "NoBid")
  })

  it("goes on counting over the moment in which the book is read anew after a change of ours, no longer", () => {
    const strategy = withRules(
      bidding.replace("    do:", "    for: 3m\n    do:"),
      "freshness: { book: 60s }\n"
    )
    const { held } = strategy.evaluate(facts(), none)
    const rereading = (seconds: number) =>
      strategy.evaluate(facts({ now: at(now + seconds * 1_000), book: forgotten(at(now + 10_000)) }), held)
    assert.strictEqual(verdict(rereading(11).decision, "enter")?._tag, "Unknown")
    assert.strictEqual(rereading(70).held, held)
    assert.strictEqual(rereading(71).held.size, 0)
    const back = facts({ now: at(now + 180_000), book: seen(book(1000, 1300), at(now + 180_000)) })
    assert.strictEqual(strategy.evaluate(back, rereading(70).held).decision.bid?._tag, "Bid")
    const over = facts({ now: at(now + 60_000), book: seen(book(1300, 1300), at(now + 60_000)) })
    assert.strictEqual(strategy.evaluate(over, rereading(11).held).held.size, 0)
  })

  it("waits until a condition has held for long enough without a break", () => {
    const strategy = withRules(bidding.replace("    do:", "    for: 3m\n    do:"))
    const first = strategy.evaluate(facts(), none)
    assert.deepStrictEqual(verdict(first.decision, "enter"), {
      _tag: "Waiting",
      since: now,
      untilAt: at(now + 180_000)
    })
    assert.deepStrictEqual([...first.held], [["enter", now]])
    const early = strategy.evaluate(
      facts({ now: at(now + 179_999), book: seen(book(1000, 1300), at(now + 179_999)) }),
      first.held
    )
    assert.strictEqual(verdict(early.decision, "enter")?._tag, "Waiting")
    assert.strictEqual(early.held, first.held)
    const later = facts({ now: at(now + 180_000), book: seen(book(1000, 1300), at(now + 180_000)) })
    assert.strictEqual(strategy.evaluate(later, first.held).decision.bid?._tag, "Bid")
    const broken = strategy.evaluate({ ...later, book: unseen }, first.held)
    assert.strictEqual(verdict(broken.decision, "enter")?._tag, "Unknown")
    assert.strictEqual(broken.held.size, 0)
    assert.strictEqual(verdict(strategy.evaluate(later, broken.held).decision, "enter")?._tag, "Waiting")
  })

  it("tells why, what it saw and how every part of the rule turned out", () => {
    const strategy = compiled(`${headOf()}params:
  margin: { default: 12% }
let:
  net: fees.sellerReceives(book.ask)
  edge: (net - book.bid) / book.bid
rules:
  - id: enter
    when: edge > params.margin && orders.bidUnits < 5
    do: bid
    at: book.bid + tick(1)
    qty: 5
    because: '"edge " + percent(edge)'
`)
    const { decision } = strategy.evaluate(
      facts({ book: aged(facts().book, 30_000), orders: { bid: ownBid(1001, 2), ask: undefined } }),
      none
    )
    assert.strictEqual(decision.bid?.reason.because, "edge 13.1 %")
    assert.deepStrictEqual(decision.bid?.reason.origin, {
      strategy: "test",
      revision: strategy.revision,
      rule: "enter"
    })
    assert.deepStrictEqual(decision.bid?.reason.saw, {
      edge: "13.1 %",
      "orders.bidUnits": "2",
      "book.bid": "10.00"
    })
    const trace = decision.trace("enter")
    assert.deepStrictEqual(
      trace.map(({ ageMillis, name, value }) => [name, value, ageMillis]),
      [
        ["book.ask", "13.00", 30_000],
        ["fees.sellerReceives(book.ask)", "11.31", 30_000],
        ["net", "11.31", 30_000],
        ["book.bid", "10.00", 30_000],
        ["net - book.bid", "1.31", 30_000],
        ["edge", "13.1 %", 30_000],
        ["params.margin", "12.0 %", undefined],
        ["edge > params.margin", "true", 30_000],
        ["orders.bidUnits", "2", undefined],
        ["orders.bidUnits < 5", "true", undefined],
        ["when", "true", 30_000],
        ["tick(1)", "0.01", undefined],
        ["at", "10.01", 30_000],
        ["qty", "5", undefined]
      ]
    )
  })

  it("tells every part of a rule, also behind what already decided, and that a branch was not taken", () => {
    const { decision } = withRules(`  - id: enter
    when: "book.bid > book.ask && (orders.bidUnits == 0 ? book.askUnits > 1 : book.bidUnits > 1)"
    do: cancel-bid
`).evaluate(facts(), none)
    assert.deepStrictEqual(
      decision.trace("enter").map(({ name, value }) => `${name}: ${value}`),
      [
        "book.bid: 10.00",
        "book.ask: 13.00",
        "book.bid > book.ask: false",
        "orders.bidUnits: 0",
        "orders.bidUnits == 0: true",
        "book.askUnits: 7",
        "book.askUnits > 1: true",
        "book.bidUnits: not looked at",
        "book.bidUnits > 1: not looked at",
        "orders.bidUnits == 0 ? book.askUnits > 1 : book.bidUnits > 1: true",
        "when: false"
      ]
    )
    assert.deepStrictEqual(decision.trace("nobody"), [])
  })

  it("explains an unknown part in the trace", () => {
    const { decision } = withRules(bidding).evaluate(facts({ book: unseen }), none)
    const when = decision.trace("enter").find(({ name }) => name === "when")
    assert.strictEqual(when?.value, "unknown (book was not seen yet)")
    assert.strictEqual(when?.ageMillis, undefined)
  })

  it("signals beside the sides, also when the message cannot be computed", () => {
    const { decision } =
      withRules(`  - { id: tell, when: book.bid > tick(1), do: notify, message: '"bid is " + string(book.bid)' }
  - { id: stop, when: wallet.balance < money("200.00"), do: halt, message: 'string(overview.median)', because: 'string(overview.median)' }
`).evaluate(facts({ overview: unseen }), none)
    assert.deepStrictEqual(
      decision.signals.map(({ _tag, message }) => [_tag, message]),
      [
        ["Notify", "bid is 10.00"],
        ["Halt", 'stop: wallet.balance < money("200.00")']
      ]
    )
    assert.include(decision.signals[1]?.reason.because ?? "", "overview was not seen yet")
  })

  it("computes a let once, and only when it is read", () => {
    const strategy = compiled(`${headOf()}let:\n  broken: 1 / 0\n  fine: book.bid * 2\nrules:
  - { id: a, when: fine > book.bid && fine < book.ask * 2, do: notify, message: string(fine) }
`)
    const { decision } = strategy.evaluate(facts(), none)
    assert.deepStrictEqual(
      decision.signals.map(({ message }) => message),
      ["20.00"]
    )
  })
})

describe("a compiled strategy", () => {
  const text = `${headOf('"Glove Case", "Chroma 2 Case"')}name: spread
description: hello
mode: dry-run
onRemove: keep
priority: 3
params:
  margin: { default: 0.1 }
  cap: { default: 5.00, type: money }
  age: { default: 1d }
overrides:
  "730/Chroma 2 Case": { margin: 0.2, cap: 7.5 }
let:
  unused: overview.median
  fair: history.median(duration("7d"))
freshness: { history: 3h }
limits: { spendPerDay: 50.00, exposure: "100", perItemUnits: 5, maxPrice: 0.29 }
rules:
  - { id: a, when: params.margin > 0.15, do: notify, message: string(params.cap) + " " + string(params.age) }
  - { id: b, when: "false ? book.bid > fair : true", do: hold }
`
  const strategy = compiled(text)

  it("carries what the file says, amounts exact", () => {
    assert.deepStrictEqual(
      [strategy.name, strategy.description, strategy.mode, strategy.onRemove],
      ["spread", "hello", "dry-run", "keep"]
    )
    assert.deepStrictEqual(
      namedItems(strategy.universe).map(({ name }) => name),
      ["Glove Case", "Chroma 2 Case"]
    )
    assert.deepStrictEqual(strategy.limits, {
      spendPerDay: money(5000),
      exposure: money(10_000),
      perItemUnits: 5,
      openOrders: undefined,
      maxPrice: money(29),
      minPrice: undefined
    })
    assert.match(strategy.revision, /^[0-9a-f]{8}$/)
    assert.notStrictEqual(compiled(`${text}\n`).revision, strategy.revision)
  })

  it("reads what any of its rules reads, through lets, and nothing else", () => {
    assert.deepStrictEqual([...strategy.reads].toSorted(), [
      ["book", 120_000],
      ["history", 3 * hour]
    ])
  })

  it("gives each item its own params", () => {
    assert.deepStrictEqual(strategy.evaluate(facts(), none).decision.signals, [])
    const other = strategy.evaluate(
      facts({ item: { ...facts().item, name: "Chroma 2 Case" } }),
      none
    ).decision
    assert.deepStrictEqual(
      other.signals.map(({ message }) => message),
      ["7.50 1d"]
    )
  })

  it("declares its params and takes other values for them, beside an item's own", () => {
    assert.deepInclude(strategy.params[0], { name: "margin", kind: "number", default: 0.1 })
    assert.deepStrictEqual(
      strategy.params.map(({ default: value, kind }) => [kind, value]),
      [
        ["number", 0.1],
        ["money", 500],
        ["duration", 24 * hour]
      ]
    )
    const told = (of: CompiledStrategy, name = "Glove Case") =>
      of.evaluate(facts({ item: { ...facts().item, name } }), none).decision.signals[0]?.message
    const other = Result.getOrThrow(strategy.withParams({ margin: 0.3, cap: "9.99", age: "6h" }))
    assert.deepStrictEqual([told(other), told(other, "Chroma 2 Case")], ["9.99 6h", "7.50 6h"])
    assert.isUndefined(told(strategy))
    assert.deepStrictEqual(
      other.params.map(({ default: was, value }) => [was, value]),
      [
        [0.1, 0.3],
        [500, 999],
        [24 * hour, 6 * hour]
      ]
    )
    const back = Result.getOrThrow(other.withParams({ margin: 0 }))
    assert.deepStrictEqual([told(back), told(back, "Chroma 2 Case")], [undefined, "7.50 6h"])
  })

  it("says what is wrong with every value that a param does not take", () => {
    const bounded = withRules(
      "  - { id: a, when: params.count > 1, do: hold }\n",
      "params: { count: { default: 3, max: 9 } }\n"
    )
    const wrong = bounded.withParams({ count: 10, cuont: 1 })
    assert.deepStrictEqual(Result.isFailure(wrong) ? wrong.failure : [], [
      "`count`: this param is at most 9, not 10",
      "there is no param `cuont`; did you mean `count`?"
    ])
    for (const count of [2.5, "12%", true])
      assert.isTrue(Result.isFailure(bounded.withParams({ count })), String(count))
  })

  it("takes its name from the file when it has none", () => {
    const named = compiled(`${headOf()}rules:\n${bidding}`, "some/where/dip-buyer.yaml")
    assert.deepStrictEqual([named.name, named.file], ["dip-buyer", "some/where/dip-buyer.yaml"])
  })
})
