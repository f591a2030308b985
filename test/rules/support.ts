/** Facts and strategies for the tests of the rules: constructed values, no files. */
import { Result } from "effect"

import { type Facts, type Observed, seen, unseen } from "../../src/domain/Facts.ts"
import type { AssetId, BuyOrderId, ListingId, Millis } from "../../src/domain/Ids.ts"
import { item } from "../../src/domain/Item.ts"
import { money, zero } from "../../src/domain/Money.ts"
import type { Offer } from "../../src/domain/Offer.ts"
import { orderBook } from "../../src/domain/OrderBook.ts"
import { priceHistory, salesPoint } from "../../src/domain/Sales.ts"
import { letRun } from "../../src/rules/Closures.ts"
import { compileStrategy } from "../../src/rules/Compile.ts"
import type { Checked } from "../../src/rules/Expression.ts"
import { interpret, interpretation } from "../../src/rules/Interpret.ts"
import type { Names } from "../../src/rules/Names.ts"
import { scopeOf } from "../../src/rules/Scope.ts"
import { renderErrors } from "../../src/rules/Source.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { defaultFreshness } from "../../src/rules/Strategy.ts"
import { isUnknown, kindOfType, type Value } from "../../src/rules/Value.ts"

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

/** A listing of somebody else at this total, a ninth of it fees. */
export const offer = (total: number, of: Partial<Offer> = {}): Offer => {
  const fee = Math.floor(total / 9)
  return {
    listing: `listing-${total}` as ListingId,
    item: gloves,
    asset: `asset-${total}` as AssetId,
    context: "2",
    units: 1,
    currency: 1,
    subtotal: money(total - fee),
    fee: money(fee),
    isMine: false,
    properties: new Map(),
    accessories: [],
    ...of
  }
}

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

/** The names of a file that defines none. */
export const noNames: Names = { params: new Map(), lets: new Map(), later: new Set(), listings: true }

/** The value by both evaluators, which must agree. */
export const valueOf = (checked: Checked, of: Facts = facts()): Value => {
  const scope = scopeOf(of, defaultFreshness, [], 0)
  scope.listing = of.offers._tag === "Seen" ? of.offers.value[0] : undefined
  const value = interpret(checked.expr, interpretation(scope, []), [])
  const run = letRun(checked.expr, [])(scope)
  if (!isSame(run, rawOf(checked, value)))
    throw new Error(`${checked.text}: ${JSON.stringify(value)} interpreted, ${String(run)} run`)
  return value
}

/** The value as closures tell it. */
export const rawOf = ({ type }: Checked, value: Value) => {
  const kind = kindOfType(type)
  if (isUnknown(value)) return kind === "bool" ? 2 : kind === "string" ? undefined : Number.NaN
  return typeof value === "boolean" ? Number(value) : value
}

/** Equal, NaN to NaN, too. */
export const isSame = (left: unknown, right: unknown): boolean =>
  left === right || (Number.isNaN(left) && Number.isNaN(right))
