/** Events for the tests of the store: one full story by hand, and long random ones that keep to the market's order of things. */
import type { Event } from "../../src/domain/Event.ts"
import type {
  AssetId,
  BuyOrderId,
  ConfirmationId,
  FillId,
  IntentId,
  ListingId,
  Millis
} from "../../src/domain/Ids.ts"
import type { Intent } from "../../src/domain/Intent.ts"
import { type Item, item } from "../../src/domain/Item.ts"
import { money } from "../../src/domain/Money.ts"

export const gloves = item(730, "Glove Case")
export const start = 1_700_000_000_000
export const at = (offset: number): Millis => (start + offset) as Millis

const reason = (rule: string) => ({
  origin: { strategy: "spread", revision: "0a1b2c3d", rule },
  because: "the spread pays for both fees",
  saw: { spread: "4.20", bid: "38.20", ask: "42.40" }
})

export const placeBid = (id: string, price = 3820, quantity = 2, of: Item = gloves, offset = 1): Intent => ({
  _tag: "PlaceBid",
  id: id as IntentId,
  item: of,
  reason: reason("buy"),
  at: at(offset),
  price: money(price),
  quantity
})

export const cancelBid = (id: string, order: string, of: Item = gloves, offset = 1): Intent => ({
  _tag: "CancelBid",
  id: id as IntentId,
  item: of,
  reason: reason("buy"),
  at: at(offset),
  order: order as BuyOrderId
})

export const listAsset = (id: string, asset: string, of: Item = gloves, offset = 1): Intent => ({
  _tag: "ListAsset",
  id: id as IntentId,
  item: of,
  reason: reason("sell"),
  at: at(offset),
  asset: asset as AssetId,
  context: "2",
  sellerReceives: money(4000),
  buyerPays: money(4600)
})

export const opened: Event = {
  _tag: "LedgerOpened",
  at: at(0),
  balance: money(100_000),
  currency: 1 as never
}
export const recorded = (intent: Intent): Event => ({ _tag: "IntentRecorded", at: intent.at, intent })
export const sent = (id: string, offset = 2): Event => ({
  _tag: "Sent",
  at: at(offset),
  intent: id as IntentId
})
export const accepted = (id: string, order?: string, offset = 3): Event => ({
  _tag: "Accepted",
  at: at(offset),
  intent: id as IntentId,
  ...(order === undefined ? {} : { order: order as BuyOrderId })
})
export const refused = (id: string, offset = 3): Event => ({
  _tag: "Refused",
  at: at(offset),
  intent: id as IntentId,
  code: "TooManyOrders",
  marketCode: 25,
  message: "limit exceeded"
})
export const unknown = (id: string, offset = 3): Event => ({
  _tag: "OutcomeUnknown",
  at: at(offset),
  intent: id as IntentId,
  reason: "Timeout",
  detail: "no answer in 15 s"
})
export const settled = (id: string, happened: boolean, order?: string, offset = 4): Event => ({
  _tag: "Settled",
  at: at(offset),
  intent: id as IntentId,
  happened,
  ...(order === undefined ? {} : { order: order as BuyOrderId })
})
export const progressed = (order: string, remaining: number, of: Item = gloves, offset = 4): Event => ({
  _tag: "BidProgressed",
  at: at(offset),
  item: of,
  order: order as BuyOrderId,
  remaining
})
export const bidClosed = (
  order: string,
  as: "Filled" | "Cancelled" | "Gone",
  of: Item = gloves,
  offset = 5
): Event => ({
  _tag: "BidClosed",
  at: at(offset),
  item: of,
  order: order as BuyOrderId,
  as
})
export const filled = (
  id: string,
  side: "Buy" | "Sell",
  asset: string,
  amount: number,
  intent?: string,
  of: Item = gloves,
  offset = 5
): Event => ({
  _tag: "Filled",
  at: at(offset),
  fill: {
    id: id as FillId,
    side,
    item: of,
    listing: `l-${id}` as ListingId,
    asset: asset as AssetId,
    context: "2",
    units: 1,
    amount: money(amount),
    fee: money(Math.floor(amount / 8)),
    at: at(offset)
  },
  ...(intent === undefined ? {} : { intent: intent as IntentId, strategy: "spread" })
})
export const confirming = (id: string, offset = 7): Event => ({
  _tag: "Confirming",
  at: at(offset),
  intent: id as IntentId,
  confirmation: `c-${id}` as ConfirmationId
})
export const confirmed = (id: string, offset = 8): Event =>
  ({ ...confirming(id, offset), _tag: "Confirmed" }) as Event
export const listingSeen = (listing: string, asset: string, of: Item = gloves, offset = 9): Event => ({
  _tag: "ListingSeen",
  at: at(offset),
  listing: {
    id: listing as ListingId,
    asset: asset as AssetId,
    context: "2",
    item: of,
    stage: "Live",
    sellerReceives: money(4000),
    buyerPays: money(4600),
    createdAt: at(offset)
  }
})
export const listingClosed = (listing: string, asset: string, of: Item = gloves, offset = 10): Event => ({
  _tag: "ListingClosed",
  at: at(offset),
  item: of,
  asset: asset as AssetId,
  listing: listing as ListingId,
  as: "Sold"
})

export const foreignSeen = (order: string, of: Item, offset = 9): Event => ({
  _tag: "ForeignBidSeen",
  at: at(offset),
  order: { id: order as BuyOrderId, item: of, price: money(90), quantity: 5, remaining: 4 }
})

/** Two bought with one order, the first of them sold; another bid is refused. */
export const story: ReadonlyArray<Event> = [
  opened,
  recorded(placeBid("p1")),
  sent("p1"),
  accepted("p1", "o1"),
  progressed("o1", 1),
  filled("f1", "Buy", "a1", 3820, "p1"),
  filled("f2", "Buy", "a2", 3800, "p1"),
  bidClosed("o1", "Filled"),
  recorded(listAsset("s1", "a1")),
  sent("s1"),
  accepted("s1"),
  confirming("s1"),
  confirmed("s1"),
  listingSeen("l1", "a1"),
  filled("f3", "Sell", "a1", 4000, "s1"),
  listingClosed("l1", "a1"),
  recorded(placeBid("p2", 3700)),
  sent("p2"),
  refused("p2")
]

/** A small generator of chance (mulberry32): the same seed gives the same journal. */
const chance = (seed: number) => {
  let a = seed >>> 0
  return (below: number): number => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** A long journal of bids and listings over a few items, with refusals, unknown outcomes, partial fills, cancels and sales. */
export const randomJournal = (seed: number, length: number): ReadonlyArray<Event> => {
  const pick = chance(seed)
  const events: Array<Event> = [opened]
  let next = 0
  const id = (kind: string) => `${kind}${seed}-${(next += 1)}`
  const held: Array<readonly [asset: string, of: Item]> = []
  const buy = (of: Item): ReadonlyArray<Event> => {
    const [intent, order, quantity] = [id("p"), id("o"), 1 + pick(3)]
    const begun = [recorded(placeBid(intent, 100 + pick(900), quantity, of)), sent(intent)]
    if (pick(5) === 0) return [...begun, refused(intent)]
    const known =
      pick(4) === 0
        ? [unknown(intent), settled(intent, pick(3) > 0, order)]
        : [accepted(intent, order), progressed(order, quantity - 1, of)]
    const fills = Array.from({ length: pick(quantity + 1) }, () => {
      const asset = id("9")
      held.push([asset, of])
      return filled(id("f"), "Buy", asset, 100 + pick(900), intent, of)
    })
    if (pick(3) === 0) return [...begun, ...known, ...fills, bidClosed(order, "Filled", of)]
    const cancel = id("c")
    const end = [recorded(cancelBid(cancel, order, of)), sent(cancel), accepted(cancel)]
    return [
      ...begun,
      ...known,
      ...fills,
      ...end,
      ...(pick(2) === 0 ? [] : [bidClosed(order, "Cancelled", of)])
    ]
  }
  const sell = (): ReadonlyArray<Event> => {
    const [asset, of] = held.shift() ?? [id("8"), gloves]
    const [intent, listing] = [id("s"), id("l")]
    const begun = [recorded(listAsset(intent, asset, of)), sent(intent)]
    if (pick(6) === 0) return [...begun, refused(intent)]
    const live = [
      ...begun,
      accepted(intent),
      confirming(intent),
      confirmed(intent),
      listingSeen(listing, asset, of)
    ]
    if (pick(3) === 0) return live
    return [
      ...live,
      filled(id("f"), "Sell", asset, 200 + pick(900), intent, of),
      listingClosed(listing, asset, of)
    ]
  }
  while (events.length < length) events.push(...(pick(2) === 0 ? buy(item(730, `Case ${pick(5)}`)) : sell()))
  return events.slice(0, length)
}
