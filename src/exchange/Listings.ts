/**
 * Sell listings: staged, published by their confirmation, removed (interface, States and transitions).
 * Invariants: 1. a listing is in no book before its confirmation was allowed. 2. an asset that comes back has a new id and a row in the
 * history that names both. 3. at most 250 listings of an account wait for confirmation.
 */
import { buyerPays, minimumBid, validPrice } from "../domain/Fee.ts"
import { money } from "../domain/Money.ts"
import { logActivity, nobody } from "./ActivityLog.ts"
import { contextOf } from "./CatalogueItem.ts"
import { digits } from "./Chance.ts"
import { type CommandOf, done, refuse, type Reply } from "./Command.ts"
import {
  accountAt,
  changeAccount,
  type Draft,
  editItem,
  nextAsset,
  nextConfirmation,
  nextListing
} from "./Draft.ts"
import { submitAsk, withdraw } from "./Matching.ts"
import { feesIn, maximumPrice, priceIn } from "./Rates.ts"
import { background, type Confirmation, type Listing } from "./World.ts"

const mostStaged = 250
const nonceDigits = 19

export const sellItem = (draft: Draft, command: CommandOf<"SellItem">): Reply => {
  const { account, amount, take } = command
  const owner = accountAt(draft, account)
  if (owner.listings.some(({ asset, live }) => asset === command.asset && !live))
    return refuse("AlreadyStaged")
  const asset = owner.inventory.find(({ id }) => id === command.asset)
  const known = asset === undefined ? undefined : draft.items[asset.item]
  if (asset === undefined || known === undefined || known.of.app !== command.app)
    return refuse("NotInInventory")
  if (command.context !== contextOf(command.app)) return refuse("NotInInventory")
  // Items do not stack here: one asset is one unit.
  const fees = feesIn(known.of.publisherRate, owner.currency)
  if (amount !== 1 || !Number.isSafeInteger(take) || take < fees.floor) return refuse("ListingFailed")
  if (take > maximumPrice(owner.currency) || validPrice(fees, take) !== take) return refuse("ListingFailed")
  const price = buyerPays(fees, money(take))
  if (price < minimumBid(fees)) return refuse("ListingFailed")
  if (price > maximumPrice(owner.currency)) return refuse("PriceTooHigh")
  if (owner.listings.filter(({ live }) => !live).length >= mostStaged) return refuse("TooManyStaged")
  const listing: Listing = {
    id: nextListing(draft),
    item: asset.item,
    asset: asset.id,
    origin: asset.origin,
    price,
    take: money(take),
    createdAt: draft.now,
    live: false
  }
  const confirmation: Confirmation = {
    id: nextConfirmation(draft),
    nonce: digits(draft.chance, nonceDigits),
    createdAt: draft.now,
    subject: { _tag: "Listing", listing: listing.id, asset: asset.id, item: asset.item }
  }
  changeAccount(draft, account, {
    inventory: owner.inventory.filter(({ id }) => id !== asset.id),
    listings: [...owner.listings, listing],
    confirmations: [...owner.confirmations, confirmation]
  })
  draft.events.push({ _tag: "ListingStaged", at: draft.now, account, listing: listing.id })
  return { _tag: "Staged", listing: listing.id, asset: asset.id }
}

/** Ends a listing without a sale: the asset goes back under a new id, its confirmation is void. */
const giveBack = (draft: Draft, account: number, listing: Listing): void => {
  const owner = accountAt(draft, account)
  const newAsset = nextAsset(draft)
  changeAccount(draft, account, {
    listings: owner.listings.filter(({ id }) => id !== listing.id),
    inventory: [
      ...owner.inventory,
      { id: newAsset, item: listing.item, since: draft.now, origin: listing.origin }
    ],
    confirmations: owner.confirmations.filter(
      ({ subject }) => subject._tag !== "Listing" || subject.listing !== listing.id
    ),
    history: [
      ...owner.history,
      {
        kind: "Returned",
        at: draft.now,
        item: listing.item,
        listing: listing.id,
        purchase: "",
        asset: listing.asset,
        newAsset,
        origin: listing.origin,
        price: listing.price,
        take: listing.take,
        other: background
      }
    ]
  })
  draft.events.push({ _tag: "ListingReturned", at: draft.now, account, listing: listing.id })
}

export const removeListing = (draft: Draft, command: CommandOf<"RemoveListing">): Reply => {
  const listing = accountAt(draft, command.account).listings.find(({ id }) => id === command.listing)
  if (listing === undefined) return refuse("NoSuchListing")
  if (listing.live) {
    const ask = withdraw(draft, listing.item, "asks", listing.id)
    const row = [draft.now, "SellOrderCancel", ask?.price ?? 0, 1, nobody, command.account] as const
    logActivity(editItem(draft, listing.item), row)
  }
  giveBack(draft, command.account, listing)
  return done
}

const publish = (draft: Draft, account: number, listing: Listing): void => {
  const owner = accountAt(draft, account)
  const live: Listing = { ...listing, live: true }
  changeAccount(draft, account, {
    listings: owner.listings.map((one) => (one.id === live.id ? live : one)),
    history: [
      ...owner.history,
      {
        kind: "Created",
        at: draft.now,
        item: live.item,
        listing: live.id,
        purchase: "",
        asset: live.asset,
        newAsset: "",
        origin: live.origin,
        price: live.price,
        take: live.take,
        other: background
      }
    ]
  })
  draft.events.push({ _tag: "ListingLive", at: draft.now, account, listing: live.id })
  const item = editItem(draft, live.item)
  const { price, take } = live
  const [from, to] = [owner.currency, draft.world.currency]
  const shown = from === to ? { price, take } : priceIn(take, item.of.publisherRate, from, to)
  logActivity(item, [draft.now, "SellOrder", shown.price, 1, nobody, account])
  const bare = { seq: item.seq++, ...shown, units: 1, account, ref: live.id, at: draft.now }
  submitAsk(draft, live.item, from === to ? bare : { ...bare, own: { price, take } }, "rest")
}

/** Allows or rejects a confirmation: a listing is published or given back, a purchase may be posted again or not. */
export const settleConfirmation = (draft: Draft, command: CommandOf<"SettleConfirmation">): Reply => {
  const { account, op } = command
  const owner = accountAt(draft, account)
  const found = owner.confirmations.find(({ id, nonce }) => id === command.id && nonce === command.nonce)
  if (found === undefined) return refuse("NoSuchConfirmation")
  const { subject } = found
  changeAccount(draft, account, { confirmations: owner.confirmations.filter(({ id }) => id !== found.id) })
  if (subject._tag === "Purchase") {
    const state = op === "allow" ? "Allowed" : "Rejected"
    const pending = owner.pending.map((one) =>
      one.id === subject.pending ? ({ ...one, state } as const) : one
    )
    changeAccount(draft, account, { pending: pending.slice(-mostStaged) })
    return done
  }
  const listing = owner.listings.find(({ id }) => id === subject.listing)
  if (listing === undefined) return refuse("NoSuchConfirmation")
  if (op === "allow") publish(draft, account, listing)
  else giveBack(draft, account, listing)
  return done
}
