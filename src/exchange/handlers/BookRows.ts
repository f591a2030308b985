/** The order book in the forms that operations send it: compact pairs, histogram, activity (interface, Order book … Order activity). */
import { type CurrencyId, currencyOf, formatPrice } from "../../domain/Currency.ts"
import { money } from "../../domain/Money.ts"
import { type ActivityEntry, type HistogramBody, type OrderBookData } from "../../market/contract/Orders.ts"
import { nobody } from "../ActivityLog.ts"
import { type Level, levelsOf } from "../Levels.ts"
import { type Viewer } from "../Offers.ts"
import { orderSummary, orderTable } from "../pages/OrderTable.ts"
import { converted, feesIn } from "../Rates.ts"
import { background, type MarketItem, type World } from "../World.ts"

/** Levels per side that are sent; the counts are of the whole book. */
const levelsShown = 100
const tableRows = 5

/** The id that order operations know an item by; it stands on its listing page. */
const firstNameId = 175_880_000
export const nameIdOf = (index: number): string => String(firstNameId + index)
export const indexOfNameId = (id: string): number => (/^\d{1,12}$/.test(id) ? Number(id) - firstNameId : -1)

const unitsOf = (levels: ReadonlyArray<Level>): number => levels.reduce((sum, { units }) => sum + units, 0)

export const compactBook = (world: World, item: MarketItem, currency: CurrencyId): OrderBookData => {
  const { asks, bids } = levelsOf(world, item, currency)
  const compact = (levels: ReadonlyArray<Level>) =>
    levels.slice(0, levelsShown).flatMap(({ price, units }) => [price, units])
  return {
    amtMaxBuyOrder: bids[0]?.price ?? null,
    amtMinSellOrder: asks[0]?.price ?? null,
    eCurrency: currency,
    cBuyOrders: unitsOf(bids),
    cSellOrders: unitsOf(asks),
    rgCompactBuyOrders: compact(bids),
    rgCompactSellOrders: compact(asks)
  }
}

type Point = readonly [number, number, string]

/** Cumulative from the best price outwards. */
const graphOf = (
  levels: ReadonlyArray<Level>,
  currency: CurrencyId,
  words: readonly [side: string, bound: string]
): ReadonlyArray<Point> => {
  let units = 0
  return levels.slice(0, levelsShown).map((level) => {
    units += level.units
    const price = formatPrice(money(level.price), currency)
    return [level.price / 100, units, `${units} ${words[0]} orders at ${price} or ${words[1]}`]
  })
}

const grouped = (units: number): string => String(units).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

/** The first levels and one row for the rest. */
export const tableOf = (
  levels: ReadonlyArray<Level>,
  currency: CurrencyId,
  bound: "less" | "more"
): ReadonlyArray<{ readonly price: string; readonly quantity: string }> => {
  const shown = levels.slice(0, tableRows).map(({ price, units }) => ({
    price: formatPrice(money(price), currency),
    quantity: grouped(units)
  }))
  const [next] = levels.slice(tableRows)
  if (next === undefined) return shown
  const rest = levels.slice(tableRows)
  return [
    ...shown,
    { price: `${formatPrice(money(next.price), currency)} or ${bound}`, quantity: grouped(unitsOf(rest)) }
  ]
}

export const histogramOf = (
  world: World,
  item: MarketItem,
  currency: CurrencyId,
  form: "rows" | "html"
): HistogramBody => {
  const { asks, bids } = levelsOf(world, item, currency)
  const [buys, sells] = [
    graphOf(bids, currency, ["buy", "higher"]),
    graphOf(asks, currency, ["sell", "lower"])
  ]
  const { prefix, suffix } = currencyOf(currency)
  const prices = [...buys, ...sells].map(([price]) => price)
  const best = (levels: ReadonlyArray<Level>): string | null =>
    levels[0] === undefined ? null : String(levels[0].price)
  const shared = {
    success: 1,
    highest_buy_order: best(bids),
    lowest_sell_order: best(asks),
    buy_order_graph: buys,
    sell_order_graph: sells,
    graph_max_y: Math.max(buys.at(-1)?.[1] ?? 0, sells.at(-1)?.[1] ?? 0),
    graph_min_x: prices.length === 0 ? 0 : Math.min(...prices),
    graph_max_x: prices.length === 0 ? 0 : Math.max(...prices),
    price_prefix: prefix.trim(),
    price_suffix: suffix.trim()
  } as const
  const [buyRows, sellRows] = [tableOf(bids, currency, "less"), tableOf(asks, currency, "more")]
  if (form === "html")
    return {
      ...shared,
      buy_order_table: orderTable(buyRows),
      buy_order_summary: orderSummary("buy", unitsOf(bids), buyRows[0]?.price),
      sell_order_table: orderTable(sellRows),
      sell_order_summary: orderSummary("sell", unitsOf(asks), sellRows[0]?.price)
    }
  return { ...shared, ...counted("buy", bids, buyRows), ...counted("sell", asks, sellRows) }
}

/** A count is a string, or 0; a table without rows is null. */
const counted = <Side extends "buy" | "sell">(
  side: Side,
  levels: ReadonlyArray<Level>,
  rows: ReturnType<typeof tableOf>
) => ({
  [`${side}_order_count`]: levels.length === 0 ? 0 : grouped(unitsOf(levels)),
  [`${side}_order_price`]: rows[0]?.price ?? null,
  [`${side}_order_table`]: rows.length === 0 ? null : rows
})

const avatar = "/public/images/avatars/0000000000000000000000000000000000000000"

const personaOf = (world: World, account: number, drawn: number): string | null => {
  if (account === nobody) return null
  return account === background
    ? `player${Math.floor(drawn) % 9973}`
    : (world.accounts[account]?.name ?? null)
}

const person = (world: World, account: number, at: number, side: "buyer" | "seller") => {
  // Two strangers of one trade are two.
  const persona = personaOf(world, account, side === "buyer" ? at : at + 1)
  return {
    [`avatar_${side}`]: persona === null ? null : `${avatar}.jpg`,
    [`avatar_medium_${side}`]: persona === null ? null : `${avatar}_medium.jpg`,
    [`persona_${side}`]: persona
  }
}

const kinds = {
  Purchase: "BuyOrder",
  BuyOrder: "BuyOrder",
  SellOrder: "SellOrder",
  BuyOrderCancel: "BuyOrderCancel",
  SellOrderCancel: "SellOrderCancel"
} as const

/** Newest first. */
export const activityOf = (
  world: World,
  item: MarketItem,
  { currency }: Viewer
): ReadonlyArray<ActivityEntry> =>
  item.activity.toReversed().map(([at, kind, price, units, buyer, seller]) =>
    Object.assign(
      {
        type: kind === "BuyOrder" && units > 1 ? "BuyOrderMulti" : kinds[kind],
        quantity: String(units),
        price: formatPrice(money(priceShown(world, item, price, currency)), currency),
        time: Math.floor(at / 1000)
      },
      person(world, buyer, at, "buyer"),
      person(world, seller, at, "seller")
    )
  )

/** Prices of the log are those of the book: what a buyer pays. */
const priceShown = (world: World, item: MarketItem, price: number, currency: CurrencyId): number => {
  if (currency === world.currency) return price
  const fees = feesIn(item.of.publisherRate, currency)
  const worth = converted(price, world.currency, currency)
  return Math.max(fees.floor * 3, Math.round(worth / fees.increment) * fees.increment)
}
