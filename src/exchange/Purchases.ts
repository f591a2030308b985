/**
 * A listing bought outright (interface, Buy-listing rules).
 * Invariants: 1. currency, subtotal, fee and total are those of the listing as it is priced for this buyer now, or nothing happens.
 * 2. a listing that changed, was removed or was bought meanwhile fails with one and the same message. 3. where the market asks for a
 * confirmation, it is bought only when the same form comes again with the allowed one.
 */
import { type CommandOf, done, refuse, type Reply } from "./Command.ts"
import { accountAt, backgroundOrder, type Draft } from "./Draft.ts"
import { takeAsk } from "./Matching.ts"
import { confirmed, forget } from "./PendingPurchases.ts"
import { type Price } from "./Rates.ts"
import { type Refusal } from "./Refusal.ts"
import { askPrice } from "./Settle.ts"
import { background, type MarketItem, type PendingOrder, type Resting, type World } from "./World.ts"

/** A live listing in its book. */
interface Standing {
  readonly index: number
  readonly item: MarketItem
  readonly ask: Resting
}

type Books = Pick<World, "items" | "accounts">

/** The live listing with this id, an account's or the background's. */
const standingOf = ({ accounts, items }: Books, listing: string): Standing | undefined => {
  const place = backgroundOrder(listing)
  const own = accounts.flatMap(({ listings }) => listings).find(({ id }) => id === listing)
  const index = place?.item ?? own?.item ?? -1
  const item = items[index]
  const ask = item?.asks.find((one) =>
    place === undefined ? one.ref === listing : one.account === background && one.seq === place.seq
  )
  return item === undefined || ask === undefined ? undefined : { index, item, ask }
}

type Buy = CommandOf<"BuyListing">

/** Why the listing cannot be bought like this. */
const refusalOf = (draft: Draft, command: Buy, offer: Standing, price: Price): Refusal | undefined => {
  const { account, quantity } = command
  const { balance, currency } = accountAt(draft, account)
  if (offer.ask.account === account) return "OwnListing"
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > offer.ask.units) return "ListingGone"
  // Rows show amounts per unit; some clients multiply them by the units.
  const isPriced = (units: number): boolean =>
    command.subtotal === price.take * units &&
    command.fee === (price.price - price.take) * units &&
    command.total === price.price * units
  if (command.currency !== currency || !(isPriced(1) || isPriced(quantity))) return "ListingGone"
  return balance < price.price * quantity ? "InsufficientFunds" : undefined
}

export const buyListing = (draft: Draft, command: Buy): Reply => {
  const { account, listing, quantity } = command
  const buyer = accountAt(draft, account)
  const offer = standingOf(draft, listing)
  if (offer === undefined) {
    const mine = buyer.history.some((row) => row.kind === "Bought" && row.listing === listing)
    return refuse(mine ? "AlreadyBought" : "ListingGone")
  }
  const market = { accounts: draft.accounts, currency: draft.world.currency }
  const price = askPrice(market, offer.item, offer.ask, buyer.currency)
  const refusal = refusalOf(draft, command, offer, price)
  if (refusal !== undefined) return refuse(refusal)
  const order: PendingOrder = { item: offer.index, price: price.price, quantity, listing }
  const reply = confirmed(draft, account, command.confirmation, order)
  if (reply !== undefined) return reply
  forget(draft, account, command.confirmation)
  const bid: Resting = {
    seq: 0,
    price: offer.ask.price,
    take: 0,
    units: quantity,
    account,
    ref: "",
    at: draft.now
  }
  takeAsk(draft, offer.index, bid, offer.ask)
  return done
}
