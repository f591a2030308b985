import { assert, describe, it } from "@effect/vitest"

import type { Decision } from "../../src/domain/Decision.ts"
import { seen, unseen } from "../../src/domain/Facts.ts"
import type { Held } from "../../src/rules/Program.ts"
import { aged, compiled, facts, headOf, now, offer, withRules } from "./support.ts"

const none: Held = new Map()
const snipe = `  - id: snipe
    when: listing.total < history.median(duration("7d")) * 0.7
    do: buy
    limit: history.median(duration("7d")) * 0.7
    because: '"costs " + string(listing.total)'
`
const offers = (...totals: ReadonlyArray<number>) =>
  seen(
    totals.map((total) => offer(total)),
    now
  )
const bought = ({ buys }: Decision) =>
  buys.map(({ limit, offer, reason }) => [offer.listing, limit, reason.because])
const verdicts = ({ verdicts }: Decision) =>
  verdicts.map(({ rule, verdict }) => `${rule} ${verdict._tag === "Unknown" ? verdict.why : verdict._tag}`)

describe("buying outright", () => {
  it("takes the cheapest listing that the rule likes, one unless it says more, with what it saw of that one", () => {
    const some = facts({ offers: offers(700, 800, 900) })
    const { decision } = withRules(snipe).evaluate(some, none)
    assert.deepStrictEqual(bought(decision), [["listing-700", 833, "costs 7.00"]])
    assert.deepStrictEqual(decision.buys[0]?.reason.saw, {
      "listing.total": "7.00",
      'history.median(duration("7d"))': "11.90"
    })
    const two = withRules(snipe.replace("do: buy", "do: buy\n    qty: 5 - position.units")).evaluate(
      some,
      none
    )
    assert.deepStrictEqual(
      two.decision.buys.map(({ offer }) => offer.listing),
      ["listing-700", "listing-800"]
    )
    assert.deepStrictEqual(verdicts(decision), ["snipe Match"])
  })

  it("never wishes for a listing above the limit", () => {
    const strategy = withRules("  - { id: any, when: true, do: buy, limit: 7.00, qty: 9 }\n")
    const { decision } = strategy.evaluate(facts({ offers: offers(699, 700, 701) }), none)
    assert.deepStrictEqual(bought(decision), [
      ["listing-699", 700, "true"],
      ["listing-700", 700, "true"]
    ])
    assert.deepStrictEqual(verdicts(strategy.evaluate(facts({ offers: offers(701) }), none).decision), [
      "any NoMatch"
    ])
  })

  it("needs listings that were seen, and passes over those about which it does not know", () => {
    const strategy = compiled(`${headOf()}let:
  worn: listing.wear > 0.5
rules:
  - { id: low, when: "!worn", do: buy, limit: 9.00 }
`)
    assert.deepStrictEqual([...strategy.reads], [["offers", 60_000]])
    const of = (...properties: ReadonlyArray<ReadonlyMap<number, number>>) =>
      facts({
        offers: seen(
          properties.map((properties, index) => offer(700 + index, { properties })),
          now
        )
      })
    const decide = (known: ReturnType<typeof facts>) => strategy.evaluate(known, none).decision
    assert.deepStrictEqual(verdicts(decide(facts({ offers: unseen }))), ["low offers was not seen yet"])
    assert.deepStrictEqual(verdicts(decide(facts({ offers: aged(offers(700), 120_000) }))), [
      "low offers is 2m old, at most 1m is allowed"
    ])
    assert.deepStrictEqual(verdicts(decide(facts({ offers: offers() }))), ["low NoMatch"])
    assert.deepStrictEqual(verdicts(decide(of(new Map(), new Map([[2, 0.9]])))), [
      "low this listing tells no wear"
    ])
    const found = decide(of(new Map(), new Map([[2, 0.9]]), new Map([[2, 0.1]])))
    assert.deepStrictEqual(bought(found), [["listing-702", 900, "!worn"]])
    assert.deepStrictEqual(
      found.trace("low").map(({ name, value }) => `${name} ${value}`),
      ["listing.wear 0.1", "worn false", "when true", "limit 9.00"]
    )
  })

  it("looks at a hundred listings and no more", () => {
    const many = Array.from({ length: 200 }, (_, index) => offer(100 + index, { units: index }))
    const strategy = withRules("  - { id: far, when: listing.units >= 99, do: buy, limit: 9.00, qty: 9 }\n")
    const { decision } = strategy.evaluate(facts({ offers: seen(many, now) }), none)
    assert.deepStrictEqual(
      decision.buys.map(({ offer }) => offer.units),
      [99]
    )
  })

  it("is decided by the first buying rule that matches, beside the sides, and stopped by a hold above it", () => {
    const rules = `  - { id: stop, when: book.bid > money("50.00"), do: hold }
  - { id: bid, when: true, do: bid, at: 1.00, qty: 1 }
  - { id: first, when: listing.total > money("7.00"), do: buy, limit: 9.00 }
  - { id: second, when: true, do: buy, limit: 9.00 }
`
    const known = facts({ offers: offers(700, 800) })
    const { decision } = withRules(rules).evaluate(known, none)
    assert.strictEqual(decision.bid?._tag, "Bid")
    assert.deepStrictEqual(bought(decision), [["listing-800", 900, 'listing.total > money("7.00")']])
    const held = withRules(rules.replace("50.00", "1.00")).evaluate(known, none).decision
    assert.deepStrictEqual([held.bid?._tag, held.buys], ["Hold", []])
  })

  it("reads what a listing and the item are", () => {
    const one = offer(900, {
      properties: new Map<number, number | string>([
        [1, 661],
        [2, 0.07],
        [5, "a name"]
      ]),
      accessories: ["Sticker | Crown (Foil)", "Sticker | Crown (Foil)", "Charm | Bear"]
    })
    const described = seen(
      { tags: new Map([["Rarity", ["Rare"]]]), commodity: false, marketable: undefined },
      now
    )
    const rule = (when: string): string => {
      const strategy = withRules(`  - id: a\n    when: >-\n      ${when}\n    do: buy\n    limit: 9.00\n`)
      return (
        verdicts(
          strategy.evaluate(facts({ offers: seen([one], now), description: described }), none).decision
        )[0] ?? ""
      )
    }
    for (const when of [
      "listing.price + listing.fee == listing.total && listing.units == 1",
      "listing.pattern == 661 && listing.property(1) == 661",
      'listing.hasAccessory("Crown") && listing.countAccessories("Crown") == 2 && listing.accessories == 3',
      '!listing.hasAccessory("Skull")',
      'item.tag("Rarity") == "Rare" && item.hasTag("Rarity", "Rare") && !item.hasTag("Type", "Rare")',
      "!item.commodity"
    ])
      assert.strictEqual(rule(when), "a Match", when)
    assert.strictEqual(rule("listing.property(5) > 1"), "a this listing has no number under property 5")
    assert.strictEqual(rule("listing.template > 1"), "a this listing tells no charm template")
    assert.strictEqual(rule('item.tag("Type") == "x"'), "a the item has no tag Type")
    assert.strictEqual(rule("item.marketable"), "a the market does not tell it")
  })

  it("is tested inside its file: with a listing, what the item is, and the time of day", () => {
    const text = (expected: string) => `${headOf()}rules:
  - id: snipe
    when: listing.wear < 0.1 && item.hasTag("Type", "Rifle") && !item.commodity && clock.hour == 18
    do: buy
    limit: 5.00
tests:
  - name: takes a good one in the evening
    given:
      listing: { total: 4.50, wear: 0.07, accessories: [Crown] }
      tags: { Type: Rifle }
      commodity: false
      now: 2026-01-31T18:30:00Z
    expect: { ${expected} }
  - name: knows nothing without a listing
    given: { tags: { Type: Rifle } }
    expect: { do: nothing }
`
    assert.strictEqual(compiled(text("do: buy, limit: 5.00, qty: 1, rule: snipe")).name, "test")
    assert.throws(
      () => compiled(text("do: buy, limit: 4.00")),
      /expected buy limit 4.00, got buy limit 5.00 qty 1 by snipe/
    )
  })
})
