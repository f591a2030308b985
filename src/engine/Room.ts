/**
 * How many units of a bid or purchase every limit leaves room for: the strategy's own, the account's, the wallet's and the market's.
 * Invariants: 1. open orders and outcomes that are not settled count as if filled. 2. the account's limits hold over all strategies, also
 * over those that were renamed or are gone.
 */
import type { Limits } from "../domain/Decision.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Item } from "../domain/Item.ts"
import { itemKey } from "../domain/Item.ts"
import type { Money } from "../domain/Money.ts"
import { units } from "../domain/Position.ts"
import { positionOf, type State } from "../domain/State.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { everybody, invested, onOrder, openOrders, spent } from "./Exposure.ts"
import { committed } from "./Observe.ts"
import type { RefusalCode } from "./Refusals.ts"

/** Limits of the whole account; undefined means none. Amounts in minor units of the wallet's currency. */
export interface AccountLimits {
  readonly spendPerDay: Money | undefined
  readonly exposure: Money | undefined
  readonly openOrders: number | undefined
  /** The sum of all open orders, the owner's included, may be this many times the wallet; the market allows ten. */
  readonly ordersOverWallet: number
}

export const defaultAccountLimits: AccountLimits = {
  spendPerDay: undefined,
  exposure: undefined,
  openOrders: undefined,
  ordersOverWallet: 1
}

/** A buy order or a purchase outright before it is made. */
export interface Entry {
  readonly item: Item
  readonly strategy: string
  /** What the buyer pays per unit. */
  readonly price: Money
  readonly limits: Limits
  /** Bought outright: the listing may be worth more than the cheapest one. */
  readonly outright: boolean
}

export interface RoomInput {
  readonly state: State
  readonly wallet: Wallet
  readonly now: Millis
  readonly account: AccountLimits
}

interface Room {
  readonly units: number
  /** The limit that leaves least. */
  readonly code: RefusalCode
}

const endless = Number.POSITIVE_INFINITY

export const roomFor = ({ item, limits, outright, price, strategy }: Entry, input: RoomInput): Room => {
  const { account, now, state, wallet } = input
  const affordable = (budget: number | undefined, used: number): number =>
    budget === undefined ? endless : Math.floor((budget - used) / price)
  // what is bought outright is no order that stands
  const another = (most: number | undefined, there: number): number =>
    outright || (most ?? endless) > there ? endless : 0
  const funds = Math.min(wallet.balance, state.ledger)
  const [mine, all] = [onOrder(state, strategy), onOrder(state, everybody)]
  const candidates: ReadonlyArray<readonly [RefusalCode, number]> = [
    ["OpenOrders", another(limits.openOrders, openOrders(state, strategy))],
    ["PerItemUnits", (limits.perItemUnits ?? endless) - units(positionOf(state, itemKey(item)))],
    ["SpendPerDay", affordable(limits.spendPerDay, spent(state, strategy, now) + mine)],
    ["Exposure", affordable(limits.exposure, invested(state, strategy) + mine)],
    ["AccountOpenOrders", another(account.openOrders, openOrders(state, everybody))],
    ["AccountSpendPerDay", affordable(account.spendPerDay, spent(state, everybody, now) + all)],
    ["AccountExposure", affordable(account.exposure, invested(state, everybody) + all)],
    ["InsufficientFunds", affordable(funds * account.ordersOverWallet, committed(state))],
    // what one order costs must be there, however many times the wallet all of them may be
    ["InsufficientFunds", affordable(funds, 0)]
  ]
  return candidates.reduce<Room>(
    (least, [code, count]) => (count < least.units ? { units: Math.max(0, count), code } : least),
    { units: endless, code: "InsufficientFunds" }
  )
}

/**
 * The limit that a standing bid of ours breaks, because limits were lowered since it was placed. The wallet is not asked: it falls with a
 * fill before we know of it.
 */
export const overrun = (
  { item, limits, price, strategy }: Pick<Entry, "item" | "limits" | "price" | "strategy">,
  remaining: number,
  { account, now, state }: Omit<RoomInput, "wallet">
): RefusalCode | undefined => {
  const tooMuch = (limit: number | undefined, there: () => number): boolean =>
    limit !== undefined && there() > limit
  const broken: ReadonlyArray<readonly [RefusalCode, boolean]> = [
    ["AboveMaxPrice", tooMuch(limits.maxPrice, () => price)],
    ["BelowMinPrice", limits.minPrice !== undefined && price < limits.minPrice],
    ["PerItemUnits", tooMuch(limits.perItemUnits, () => units(positionOf(state, itemKey(item))) + remaining)],
    ["OpenOrders", tooMuch(limits.openOrders, () => openOrders(state, strategy))],
    [
      "SpendPerDay",
      tooMuch(limits.spendPerDay, () => spent(state, strategy, now) + onOrder(state, strategy))
    ],
    ["Exposure", tooMuch(limits.exposure, () => invested(state, strategy) + onOrder(state, strategy))],
    ["AccountOpenOrders", tooMuch(account.openOrders, () => openOrders(state, everybody))],
    [
      "AccountSpendPerDay",
      tooMuch(account.spendPerDay, () => spent(state, everybody, now) + onOrder(state, everybody))
    ],
    [
      "AccountExposure",
      tooMuch(account.exposure, () => invested(state, everybody) + onOrder(state, everybody))
    ]
  ]
  return broken.find(([, is]) => is)?.[0]
}
