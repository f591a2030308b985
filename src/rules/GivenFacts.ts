/**
 * Facts made of the few values that an inline test gives. Invariants: 1. what is not given is unseen or empty, never invented, but
 * for units next to a price (1) and sellable units (all). 2. a history is one hour's sales: every statistic over time is its median.
 */
import { Option } from "effect"

import { type CurrencyId } from "../domain/Currency.ts"
import { type Facts, seen, unseen } from "../domain/Facts.ts"
import { defaultFees } from "../domain/Fee.ts"
import type { BuyOrderId, Millis } from "../domain/Ids.ts"
import type { Item } from "../domain/Item.ts"
import { fromDecimal, type Money, times, zero } from "../domain/Money.ts"
import { orderBook } from "../domain/OrderBook.ts"
import { priceHistory } from "../domain/Sales.ts"
import { type InlineTest, parseDuration } from "./Strategy.ts"

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

const ago = (age: number | undefined): Millis => (testMoment - (age ?? 0)) as Millis

/** Facts of the item at a fixed moment. */
export const factsOfTest = (given: InlineTest["given"], item: Item, currency: CurrencyId): Facts => {
  const read = reader(given)
  const amount = (group: "overview" | "wallet" | "position", name: string): Money | undefined =>
    read(group, name) as Money | undefined
  const side = (name: "bid" | "ask"): ReadonlyArray<{ readonly price: Money; readonly units: number }> => {
    const price = read("book", name) as Money | undefined
    return price === undefined ? [] : [{ price, units: read("book", `${name}Units`) ?? 1 }]
  }
  const own = (name: "bid" | "ask") => {
    const price = read("orders", name) as Money | undefined
    return price === undefined
      ? undefined
      : { price, units: read("orders", `${name}Units`) ?? 1, at: ago(read("orders", `${name}Age`)) }
  }
  const median = read("history", "median")
  const hour = { at: ago(3_600_000), median: median ?? 0, units: read("history", "volume") ?? 1 }
  const units = read("position", "units") ?? 0
  const ownBid = own("bid")
  return {
    now: testMoment,
    item,
    currency,
    fees: defaultFees(currency),
    book:
      given.book === undefined
        ? unseen
        : seen(orderBook({ currency, bids: side("bid"), asks: side("ask") }), testMoment),
    history:
      given.history === undefined
        ? unseen
        : seen(priceHistory(median === undefined ? [] : [hour]), testMoment),
    overview:
      given.overview === undefined
        ? unseen
        : seen(
            {
              lowest: amount("overview", "lowest"),
              median: amount("overview", "median"),
              volume: read("overview", "volume") ?? 0
            },
            testMoment
          ),
    offers: unseen,
    description: unseen,
    wallet:
      given.wallet === undefined
        ? unseen
        : seen(
            {
              balance: amount("wallet", "balance") ?? zero,
              committed: amount("wallet", "committed") ?? zero
            },
            testMoment
          ),
    position: {
      units,
      sellable: read("position", "sellable") ?? units,
      listed: read("position", "listed") ?? 0,
      held: read("position", "held") ?? 0,
      cost: times(amount("position", "avgCost") ?? zero, units),
      avgCost: amount("position", "avgCost"),
      oldestAt: units === 0 ? undefined : ago(read("position", "oldestAge")),
      realised: amount("position", "realised") ?? zero
    },
    orders: {
      bid: ownBid === undefined ? undefined : { ...ownBid, id: "test" as BuyOrderId },
      ask: own("ask")
    }
  }
}
