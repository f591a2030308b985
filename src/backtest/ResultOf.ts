/**
 * Makes the result of what was played: a tape by the replay, or the embedded market by the daemon itself.
 * Invariant: both are told in the same words and reckoned by the same functions.
 */
import type { FeeSchedule } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { zero } from "../domain/Money.ts"
import { lotsCost, units } from "../domain/Position.ts"
import { positionOf, type State } from "../domain/State.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { showValue, type Type } from "../rules/Value.ts"
import { type Priced, worthOf } from "./EquityTally.ts"
import type { BacktestResult, EquityPoint, ItemResult, PricePoint, StrategyUsed } from "./Result.ts"
import type { Tally } from "./Tally.ts"

/** What was seen of an item; `from` and `to` are NaN when nothing was. */
interface ItemSeen extends Priced {
  readonly books: number
  readonly from: number
  readonly to: number
  readonly longestGap: number
  readonly prices: ReadonlyArray<PricePoint>
}

/** What was played, when it is over. */
export interface Played {
  readonly state: State
  readonly fees: FeeSchedule
  readonly tally: Pick<Tally, "orders" | "trades" | "refusals" | "digest">
  readonly equity: ReadonlyArray<EquityPoint>
  /** In the order of their keys. */
  readonly items: ReadonlyMap<ItemKey, ItemSeen>
  /** Items of each strategy's universe, by its name. */
  readonly listed: ReadonlyMap<string, ReadonlySet<ItemKey>>
  readonly from: Millis
  readonly to: Millis
}

export const resultOf = (
  played: Played,
  {
    strategies,
    ...about
  }: Pick<BacktestResult, "currency" | "tapes" | "settings"> & {
    readonly strategies: ReadonlyArray<CompiledStrategy>
  }
): BacktestResult => {
  const { equity, from, tally, to } = played
  const items = [...played.items].map(([item, seen]) => itemResult(item, seen, played))
  return {
    version: 1,
    ...about,
    strategies: strategies.map((one) => used(one, played)),
    from,
    to,
    books: items.reduce((sum, { books }) => sum + books, 0),
    items,
    orders: tally.orders,
    trades: tally.trades,
    refusals: tally.refusals,
    equity,
    digest: tally.digest
  }
}

const itemResult = (item: ItemKey, seen: ItemSeen, { fees: schedule, state, to }: Played): ItemResult => {
  const position = positionOf(state, item)
  const { fees, realised, unitsBought, unitsSold } = position
  const unitsHeld = units(position)
  return {
    item,
    books: seen.books,
    from: (Number.isNaN(seen.from) ? to : seen.from) as Millis,
    to: (Number.isNaN(seen.to) ? to : seen.to) as Millis,
    longestGapMillis: seen.longestGap,
    unitsBought,
    unitsSold,
    realised,
    fees,
    unitsHeld,
    costHeld: unitsHeld === 0 ? zero : lotsCost(position),
    worthHeld: unitsHeld === 0 ? zero : worthOf(position, seen.priceAt(to), schedule),
    prices: seen.prices
  }
}

const shownAs: Readonly<Record<CompiledStrategy["params"][number]["kind"], Type>> = {
  number: "double",
  percent: "percent",
  duration: "duration",
  bool: "bool",
  money: "Money"
}

const used = (strategy: CompiledStrategy, { items, listed }: Played): StrategyUsed => {
  const { file, name, params, revision } = strategy
  const own: ReadonlySet<string> = listed.get(name) ?? new Set()
  return {
    name,
    file,
    revision,
    params: Object.fromEntries(params.map((one) => [one.name, showValue(shownAs[one.kind], one.value)])),
    items: [...items.keys()].filter((key) => own.has(key)).length
  }
}
