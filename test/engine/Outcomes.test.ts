/** What becomes of a wish, and what is in the way: every answer that `haggle explain` may give about a side. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

import { type Facts, seen } from "../../src/domain/Facts.ts"
import { applyAll } from "../../src/domain/Fold.ts"
import { itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import type { State } from "../../src/domain/State.ts"
import { defaultPlanRules } from "../../src/engine/Draft.ts"
import { defaultGuardRules } from "../../src/engine/Guard.ts"
import { emptyView, factsOf } from "../../src/engine/Observe.ts"
import { type Asked, outcomesOf } from "../../src/engine/Outcomes.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { at, buyFill, glove, openBid, placeBid, stateAfter, wallet } from "./Given.ts"

const compiled = (name: string, rules: string, head = ""): CompiledStrategy => {
  const text = `version: 1\nname: ${name}\nuniverse: [{ app: 730, items: ["Glove Case"] }]\n${head}rules:\n${rules}`
  const result = compileStrategy(`${name}.yaml`, text, { currency: 1 })
  if (Result.isFailure(result)) throw new Error(result.failure.map(({ message }) => message).join())
  return result.success
}

const bids = (at: string) => `  - { id: enter, when: book.ask > book.bid, do: bid, at: ${at}, qty: 2 }\n`
const now = at(3_600)

const factsIn = (state: State): Facts => {
  const book = orderBook({
    currency: 1,
    bids: [{ price: money(1_000), units: 3 }],
    asks: [{ price: money(1_300), units: 2 }]
  })
  const history = priceHistory([salesPoint(at(-3_600), 11.5, 40)])
  const view = emptyView()
  view.wallet = seen(wallet, now)
  view.books.set(itemKey(glove), seen(book, now))
  view.histories.set(itemKey(glove), seen(history, now))
  const facts = factsOf(view, state, glove, now)
  assert.isDefined(facts)
  return facts
}

/** `side: is code` of every outcome of the first strategy. */
const told = (
  strategies: readonly [CompiledStrategy, ...ReadonlyArray<CompiledStrategy>],
  state: State,
  of: Partial<Asked> = {}
) => {
  const facts = factsIn(state)
  const [strategy] = strategies
  const ordered = strategies.toSorted((a, b) => b.priority - a.priority)
  const { decision } = strategy.evaluate(facts, new Map())
  return outcomesOf({
    strategy,
    alone: decision,
    input: {
      facts,
      state,
      wallet,
      account: "me",
      strategies: ordered,
      held: new Map(),
      rules: defaultPlanRules,
      guard: defaultGuardRules
    },
    isTrading: true,
    universe: "in it",
    marketRests: () => false,
    signalling: new Set(),
    ...of
  }).map(({ code, is, side }) => `${side}: ${is}${code === undefined ? "" : ` ${code}`}`)
}

const maker = compiled("maker", bids("book.bid + tick(1)"))
const empty = stateAfter()

describe("what becomes of a wish", () => {
  it("is sent when nothing is in the way, and nothing is said of a side that no rule could decide", () => {
    assert.deepStrictEqual(told([maker], empty), ["bid: acts"])
  })

  it("is held back by the guard with its code", () => {
    const greedy = compiled("maker", bids("book.ask * 3"))
    assert.deepStrictEqual(told([greedy], empty), ["bid: blocked PriceFarFromBook"])
    const capped = compiled("maker", bids("book.bid"), "limits: { maxPrice: 5.00 }\n")
    assert.deepStrictEqual(told([capped], empty)[0], "bid: blocked AboveMaxPrice")
    assert.deepStrictEqual(told([maker], empty, { marketRests: () => true })[0], "bid: blocked MarketResting")
  })

  it("is held back by what the operator said", () => {
    const paused = applyAll(empty, [{ _tag: "Paused", at: now, who: "me", why: "" }])
    assert.strictEqual(told([maker], paused)[0], "bid: blocked Paused")
  })

  it("yields to a strategy of higher priority, which a dry-run never is", () => {
    const above = (mode: string) => compiled("above", bids("book.bid"), `priority: 5\nmode: ${mode}\n`)
    assert.strictEqual(told([maker, above("inherit")], empty)[0], "bid: blocked Yields")
    assert.strictEqual(told([maker, above("dry-run")], empty)[0], "bid: acts")
    assert.strictEqual(told([above("dry-run")], empty)[0], "bid: blocked DryRun")
  })

  it("waits while what stands is young, differs too little, or stands as wished", () => {
    const standing = stateAfter(...openBid(placeBid(1_001, 2), "o1"))
    assert.strictEqual(told([maker], standing)[0], "bid: stands")
    const higher = compiled("maker", bids("book.bid + tick(5)"))
    assert.strictEqual(told([higher], standing)[0], "bid: blocked MinStep")
    const patient = compiled("maker", bids("book.bid + tick(50)"), "minAge: 2h\n")
    assert.strictEqual(told([patient], standing)[0], "bid: blocked MinAge")
    assert.strictEqual(told([compiled("maker", bids("book.bid + tick(50)"))], standing)[0], "bid: acts")
  })

  it("waits for an answer of the market that is on its way", () => {
    const placing = stateAfter({ _tag: "IntentRecorded", at: at(3_590), intent: placeBid(1_001, 2) })
    assert.strictEqual(told([maker], placing)[0], "bid: blocked InFlight")
  })

  it("is unknown or not yet when its rule is", () => {
    const unsure = compiled("maker", "  - { id: enter, when: overview.volume > 3, do: cancel-bid }\n")
    assert.strictEqual(told([unsure], empty)[0], "bid: blocked Unknown")
    const waiting = compiled("maker", "  - { id: e, when: book.bid > tick(1), for: 5m, do: cancel-bid }\n")
    assert.strictEqual(told([waiting], empty)[0], "bid: blocked Waiting")
  })

  it("is nothing on an item outside the universe, but what was bought is sold", () => {
    const seller = compiled(
      "maker",
      `${bids("book.bid + tick(1)")}  - { id: exit, when: position.units > 0, do: ask, at: book.ask }\n`
    )
    const held = stateAfter({
      _tag: "Filled",
      at: at(10),
      fill: buyFill("f1", 900, "a1", 10),
      intent: placeBid(900, 1).id,
      strategy: "maker"
    })
    const left = { isTrading: false, universe: "left it" }
    assert.deepStrictEqual(told([seller], held, left), ["bid: blocked OutsideUniverse", "ask: acts"])
  })

  it("is held back by a pause of its protections", () => {
    const guarded = compiled(
      "maker",
      bids("book.bid"),
      "protections: [{ kind: cooldown, after: sell, for: 30m }]\n"
    )
    const paused = applyAll(empty, [
      {
        _tag: "Protected",
        at: now,
        strategy: "maker",
        kind: "cooldown",
        since: now,
        until: at(5_000),
        why: "a sale"
      }
    ])
    assert.strictEqual(told([guarded], paused)[0], "bid: blocked Protection")
    const leaving = compiled(
      "maker",
      "  - { id: out, when: book.ask > book.bid, do: cancel-bid }\n",
      "protections: [{ kind: cooldown, after: sell, for: 30m }]\n"
    )
    assert.strictEqual(told([leaving], paused)[0], "bid: stands")
  })

  it("tells why nothing is bought outright", () => {
    const sniper = compiled(
      "maker",
      "  - { id: snipe, when: listing.wear < 0.1, do: buy, limit: book.ask }\n"
    )
    assert.deepStrictEqual(told([sniper], empty), ["buy: blocked Unknown"])
  })

  it("is said once: a signal that goes on is not said again", () => {
    const teller = compiled(
      "maker",
      "  - { id: tell, when: book.bid > tick(1), do: notify, message: '\"hm\"' }\n"
    )
    assert.strictEqual(told([teller], empty)[0], "notify: acts")
    assert.strictEqual(told([teller], empty, { signalling: new Set(["maker#tell"]) })[0], "notify: stands")
  })
})
