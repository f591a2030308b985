/**
 * Faults that happen in the world itself: the owner trades by hand, somebody else is faster.
 * Invariant: they are commands like any client's, so that they are journaled, replayed and bounded by the same rules.
 */
import { Effect } from "effect"

import { type CurrencyId } from "../domain/Currency.ts"
import { minimumBid } from "../domain/Fee.ts"
import { below, type Chance } from "./Chance.ts"
import { type CommandOf } from "./Command.ts"
import { backgroundListing } from "./Draft.ts"
import { type Exchange } from "./Exchange.ts"
import { type FaultOf } from "./FaultsPlan.ts"
import { exchanged, feesIn } from "./Rates.ts"
import { askPrice } from "./Settle.ts"
import { background, type MarketItem, type Resting, type World } from "./World.ts"

type Market = Exchange["Service"]

/** A low order rests below the book's best bid and is unlikely to be filled. */
const lowShare = 0.6

const orderPrice = (
  world: World,
  item: MarketItem,
  currency: CurrencyId,
  { price = "low" }: FaultOf<"manual-order">
): number => {
  const fees = feesIn(item.of.publisherRate, currency)
  const least = minimumBid(fees)
  const bid = item.bids[0]
  const best = bid === undefined ? least : exchanged(bid.price, world.currency, currency)
  const wanted = price === "best" ? best : best * lowShare
  return Math.max(least, Math.floor(wanted / fees.increment) * fees.increment)
}

/** An order that the owner of the account places by hand; answers with what was done, undefined when the market refused it. */
export const manualOrder = Effect.fnUntraced(function* (
  exchange: Market,
  world: World,
  account: number,
  rule: FaultOf<"manual-order">,
  chance: Chance
) {
  const owner = world.accounts[account]
  const taken = new Set((owner?.orders ?? []).map(({ item }) => item))
  const free = world.items.filter((_, index) => !taken.has(index))
  const item = free[below(chance, free.length)]
  if (item === undefined || owner === undefined) return undefined
  const price = orderPrice(world, item, owner.currency, rule)
  const reply = yield* exchange.execute({
    _tag: "CreateBuyOrder",
    account,
    app: item.of.app,
    name: item.of.name,
    currency: owner.currency,
    total: price,
    quantity: 1,
    confirmation: "0"
  })
  return reply._tag === "Refused" ? undefined : `${item.of.app}/${item.of.name} at ${price}`
})

interface Wanted {
  readonly item: MarketItem
  readonly ask: Resting
  readonly listing: string
}

/** The live listing of that id, an account's or the background's. */
const standing = ({ items }: World, listing: string): Wanted | undefined => {
  for (const [index, item] of items.entries()) {
    const ask = item.asks.find(({ account, ref, seq }) =>
      account === background ? backgroundListing(index, seq) === listing : ref === listing
    )
    if (ask !== undefined) return { item, ask, listing }
  }
  return undefined
}

/** The account's own live listing that asks the least. */
const ownCheapest = (world: World, account: number): Wanted | undefined => {
  const own = (world.accounts[account]?.listings ?? []).filter(({ live }) => live)
  return own
    .flatMap(({ id }) => standing(world, id) ?? [])
    .reduce<Wanted | undefined>(
      (best, one) => (best === undefined || one.ask.price < best.ask.price ? one : best),
      undefined
    )
}

const purchase = (world: World, account: number, { ask, item, listing }: Wanted): CommandOf<"BuyListing"> => {
  const currency = world.accounts[account]?.currency ?? world.currency
  const { price, take } = askPrice(world, item, ask, currency)
  return {
    _tag: "BuyListing",
    account,
    listing,
    currency,
    subtotal: take,
    fee: price - take,
    total: price,
    quantity: 1,
    confirmation: "0"
  }
}

/** Buys, and allows what the market wants confirmed first. */
const buy = Effect.fnUntraced(function* (exchange: Market, command: CommandOf<"BuyListing">) {
  const first = yield* exchange.execute(command)
  if (first._tag !== "NeedsConfirmation") return first
  const { account } = command
  const { accounts } = yield* exchange.world
  const asked = accounts[account]?.confirmations.find(
    ({ subject }) => subject._tag === "Purchase" && subject.pending === first.pending
  )
  if (asked === undefined) return first
  const { id, nonce } = asked
  yield* exchange.execute({ _tag: "SettleConfirmation", account, id, nonce, op: "allow" })
  return yield* exchange.execute({ ...command, confirmation: first.pending })
})

/**
 * Another account buys the listing that the caller is about to buy, or without one the caller's own cheapest; answers with what was
 * bought, undefined when there is none or nobody can pay.
 */
export const boughtMeanwhile = Effect.fnUntraced(function* (
  exchange: Market,
  world: World,
  account: number,
  listing: string | undefined
) {
  const wanted = listing === undefined ? ownCheapest(world, account) : standing(world, listing)
  if (wanted === undefined) return undefined
  for (const other of world.accounts.keys()) {
    if (other === account) continue
    const reply = yield* buy(exchange, purchase(world, other, wanted))
    if (reply._tag === "Done") return `account ${other} bought listing ${wanted.listing}`
  }
  return undefined
})
