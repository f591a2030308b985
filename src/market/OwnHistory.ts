/**
 * Our fills and returned listings, read back page by page (interface, Own listings and history).
 * Invariants: 1. an entry seen on two pages, because the history moved between them, counts once. 2. a purchase that failed or will be
 * rolled back is no fill. 3. paging ends at a page of known entries, at the end, or at `maximumPages`.
 */
import { Effect } from "effect"

import { type Fill, type ListingReturned } from "../domain/Fill.ts"
import { type AssetId, type FillId, type ListingId, type Millis } from "../domain/Ids.ts"
import { item } from "../domain/Item.ts"
import { money } from "../domain/Money.ts"
import { Ask } from "./Ask.ts"
import { type HistoryEvent, type MyHistoryBody, myhistoryShapes, type Purchase } from "./contract/Account.ts"
import { reader } from "./contract/Reading.ts"
import { assetOf, type Assets, entryOf, isSet, numberOf } from "./contract/Wire.ts"
import { type IsKnown, MarketError, type OwnHistory, Undecodable } from "./Market.ts"
import { Signer } from "./Signer.ts"

const readPage = reader(myhistoryShapes)

const firstPageSize = 100
/** The most that a market gives per page; used to read further back. */
const pageSize = 500
/** A hundred thousand entries: more is no catching up but an old account's whole life. */
const maximumPages = 200
/** Clocks that are closer are taken for one: a header's time is cut to the second. */
const leastBehindMillis = 5_000

/** `event_type` of an entry. */
const cancelled = 2
const sold = 3
const bought = 4

/** `confirmSession` fails when the session is gone. */
export const makeOwnHistory = (confirmSession: Effect.Effect<void, MarketError>) =>
  Effect.gen(function* () {
    const ask = yield* Ask
    const signer = yield* Signer
    const behind = Effect.map(signer.offset, (offset) => {
      const millis = -(offset?.millis ?? 0)
      return millis < leastBehindMillis ? {} : { behind: millis }
    })
    const page = Effect.fnUntraced(function* (start: number, count: number) {
      const call = ask.client.account.myhistory({
        query: { norender: 1, start, count },
        responseMode: "response-only"
      })
      const { value } = yield* ask.read("myhistory", readPage, call)
      const own = ownOf(value)
      return typeof own === "string"
        ? yield* new MarketError({
            operation: "myhistory",
            reason: new Undecodable({ path: own, detail: "Missing key" })
          })
        : { own, events: value.events?.length ?? 0, total: value.total_count ?? 0 }
    })

    return Effect.fn("Market.ownHistory")(function* (isKnown: IsKnown) {
      const fills = new Map<FillId, Fill>()
      const returned = new Map<ListingId, ListingReturned>()
      let start = 0
      for (let pages = 0; pages < maximumPages; pages += 1) {
        const { events, own, total } = yield* page(start, pages === 0 ? firstPageSize : pageSize)
        if (pages === 0 && events === 0) yield* confirmSession
        for (const fill of own.fills) fills.set(fill.id, fill)
        for (const one of own.returned) returned.set(one.listing, one)
        start += events
        if (events === 0 || start >= total || isAllKnown(own, isKnown)) break
        if (pages === maximumPages - 1)
          yield* Effect.logWarning(
            `own history is longer than ${start} entries: what lies further back is not read`
          )
      }
      return { fills: [...fills.values()], returned: [...returned.values()], ...(yield* behind) }
    })
  })

/** A page that has no fill and no return says nothing about what lies behind it. */
const isAllKnown = ({ fills, returned }: OwnHistory, isKnown: IsKnown): boolean =>
  fills.length + returned.length > 0 &&
  fills.every(({ at, id }) => isKnown(id, at)) &&
  returned.every(({ at, listing }) => isKnown(listing, at))

/** The entries of a page in domain types, newest first, or the path of what is missing. */
const ownOf = (body: MyHistoryBody): OwnHistory | string => {
  const { events } = body
  if (events === undefined) return "events"
  const fills: Array<Fill> = []
  const returned: Array<ListingReturned> = []
  for (const event of events) {
    const entry = entryOfEvent(event, body)
    if (typeof entry === "string") return entry
    if (entry === undefined) continue
    if ("side" in entry) fills.push(entry)
    else returned.push(entry)
  }
  return { fills, returned }
}

const entryOfEvent = (
  event: HistoryEvent,
  body: MyHistoryBody
): Fill | ListingReturned | string | undefined => {
  if (event.event_type === cancelled) return returnedOf(event, body)
  if (event.event_type !== sold && event.event_type !== bought) return undefined
  const key = `${event.listingid}_${event.purchaseid ?? ""}`
  const purchase = body.purchases === undefined ? undefined : entryOf(body.purchases, key)
  if (purchase === undefined) return `purchases.${key}`
  if (isSet(purchase.failed) || isSet(purchase.needs_rollback)) return undefined
  const name = nameOf(body.assets, purchase)
  return name === undefined ? `purchases.${key}.asset.market_hash_name` : fillOf(event, purchase, name)
}

/** Undefined while a bought asset is not delivered yet: the entry is read again later. */
const fillOf = (event: HistoryEvent, purchase: Purchase, name: string): Fill | undefined => {
  const { amount, appid, contextid, id, new_contextid, new_id } = purchase.asset
  const isBuy = event.event_type === bought
  if (isBuy && new_id === undefined) return undefined
  return {
    id: `${purchase.listingid}_${purchase.purchaseid}` as FillId,
    side: isBuy ? "Buy" : "Sell",
    item: item(appid, name),
    listing: purchase.listingid as ListingId,
    asset: (isBuy ? new_id : id) as AssetId,
    context: isBuy ? (new_contextid ?? contextid) : contextid,
    units: Math.max(1, numberOf(amount)),
    amount: money(isBuy ? purchase.paid_amount + purchase.paid_fee : purchase.received_amount),
    fee: money(isBuy ? purchase.paid_fee : feeOfSale(purchase)),
    at: timeOf(event),
    ...(isBuy || !isSet(purchase.funds_held) ? {} : { heldUntil: heldUntilOf(purchase) }),
    ...(isBuy || !isSet(purchase.funds_revoked) ? {} : { revoked: true as const })
  }
}

/** A hold without an end is one for ever: only the row itself says when it is over. */
const heldUntilOf = ({ time_funds_held_until }: Purchase): Millis =>
  (numberOf(time_funds_held_until ?? 0) === 0
    ? Number.MAX_SAFE_INTEGER
    : numberOf(time_funds_held_until ?? 0) * 1000) as Millis

/**
 * The buyer may have paid in another currency; the fee in ours is then in proportion to what we received.
 * For small amounts of another currency that is coarse, but nothing more exact is told.
 */
const feeOfSale = ({
  currencyid,
  paid_amount,
  paid_fee,
  received_amount,
  received_currencyid
}: Purchase): number => {
  const same = currencyid === undefined || String(currencyid) === String(received_currencyid ?? currencyid)
  if (same || paid_amount === 0) return paid_fee
  // A fee that exceeds what was received says that the amounts do not belong together.
  return Math.min(received_amount, Math.round((received_amount * paid_fee) / paid_amount))
}

const nameOf = (assets: Assets, { asset }: Purchase): string | undefined => {
  const ids = [asset.id, asset.new_id].flatMap((id) => (id === undefined ? [] : [id]))
  const described = ids.map((id) => assetOf(assets, asset.appid, asset.contextid, id)?.market_hash_name)
  return asset.market_hash_name ?? described.find((name) => name !== undefined && name !== "")
}

/** Undefined while the asset is not back yet: the entry is read again later. */
const returnedOf = (event: HistoryEvent, body: MyHistoryBody): ListingReturned | undefined => {
  const listing = body.listings === undefined ? undefined : entryOf(body.listings, event.listingid)
  if (listing === undefined) return undefined
  const { appid, contextid, id } = listing.asset
  const described = assetOf(body.assets, appid, contextid, id)
  const returnedAs = described?.rollback_new_id ?? listing.asset.rollback_new_id
  const name = described?.market_hash_name ?? listing.asset.market_hash_name
  if (returnedAs === undefined || name === undefined) return undefined
  return {
    listing: event.listingid as ListingId,
    item: item(appid, name),
    asset: id as AssetId,
    returnedAs: returnedAs as AssetId,
    at: timeOf(event)
  }
}

const timeOf = ({ time_event, time_event_fraction = 0 }: HistoryEvent): Millis =>
  (time_event * 1000 + Math.floor(time_event_fraction / 1e6)) as Millis
