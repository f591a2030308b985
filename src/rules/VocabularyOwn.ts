/**
 * The facts about ourselves and the item: wallet, position, own orders, what the item is, fees and the clock.
 * Invariant: everything here but the wallet and the item's description is always known, from our own journal.
 */
import type { Facts } from "../domain/Facts.ts"
import { buyerPays, sellerReceives } from "../domain/Fee.ts"
import { ceilTo, floorTo, money } from "../domain/Money.ts"
import { condition, type Namespace, number, numberOf, ofTexts, text } from "./Member.ts"
import type { Scope } from "./Scope.ts"
import { askOf, beyondPrices, bidOf, noAsk, noBid, ofPrice } from "./VocabularyMarket.ts"

const noUnits = "no units are held"
const noOwnBid = "we have no bid"
const noOwnAsk = "we have no ask"

const dayMillis = 86_400_000

export const wallet: Namespace = {
  polled: "wallet",
  members: {
    balance: number("Money", ({ wallet }) => wallet?.balance ?? Number.NaN),
    committed: number("Money", ({ wallet }) => wallet?.committed ?? Number.NaN),
    available: number("Money", ({ wallet }) =>
      wallet === undefined ? Number.NaN : wallet.balance - wallet.committed
    )
  }
}

/** What selling everything at this price would bring after fees, against what it cost. */
const unrealisedAt =
  (priceOf: (scope: Scope) => number) =>
  (scope: Scope): number => {
    const { fees, position } = scope.facts
    if (position.units === 0) return 0
    const price = priceOf(scope)
    return Number.isNaN(price) ? price : sellerReceives(fees, money(price)) * position.units - position.cost
  }

const always = (members: Namespace["members"]): Namespace => ({ polled: undefined, members })

export const position: Namespace = always({
  units: number("int", ({ facts }) => facts.position.units),
  sellable: number("int", ({ facts }) => facts.position.sellable),
  held: number("int", ({ facts }) => facts.position.held),
  listed: number("int", ({ facts }) => facts.position.listed),
  avgCost: number("Money", ({ facts }) => facts.position.avgCost ?? Number.NaN, { none: noUnits }),
  oldestAge: number(
    "duration",
    ({ facts: { now, position } }) =>
      position.oldestAt === undefined ? Number.NaN : now - position.oldestAt,
    { none: noUnits }
  ),
  realised: number("Money", ({ facts }) => facts.position.realised),
  unrealised: number("Money", unrealisedAt(bidOf), { none: noBid, polled: "book" }),
  unrealisedAsk: number("Money", unrealisedAt(askOf), { none: noAsk, polled: "book" })
})

const ageOf = (now: number, order: { readonly at: number } | undefined): number =>
  order === undefined ? Number.NaN : now - order.at

export const orders: Namespace = always({
  bid: number("Money", ({ facts }) => facts.orders.bid?.price ?? Number.NaN, { none: noOwnBid }),
  bidUnits: number("int", ({ facts }) => facts.orders.bid?.units ?? 0),
  bidAge: number("duration", ({ facts }) => ageOf(facts.now, facts.orders.bid), { none: noOwnBid }),
  ask: number("Money", ({ facts }) => facts.orders.ask?.price ?? Number.NaN, { none: noOwnAsk }),
  askUnits: number("int", ({ facts }) => facts.orders.ask?.units ?? 0),
  askAge: number("duration", ({ facts }) => ageOf(facts.now, facts.orders.ask), { none: noOwnAsk })
})

const described = { polled: "description", none: "the market does not tell it" } as const

export const item: Namespace = always({
  app: number("int", ({ facts }) => facts.item.app),
  name: text(({ facts }) => facts.item.name),
  // internal names by category, as the search's filters are called: item.tag("Type") == "GAME_Type_Case"
  tag: ofTexts("string", 1, ({ description }, category) => description?.tags.get(category)?.[0], {
    polled: "description",
    none: (_, category) => `the item has no tag ${category}`
  }),
  hasTag: ofTexts(
    "bool",
    2,
    ({ description }, category, value) =>
      description === undefined ? undefined : (description.tags.get(category)?.includes(value) ?? false),
    { polled: "description" }
  ),
  commodity: condition(({ description }) => description?.commodity, described),
  marketable: condition(({ description }) => description?.marketable, described)
})

export const fees: Namespace = always({
  // a fraction is rounded against us: the buyer pays a little more, the seller gets a little less
  sellerReceives: numberOf(
    "Money",
    ["Money"],
    ({ facts }, total) => ofPrice(total, floorTo, (whole) => sellerReceives(facts.fees, whole)),
    { none: beyondPrices }
  ),
  buyerPays: numberOf(
    "Money",
    ["Money"],
    ({ facts }, receives) => ofPrice(receives, ceilTo, (whole) => buyerPays(facts.fees, whole)),
    { none: beyondPrices }
  )
})

const hourOf = ({ now }: Facts): number => Math.floor((now % dayMillis) / 3_600_000)
// UTC; Monday is 1 and Sunday 7, and the epoch was a Thursday
const weekdayOf = ({ now }: Facts): number => ((Math.floor(now / dayMillis) + 3) % 7) + 1

export const clock: Namespace = always({
  now: number("timestamp", ({ facts }) => facts.now),
  hour: number("int", ({ facts }) => hourOf(facts)),
  weekday: number("int", ({ facts }) => weekdayOf(facts))
})
