/**
 * Facts made of the few values that an inline test gives. Invariants: 1. what is not given is unseen or empty, never invented, but
 * for units next to a price (1) and sellable units (all). 2. a history is one hour's sales: every statistic over time is its median.
 */
import { DateTime, Option } from "effect"

import { type CurrencyId } from "../domain/Currency.ts"
import { type Facts, type Observed, seen, unseen } from "../domain/Facts.ts"
import { defaultFees, sellerReceives } from "../domain/Fee.ts"
import type { AssetId, BuyOrderId, ListingId, Millis } from "../domain/Ids.ts"
import type { Item } from "../domain/Item.ts"
import { fromDecimal, subtract, type Money, times, zero } from "../domain/Money.ts"
import type { Description, Offer } from "../domain/Offer.ts"
import { type OrderBook, orderBook } from "../domain/OrderBook.ts"
import { priceHistory } from "../domain/Sales.ts"
import { type InlineTest, parseDuration } from "./Strategy.ts"
import { propertyIds } from "./VocabularyMarket.ts"

type Scalar = string | number | boolean
type Kind = "amount" | "units" | "time"

/** What a test may give, by group of facts. */
export const givable: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  book: { bid: "amount", ask: "amount", bidUnits: "units", askUnits: "units" },
  history: { median: "amount", volume: "units" },
  overview: { lowest: "amount", median: "amount", volume: "units" },
  wallet: { balance: "amount", committed: "amount" },
  position: {
    units: "units",
    sellable: "units",
    listed: "units",
    held: "units",
    avgCost: "amount",
    oldestAge: "time",
    realised: "amount"
  },
  orders: {
    bid: "amount",
    bidUnits: "units",
    bidAge: "time",
    ask: "amount",
    askUnits: "units",
    askAge: "time"
  }
}

export const kindWords: Readonly<Record<Kind, string>> = {
  amount: "an amount such as 10.25",
  units: "a whole number",
  time: "a time such as 6h"
}

/** The given value in minor units, units or milliseconds; undefined when it is not of the kind. */
export const readGiven = (kind: Kind, written: Scalar): number | undefined => {
  switch (kind) {
    case "amount":
      return Option.getOrUndefined(fromDecimal(String(written)))
    case "units":
      return typeof written === "number" && Number.isSafeInteger(written) && written >= 0
        ? written
        : undefined
    case "time":
      return typeof written === "string" ? parseDuration(written) : undefined
  }
}

/** A Friday, 12:00 UTC. */
const testMoment = 1_767_960_000_000 as Millis

const reader =
  (given: InlineTest["given"]) =>
  (
    group: "book" | "history" | "overview" | "wallet" | "position" | "orders",
    name: string
  ): number | undefined => {
    const kind = givable[group]?.[name]
    const written = given[group]?.[name]
    return kind === undefined || written === undefined ? undefined : readGiven(kind, written)
  }

const momentOf = ({ now }: InlineTest["given"]): Millis =>
  now === undefined
    ? testMoment
    : (Option.getOrElse(Option.map(DateTime.make(now), DateTime.toEpochMillis), () => testMoment) as Millis)

const offersOf = (
  { listing }: InlineTest["given"],
  item: Item,
  currency: CurrencyId
): ReadonlyArray<Offer> => {
  if (listing === undefined) return []
  const { accessories, pattern, template, total, units, wear } = listing
  const subtotal = sellerReceives(defaultFees(currency), total)
  const told = Object.entries({ pattern, wear, template }).flatMap(([name, value]) => {
    const id = propertyIds[name as keyof typeof propertyIds]
    return value === undefined ? [] : [[id, value] as const]
  })
  const offer: Offer = {
    listing: "test" as ListingId,
    item,
    asset: "test" as AssetId,
    context: "2",
    units: units ?? 1,
    currency,
    subtotal,
    fee: subtract(total, subtotal),
    isMine: false,
    properties: new Map(told),
    accessories: accessories ?? []
  }
  return [offer]
}

const descriptionOf = ({ commodity, tags }: InlineTest["given"]): Description => ({
  tags: new Map(Object.entries(tags ?? {}).map(([category, value]) => [category, [value]])),
  commodity,
  marketable: undefined
})

/** What a test may read of itself, at its moment. */
interface Given {
  readonly now: Millis
  readonly read: ReturnType<typeof reader>
}

const agoOf = ({ now }: Given, age: number | undefined): Millis => (now - (age ?? 0)) as Millis

const positionOf = (given: Given): Facts["position"] => {
  const { read } = given
  const amount = (name: string): Money | undefined => read("position", name) as Money | undefined
  const units = read("position", "units") ?? 0
  return {
    units,
    sellable: read("position", "sellable") ?? units,
    listed: read("position", "listed") ?? 0,
    held: read("position", "held") ?? 0,
    cost: times(amount("avgCost") ?? zero, units),
    avgCost: amount("avgCost"),
    oldestAt: units === 0 ? undefined : agoOf(given, read("position", "oldestAge")),
    realised: amount("realised") ?? zero
  }
}

const ordersOf = (given: Given): Facts["orders"] => {
  const { read } = given
  const own = (name: "bid" | "ask") => {
    const price = read("orders", name) as Money | undefined
    return price === undefined
      ? undefined
      : { price, units: read("orders", `${name}Units`) ?? 1, at: agoOf(given, read("orders", `${name}Age`)) }
  }
  const bid = own("bid")
  return { bid: bid === undefined ? undefined : { ...bid, id: "test" as BuyOrderId }, ask: own("ask") }
}

const bookOf = ({ read }: Given, currency: CurrencyId): OrderBook => {
  const side = (name: "bid" | "ask"): ReadonlyArray<{ readonly price: Money; readonly units: number }> => {
    const price = read("book", name) as Money | undefined
    return price === undefined ? [] : [{ price, units: read("book", `${name}Units`) ?? 1 }]
  }
  return orderBook({ currency, bids: side("bid"), asks: side("ask") })
}

/** Facts of the item at the test's moment. */
export const factsOfTest = (given: InlineTest["given"], item: Item, currency: CurrencyId): Facts => {
  const now = momentOf(given)
  const read = reader(given)
  const of: Given = { now, read }
  const amount = (group: "overview" | "wallet", name: string): Money | undefined =>
    read(group, name) as Money | undefined
  const when = <A>(is: unknown, value: A): Observed<A> => (is === undefined ? unseen : seen(value, now))
  const median = read("history", "median")
  const hour = { at: agoOf(of, 3_600_000), median: median ?? 0, units: read("history", "volume") ?? 1 }
  return {
    now,
    item,
    currency,
    fees: defaultFees(currency),
    book: when(given.book, bookOf(of, currency)),
    history: when(given.history, priceHistory(median === undefined ? [] : [hour])),
    overview: when(given.overview, {
      lowest: amount("overview", "lowest"),
      median: amount("overview", "median"),
      volume: read("overview", "volume") ?? 0
    }),
    offers: when(given.listing, offersOf(given, item, currency)),
    description: when(given.tags ?? given.commodity, descriptionOf(given)),
    wallet: when(given.wallet, {
      balance: amount("wallet", "balance") ?? zero,
      committed: amount("wallet", "committed") ?? zero
    }),
    position: positionOf(of),
    orders: ordersOf(of)
  }
}
