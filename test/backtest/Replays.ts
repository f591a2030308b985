/** Replays of made-up markets, in memory. */
import { Effect } from "effect"

import type { Feed } from "../../src/backtest/Cursor.ts"
import { replay, type ReplayInput } from "../../src/backtest/Replay.ts"
import type { Event } from "../../src/domain/Event.ts"
import type { Millis } from "../../src/domain/Ids.ts"
import { type ItemKey, itemKey } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"
import { salesPoint } from "../../src/domain/Sales.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { defaultPaperRules } from "../../src/paper/PaperSee.ts"
import type { CompiledStrategy } from "../../src/rules/Strategies.ts"
import { type BookAt, columnsOf } from "../../src/tape/Books.ts"
import type { HistoryAt } from "../../src/tape/Histories.ts"
import { compiled, gloves, headOf } from "../rules/support.ts"
import { books, cases, chance } from "../tape/Tapes.ts"

const hour = 3_600_000

/** An item's books cut into batches of this size, as a tape has them. */
export const feedOf = (
  item: ItemKey,
  all: ReadonlyArray<BookAt>,
  histories: ReadonlyArray<HistoryAt> = [],
  perBatch = 64
): Feed => ({
  item,
  batches: Array.from({ length: Math.ceil(all.length / perBatch) }, (_, index) => {
    const part = all.slice(index * perBatch, (index + 1) * perBatch)
    const [from, to] = [part[0]?.at ?? (0 as Millis), part.at(-1)?.at ?? (0 as Millis)]
    return { item, count: part.length, from, to, bytes: 0, read: Effect.sync(() => columnsOf(part)) }
  }),
  histories,
  overviews: [],
  owns: []
})

/** A look at the sales of an item every hour, the first one a week back. */
export const historiesOf = (seed: number, all: ReadonlyArray<BookAt>): ReadonlyArray<HistoryAt> => {
  const next = chance(seed)
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return []
  const price = ((first.book.bids[0]?.price ?? 1_000) as number) / 100
  const point = (at: number) =>
    salesPoint(at as Millis, price * (0.97 + next() * 0.06), 1 + Math.floor(next() * 40))
  const week = Array.from({ length: 168 }, (_, index) => point(first.at - (168 - index) * hour))
  const looks = Math.floor((last.at - first.at) / hour)
  return [
    { at: first.at, points: week },
    ...Array.from({ length: looks }, (_, index) => {
      const at = (first.at + (index + 1) * hour) as Millis
      return { at, points: [point(at - hour / 2)] }
    })
  ]
}

/** Books and sales of some items by seed. */
export const market = (seed: number, count: number, items = 2): ReadonlyArray<Feed> =>
  [itemKey(gloves), ...cases.slice(1)].slice(0, items).map((item, index) => {
    const all = books(seed + index, count, { everyMillis: 60_000 })
    return feedOf(item, all, historiesOf(seed + index, all))
  })

/** Buys in the queue and at the ask, follows the price, sells with a small loss if it must. */
export const trader = (rules = traderRules, file = "trader.yaml"): CompiledStrategy =>
  compiled(`${headOf('"Glove Case", "Chroma 2 Case", "Déjà Vu ★ Crate"')}rules:\n${rules}`, file)

const traderRules = `  - { id: leave, when: book.askUnits < book.bidUnits * 0.8, do: cancel-bid }
  - { id: enter, when: position.units < 3, do: bid, at: book.bid, qty: 3 - position.units, minAge: 5m, expire: 40m }
  - { id: exit, when: position.sellable > 0, for: 3m, do: ask, at: book.ask, allowLoss: true }
`

export const playing = (of: Partial<ReplayInput> & Pick<ReplayInput, "feeds">): ReplayInput => ({
  strategies: [trader()],
  currency: 1,
  balance: money(100_000),
  paper: { ...defaultPaperRules, pessimism: 0.3 },
  engine: defaultOptions,
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  warmUpMillis: 0,
  ...of
})

/** A replay and every event of it. */
export const played = Effect.fnUntraced(function* (input: ReplayInput) {
  const events: Array<Event> = []
  const replayed = yield* replay({ ...input, heard: (event) => events.push(event) })
  return { ...replayed, events }
})
