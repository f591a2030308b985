import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import { unseen } from "../../src/domain/Facts.ts"
import { money } from "../../src/domain/Money.ts"
import { check } from "../../src/rules/Expression.ts"
import { parseDuration, showDuration } from "../../src/rules/Strategy.ts"
import { isUnknown, showValue } from "../../src/rules/Value.ts"
import { at, book, facts, fees, holding, hour, noNames, now, ownBid, valueOf } from "./support.ts"

/** `type value` of an expression on these facts. */
const value = (text: string, of = facts()): string => {
  const checked = check(text, noNames)
  if (Result.isFailure(checked)) return checked.failure.map(({ message }) => message).join("; ")
  return `${checked.success.type} ${showValue(checked.success.type, valueOf(checked.success, of))}`
}
const message = (text: string): string => {
  const checked = check(text, noNames)
  return Result.isFailure(checked)
    ? checked.failure.map((one) => `${one.message} (${one.remedy ?? ""})`).join("; ")
    : "accepted"
}

describe("an expression", () => {
  it("computes with amounts", () => {
    assert.strictEqual(value("book.bid + tick(1)"), "Money 10.01")
    assert.strictEqual(value("book.ask - book.bid"), "Money 3.00")
    assert.strictEqual(value("book.bid * 0.92"), "Money 9.20")
    assert.strictEqual(value("2 * book.bid"), "Money 20.00")
    assert.strictEqual(value("book.bid / 3"), "Money 3.33")
    assert.strictEqual(value("book.ask / book.bid"), "double 1.3")
    assert.strictEqual(value("(book.ask - book.bid) / book.bid"), "percent 30.0 %")
    assert.strictEqual(value('min(book.bid, money("9.99"), book.ask)'), "Money 9.99")
    assert.strictEqual(value("max(book.bid, book.mid)"), "Money 11.50")
    assert.strictEqual(value("-book.bid"), "Money -10.00")
    assert.strictEqual(value("abs(book.bid - book.ask)"), "Money 3.00")
    assert.strictEqual(value("tick(2)", facts({ fees: { ...fees, increment: 5 } })), "Money 0.10")
  })

  it("mixes ints and doubles, and divides exactly", () => {
    assert.strictEqual(value("7 / 2"), "double 3.5")
    assert.strictEqual(value("7 % 4 + 1"), "int 4")
    assert.strictEqual(value("1 + 0.5 == 1.5"), "bool true")
    assert.strictEqual(value("floor(7.9) + ceil(0.1) + round(0.5)"), "int 9")
    assert.strictEqual(value("max(1, 2.5)"), "double 2.5")
    assert.strictEqual(value("1 / 0"), "double unknown (division by zero)")
    assert.strictEqual(value("5 % 0"), "int unknown (division by zero)")
    assert.strictEqual(value("true ? 1 : 2.5"), "double 1")
  })

  it("knows durations and moments", () => {
    assert.strictEqual(value('duration("7d") + duration("12h")'), "duration 7d12h")
    assert.strictEqual(value('duration("1w") / duration("1d")'), "double 7")
    assert.strictEqual(value('duration("1d") > duration("23h59m")'), "bool true")
    assert.strictEqual(value('clock.now - timestamp("2026-01-09T00:00:00Z")'), "duration 12h")
    assert.strictEqual(value('clock.now + duration("1d")'), "timestamp 2026-01-10T12:00:00.000Z")
    assert.strictEqual(value("clock.hour"), "int 12")
    assert.strictEqual(value("clock.weekday in [5, 6]"), "bool true")
    assert.strictEqual(value("clock.weekday", facts({ now: at(now + 2 * 24 * hour) })), "int 7")
    assert.strictEqual(value("clock.weekday", facts({ now: at(now + 3 * 24 * hour) })), "int 1")
  })

  it("reads the facts", () => {
    const held = facts({
      position: holding(3, 900, 2 * hour),
      orders: { bid: ownBid(1001, 2, hour), ask: undefined }
    })
    assert.strictEqual(value("book.spreadPct"), "percent 30.0 %")
    assert.strictEqual(value("book.imbalance"), "double 0")
    assert.strictEqual(value('book.askDepth(money("13.00"))'), "int 7")
    assert.strictEqual(value('book.bidDepth(money("10.01"))'), "int 0")
    assert.strictEqual(value('history.median(duration("7d"))'), "Money 11.90")
    assert.strictEqual(value('history.quantile(0.9, duration("7d"))'), "Money 11.90")
    assert.strictEqual(value('history.volume(duration("24h"))'), "int 240")
    assert.strictEqual(value("history.sma(24)"), "Money 11.90")
    assert.strictEqual(
      value("history.sma(10000)"),
      "Money unknown (history.sma: fewer points than sma(10000) needs)"
    )
    assert.strictEqual(value("wallet.available"), "Money 75.00")
    assert.strictEqual(value("overview.volume"), "int 80")
    assert.strictEqual(value("position.avgCost", held), "Money 9.00")
    assert.strictEqual(value("position.oldestAge", held), "duration 2h")
    assert.strictEqual(value("position.unrealised", held), "Money -0.90")
    assert.strictEqual(value("position.unrealisedAsk", held), "Money 6.93")
    assert.strictEqual(value("position.unrealised"), "Money 0.00")
    assert.strictEqual(value("orders.bidAge", held), "duration 1h")
    assert.strictEqual(value("orders.bid", facts()), "Money unknown (we have no bid)")
    assert.strictEqual(value("orders.bidUnits", facts()), "int 0")
    assert.strictEqual(value("fees.sellerReceives(book.ask)"), "Money 11.31")
    assert.strictEqual(value('fees.buyerPays(money("10.00"))'), "Money 11.50")
    assert.strictEqual(value('item.name.startsWith("Glove") && item.app == 730'), "bool true")
    assert.strictEqual(
      value('"edge " + percent(0.1424) + " of " + string(book.ask)'),
      "string edge 14.2 % of 13.00"
    )
  })

  it("is Unknown where a fact does not exist at the moment", () => {
    const empty = facts({ book: { _tag: "Seen", value: book(undefined, 1300), at: now }, overview: unseen })
    assert.strictEqual(value("book.bid", empty), "Money unknown (nobody bids: the book has no bid)")
    assert.strictEqual(value("book.mid", empty), "Money unknown (nobody bids: the book has no bid)")
    assert.strictEqual(value("book.bidUnits", empty), "int 0")
    assert.strictEqual(value("overview.median > book.ask", empty), "bool unknown (overview was not seen yet)")
    assert.strictEqual(value("position.avgCost * 2"), "Money unknown (no units are held)")
    assert.strictEqual(
      value('history.median(duration("1ms"))', facts({ now: at(now + hour) })),
      "Money unknown (history.median: no sales within 1ms)"
    )
  })

  it("does not let binary noise decide between amounts", () => {
    const tight = facts({ book: { _tag: "Seen", value: book(100, 110), at: now } })
    assert.strictEqual(100 * 1.1 > 110, true)
    assert.strictEqual(value("book.ask >= book.bid * 1.1", tight), "bool true")
    assert.strictEqual(value("book.ask < book.bid * 1.1", tight), "bool false")
    assert.strictEqual(value("book.ask == book.bid * 1.1", tight), "bool true")
  })

  it("names the fix when an amount meets a number", () => {
    assert.strictEqual(
      message("book.bid > 0.12"),
      '`>` cannot compare Money and double (an amount is written money("0.12"))'
    )
    assert.strictEqual(
      message("5 == book.bid"),
      '`==` cannot compare int and Money (an amount is written money("5"))'
    )
    assert.strictEqual(
      message("book.bid - 0.01"),
      '`-` does not take Money and double (an amount is written money("0.01"))'
    )
    assert.include(message("book.bid * book.ask"), "`*` does not take Money and Money")
    assert.include(message("1 / book.bid"), "`/` does not take int and Money")
    assert.include(message("min(book.bid, 5)"), 'an amount is written money("0.12")')
    assert.include(message("position.oldestAge > 5"), 'a time is written duration("90s")')
    assert.include(message("money(5)"), 'write money("0.12")')
    assert.include(message('book.bid < "5"'), "`<` cannot compare Money and string")
    assert.include(message("true < false"), "`<` cannot compare bool and bool")
    assert.include(message("book.bid && true"), "`&&` takes bools, not Money and bool")
    assert.include(message("book.bid ? 1 : 2"), "the condition of `? :` is a bool, not Money")
    assert.include(message("true ? 1 : book.bid"), "the branches of `? :` are int and Money")
  })

  it("refuses what could run away or reach out", () => {
    for (const text of [
      'item.name.matches("(a+)+$")',
      "[1, 2].map(x, [3].map(y, x * y)) == [1]",
      "[1].all(x, x > 0)",
      "cel.bind(x, 1, x)",
      "item.constructor",
      "__proto__",
      "toString()",
      "book.__proto__",
      "eval('1')",
      "{1: 2}",
      "b'abc'",
      "1u",
      "null",
      "book[0]",
      "type(1)",
      `${"!".repeat(400)}true`,
      `${"-".repeat(400)}1`,
      `${"(".repeat(100)}1${")".repeat(100)}`,
      `[${"1,".repeat(200)}1] == 1`,
      "1".repeat(3000)
    ])
      assert.notStrictEqual(message(text), "accepted", text.slice(0, 40))
  })

  it("notes what it reads, also in the branch that is not taken", () => {
    const checked = check('false ? book.bid : history.low(duration("1d"))', noNames)
    assert.isTrue(Result.isSuccess(checked))
    if (!Result.isSuccess(checked)) return
    assert.deepStrictEqual([...checked.success.polled].toSorted(), ["book", "history"])
  })

  it("never throws, however wild the numbers", () => {
    const wild = [
      "1e308 * 1e308",
      "0.0 / 1e-320",
      "book.bid * 1e308",
      "-1e300",
      "tick(1e300)",
      "1e308 - 1e308 * 10"
    ]
    const around = [
      (x: string) => `fees.buyerPays(book.bid * (${x}))`,
      (x: string) => `fees.sellerReceives(tick(1) * (${x}))`,
      (x: string) => `book.askDepth(tick(1) * (${x}))`,
      (x: string) => `string(clock.now + duration("1d") * (${x}))`,
      (x: string) => `string(duration("1d") * (${x}))`,
      (x: string) => `percent(${x})`,
      (x: string) => `history.quantile(${x}, duration("7d"))`,
      (x: string) => `history.median(duration("7d") * (${x}))`,
      (x: string) => `string(book.bid * (${x}))`
    ]
    for (const inner of wild)
      for (const outer of around)
        assert.isString(value(outer(inner.startsWith("book") || inner.startsWith("tick") ? "1e300" : inner)))
  })
})

describe("a duration", () => {
  it("takes weeks, days, hours, minutes, seconds and milliseconds, also together", () => {
    assert.deepStrictEqual(
      ["90s", "1h30m", "7d", "2w", "250ms", "1.5h"].map(parseDuration),
      [90_000, 5_400_000, 604_800_000, 1_209_600_000, 250, 5_400_000]
    )
    assert.deepStrictEqual(
      ["", "7", "7 d", "d", "-1h", "1y", "1h 30m", "9".repeat(60)].map(parseDuration),
      Array.from({ length: 8 }, () => undefined)
    )
    assert.deepStrictEqual([90_000, 0, 86_400_000 * 8, 5_430_000, 1, -60_000].map(showDuration), [
      "1m30s",
      "0s",
      "8d",
      "1h30m",
      "1ms",
      "-1m"
    ])
  })
})

describe("money in an expression", () => {
  it("is read to the minor unit", () => {
    const checked = check('money("0.07") + money("0.01")', noNames)
    assert.isTrue(Result.isSuccess(checked))
    if (!Result.isSuccess(checked)) return
    const sum = valueOf(checked.success)
    assert.isFalse(isUnknown(sum))
    assert.strictEqual(sum, money(8))
  })
})
