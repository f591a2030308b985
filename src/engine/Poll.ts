/**
 * One polling fiber per kind of market data: asks for the item whose age is largest against what the rules allow, and hands the answer
 * to the deciding fiber. Invariants: 1. nothing is asked for that neither a rule nor the guard reads. 2. one request at a time per kind; the budgets are the
 * market adapter's. 3. an item that fails is asked for less and less often, never given up.
 */
import { Duration, Effect, Queue } from "effect"

import type { Overview, PolledFact } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type Item, itemKey, type ItemKey, itemOfKey } from "../domain/Item.ts"
import { type Description, type Offer, totalOf } from "../domain/Offer.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import { Market, MarketError, NoData } from "../market/Market.ts"
import { Activity } from "./Activity.ts"
import type { Desk } from "./Desk.ts"
import { marketNow } from "./Journal.ts"
import { progressed } from "./Progress.ts"
import { wanted } from "./Universe.ts"

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

export type MarketFact = Exclude<PolledFact, "wallet">
export const marketFacts: ReadonlyArray<MarketFact> = ["book", "history", "overview", "offers", "description"]

/** Part of a fact's freshness after which it is asked for again: a late answer should still find the old one fresh. */
const refreshFraction = 0.5
/** Longest wait between two looks at what is due, and the first and longest rest of an item that failed. */
const lookMillis = 60_000
const firstRestMillis = 5_000
const longestRestMillis = 600_000

/** Items that some strategy reads this fact of, with the milliseconds between two polls. */
export const demand = (desk: Desk, fact: MarketFact): ReadonlyMap<ItemKey, number> => {
  const ages = wanted(desk.universes, fact)
  return new Map([...ages].map(([key, millis]) => [key, millis * refreshFraction]))
}

interface Due {
  readonly key: ItemKey
  readonly at: number
}

const nextDue = (desk: Desk, fact: MarketFact, restUntil: ReadonlyMap<ItemKey, number>): Due | undefined => {
  const polled = desk.polled.get(fact)
  let first: Due | undefined
  for (const [key, interval] of demand(desk, fact)) {
    const at = Math.max(
      (polled?.get(key) ?? Number.NEGATIVE_INFINITY) + interval,
      restUntil.get(key) ?? Number.NEGATIVE_INFINITY
    )
    if (first === undefined || at < first.at) first = { key, at }
  }
  return first
}

/** Polls one kind of fact for ever. */
export const poll = Effect.fn("Poll.poll")(function* (
  desk: Desk,
  fact: MarketFact,
  inbox: Queue.Enqueue<Observation>
) {
  const restUntil = new Map<ItemKey, number>()
  const failures = new Map<ItemKey, number>()
  for (;;) {
    yield* progressed(desk.progress, `polling ${fact}`)
    const due = nextDue(desk, fact, restUntil)
    const waitMillis = due === undefined ? lookMillis : due.at - (yield* marketNow)
    if (due === undefined || waitMillis > 0) {
      yield* Effect.raceFirst(
        Effect.sleep(Duration.millis(Math.min(waitMillis, lookMillis))),
        desk.hurry.await
      )
      yield* desk.hurry.close
      continue
    }
    const item = itemOfKey(due.key)
    desk.polled.get(fact)?.set(due.key, yield* marketNow)
    desk.metrics.polls++
    yield* Effect.matchEffect(read(desk, fact, item), {
      onSuccess: (observation) => {
        failures.delete(due.key)
        restUntil.delete(due.key)
        return Queue.offer(inbox, observation)
      },
      onFailure: (error) => rest(fact, due.key, error, restUntil, failures)
    })
  }
})

const read = (desk: Desk, fact: MarketFact, item: Item): Effect.Effect<Observation, MarketError, Market> =>
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

const rest = Effect.fnUntraced(function* (
  fact: MarketFact,
  key: ItemKey,
  error: MarketError,
  restUntil: Map<ItemKey, number>,
  failures: Map<ItemKey, number>
) {
  const activity = yield* Activity
  const count = (failures.get(key) ?? 0) + 1
  const at = yield* marketNow
  failures.set(key, count)
  restUntil.set(key, at + Math.min(longestRestMillis, firstRestMillis * 2 ** (count - 1)))
  yield* activity.tell({ _tag: "PollFailed", at, operation: fact, about: key, why: error.reason._tag })
})
