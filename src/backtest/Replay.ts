/**
 * Plays tapes to strategies in virtual time: everything that was seen of every item, in the order in which it was seen, each moment by the
 * engine's own step. Invariants: 1. a replay is a function of its input. 2. what is later than the moment played is in no fact, no
 * statistic and no fill. 3. memory is bounded by one batch per item and by what was traded.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import { seen } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemOfKey } from "../domain/Item.ts"
import { Heap } from "../engine/Heap.ts"
import { seeSales } from "../paper/PaperQuote.ts"
import { committedOf } from "../paper/PaperSee.ts"
import { Cursor, type Feed, nexts } from "./Cursor.ts"
import { EquityTally, pointEvery } from "./EquityTally.ts"
import { ItemTally } from "./ItemTally.ts"
import { open, type ReplayDesk, replayDesk, type ReplayOptions } from "./ReplayDesk.ts"
import { observe, serveOrders } from "./ReplayStep.ts"
import { Strides } from "./Strides.ts"
import { Tally } from "./Tally.ts"

export interface ReplayInput extends ReplayOptions {
  readonly feeds: ReadonlyArray<Feed>
  /** Books from this moment on and before that one; histories are known from their beginning. */
  readonly from: number
  readonly to: number
  readonly warmUpMillis: number
  /** Every book is looked at whole, also where nothing can come of it: the same replay, slower. */
  readonly whole?: boolean
  /** Hears every event as it is journaled. */
  readonly heard?: (event: Event) => void
}

/** Where a replay is. */
export interface Progress {
  readonly at: Millis
  readonly books: number
  readonly ofBooks: number
}

/** Moments between two chances to tell the progress or to be interrupted. */
const momentsInARow = 20_000

/** A replay that has been played. */
interface Replayed {
  readonly desk: ReplayDesk
  readonly tally: Tally
  readonly equity: EquityTally
  readonly items: ReadonlyMap<ItemKey, ItemTally>
  readonly from: Millis
  readonly to: Millis
}

export const replay = Effect.fn("Replay.play")(function* (
  input: ReplayInput,
  tell: (progress: Progress) => Effect.Effect<void> = () => Effect.void
) {
  const playing = new Playing(input)
  for (;;) {
    const due = playing.play(momentsInARow)
    if (due === "Over") break
    if (due === "More") yield* Effect.yieldNow
    else {
      playing.leave(due)
      playing.load(due, yield* due.reading)
    }
    yield* tell(playing.progress)
  }
  return playing.replayed()
})

class Playing {
  private readonly input: ReplayInput
  private readonly desk: ReplayDesk
  private readonly tally = new Tally()
  private readonly equity: EquityTally
  private readonly items: ReadonlyMap<ItemKey, ItemTally>
  private readonly heap = new Heap<Cursor>(
    ({ at }) => at,
    (a, b) => a.next < b.next || (a.next === b.next && a.index < b.index)
  )
  private readonly cursors: ReadonlyArray<Cursor>
  private readonly strides = new Strides()
  private readonly from: Millis
  private readonly tradingFrom: number
  private readonly ofBooks: number
  private now: number

  constructor(input: ReplayInput) {
    const { feeds, warmUpMillis } = input
    this.input = input
    const batches = feeds
      .flatMap((feed) => feed.batches)
      .filter(({ from, to }) => to >= input.from && from < input.to)
    this.ofBooks = batches.reduce((sum, { count }) => sum + count, 0)
    const earliest = batches.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const latest = batches.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY)
    const [first, last] = [Math.max(input.from, earliest), Math.min(input.to, latest)]
    const everyMillis = pointEvery(last - first)
    this.from = first as Millis
    this.now = first
    this.tradingFrom = first + warmUpMillis
    this.items = new Map(feeds.map(({ item }) => [item, new ItemTally(everyMillis)]))
    const { heard = () => undefined } = input
    this.desk = replayDesk(input, (event, before, desk) => {
      this.tally.heard(event, before, desk)
      heard(event)
    })
    const { desk } = this
    const account = {
      state: () => desk.state,
      committed: () => committedOf(desk.paper),
      fees: desk.wallet.fees
    }
    this.equity = new EquityTally(account, this.items, first, everyMillis)
    open(
      this.desk,
      input,
      feeds.map(({ item }) => item),
      this.from
    )
    this.cursors = feeds.map((feed, index) => new Cursor(feed, index, input.from, input.to))
    for (const cursor of this.cursors) this.heap.add(cursor)
  }

  get progress(): Progress {
    let books = 0
    for (const item of this.items.values()) books += item.books
    return { at: this.now as Millis, books, ofBooks: this.ofBooks }
  }

  /** Plays so many moments; stops where a batch must be read. */
  play(moments: number): Cursor | "More" | "Over" {
    for (let moment = 0; moment < moments; moment++) {
      const cursor = this.heap.first()
      if (cursor === undefined || cursor.at === Number.POSITIVE_INFINITY) return "Over"
      this.now = cursor.at
      this.equity.until(cursor.at)
      if (cursor.next === nexts.Batch) return cursor
      this.moment(cursor, cursor.at as Millis)
      this.heap.moved(cursor)
    }
    return "More"
  }

  /** What is played of the batch is kept: the next one may be read into its memory. */
  leave(cursor: Cursor): void {
    this.items.get(cursor.item)?.end()
    cursor.leave()
  }

  load(cursor: Cursor, columns: Parameters<Cursor["load"]>[0]): void {
    cursor.load(columns)
    this.items.get(cursor.item)?.begin(columns, cursor.book, this.input.to)
    this.heap.moved(cursor)
  }

  private moment(cursor: Cursor, now: Millis): void {
    const { desk } = this
    const { item } = cursor
    const isBook = cursor.next === nexts.Book
    const passed = isBook ? undefined : cursor.catchUp()
    if (passed !== undefined) {
      serveOrders(desk, item, passed, cursor.knownAt(passed.at))
      this.tally.lookedAt.set(item, passed.at)
    }
    switch (cursor.next) {
      case nexts.History:
        cursor.takeHistory()
        desk.view.histories.set(item, seen(cursor.history, now))
        desk.paper = seeSales(desk.paper, itemOfKey(item), cursor.history, now)
        break
      case nexts.Overview: {
        const { lowest, median, volume } = cursor.takeOverview()
        desk.view.overviews.set(item, seen({ lowest, median, volume }, now))
        break
      }
      default: {
        const book = cursor.take()
        if (book === undefined) return
        if (now >= this.tradingFrom) serveOrders(desk, item, { at: now, book }, cursor.knownAt(now))
        else desk.view.books.set(item, seen(book, now))
      }
    }
    if (now < this.tradingFrom) return
    const did = observe(desk, item, now)
    this.tally.lookedAt.set(item, now)
    if (desk.missing.size > 0) this.rewind(cursor, now)
    else if (did === "Idle" && isBook && this.input.whole !== true) this.strides.pass(desk, cursor, now)
  }

  /** Something of ours is missed: every book of every item leads to a look for it. */
  private rewind(from: Cursor, now: number): void {
    for (const cursor of this.cursors) {
      cursor.rewind(now, cursor.index > from.index)
      this.heap.moved(cursor)
    }
  }

  replayed(): Replayed {
    const to = Math.max(this.from, ...[...this.items.values()].map(({ to }) => (Number.isNaN(to) ? 0 : to)))
    this.equity.last(to)
    return {
      desk: this.desk,
      tally: this.tally,
      equity: this.equity,
      items: this.items,
      from: this.from,
      to: to as Millis
    }
  }
}
