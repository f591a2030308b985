/** One read per polled fact: what is asked of the market, and what the answer is to the deciding fiber. */
import { Effect } from "effect"

import type { Overview } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import { type Description, type Offer, totalOf } from "../domain/Offer.ts"
import { bestAsk, bestBid, type OrderBook } from "../domain/OrderBook.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import { Market, MarketError, NoData } from "../market/Market.ts"
import type { Desk } from "./Desk.ts"
import { marketNow } from "./Journal.ts"
import type { MarketFact } from "./Polled.ts"

export type Observation =
  /** `generation` is how often we had changed something on the item when the book was asked for. */
  | {
      readonly _tag: "Book"
      readonly item: Item
      readonly value: OrderBook
      readonly at: Millis
      readonly generation: number
    }
  | { readonly _tag: "History"; readonly item: Item; readonly value: PriceHistory; readonly at: Millis }
  | { readonly _tag: "Overview"; readonly item: Item; readonly value: Overview; readonly at: Millis }
  /** One answer tells both: a description is undefined when nobody offers the item. `generation` as of a book. */
  | {
      readonly _tag: "Offers"
      readonly item: Item
      readonly value: ReadonlyArray<Offer>
      readonly description: Description | undefined
      readonly at: Millis
      readonly generation: number
    }

export const read = (
  desk: Desk,
  fact: MarketFact,
  item: Item
): Effect.Effect<Observation, MarketError, Market> =>
  Effect.gen(function* () {
    const market = yield* Market
    // The moment of asking: the answer is at least as new as this.
    const at = yield* marketNow
    switch (fact) {
      case "book":
        return {
          _tag: "Book",
          item,
          generation: generationOf(desk, item),
          value: yield* market.orderBook(item),
          at
        }
      case "history":
        return { _tag: "History", item, value: yield* market.priceHistory(item), at }
      case "overview":
        return { _tag: "Overview", item, value: yield* market.priceOverview(item), at }
      case "offers":
        return yield* readOffers(item, generationOf(desk, item), at)
      case "description": {
        const observation = yield* readOffers(item, generationOf(desk, item), at)
        return observation.description === undefined ? yield* nobodyOffers : observation
      }
    }
  })

const readOffers = Effect.fnUntraced(function* (item: Item, generation: number, at: Millis) {
  const market = yield* Market
  const { description, rows } = yield* market.offers.listings(item)
  const value = rows.toSorted((a, b) => totalOf(a) - totalOf(b))
  return { _tag: "Offers", item, value, description, at, generation } as const
})

/** What an item is stands in its listings only: asked again later. */
const nobodyOffers = Effect.fail(
  new MarketError({ operation: "listings", reason: new NoData({ detail: "nobody offers the item" }) })
)

/** How often we changed something on the item so far. */
export const generationOf = (desk: Desk, item: Item): number => desk.generations.get(itemKey(item)) ?? 0

/** What of an answer is compared with the last one, to see whether the item moves. */
export const signatureOf = (observation: Observation): string => {
  switch (observation._tag) {
    case "Book":
      return `${bestBid(observation.value)} ${bestAsk(observation.value)}`
    case "History":
      return `${observation.value.length}`
    case "Overview":
      return `${observation.value.lowest} ${observation.value.median}`
    case "Offers":
      return `${observation.value[0]?.listing}`
  }
}
