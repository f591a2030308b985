/**
 * The last word before anything is written down: limits, wallet, price sanity, halt. Only what is `Approved` can be executed.
 * Invariants: 1. an approved bid never lets spending, exposure, units or open orders pass a limit, open orders counted as if filled.
 * 2. taking risk away (cancel, remove) waits for nothing but a session that the market knows and the rest after a refusal. 3. a refusal has a code of the table below.
 */
import { Struct } from "effect"

import { costOf } from "../domain/BuySlot.ts"
import type { Limits } from "../domain/Decision.ts"
import { minimumBid } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import { epochKey, intent, type Intent, type IntentDraft, sideOf } from "../domain/Intent.ts"
import { itemKey } from "../domain/Item.ts"
import { type Money, money, sum, times } from "../domain/Money.ts"
import { totalOf } from "../domain/Offer.ts"
import { bestAsk, bestBid, type OrderBook } from "../domain/OrderBook.ts"
import { units } from "../domain/Position.ts"
import { openUnits, placedOf } from "../domain/Slot.ts"
import { positionOf, spendingWindowMillis, type State } from "../domain/State.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { controlGate } from "./ControlGate.ts"
import { buyOverAsk, limitsOfBuy, oddBuy } from "./GuardBuys.ts"
import { committed } from "./Observe.ts"
import type { Draft } from "./Plan.ts"
import type { BuyDraft } from "./PlanBuys.ts"

/** Every reason for which the guard says no, and what it means to a trader. */
export const refusals = {
  SessionLost: "the market does not know our session: renew it",
  Halted: "trading is halted",
  Paused: "trading is paused",
  Draining: "trading is draining: nothing is bought",
  CurrencyMismatch: "the order book is in another currency than the wallet",
  BookEmpty: "nobody bids or asks, so no price can be judged",
  PriceFarFromBook: "the price is too far from the book to be meant",
  BelowMarketMinimum: "the price is below the market's minimum",
  BelowMinPrice: "the price is below the strategy's minPrice",
  AboveMaxPrice: "the price is above the strategy's maxPrice",
  PerItemUnits: "the strategy's perItemUnits are held or on order",
  OpenOrders: "the strategy's openOrders are working",
  SpendPerDay: "the strategy's spendPerDay is used up",
  Exposure: "the strategy's exposure is reached",
  InsufficientFunds: "the wallet does not cover it beside the open orders",
  AboveLimit: "the listing costs more than the rule's limit",
  OwnListing: "the listing is our own",
  Unsettled: "an outcome on this side of the item is not settled yet",
  CoolingDown: "the market refused this side of the item a moment ago"
} as const
type RefusalCode = keyof typeof refusals

declare const approval: unique symbol
/** An intent that passed the guard; nothing else can make one. */
export type Approved<I extends Intent = Intent> = I & { readonly [approval]: true }

export type Ruling =
  | { readonly _tag: "Approved"; readonly intent: Approved }
  | { readonly _tag: "Refused"; readonly code: RefusalCode; readonly draft: Draft }

/** A bid above this multiple of the ask, or an ask below this fraction of the bid, is taken for a mistake. */
const farFromBook = { bidOverAsk: 1.1, askUnderBid: 0.5, bidOverBidWithoutAsk: 2 }

export interface GuardInput {
  readonly state: State
  readonly account: string
  readonly wallet: Wallet
  readonly book: OrderBook | undefined
  readonly now: Millis
  /** Until when something rests after a refusal by the market, by cooling key. */
  readonly coolingUntil: ReadonlyMap<string, Millis>
}

export const rule = (draft: Draft, input: GuardInput): Ruling => {
  const refuse = (code: RefusalCode): Ruling => ({ _tag: "Refused", code, draft })
  const gate = sessionGate(input.state) ?? controlGate(draft._tag, input.state.control)
  if (gate !== undefined) return refuse(gate)
  if ((input.coolingUntil.get(coolingKey(draft)) ?? 0) > input.now) return refuse("CoolingDown")
  if (isExit(draft)) return approve(draft, input)
  const blocked = blockedBy(input)
  if (blocked !== undefined) return refuse(blocked)
  if (draft._tag === "ListAsset") {
    const odd = oddAsk(draft.buyerPays, input)
    return odd === undefined ? approve(draft, input) : refuse(odd)
  }
  if (draft._tag === "BuyListing") return ruleBuy(draft, input)
  const odd = oddBid(draft.price, draft.limits, input)
  if (odd !== undefined) return refuse(odd)
  const room = roomFor(draft, input)
  if (room.units < 1) return refuse(room.code)
  const trimmed = room.units < draft.quantity
  return approve(trimmed ? { ...draft, quantity: room.units, wished: draft.quantity } : draft, input)
}

const ruleBuy = (draft: BuyDraft, input: GuardInput): Ruling => {
  const { state, wallet } = input
  const price = totalOf(draft)
  const odd = oddBuy(draft, state, wallet) ?? oddBid(price, draft.limits, input, buyOverAsk)
  if (odd !== undefined) return { _tag: "Refused", code: odd, draft }
  const room = roomFor({ ...draft, price, limits: limitsOfBuy(draft, state) }, input)
  return room.units < draft.units ? { _tag: "Refused", code: room.code, draft } : approve(draft, input)
}

export type Exit = Extract<Draft, { readonly _tag: "CancelBid" | "RemoveListing" }>

/** Taking risk away needs no limits, wallet or book; what the operator's control or a lost session holds back is undefined. */
export const approveExit = (draft: Exit, state: State, account: string): Approved | undefined =>
  (sessionGate(state) ?? controlGate(draft._tag, state.control)) === undefined
    ? approved(draft, state, account)
    : undefined

/** Nobody listens to whom the market does not know. */
const sessionGate = ({ sessionLostAt }: State): RefusalCode | undefined =>
  sessionLostAt === undefined ? undefined : "SessionLost"

const approve = (draft: Draft, { account, state }: GuardInput): Ruling => ({
  _tag: "Approved",
  intent: approved(draft, state, account)
})

const approved = (draft: Draft, state: State, account: string): Approved => {
  const epoch = state.epochs[epochKey(itemKey(draft.item), sideOf(draft))] ?? 0
  return intent(account, epoch, Struct.omit(draft, ["limits"]) as IntentDraft) as Approved
}

const isExit = (draft: Draft): draft is Exit => draft._tag === "CancelBid" || draft._tag === "RemoveListing"

/** What rests together after a refusal: a side of an item; entries, purchases outright and exits apart. */
export const coolingKey = (draft: Draft): string =>
  `${isExit(draft) ? "exit" : draft._tag === "BuyListing" ? "purchase" : "entry"} ${epochKey(itemKey(draft.item), sideOf(draft))}`

const blockedBy = ({ book, wallet }: GuardInput): RefusalCode | undefined =>
  book !== undefined && book.currency !== wallet.currency ? "CurrencyMismatch" : undefined

const oddBid = (
  price: Money,
  limits: Limits,
  { book, wallet }: GuardInput,
  overAsk = farFromBook.bidOverAsk
): RefusalCode | undefined => {
  if (price < minimumBid(wallet.fees)) return "BelowMarketMinimum"
  if (limits.minPrice !== undefined && price < limits.minPrice) return "BelowMinPrice"
  if (limits.maxPrice !== undefined && price > limits.maxPrice) return "AboveMaxPrice"
  if (book === undefined) return "BookEmpty"
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  if (ask !== undefined) return price > ask * overAsk ? "PriceFarFromBook" : undefined
  if (bid === undefined) return "BookEmpty"
  return price > bid * farFromBook.bidOverBidWithoutAsk ? "PriceFarFromBook" : undefined
}

const oddAsk = (price: Money, { book, wallet }: GuardInput): RefusalCode | undefined => {
  if (price < minimumBid(wallet.fees)) return "BelowMarketMinimum"
  const bid = book === undefined ? undefined : bestBid(book)
  return bid !== undefined && price < bid * farFromBook.askUnderBid ? "PriceFarFromBook" : undefined
}

/** Units of the bid that every limit leaves room for, and the limit that leaves least. */
const roomFor = (
  draft: Pick<Draft, "item" | "limits" | "reason"> & { readonly price: Money },
  input: GuardInput
): { units: number; code: RefusalCode } => {
  const { limits, price } = draft
  const { state } = input
  const { strategy } = draft.reason.origin
  const affordable = (budget: Money | undefined, used: number): number =>
    budget === undefined ? Number.POSITIVE_INFINITY : Math.floor((budget - used) / price)
  const mine = ownBids(state, strategy)
  const candidates: ReadonlyArray<readonly [RefusalCode, number]> = [
    [
      "OpenOrders",
      (limits.openOrders ?? Number.POSITIVE_INFINITY) - openOrders(state, strategy) >= 1
        ? Number.POSITIVE_INFINITY
        : 0
    ],
    [
      "PerItemUnits",
      (limits.perItemUnits ?? Number.POSITIVE_INFINITY) - units(positionOf(state, itemKey(draft.item)))
    ],
    ["SpendPerDay", affordable(limits.spendPerDay, spent(state, strategy, input.now) + mine)],
    ["Exposure", affordable(limits.exposure, exposure(state, strategy) + mine)],
    ["InsufficientFunds", affordable(money(Math.min(input.wallet.balance, state.ledger)), committed(state))]
  ]
  return candidates.reduce<{ units: number; code: RefusalCode }>(
    (least, [code, count]) => (count < least.units ? { units: Math.max(0, count), code } : least),
    { units: Number.POSITIVE_INFINITY, code: "InsufficientFunds" }
  )
}

/** What the strategy's open bids would cost if all filled, and its purchases that are not booked yet. */
const ownBids = (state: State, strategy: string): Money =>
  sum([
    ...Object.values(state.bids).map((slot) => {
      const open = placedOf(slot)?.reason.origin.strategy === strategy ? openUnits(slot) : undefined
      return open === undefined ? money(0) : times(open.price, open.units)
    }),
    ...Object.values(state.buys).map(({ intent }) =>
      intent.reason.origin.strategy === strategy ? costOf(intent) : money(0)
    )
  ])

const spent = (state: State, strategy: string, now: Millis): Money =>
  sum(
    state.spending
      .filter((one) => one.strategy === strategy && one.at > now - spendingWindowMillis)
      .map((one) => one.amount)
  )

const exposure = (state: State, strategy: string): Money =>
  sum(
    Object.values(state.positions).flatMap((position) =>
      position.lots.filter((lot) => lot.strategy === strategy).map((lot) => lot.cost)
    )
  )

const openOrders = (state: State, strategy: string): number =>
  Object.values(state.bids).filter((slot) => placedOf(slot)?.reason.origin.strategy === strategy).length
