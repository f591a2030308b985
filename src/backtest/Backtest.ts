/**
 * From tapes and strategies to the result of their replay: what `backtest` prints and a sweep calls again and again.
 */
import { Effect } from "effect"

import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import { type Money, zero } from "../domain/Money.ts"
import { lotsCost, units } from "../domain/Position.ts"
import { positionOf } from "../domain/State.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { Type } from "../rules/Value.ts"
import { showValue } from "../rules/Value.ts"
import type { Feed } from "./Cursor.ts"
import { worthOf } from "./EquityTally.ts"
import { type Progress, replay, type Replayed } from "./Replay.ts"
import type { ReplayOptions } from "./ReplayDesk.ts"
import type { BacktestResult, ItemResult, StrategyUsed } from "./Result.ts"
import type { Tape } from "./Tape.ts"

export interface BacktestOptions extends Omit<ReplayOptions, "currency"> {
  /** Only these; all when undefined. */
  readonly items: ReadonlySet<ItemKey> | undefined
  readonly from: Millis | undefined
  readonly to: Millis | undefined
  readonly warmUpMillis: number
}

/** What the tapes hold of each item, in the order of time; items in the order of their names, whichever tape comes first. */
export const feedsOf = Effect.fn("Backtest.feeds")(function* (
  tapes: ReadonlyArray<Tape>,
  items: ReadonlySet<ItemKey> | undefined
) {
  const byItem = Map.groupBy(
    tapes.flatMap((tape) => tape.items),
    ({ item }) => item
  )
  const keys = [...byItem.keys()].filter((item) => items?.has(item) ?? true).toSorted()
  return yield* Effect.forEach(keys, (item) =>
    Effect.gen(function* () {
      const own = byItem.get(item) ?? []
      const histories = yield* Effect.forEach(own, (one) => one.histories)
      const overviews = yield* Effect.forEach(own, (one) => one.overviews)
      const owns = yield* Effect.forEach(own, (one) => one.owns)
      const feed: Feed = {
        item,
        batches: own.flatMap(({ batches }) => batches).toSorted((a, b) => a.from - b.from || a.to - b.to),
        histories: histories.flat().toSorted((a, b) => a.at - b.at),
        overviews: overviews.flat().toSorted((a, b) => a.at - b.at),
        owns: owns.flat().toSorted((a, b) => a.at - b.at)
      }
      return feed
    })
  )
})

/** Plays the strategies on the tapes; the first tape's currency is the account's. Undefined when there is no book to play. */
export const backtest = Effect.fn("Backtest.run")(function* (
  tapes: ReadonlyArray<Tape>,
  { from, items, to, ...options }: BacktestOptions,
  tell?: (progress: Progress) => Effect.Effect<void>
) {
  const [first] = tapes
  const feeds = yield* feedsOf(tapes, items)
  const [since, until] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
  const isPlayable = feeds.some(({ batches }) => batches.some((one) => one.to >= since && one.from < until))
  if (first === undefined || !isPlayable) return undefined
  const { currency } = first.meta
  const replayed = yield* replay({ ...options, currency, feeds, from: since, to: until }, tell)
  return resultOf(replayed, tapes, feeds, { ...options, currency })
})

const resultOf = (
  replayed: Replayed,
  tapes: ReadonlyArray<Tape>,
  feeds: ReadonlyArray<Feed>,
  { balance, currency, paper, strategies, warmUpMillis }: ReplayOptions & { readonly warmUpMillis: number }
): BacktestResult => {
  const { equity, tally } = replayed
  const { latencyMillis, listingDelayMillis, pessimism } = paper
  const items = feeds.map(({ item }) => itemResult(item, replayed))
  return {
    version: 1,
    currency,
    tapes: tapes.map(({ file, meta: { market, synthetic } }) => ({ file, market, synthetic })),
    strategies: strategies.map((one) => used(one, replayed)),
    settings: { balance, pessimism, latencyMillis, listingDelayMillis, warmUpMillis },
    from: replayed.from,
    to: replayed.to,
    books: items.reduce((sum, { books }) => sum + books, 0),
    items,
    orders: tally.orders,
    trades: tally.trades,
    refusals: tally.refusals,
    equity: equity.points,
    digest: tally.digest
  }
}

const itemResult = (item: ItemKey, { desk, items, to }: Replayed): ItemResult => {
  const books = items.get(item)
  const position = positionOf(desk.state, item)
  const { fees, realised, unitsBought, unitsSold } = position
  const unitsHeld = units(position)
  return {
    item,
    books: books?.books ?? 0,
    from: (books?.from ?? to) as Millis,
    to: (books?.to ?? to) as Millis,
    longestGapMillis: books?.longestGap ?? 0,
    unitsBought,
    unitsSold,
    realised,
    fees,
    unitsHeld,
    costHeld: unitsHeld === 0 ? zero : lotsCost(position),
    worthHeld: unitsHeld === 0 ? (zero as Money) : worthOf(position, books?.priceAt(to), desk.wallet.fees),
    prices: books?.prices ?? []
  }
}

const shownAs: Readonly<Record<CompiledStrategy["params"][number]["kind"], Type>> = {
  number: "double",
  percent: "percent",
  duration: "duration",
  bool: "bool",
  money: "Money"
}

const used = (strategy: CompiledStrategy, { desk, items }: Replayed): StrategyUsed => {
  const { file, name, params, revision } = strategy
  const listed: ReadonlySet<string> = desk.universes.listed.get(name) ?? new Set()
  return {
    name,
    file,
    revision,
    params: Object.fromEntries(params.map((one) => [one.name, showValue(shownAs[one.kind], one.default)])),
    items: [...items.keys()].filter((key) => listed.has(key)).length
  }
}
