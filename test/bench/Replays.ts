/** Rows of replays: books a second from memory and from disk, beside a loop written by hand, grademark and indicatorts. */
import { DataFrame } from "data-forge"
import { DateTime, Effect, FileSystem, Path } from "effect"
import { backtest as grademark, type IBar } from "grademark"
import { Action, backtest as indicatorts } from "indicatorts"

import { feedsOf } from "../../src/backtest/Backtest.ts"
import type { Feed } from "../../src/backtest/Cursor.ts"
import { replay } from "../../src/backtest/Replay.ts"
import { sellerReceives } from "../../src/domain/Fee.ts"
import { type ItemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import type { BookAt } from "../../src/tape/Books.ts"
import { openTape } from "../../src/tape/Open.ts"
import type { TapeRecord } from "../../src/tape/Records.ts"
import { writeSealed } from "../../src/tape/Sealed.ts"
import { feedOf, historiesOf, playing, trader } from "../backtest/Replays.ts"
import { fees } from "../rules/support.ts"
import { books, cases, start } from "../tape/Tapes.ts"
import { millisOf, row } from "./Measure.ts"

const perItem = 60_000
/** Three seconds: V8 goes on making this code faster for as long, and what is told is the rate of long replays. */
const rounds = 80

/** Buys what is a good deal cheaper than yesterday and sells it dearer: it looks at every book and trades now and then. */
const rules = `  - { id: enter, when: book.ask < history.median(duration("24h")) * 0.93 && position.units < 5, do: bid, at: book.ask, qty: 1, expire: 5m }
  - { id: leave, when: book.spreadPct > 0.2, do: cancel-bid }
  - { id: exit, when: position.sellable > 0 && book.bid > position.avgCost * 1.02, do: ask, at: book.bid, allowLoss: true }
`

interface Made {
  readonly item: ItemKey
  readonly all: ReadonlyArray<BookAt>
}

let market: ReadonlyArray<Made> | undefined
const made = (): ReadonlyArray<Made> =>
  (market ??= cases.map((item, index) => ({
    item,
    all: books(50 + index, perItem, { levels: 5, everyMillis: 5_000 })
  })))

const feeds = (): ReadonlyArray<Feed> =>
  made().map(({ all, item }, index) => feedOf(item, all, historiesOf(index, all), 4_096))

/** What somebody writes who needs no rules, no queue, no guard and no journal: best prices and a few ifs. */
const byHand = (all: ReadonlyArray<BookAt>): number => {
  let [cash, cost, held, mean] = [100_000, 0, 0, 0]
  for (const { book } of all) {
    const [ask, bid] = [book.asks[0]?.price, book.bids[0]?.price]
    if (ask === undefined || bid === undefined) continue
    mean = mean === 0 ? ask : mean * 0.999 + ask * 0.001
    if (ask < mean * 0.93 && held < 5) [cash, cost, held] = [cash - ask, cost + ask, held + 1]
    else if (held > 0 && bid > (cost / held) * 1.02)
      [cash, cost, held] = [cash + held * sellerReceives(fees, money(bid)), 0, 0]
  }
  return cash + cost
}

/** Of the round that the machine's other work disturbed least. */
const timed = Effect.fnUntraced(function* <A, E, R>(self: Effect.Effect<A, E, R>) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) least = Math.min(least, yield* millisOf(self))
  return least
})

const total = perItem * cases.length

const fromMemory = Effect.gen(function* () {
  const all = feeds()
  // columns as a reader hands them out, not the work of making them
  const batches = yield* Effect.forEach(all, (feed) =>
    Effect.map(
      Effect.forEach(feed.batches, (batch) =>
        Effect.map(batch.read, (columns) => ({ ...batch, read: Effect.succeed(columns) }))
      ),
      (batches) => ({ ...feed, batches })
    )
  )
  const input = playing({ feeds: batches, strategies: [trader(rules)] })
  const { tally } = yield* replay(input)
  if (tally.trades.length < 10) return yield* Effect.die(new Error(`${tally.trades.length} trades`))
  const [ours, whole, hand] = [
    yield* timed(replay(input)),
    yield* millisOf(replay({ ...input, whole: true })),
    yield* timed(Effect.sync(() => made().map((one) => byHand(one.all))))
  ]
  return row({
    name: "replay memory",
    value: total / ours / 1e3,
    unit: `M books/s, a book each 5 s, sales each hour, three rules, ${tally.orders.length} orders and ${tally.trades.length} trades of ${total} books`,
    against: { "a loop by hand, time": ours / hand, "every book looked at whole, time": ours / whole },
    atLeast: 5
  })
})

const fromDisk = Effect.scoped(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* fs.makeTempDirectoryScoped()
    const file = path.join(folder, "bench.tape")
    const records: Array<TapeRecord> = []
    for (const { all, item } of made())
      for (const { at, book } of all) records.push({ _tag: "Book", item, at, book })
    for (const { histories, item } of feeds())
      for (const { at, points } of histories) records.push({ _tag: "History", item, at, points })
    const meta = { currency: 1, market: "bench", source: "recorded", createdAt: start } as const
    yield* writeSealed(
      file,
      meta,
      records.toSorted((a, b) => a.at - b.at)
    )
    const once = Effect.scoped(
      Effect.gen(function* () {
        const tape = yield* openTape(file)
        return yield* replay(
          playing({ feeds: yield* feedsOf([tape], undefined), strategies: [trader(rules)] })
        )
      })
    )
    const { tally } = yield* once
    const [ours, hand] = [
      yield* timed(once),
      yield* timed(Effect.sync(() => made().map((one) => byHand(one.all))))
    ]
    return row({
      name: "replay disk",
      value: total / ours / 1e3,
      unit: `M books/s from a sealed tape, ${tally.trades.length} trades of ${total} books`,
      against: { "a loop by hand over memory, time": ours / hand },
      atLeast: 1
    })
  })
)

/** The same rules the way indicatorts wants them: closing prices in, a buy or a sale for each out; it knows no orders, fees or units. */
const actionsOf = (closings: ReadonlyArray<number>): Array<Action> => {
  let entered = 0
  return closings.map((close) => {
    if (entered === 0) {
      if (close >= 1_300 * 0.93) return Action.HOLD
      entered = close
      return Action.BUY
    }
    if (close <= entered * 1.02) return Action.HOLD
    entered = 0
    return Action.SELL
  })
}

/** The own kind of job of both: bars in, one position at a time, entered and left by a rule each. */
const besideGrademark = Effect.gen(function* () {
  const [{ all, item }] = made() as readonly [Made, ...ReadonlyArray<Made>]
  const bars = all.flatMap(({ at, book }): ReadonlyArray<IBar & { readonly mean: number }> => {
    const [ask, bid] = [book.asks[0]?.price, book.bids[0]?.price]
    if (ask === undefined || bid === undefined) return []
    const close = (ask + bid) / 2
    return [
      {
        time: DateTime.toDateUtc(DateTime.makeUnsafe(at)),
        open: close,
        high: close,
        low: close,
        close,
        volume: 1,
        mean: 1_300
      }
    ]
  })
  const frame = new DataFrame<number, (typeof bars)[number]>(bars)
  const theirs = yield* timed(
    Effect.sync(() =>
      grademark(
        {
          entryRule: (enter, { bar }) => {
            if (bar.close < bar.mean * 0.93) enter()
          },
          exitRule: (exit, { bar, entryPrice }) => {
            if (bar.close > entryPrice * 1.02) exit()
          }
        },
        frame
      )
    )
  )
  const closings = bars.map(({ close }) => close)
  const asset = {
    dates: bars.map(({ time }) => time),
    openings: closings,
    closings,
    highs: closings,
    lows: closings,
    volumes: closings.map(() => 1)
  }
  const strategy = { name: "in and out", strategy: () => actionsOf(closings) }
  const vectors = yield* timed(Effect.sync(() => indicatorts(asset, [strategy])))
  const job = `  - { id: enter, when: book.mid < money("13.00") * 0.93 && position.units < 1, do: bid, at: book.ask, qty: 1, expire: 5m }
  - { id: exit, when: position.sellable > 0 && book.mid > position.avgCost * 1.02, do: ask, at: book.bid, allowLoss: true }
`
  const feed = feedOf(item, all, [], 4_096)
  const batches = yield* Effect.forEach(feed.batches, (batch) =>
    Effect.map(batch.read, (columns) => ({ ...batch, read: Effect.succeed(columns) }))
  )
  const input = playing({ feeds: [{ ...feed, batches }], strategies: [trader(job)] })
  const ours = yield* timed(replay(input))
  return row({
    name: "replay job",
    value: theirs / ours,
    unit: `times as fast as grademark: one rule in, one rule out, ${bars.length} bars`,
    against: { "grademark, time": ours / theirs, "indicatorts, time": ours / vectors },
    atLeast: 3
  })
})

export const replayRows = {
  "replay memory": fromMemory,
  "replay disk": fromDisk,
  "replay job": besideGrademark
}
