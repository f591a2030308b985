/**
 * The facts that expressions may read, with their types and how each is taken from the scope.
 * Invariant: a fact that does not exist at the moment (an empty side, no order, no sale) is Unknown with the reason, never zero.
 */

import { maximumPrice } from "../domain/Currency.ts"
import type { Facts, Overview, PolledFact, WalletFacts } from "../domain/Facts.ts"
import { buyerPays, sellerReceives } from "../domain/Fee.ts"
import { indicators } from "../domain/Indicators.ts"
import { ceilTo, floorTo, type Money, money } from "../domain/Money.ts"
import { askDepth, bestAsk, bestBid, bidDepth, type OrderBook } from "../domain/OrderBook.ts"
import * as Sales from "../domain/Sales.ts"
import type { Run, Scope } from "./Scope.ts"
import { showDuration } from "./Strategy.ts"
import { isUnknown, type Type, type Unknown, unknown, type Value } from "./Value.ts"

interface Field {
  readonly type: Type
  readonly run: Run
}

export interface Method {
  readonly takes: ReadonlyArray<Type>
  readonly type: Type
  readonly call: (scope: Scope, args: ReadonlyArray<number>) => Value
}

export interface Namespace {
  /** The poll that the fields need; undefined for what is always known. */
  readonly polled: PolledFact | undefined
  readonly fields: Readonly<Record<string, Field>>
  readonly methods: Readonly<Record<string, Method>>
}

type Source<A> = (scope: Scope) => A | Unknown

const noBid = unknown(() => "nobody bids: the book has no bid")
const noAsk = unknown(() => "nobody offers: the book has no ask")

/** A field of an observed value; Unknown passes through. */
const from =
  <A extends object>(source: Source<A>) =>
  (type: Type, read: (value: A, facts: Facts) => Value): Field => ({
    type,
    run: (scope) => {
      const value = source(scope)
      return "_tag" in value && value._tag === "Unknown" ? (value as Unknown) : read(value as A, scope.facts)
    }
  })

const ofBook = from<OrderBook>((scope) => scope.book)
const ofOverview = from<Overview>((scope) => scope.overview)
const ofWallet = from<WalletFacts>((scope) => scope.wallet)
const ofFacts = (type: Type, read: (facts: Facts) => Value): Field => ({
  type,
  run: (scope) => read(scope.facts)
})

const both = (book: OrderBook, of: (bid: number, ask: number) => number): Value => {
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  if (bid === undefined) return noBid
  return ask === undefined ? noAsk : of(bid, ask)
}

/** Calls with the amount as a price in whole minor units; an amount beyond every price is Unknown. */
const priced = (amount: number, round: typeof floorTo, of: (price: Money) => Value): Value =>
  Math.abs(amount) <= maximumPrice ? of(round(amount, 1)) : unknown(() => "an amount beyond every price")

const depth =
  (of: typeof bidDepth, round: typeof floorTo): Method["call"] =>
  ({ book }, [price = 0]) =>
    "_tag" in book ? book : priced(price, round, (price) => of(book, price))

const book: Namespace = {
  polled: "book",
  fields: {
    bid: ofBook("Money", (book) => bestBid(book) ?? noBid),
    ask: ofBook("Money", (book) => bestAsk(book) ?? noAsk),
    mid: ofBook("Money", (book) => both(book, (bid, ask) => (bid + ask) / 2)),
    spread: ofBook("Money", (book) => both(book, (bid, ask) => ask - bid)),
    spreadPct: ofBook("percent", (book) => both(book, (bid, ask) => (ask - bid) / bid)),
    bidUnits: ofBook("int", (book) => book.bidUnits),
    askUnits: ofBook("int", (book) => book.askUnits),
    imbalance: ofBook("double", ({ askUnits, bidUnits }) =>
      askUnits + bidUnits === 0
        ? unknown(() => "the book is empty")
        : (bidUnits - askUnits) / (bidUnits + askUnits)
    )
  },
  methods: {
    // units at this price or better; a fraction of a minor unit cannot be bid
    bidDepth: { takes: ["Money"], type: "int", call: depth(bidDepth, ceilTo) },
    askDepth: { takes: ["Money"], type: "int", call: depth(askDepth, floorTo) }
  }
}

type Statistic = (history: Sales.PriceHistory, now: Facts["now"], amount: number) => number | undefined

const noSales = (name: string, durationMillis: number): Unknown =>
  unknown(() => `history.${name}: no sales within ${showDuration(durationMillis)}`)

const overTime = (name: string, statistic: Statistic, type: Type): Method => ({
  takes: ["duration"],
  type,
  call: ({ facts, history }, [duration = 0]) =>
    "_tag" in history ? history : (statistic(history, facts.now, duration) ?? noSales(name, duration))
})

const overPoints = (name: string, statistic: Statistic, type: Type): Method => ({
  takes: ["int"],
  type,
  call: ({ facts, history }, [count = 0]) =>
    "_tag" in history
      ? history
      : (statistic(history, facts.now, count) ??
        unknown(() => `history.${name}: fewer points than ${name}(${count}) needs`))
})

const ofPoints = Object.fromEntries(
  Object.entries(indicators).map(([name, { kind, of }]) => [
    name,
    overPoints(name, of, kind === "amount" ? "Money" : "double")
  ])
)

const history: Namespace = {
  polled: "history",
  fields: {},
  methods: {
    median: overTime("median", Sales.median, "Money"),
    mean: overTime("mean", Sales.mean, "Money"),
    vwap: overTime("vwap", Sales.vwap, "Money"),
    low: overTime("low", Sales.low, "Money"),
    high: overTime("high", Sales.high, "Money"),
    volume: overTime("volume", Sales.volume, "int"),
    change: overTime("change", Sales.change, "percent"),
    quantile: {
      takes: ["double", "duration"],
      type: "Money",
      call: ({ facts, history }, [p = 0, duration = 0]) =>
        "_tag" in history
          ? history
          : (Sales.quantile(history, facts.now, duration, p) ?? noSales("quantile", duration))
    },
    ...ofPoints
  }
}

const noOverview = unknown(() => "the overview does not tell a price")
const noUnits = unknown(() => "no units are held")
const noOwnBid = unknown(() => "we have no bid")
const noOwnAsk = unknown(() => "we have no ask")

const dayMillis = 86_400_000

const always = (fields: Namespace["fields"], methods: Namespace["methods"] = {}): Namespace => ({
  polled: undefined,
  fields,
  methods
})

/** Everything but `params`, whose fields depend on the file. */
export const vocabulary: Readonly<Record<string, Namespace>> = {
  book,
  history,
  overview: {
    polled: "overview",
    fields: {
      lowest: ofOverview("Money", ({ lowest }) => lowest ?? noOverview),
      median: ofOverview("Money", ({ median }) => median ?? noOverview),
      volume: ofOverview("int", ({ volume }) => volume)
    },
    methods: {}
  },
  wallet: {
    polled: "wallet",
    fields: {
      balance: ofWallet("Money", ({ balance }) => balance),
      committed: ofWallet("Money", ({ committed }) => committed),
      available: ofWallet("Money", ({ balance, committed }) => balance - committed)
    },
    methods: {}
  },
  position: always({
    units: ofFacts("int", ({ position }) => position.units),
    sellable: ofFacts("int", ({ position }) => position.sellable),
    held: ofFacts("int", ({ position }) => position.held),
    listed: ofFacts("int", ({ position }) => position.listed),
    avgCost: ofFacts("Money", ({ position }) => position.avgCost ?? noUnits),
    oldestAge: ofFacts("duration", ({ now, position }) =>
      position.oldestAt === undefined ? noUnits : now - position.oldestAt
    ),
    realised: ofFacts("Money", ({ position }) => position.realised),
    // what selling everything at the ask would bring after fees, against what it cost
    unrealised: {
      type: "Money",
      run: (scope) => {
        const { fees, position } = scope.facts
        if (position.units === 0 || position.avgCost === undefined) return 0
        const ask = book.fields["ask"]?.run(scope) ?? noAsk
        if (isUnknown(ask)) return ask
        return (sellerReceives(fees, money(Number(ask))) - position.avgCost) * position.units
      }
    }
  }),
  orders: always({
    bid: ofFacts("Money", ({ orders }) => orders.bid?.price ?? noOwnBid),
    bidUnits: ofFacts("int", ({ orders }) => orders.bid?.units ?? 0),
    bidAge: ofFacts("duration", ({ now, orders }) =>
      orders.bid === undefined ? noOwnBid : now - orders.bid.at
    ),
    ask: ofFacts("Money", ({ orders }) => orders.ask?.price ?? noOwnAsk),
    askUnits: ofFacts("int", ({ orders }) => orders.ask?.units ?? 0),
    askAge: ofFacts("duration", ({ now, orders }) =>
      orders.ask === undefined ? noOwnAsk : now - orders.ask.at
    )
  }),
  item: always({
    app: ofFacts("int", ({ item }) => item.app),
    name: ofFacts("string", ({ item }) => item.name)
  }),
  fees: always(
    {},
    {
      // a fraction is rounded against us: the buyer pays a little more, the seller gets a little less
      sellerReceives: {
        takes: ["Money"],
        type: "Money",
        call: ({ facts }, [total = 0]) => priced(total, floorTo, (total) => sellerReceives(facts.fees, total))
      },
      buyerPays: {
        takes: ["Money"],
        type: "Money",
        call: ({ facts }, [receives = 0]) =>
          priced(receives, ceilTo, (receives) => buyerPays(facts.fees, receives))
      }
    }
  ),
  // UTC; Monday is 1 and Sunday 7, and the epoch was a Thursday
  clock: always({
    now: ofFacts("timestamp", ({ now }) => now),
    hour: ofFacts("int", ({ now }) => Math.floor((now % dayMillis) / 3_600_000)),
    weekday: ofFacts("int", ({ now }) => ((Math.floor(now / dayMillis) + 3) % 7) + 1)
  })
}

/** Facts that the language describes but that nothing provides yet. */
export const notYetFacts: Readonly<Record<string, string>> = {
  listing: "single listings are not read yet; `book.ask` is the lowest price",
  "item.tags": "list the items by name in `universe`",
  "item.commodity": "list the items by name in `universe`"
}

/** The polls of a field beyond those of its namespace. */
export const alsoPolled: Readonly<Record<string, PolledFact>> = { "position.unrealised": "book" }
