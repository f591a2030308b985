/**
 * From tapes and strategies to the result of their replay: what `backtest` prints and a sweep calls again and again.
 */
import { Effect } from "effect"

import type { Millis } from "../domain/Ids.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { Tape } from "../tape/Tape.ts"
import type { Feed } from "./Cursor.ts"
import { type Progress, replay } from "./Replay.ts"
import type { ReplayOptions } from "./ReplayDesk.ts"
import { resultOf } from "./ResultOf.ts"

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
  const { desk, equity, ...played } = yield* replay(
    { ...options, currency, feeds, from: since, to: until },
    tell
  )
  const { balance, paper, strategies, warmUpMillis } = options
  const { holdMillis, latencyMillis, listingDelayMillis, pessimism } = paper
  const { state, universes, wallet } = desk
  return resultOf(
    { ...played, state, fees: wallet.fees, equity: equity.points, listed: universes.listed },
    {
      currency,
      tapes: tapes.map(({ file, meta: { market, synthetic } }) => ({ file, market, synthetic })),
      strategies,
      settings: { balance, pessimism, latencyMillis, listingDelayMillis, holdMillis, warmUpMillis }
    }
  )
})
