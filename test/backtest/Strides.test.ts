import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

import type { ReplayInput } from "../../src/backtest/Replay.ts"
import { money } from "../../src/domain/Money.ts"
import { compiled, headOf } from "../rules/support.ts"
import { market, played, playing, trader } from "./Replays.ts"

/** Kinds of strategies: patient ones that mostly wait, ones that hang on the clock, the history, their stock, a `for`. */
const strategies: Readonly<Record<string, string>> = {
  "buys dips": `  - { id: enter, when: book.ask < history.median(duration("3h")) && position.units < 3, do: bid, at: book.ask, qty: 1, expire: 5m }
  - { id: exit, when: position.sellable > 0 && position.oldestAge > duration("20m"), do: ask, at: book.bid, allowLoss: true }
  - { id: leave, when: book.spreadPct > 0.3, do: cancel-bid }
`,
  "waits for a while": `  - { id: enter, when: book.askUnits > book.bidUnits * 1.2, for: 4m, do: bid, at: book.bid + tick(1), qty: 2 - position.units, expire: 10m }
  - { id: exit, when: position.units > 0 && book.imbalance > 0, for: 2m, do: ask, at: "max(book.bid, book.ask - tick(1))", allowLoss: true }
`,
  "trades by the hour": `  - { id: enter, when: clock.hour % 5 == 0 && position.units < 2 && !(book.bidUnits > 700), do: bid, at: "min(book.ask, book.mid + tick(3))", qty: 1, expire: 15m }
  - { id: exit, when: clock.hour % 5 == 2 && position.sellable > 0, do: ask, at: 'max(book.bid, money("0.03"))', allowLoss: true }
  - { id: tell, when: book.spread > money("0.02"), do: notify, message: '"wide"' }
`,
  "looks into the depth": `  - { id: enter, when: book.bidDepth(book.bid - tick(2)) > 90 && position.units < 2, do: bid, at: book.ask, qty: 1, expire: 5m }
  - { id: exit, when: position.sellable > 0 && position.unrealised < money("0.50"), do: ask, at: book.bid, allowLoss: true }
`,
  "counts its money": `  - { id: enter, when: wallet.available > money("300") && clock.hour % 2 == 0, do: bid, at: book.ask, qty: 2, expire: 5m }
  - { id: exit, when: position.sellable > 1, do: ask, at: book.bid, allowLoss: true }
`
}

const both = Effect.fnUntraced(function* (input: ReplayInput) {
  const strides = yield* played(input)
  const whole = yield* played({ ...input, whole: true })
  return { strides, whole }
})

describe("Strides over books", () => {
  for (const [name, rules] of Object.entries(strategies))
    it.effect(`change nothing: a strategy that ${name}`, () =>
      Effect.gen(function* () {
        for (const seed of [1]) {
          const feeds = market(seed, 700, 3)
          const { strides, whole } = yield* both(playing({ feeds, strategies: [trader(rules)] }))
          assert.isAbove(whole.tally.trades.length, 2)
          assert.deepStrictEqual(strides.events, whole.events)
          assert.deepStrictEqual(strides.tally.orders, whole.tally.orders)
          assert.deepStrictEqual(strides.tally.trades, whole.tally.trades)
          assert.deepStrictEqual(strides.equity.points, whole.equity.points)
        }
      })
    )

  it.effect("change nothing with several strategies, a limit and hardly any money", () =>
    Effect.gen(function* () {
      const [dips = "", waits = ""] = Object.values(strategies)
      const [first, second] = [trader(dips, "first.yaml"), trader(waits, "second.yaml")]
      const input = playing({
        feeds: market(9, 1_200, 3),
        strategies: [first, second],
        balance: money(3_000)
      })
      const { strides, whole } = yield* both(input)
      assert.isAbove(whole.tally.trades.length, 2)
      assert.deepStrictEqual(strides.events, whole.events)
    })
  )

  it.effect("change nothing with pauses, and with strategies whose items are looked at book by book", () =>
    Effect.gen(function* () {
      const [dips = "", waits = ""] = Object.values(strategies)
      const of = (name: string, items: string, rest: string, rules: string) =>
        compiled(`${headOf(items)}${rest}rules:\n${rules}`, `${name}.yaml`)
      const pauses = `protections:
  - { kind: cooldown, after: sell, for: 20m }
  - { kind: cooldown, after: buy, for: 7m, scope: strategy }
  - { kind: losing-streak, sales: 2, over: 2h, for: 30m, scope: item }
`
      const watchful = `protections: [{ kind: price-jump, max: 1%, over: 15m, for: 10m }, { kind: drawdown, over: 1d, max: 2%, then: reduce }]\n`
      const input = playing({
        feeds: market(4, 1_200, 3),
        strategies: [
          of("paused", '"Glove Case"', pauses, dips),
          of("watchful", '"Chroma 2 Case"', watchful, dips),
          of("choosy", `"Déjà Vu ★ Crate"`, `where: book.askUnits > 200\n`, waits)
        ]
      })
      const { strides, whole } = yield* both(input)
      assert.isAbove(whole.tally.trades.length, 2)
      assert.isTrue(whole.events.some(({ _tag }) => _tag === "Protected"))
      assert.deepStrictEqual(strides.events, whole.events)
      assert.deepStrictEqual(strides.tally.trades, whole.tally.trades)
    })
  )

  it.effect("save looks where nothing can happen", () =>
    Effect.gen(function* () {
      const patient = trader(
        `  - { id: enter, when: book.ask < money("0.10"), do: bid, at: book.ask, qty: 1 }\n`
      )
      let looks = 0
      const counting: typeof patient = {
        ...patient,
        evaluate: (facts, held) => {
          looks++
          return patient.evaluate(facts, held)
        }
      }
      yield* played(playing({ feeds: market(3, 4_000, 1), strategies: [counting] }))
      assert.isBelow(looks, 400)
    })
  )
})
