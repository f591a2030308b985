/** Facts and strategies for the tests of the rules: constructed values, no files. */
import { Result } from "effect"

import { type Facts, type Observed, seen, unseen } from "../../src/domain/Facts.ts"
import type { BuyOrderId, Millis } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money, zero } from "../../src/domain/Money.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"

export const hour = 3_600_000
/** Friday 2026-01-09, 12:00 UTC. */
export const now = 1_767_960_000_000 as Millis
export const at = (millis: number): Millis => millis as Millis
export const gloves = item(730, "Glove Case")
export const fees = { platformRate: 0.05, publisherRate: 0.1, floor: money(1), increment: 1 }

export const book = (bid: number | undefined, ask: number | undefined, units = 7) =>
  orderBook({
    currency: 1,
    bids: bid === undefined ? [] : [{ price: money(bid), units }],
    asks: ask === undefined ? [] : [{ price: money(ask), units }]
  })

/** A sale of ten units in every hour before now, each at this price in minor units. */
export const steadyHistory = (price: number, hours = 24 * 8) =>
  priceHistory(
    Array.from({ length: hours }, (_, index) => salesPoint(at(now - index * hour), price / 100, 10))
  )

export const facts = (of: Partial<Facts> = {}): Facts => ({
  now,
  item: gloves,
  currency: 1,
  fees,
  book: seen(book(1000, 1300), now),
  history: seen(steadyHistory(1190), now),
  overview: seen({ lowest: money(1300), median: money(1200), volume: 80 }, now),
  offers: unseen,
  description: unseen,
  wallet: seen({ balance: money(10_000), committed: money(2500) }, now),
  position: {
    units: 0,
    sellable: 0,
    listed: 0,
    held: 0,
    cost: zero,
    avgCost: undefined,
    oldestAt: undefined,
    realised: zero
  },
  orders: { bid: undefined, ask: undefined },
  ...of
})

export const holding = (units: number, avgCost: number, ageMillis = hour): Facts["position"] => ({
  units,
  sellable: units,
  listed: 0,
  held: 0,
  cost: money(avgCost * units),
  avgCost: money(avgCost),
  oldestAt: at(now - ageMillis),
  realised: zero
})

export const ownBid = (price: number, units: number, ageMillis = 0): NonNullable<Facts["orders"]["bid"]> => ({
  id: "1" as BuyOrderId,
  price: money(price),
  units,
  at: at(now - ageMillis)
})

export const aged = <A>(observed: Observed<A>, ageMillis: number): Observed<A> =>
  observed._tag === "Seen" ? seen(observed.value, at(now - ageMillis)) : observed

export const headOf = (items = '"Glove Case"'): string =>
  `version: 1\nuniverse:\n  - { app: 730, items: [${items}] }\n`

/** The strategy of this text; a test fails with the rendered errors when it has any. */
export const compiled = (text: string, file = "test.yaml"): CompiledStrategy => {
  const result = compileStrategy(file, text, { currency: 1 })
  if (Result.isFailure(result)) throw new Error(renderErrors(result.failure))
  return result.success
}

/** A strategy with nothing but these rules (YAML, indented by two). */
export const withRules = (rules: string, rest = ""): CompiledStrategy =>
  compiled(`${headOf()}${rest}rules:\n${rules}`)
