/**
 * A run of the daemon itself, told as a backtest: it hears what the engine tells whoever watches, and keeps what a replay keeps.
 * Invariants: 1. it listens and changes nothing. 2. its state is folded of the journal's events alone, in their order.
 */
import type { Event } from "../domain/Event.ts"
import { type Observed as Fact, seen } from "../domain/Facts.ts"
import type { FeeSchedule } from "../domain/Fee.ts"
import { apply } from "../domain/Fold.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { bestAsk, bestBid, type OrderBook } from "../domain/OrderBook.ts"
import { emptyState, type State } from "../domain/State.ts"
import type { Happening, Observed } from "../engine/Activity.ts"
import { committed } from "../engine/Observe.ts"
import { EquityTally, pointEvery } from "./EquityTally.ts"
import type { PricePoint } from "./Result.ts"
import type { Played } from "./ResultOf.ts"
import { Tally } from "./Tally.ts"

/** What was seen of one item so far. */
class Seen {
  books = 0
  from = Number.NaN
  to = Number.NaN
  longestGap = 0
  readonly prices: Array<PricePoint> = []
  private last: PricePoint | undefined

  take(book: OrderBook, at: Millis, everyMillis: number): void {
    if (this.books === 0) this.from = at
    else this.longestGap = Math.max(this.longestGap, at - this.to)
    this.books++
    this.to = at
    this.last = { at, bid: bestBid(book), ask: bestAsk(book) }
    if (at >= (this.prices.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + everyMillis) this.prices.push(this.last)
  }

  /** As they were seen last: who asks, asks for now. */
  readonly priceAt = (): PricePoint | undefined => this.last
}

export class Watched {
  private state: State = emptyState
  private readonly books = new Map<ItemKey, Fact<OrderBook>>()
  private readonly items = new Map<ItemKey, Seen>()
  private readonly tally = new Tally()
  private readonly everyMillis: number
  private readonly fees: FeeSchedule
  private equity: EquityTally | undefined
  /** Events that were heard: fewer than the journal has when some were lost. */
  events = 0

  constructor(spanMillis: number, fees: FeeSchedule) {
    this.everyMillis = pointEvery(spanMillis)
    this.fees = fees
  }

  readonly hear = (happening: Happening): void => {
    if (happening._tag === "Journaled") this.journaled(happening.event)
    else if (happening._tag === "Observed") this.observed(happening)
  }

  /** How many books were seen so far. */
  get seen(): number {
    let books = 0
    for (const item of this.items.values()) books += item.books
    return books
  }

  private journaled(event: Event): void {
    this.events++
    const before = this.state
    if (event._tag === "LedgerOpened") {
      const account = {
        state: () => this.state,
        committed: () => committed(this.state),
        fees: this.fees
      }
      this.equity = new EquityTally(account, this.items, event.at, this.everyMillis)
    }
    this.equity?.until(event.at)
    this.state = apply(before, event)
    this.tally.heard(event, before, { state: this.state, view: { books: this.books } })
  }

  private observed({ at, item, saw }: Observed): void {
    if (saw._tag !== "Book") return
    this.equity?.until(at)
    const key = itemKey(item)
    this.books.set(key, seen(saw.book, at))
    const known = this.items.get(key) ?? new Seen()
    this.items.set(key, known)
    known.take(saw.book, at, this.everyMillis)
  }

  /** What it came to, at its end. */
  played(to: Millis, listed: Played["listed"]): Played {
    const { fees, state, tally } = this
    this.equity?.last(to)
    return {
      state,
      fees,
      tally,
      equity: this.equity?.points ?? [],
      items: new Map([...this.items].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      listed,
      from: state.openedAt ?? to,
      to
    }
  }
}
