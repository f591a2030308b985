/** Rows of the way from an answer's text to the domain's book and to a decision, against parsing that text alone. */
import { Effect, Option } from "effect"

import { seen } from "../../src/domain/Facts.ts"
import { defaultFees } from "../../src/domain/Fee.ts"
import { item, itemKey } from "../../src/domain/Item.ts"
import { money, zero } from "../../src/domain/Money.ts"
import { emptyState } from "../../src/domain/State.ts"
import { emptyView, factsOf } from "../../src/engine/Observe.ts"
import { bookOf, readOrderbook } from "../../src/market/BookFacts.ts"
import { namesOf } from "../../src/market/contract/Platform.ts"
import { compiled, headOf, now, steadyHistory } from "../rules/support.ts"
import { leastNanosEach, row } from "./Measure.ts"

const levelsPerSide = 100

/** A body as the market sends it. */
const bookBody = (): string => {
  const side = (first: number, step: number) =>
    Array.from({ length: levelsPerSide }, (_, index) => [first + step * index, 1 + ((index * 7) % 40)]).flat()
  const [bids, asks] = [side(11_800, -5), side(12_000, 5)]
  const data = {
    amtMaxBuyOrder: 11_800,
    amtMinSellOrder: 12_000,
    eCurrency: 1,
    cBuyOrders: 40_000,
    cSellOrders: 900,
    rgCompactBuyOrders: bids,
    rgCompactSellOrders: asks
  }
  return JSON.stringify({ data: { success: 1, data } })
}

const text = bookBody()
const size = `${(text.length / 1_024).toFixed(1)} kB`
const names = namesOf("platform")

const toBook = () => {
  const answer = readOrderbook({ status: 200, location: undefined, notLoggedIn: false, text }, names)
  if (answer._tag !== "Shaped" || answer.meaning !== "success") throw new Error("the body is not read")
  return Option.getOrThrow(bookOf(answer))
}

const book = Effect.sync(() => {
  if (toBook().asks.length !== levelsPerSide) throw new Error("the book is not whole")
  const [ours = 0, parsing = 0] = leastNanosEach(toBook, () => JSON.parse(text))
  return row({
    name: "order book",
    value: ours / 1_000,
    unit: `µs (least of 60 slices) from ${size} of text to the domain's book`,
    against: { "JSON.parse": ours / parsing }
  })
})

const tenRules = `params: { margin: { default: 6% }, stock: { default: 4 } }
let:
  fair: history.median(duration("7d"))
  net: fees.sellerReceives(book.ask)
  edge: (net - book.bid) / book.bid
rules:
  - { id: cut, when: position.units > 0 && book.bid < position.avgCost * 0.8, do: ask, at: book.bid }
  - { id: thin, when: book.bidUnits < 20, do: cancel-bid }
  - { id: rich, when: book.bid > fair * 1.3, do: cancel-bid }
  - { id: deep, when: edge > params.margin + 0.2 && position.units < params.stock, do: bid, at: book.bid + tick(1), qty: params.stock }
  - { id: enter, when: edge > params.margin && position.units < params.stock, do: bid, at: "min(book.bid + tick(1), fair)", qty: params.stock - position.units }
  - { id: fair, when: book.ask < fair * 0.9 && position.units < params.stock, do: bid, at: book.ask, qty: 1 }
  - { id: leave, when: book.spreadPct < 0.01, do: cancel-bid }
  - { id: out, when: position.sellable > 0 && book.askUnits > 3, do: ask, at: book.ask - tick(1) }
  - { id: back, when: book.ask < book.bid * 1.01, do: cancel-ask }
  - { id: told, when: book.spread > book.bid * 0.5, do: notify, message: '"wide"' }
`

const decision = Effect.sync(() => {
  const strategy = compiled(headOf() + tenRules)
  const gloves = item(730, "Glove Case")
  const key = itemKey(gloves)
  const view = emptyView()
  view.histories.set(key, seen(steadyHistory(12_000), now))
  const wallet = {
    currency: 1,
    balance: money(100_000),
    delayed: zero,
    country: "US",
    fees: defaultFees(1)
  } as const
  view.wallet = seen(wallet, now)
  const held = new Map()
  const decide = () => {
    view.books.set(key, seen(toBook(), now))
    const facts = factsOf(view, emptyState, gloves, now)
    if (facts === undefined) throw new Error("nothing is known")
    return strategy.evaluate(facts, held).decision
  }
  const { verdicts } = decide()
  if (verdicts.length !== 10 || verdicts.some(({ verdict }) => verdict._tag === "Unknown"))
    throw new Error("the rules are not decided")
  const [ours = 0, parsing = 0] = leastNanosEach(decide, () => JSON.parse(text))
  return row({
    name: "bytes to decision",
    value: ours / parsing,
    unit: `× JSON.parse alone (${(ours / 1_000).toFixed(1)} µs) from ${size} of text to the decision of ten rules`,
    against: { "JSON.parse, time": ours / parsing },
    bar: 3
  })
})

export const byteRows = { "order book": book, "bytes to decision": decision }
