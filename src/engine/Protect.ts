/**
 * The effectful side of protections: keeps the prices and profits that they are judged by, and journals what begins.
 * Invariant: a strategy without protections costs nothing here.
 */
import { Effect } from "effect"

import type { Facts } from "../domain/Facts.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { EquityPoint } from "../domain/Trail.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { Desk } from "./Desk.ts"
import { equityOf } from "./Equity.ts"
import { Journal } from "./Journal.ts"
import { priceWindow, withPrice } from "./PriceTrail.ts"
import { protectionEvents } from "./Protections.ts"

/** Profit is reckoned up anew at most this often: it needs every item that is held. */
const reckonMillis = 60_000

/** Looks at every protection of the strategies that decide on the item; the state in which they may decide comes after it. */
export const watchProtections = Effect.fnUntraced(function* (
  desk: Desk,
  key: ItemKey,
  strategies: ReadonlyArray<CompiledStrategy>,
  facts: Facts
) {
  const guarded = strategies.filter(({ protections }) => protections.length > 0)
  if (guarded.length === 0) return
  const journal = yield* Journal
  const state = yield* journal.state
  const prices = desk.prices.get(key) ?? []
  for (const strategy of guarded) {
    const equity = yield* equityNow(desk, strategy, facts)
    yield* journal.append(protectionEvents(strategy, { state, facts, prices, equity }))
  }
  const windowMillis = Math.max(...guarded.map(({ protections }) => priceWindow(protections)))
  if (windowMillis > 0) desk.prices.set(key, withPrice(prices, facts.book, windowMillis))
})

const equityNow = Effect.fnUntraced(function* (
  desk: Desk,
  { name, protections }: CompiledStrategy,
  { fees, now }: Facts
) {
  if (!protections.some(({ kind }) => kind === "drawdown")) return undefined
  const before = desk.equity.get(name)
  if (before !== undefined && now - before.at < reckonMillis) return before
  const journal = yield* Journal
  const point: EquityPoint = { at: now, ...equityOf(yield* journal.state, name, desk.view.books, fees) }
  desk.equity.set(name, point)
  return point
})
