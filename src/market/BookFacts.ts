/**
 * From an order book's body to the domain's book: what is read most, so most bodies are recognised at a glance (contract/Exact) and become
 * levels without detours.
 */
import { Option } from "effect"

import { levelsOfCompact, type OrderBook, orderBook } from "../domain/OrderBook.ts"
import { asCurrency } from "./AccountFacts.ts"
import { orderbookShapes } from "./contract/Listings.ts"
import { reader, type Succeeded } from "./contract/Reading.ts"

export const readOrderbook = reader(orderbookShapes)

/** None when the currency is unknown. */
export const bookOf = ({ shape, value }: Succeeded<typeof orderbookShapes>): Option.Option<OrderBook> => {
  const data = shape === "success" ? value.data.data : value.data
  return Option.map(asCurrency(data.eCurrency), (currency) =>
    orderBook({
      currency,
      bids: levelsOfCompact(data.rgCompactBuyOrders ?? best(data.amtMaxBuyOrder)),
      asks: levelsOfCompact(data.rgCompactSellOrders ?? best(data.amtMinSellOrder)),
      bidUnits: data.cBuyOrders,
      askUnits: data.cSellOrders
    })
  )
}

/** A market that leaves the levels out still tells the best price; at least one unit waits there. */
const best = (price: number | null): ReadonlyArray<number> => (price === null ? [] : [price, 1])
