/**
 * The facts of the market: the book, single listings, the price history and the overview.
 * Invariant: amounts are what the buyer pays, in minor units; statistics are those of domain/Sales.
 */
import { maximumPrice } from "../domain/Currency.ts"
import type { Facts } from "../domain/Facts.ts"
import { indicators } from "../domain/Indicators.ts"
import { ceilTo, floorTo, type Money } from "../domain/Money.ts"
import { type Offer, totalOf } from "../domain/Offer.ts"
import { askDepth, bestAsk, bestBid, bidDepth, type OrderBook } from "../domain/OrderBook.ts"
import * as Sales from "../domain/Sales.ts"
import { type Member, type Namespace, number, type NumberType, numberOf, ofTexts } from "./Member.ts"
import type { Scope } from "./Scope.ts"
import { showDuration } from "./Strategy.ts"

export const noBid = "nobody bids: the book has no bid"
export const noAsk = "nobody offers: the book has no ask"

const noSide = ({ book }: Scope): string =>
  book === undefined || bestBid(book) === undefined ? noBid : noAsk

export const bidOf = ({ book }: Scope): number =>
  book === undefined ? Number.NaN : (bestBid(book) ?? Number.NaN)
export const askOf = ({ book }: Scope): number =>
  book === undefined ? Number.NaN : (bestAsk(book) ?? Number.NaN)

/** Of a price in whole minor units; an amount beyond every price is missing. */
export const ofPrice = (amount: number, round: typeof floorTo, of: (price: Money) => number): number =>
  Math.abs(amount) <= maximumPrice ? of(round(amount, 1)) : Number.NaN

export const beyondPrices = "an amount beyond every price"

const depth = (of: typeof bidDepth, round: typeof floorTo): Member =>
  numberOf(
    "int",
    ["Money"],
    ({ book }, price) =>
      book === undefined ? Number.NaN : ofPrice(price, round, (whole) => of(book, whole)),
    { none: beyondPrices }
  )

const units = (of: (book: OrderBook) => number): Member =>
  number("int", ({ book }) => (book === undefined ? Number.NaN : of(book)))

export const book: Namespace = {
  polled: "book",
  members: {
    bid: number("Money", bidOf, { none: noBid }),
    ask: number("Money", askOf, { none: noAsk }),
    mid: number("Money", (scope) => (bidOf(scope) + askOf(scope)) / 2, { none: noSide }),
    spread: number("Money", (scope) => askOf(scope) - bidOf(scope), { none: noSide }),
    spreadPct: number("percent", (scope) => (askOf(scope) - bidOf(scope)) / bidOf(scope), { none: noSide }),
    bidUnits: units(({ bidUnits }) => bidUnits),
    askUnits: units(({ askUnits }) => askUnits),
    imbalance: number(
      "double",
      ({ book }) =>
        // 0 / 0 where the book is empty
        book === undefined ? Number.NaN : (book.bidUnits - book.askUnits) / (book.bidUnits + book.askUnits),
      { none: "the book is empty" }
    ),
    // units at this price or better; a fraction of a minor unit cannot be bid
    bidDepth: depth(bidDepth, ceilTo),
    askDepth: depth(askDepth, floorTo)
  }
}

type Statistic = (history: Sales.PriceHistory, now: Facts["now"], amount: number) => number | undefined

const overTime = (name: string, statistic: Statistic, type: NumberType): Member =>
  numberOf(
    type,
    ["duration"],
    ({ facts, history }, duration) =>
      history === undefined ? Number.NaN : (statistic(history, facts.now, duration) ?? Number.NaN),
    { none: (_, duration) => `history.${name}: no sales within ${showDuration(duration)}` }
  )

const overPoints = (name: string, statistic: Statistic, type: NumberType): Member =>
  numberOf(
    type,
    ["int"],
    ({ facts, history }, count) =>
      history === undefined ? Number.NaN : (statistic(history, facts.now, count) ?? Number.NaN),
    { none: (_, count) => `history.${name}: fewer points than ${name}(${count}) needs` }
  )

const ofPoints = Object.fromEntries(
  Object.entries(indicators).map(([name, { kind, of }]) => [
    name,
    overPoints(name, of, kind === "amount" ? "Money" : "double")
  ])
)

export const history: Namespace = {
  polled: "history",
  members: {
    median: overTime("median", Sales.median, "Money"),
    mean: overTime("mean", Sales.mean, "Money"),
    vwap: overTime("vwap", Sales.vwap, "Money"),
    low: overTime("low", Sales.low, "Money"),
    high: overTime("high", Sales.high, "Money"),
    volume: overTime("volume", Sales.volume, "int"),
    change: overTime("change", Sales.change, "percent"),
    quantile: numberOf(
      "Money",
      ["double", "duration"],
      ({ facts, history }, p, duration) =>
        history === undefined ? Number.NaN : (Sales.quantile(history, facts.now, duration, p) ?? Number.NaN),
      { none: (_, __, duration) => `history.quantile: no sales within ${showDuration(duration)}` }
    ),
    ...ofPoints
  }
}

const noOverview = "the overview does not tell a price"

export const overview: Namespace = {
  polled: "overview",
  members: {
    lowest: number("Money", ({ overview }) => overview?.lowest ?? Number.NaN, { none: noOverview }),
    median: number("Money", ({ overview }) => overview?.median ?? Number.NaN, { none: noOverview }),
    volume: number("int", ({ overview }) => overview?.volume ?? Number.NaN)
  }
}

/** Property ids that mean the same for every listing that has them. */
export const propertyIds = { pattern: 1, wear: 2, template: 3 } as const

const numberProperty = ({ listing }: Scope, id: number): number => {
  const value = listing?.properties.get(id)
  return typeof value === "number" ? value : Number.NaN
}

const property = (type: "int" | "double", name: string, id: number): Member =>
  number(type, (scope) => numberProperty(scope, id), { none: `this listing tells no ${name}` })

const ofListing = (type: "Money" | "int", of: (offer: Offer) => number): Member =>
  number(type, ({ listing }) => (listing === undefined ? Number.NaN : of(listing)), {
    none: "nobody offers a listing"
  })

const accessoriesWith = ({ listing }: Scope, part: string): number =>
  listing?.accessories.filter((name) => name.includes(part)).length ?? Number.NaN

/** The listing that a buying rule looks at; other rules cannot read it. */
export const listing: Namespace = {
  polled: "offers",
  members: {
    total: ofListing("Money", totalOf),
    price: ofListing("Money", ({ subtotal }) => subtotal),
    fee: ofListing("Money", ({ fee }) => fee),
    units: ofListing("int", ({ units }) => units),
    wear: property("double", "wear", propertyIds.wear),
    pattern: property("int", "pattern", propertyIds.pattern),
    template: property("int", "charm template", propertyIds.template),
    property: numberOf("double", ["int"], numberProperty, {
      none: (_, id) => `this listing has no number under property ${id}`
    }),
    accessories: ofListing("int", ({ accessories }) => accessories.length),
    // by a part of the name, as they are called: Sticker | Crown (Foil)
    hasAccessory: ofTexts("bool", 1, (scope, part) =>
      scope.listing === undefined ? undefined : accessoriesWith(scope, part) > 0
    ),
    countAccessories: ofTexts("int", 1, accessoriesWith)
  }
}
