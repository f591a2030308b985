/**
 * The whole embedded market as one immutable, JSON-serialisable value: accounts with wallets and inventories, items with their books,
 * sales and price processes, counters and chance. Nothing here acts; Apply and Advance make the next world from it.
 * Invariants: 1. every id is handed out once. 2. an asset is in exactly one place: an inventory or a listing. 3. in every currency
 * wallets + fees + outside + exchanged is what the accounts began with; owned units = starter units + minted − retired.
 */
import type { CurrencyId } from "../domain/Currency.ts"
import type { FeeSchedule } from "../domain/Fee.ts"
import type { AccountId, AssetId, BuyOrderId, ConfirmationId, ListingId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { ActivityRow } from "./ActivityLog.ts"
import type { CatalogueItem } from "./CatalogueItem.ts"
import type { ChanceState } from "./Chance.ts"
import type { FairState } from "./Process.ts"
import type { Price } from "./Rates.ts"
import type { Tape } from "./Tape.ts"

/** Owner of an order that belongs to the background traders. */
export const background = -1

/** One waiting order of a book, bid or ask. */
export interface Resting {
  /** Later orders of an item have higher numbers: time priority. */
  readonly seq: number
  /** What the buyer pays per unit at most (bid) or exactly (ask). */
  readonly price: number
  /** Asks: what the seller gets per unit. Bids: 0. */
  readonly take: number
  readonly units: number
  /** Index of the account, or `background`. */
  readonly account: number
  /** Buy order id or listing id of an account's order, else empty. */
  readonly ref: string
  /** When it was placed. */
  readonly at: number
  /** Asks of accounts whose wallet has another currency than the market: the listing's own price. */
  readonly own?: Price
}

/** Sales of an hour, price and units of each trade alternating. */
interface OpenHour {
  /** When that hour began. */
  readonly at: number
  readonly trades: ReadonlyArray<number>
}

/** [start of the hour or day, median in minor units, units]. */
export type SalesEntry = readonly [at: number, median: number, units: number]

export interface MarketItem {
  readonly of: CatalogueItem
  /** Usual price in the world's currency, minor units. */
  readonly basePrice: number
  readonly fees: FeeSchedule
  readonly tape: Tape | undefined
  readonly fair: FairState
  /** Fair price in minor units and units traded per hour, both of the last step. */
  readonly price: number
  readonly flow: number
  /** Of the fair price and how busy the market is: nobody's orders move it. */
  readonly fairChance: ChanceState
  /** Of the background traders' orders. */
  readonly chance: ChanceState
  readonly nextStepAt: number
  readonly nextOrderAt: number
  readonly seq: number
  /** Best first. */
  readonly bids: ReadonlyArray<Resting>
  readonly asks: ReadonlyArray<Resting>
  readonly hour: OpenHour
  readonly hourly: ReadonlyArray<SalesEntry>
  readonly daily: ReadonlyArray<SalesEntry>
  /** The last orders and sales, oldest first. */
  readonly activity: ReadonlyArray<ActivityRow>
}

interface Asset {
  readonly id: AssetId
  readonly item: number
  readonly since: number
  /** Of items that differ from unit to unit: the word that wear, pattern and accessories are drawn from; else empty. */
  readonly origin: string
}

export interface Listing {
  readonly id: ListingId
  readonly item: number
  readonly asset: AssetId
  readonly origin: string
  /** What the buyer pays and the seller gets, in the seller's currency. */
  readonly price: Money
  readonly take: Money
  readonly createdAt: number
  readonly live: boolean
}

export interface Purchase {
  readonly listing: ListingId
  readonly purchase: string
  /** Both in the buyer's currency. */
  readonly price: Money
  readonly fee: Money
  readonly soldAsset: AssetId
  readonly asset: AssetId
  /** Index of the seller's account, or `background`. */
  readonly seller: number
  readonly at: number
}

export interface BuyOrder {
  readonly id: BuyOrderId
  readonly item: number
  /** Limit per unit in the wallet's currency. */
  readonly price: Money
  readonly quantity: number
  readonly remaining: number
  readonly createdAt: number
  readonly purchases: ReadonlyArray<Purchase>
  readonly state: "Active" | "Filled" | "Cancelled" | "OutOfFunds"
}

/** A purchase that waits for its confirmation, to be posted again afterwards. */
export interface PendingOrder {
  readonly item: number
  readonly price: Money
  readonly quantity: number
  /** The listing that is bought outright; empty for a buy order. */
  readonly listing: string
}

export interface Confirmation {
  readonly id: ConfirmationId
  readonly nonce: string
  readonly createdAt: number
  readonly subject:
    | {
        readonly _tag: "Listing"
        readonly listing: ListingId
        readonly asset: AssetId
        readonly item: number
      }
    | { readonly _tag: "Purchase"; readonly pending: string; readonly order: PendingOrder }
}

/** Purchases by their pending id: asked, allowed and not yet posted again, or rejected. */
interface PendingPurchase {
  readonly id: string
  readonly order: PendingOrder
  readonly state: "Asked" | "Allowed" | "Rejected"
}

/** A row of an account's own history, oldest first. */
export interface HistoryRow {
  readonly kind: "Created" | "Returned" | "Sold" | "Bought"
  readonly at: number
  readonly item: number
  readonly listing: ListingId
  /** Empty for rows without a trade. */
  readonly purchase: string
  /** The asset as it was listed. */
  readonly asset: AssetId
  /** The asset's new id: in the buyer's inventory, or back in the seller's. */
  readonly newAsset: string
  readonly origin: string
  /** What the buyer pays or paid, and the seller's part of it, in the account's own currency. */
  readonly price: Money
  readonly take: Money
  /** The other account, or `background`. */
  readonly other: number
}

export interface Account {
  readonly id: AccountId
  readonly name: string
  readonly currency: CurrencyId
  readonly balance: Money
  readonly inventory: ReadonlyArray<Asset>
  readonly listings: ReadonlyArray<Listing>
  /** Active buy orders. */
  readonly orders: ReadonlyArray<BuyOrder>
  /** Finished buy orders, oldest first, the last `endedOrdersKept`. */
  readonly ended: ReadonlyArray<BuyOrder>
  readonly confirmations: ReadonlyArray<Confirmation>
  readonly pending: ReadonlyArray<PendingPurchase>
  readonly history: ReadonlyArray<HistoryRow>
}

/** Statuses of finished orders are asked for soon or never; the account's history keeps every trade. */
export const endedOrdersKept = 2_000

export interface Counters {
  readonly asset: number
  readonly listing: number
  readonly order: number
  readonly confirmation: number
}

/** Where money and units came from and went to, so that nothing is made out of air. */
export interface Totals {
  /** By currency id. */
  readonly funds: Readonly<Record<string, Funds>>
  /** Units that accounts got from, and gave to, the background. */
  readonly minted: number
  readonly retired: number
  /** Units that the accounts began with. */
  readonly starterUnits: number
}

/** Minor units of one currency. */
export interface Funds {
  /** What the accounts began with. */
  readonly starter: number
  /** Fees collected from trades of accounts. */
  readonly fees: number
  /** What the background traders got from accounts, less what they paid them. */
  readonly outside: number
  /** What conversions took in, less what they gave out; at the fixed rates all currencies together come to the rounding. */
  readonly exchanged: number
}

export const noFunds: Funds = { starter: 0, fees: 0, outside: 0, exchanged: 0 }

export interface Rules {
  /** Every new buy order and every purchase asks for a mobile confirmation first. */
  readonly confirmPurchases: boolean
  /** What a listing's confirmation names as its creator; the interface says the asset. */
  readonly confirmationCreator: "asset" | "listing"
}

export interface World {
  readonly format: 3
  readonly seed: number
  /** Of the books, and of accounts that have no other. */
  readonly currency: CurrencyId
  readonly startedAt: number
  readonly now: number
  readonly rules: Rules
  readonly fees: FeeSchedule
  readonly accounts: ReadonlyArray<Account>
  readonly items: ReadonlyArray<MarketItem>
  readonly counters: Counters
  readonly totals: Totals
  readonly chance: ChanceState
}

export const itemIndex = ({ items }: Pick<World, "items">, app: number, name: string): number =>
  items.findIndex(({ of }) => of.app === app && of.name === name)
