/**
 * A working copy of the world: what one command or one advance changes, and nothing else, is copied once and then edited in place.
 * Invariants: 1. the world a draft was opened on never changes. 2. an item is edited only after `editItem` made it ours. 3. a finished
 * draft is never edited again.
 */
import type { AssetId, BuyOrderId, ConfirmationId, ListingId } from "../domain/Ids.ts"
import type { ActivityRow } from "./ActivityLog.ts"
import { type Chance } from "./Chance.ts"
import { type MarketEvent } from "./MarketEvent.ts"
import {
  type Account,
  type Counters,
  type Funds,
  type MarketItem,
  noFunds,
  type Resting,
  type Totals,
  type World
} from "./World.ts"

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

/** An item that belongs to one draft: its arrays are its own, the orders and entries in them stay values. */
export interface ItemDraft extends Mutable<
  Omit<MarketItem, "bids" | "asks" | "fairChance" | "chance" | "hour" | "activity">
> {
  readonly bids: Array<Resting>
  readonly asks: Array<Resting>
  readonly fairChance: Chance
  readonly chance: Chance
  readonly hour: { at: number; trades: Array<number> }
  readonly activity: Array<ActivityRow>
}

export interface Draft {
  readonly world: World
  now: number
  readonly accounts: Array<Account>
  readonly items: Array<MarketItem>
  readonly owned: Array<boolean>
  readonly counters: Mutable<Counters>
  readonly totals: Mutable<Totals>
  readonly chance: Chance
  /** What happened to accounts, in order. */
  readonly events: Array<MarketEvent>
}

export const open = (world: World): Draft => ({
  world,
  now: world.now,
  accounts: [...world.accounts],
  items: [...world.items],
  owned: world.items.map(() => false),
  counters: { ...world.counters },
  totals: { ...world.totals },
  chance: [...world.chance],
  events: []
})

export const finish = (draft: Draft): World => ({
  ...draft.world,
  now: draft.now,
  accounts: draft.accounts,
  items: draft.items,
  counters: draft.counters,
  totals: draft.totals,
  chance: draft.chance
})

/** A copy of an item that may be edited. */
export const own = (item: MarketItem): ItemDraft => ({
  ...item,
  bids: [...item.bids],
  asks: [...item.asks],
  fairChance: [...item.fairChance],
  chance: [...item.chance],
  hour: { at: item.hour.at, trades: [...item.hour.trades] },
  activity: [...item.activity]
})

export const editItem = (draft: Draft, index: number): ItemDraft => {
  const item = draft.items[index]
  if (item === undefined) throw new RangeError(`no item ${index}`)
  if (draft.owned[index] === true) return item as unknown as ItemDraft
  const copy = own(item)
  draft.owned[index] = true
  draft.items[index] = copy
  return copy
}

export const accountAt = (draft: Draft, index: number): Account => {
  const account = draft.accounts[index]
  if (account === undefined) throw new RangeError(`no account ${index}`)
  return account
}

export const changeAccount = (draft: Draft, index: number, change: Partial<Account>): void => {
  draft.accounts[index] = { ...accountAt(draft, index), ...change }
}

/** Adds to one of the totals of a currency. */
export const addFunds = (
  draft: Draft,
  currency: number,
  part: Exclude<keyof Funds, "starter">,
  amount: number
): void => {
  const before = draft.totals.funds[currency] ?? noFunds
  draft.totals.funds = {
    ...draft.totals.funds,
    [currency]: { ...before, [part]: before[part] + amount }
  }
}

const numbered = (prefix: string, count: number, length: number): string =>
  prefix + String(count).padStart(length, "0")

/** Ids look like the market's and are handed out in order. */
export const nextAsset = (draft: Draft): AssetId => numbered("3", draft.counters.asset++, 10) as AssetId
export const nextListing = (draft: Draft): ListingId =>
  numbered("59", draft.counters.listing++, 17) as ListingId
export const nextOrder = (draft: Draft): BuyOrderId => numbered("65", draft.counters.order++, 8) as BuyOrderId
export const nextConfirmation = (draft: Draft): ConfirmationId =>
  numbered("138", draft.counters.confirmation++, 8) as ConfirmationId
export const nextPending = (draft: Draft): string => numbered("26", draft.counters.confirmation++, 17)

/** The listing id of a background order: stable while it waits, different from every account's listing. */
export const backgroundListing = (item: number, seq: number): ListingId =>
  `4${String(item).padStart(3, "0")}${String(seq).padStart(15, "0")}` as ListingId

/** The asset in such a listing. */
export const backgroundAsset = (item: number, seq: number): AssetId =>
  `2${String(item).padStart(3, "0")}${String(seq).padStart(9, "0")}` as AssetId

/** Item and number of a background order by its listing id. */
export const backgroundOrder = (
  listing: string
): { readonly item: number; readonly seq: number } | undefined =>
  /^4\d{18}$/.test(listing) ? { item: Number(listing.slice(1, 4)), seq: Number(listing.slice(4)) } : undefined
