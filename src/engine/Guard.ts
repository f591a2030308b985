/**
 * The last word before anything is written down: the gates in their order, then the limits. Only what is `Approved` can be executed.
 * Invariants: 1. an approved bid never lets spending, exposure, units or open orders pass a limit, open orders counted as if filled.
 * 2. taking risk away (cancel, remove) waits for nothing but a session that the market knows, what the operator said, and rests after
 * refusals by the market. 3. a refusal has a code of Refusals.
 */
import { Struct } from "effect"

import { type CoolDownRules, defaultCoolDown, restsUntil } from "../domain/CoolDown.ts"
import { retold } from "../domain/Decision.ts"
import type { Observed } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { epochKey, intent, type Intent, type IntentDraft, sideOf } from "../domain/Intent.ts"
import { itemKey } from "../domain/Item.ts"
import { totalOf } from "../domain/Offer.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import { avgCost } from "../domain/Position.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import { positionOf, type State } from "../domain/State.ts"
import { trailOf } from "../domain/Trail.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { controlGate } from "./ControlGate.ts"
import type { Draft } from "./Draft.ts"
import { hangsOnDrifted } from "./DriftWatch.ts"
import { unconfirmed } from "./Exposure.ts"
import { limitsOfBuy, oddBuy } from "./GuardBuys.ts"
import type { RefusalCode } from "./Refusals.ts"
import { type AccountLimits, defaultAccountLimits, type Entry, roomFor } from "./Room.ts"
import { defaultSanity, type Judging, oddAsk, oddEntry, type SanityRules } from "./Sanity.ts"

declare const approval: unique symbol
/** An intent that passed the guard; nothing else can make one. */
export type Approved<I extends Intent = Intent> = I & { readonly [approval]: true }

export type Ruling =
  | { readonly _tag: "Approved"; readonly intent: Approved }
  | { readonly _tag: "Refused"; readonly code: RefusalCode; readonly draft: Draft }

export interface GuardRules {
  readonly sanity: SanityRules
  readonly account: AccountLimits
  readonly coolDown: CoolDownRules
}
export const defaultGuardRules: GuardRules = {
  sanity: defaultSanity,
  account: defaultAccountLimits,
  coolDown: defaultCoolDown
}

export interface GuardInput {
  readonly state: State
  readonly account: string
  readonly wallet: Wallet
  readonly book: Observed<OrderBook>
  readonly history: Observed<PriceHistory>
  readonly now: Millis
  /** The market would not even take the draft now (MarketRest). */
  readonly marketRests: boolean
  readonly rules: GuardRules
}

/** Listings that the market lets wait for their confirmation at once. */
const unconfirmedAtMost = 250

type Gate = (draft: Draft, input: GuardInput) => RefusalCode | undefined

/** For everything, also for what takes risk away. */
const always: ReadonlyArray<Gate> = [
  (_, { state }) => sessionGate(state),
  (draft, { state }) => controlGate(draft._tag, state.control),
  (_, { marketRests }) => (marketRests ? "MarketResting" : undefined),
  (draft, { now, rules, state }) =>
    restsUntil(state, draft, rules.coolDown) > now ? "CoolingDown" : undefined
]

/** For what adds risk or gives something away, in this order: the first no is the answer. */
const gates: ReadonlyArray<Gate> = [
  ({ reason }, { state }) =>
    trailOf(state.trails, reason.origin.strategy).halted === undefined ? undefined : "StrategyHalted",
  (draft, { state }) => (hangsOnDrifted(draft._tag, state) ? "OperationDrifted" : undefined),
  ({ item }, { state: { ledgerOff } }) =>
    ledgerOff !== undefined && (ledgerOff.item ?? itemKey(item)) === itemKey(item)
      ? "LedgerDiffers"
      : undefined,
  (_, input) => (currenciesDiffer(input) ? "CurrencyMismatch" : undefined),
  (draft, { state, wallet }) => (draft._tag === "BuyListing" ? oddBuy(draft, state, wallet) : undefined),
  (draft, input) => {
    const entry = entryOf(draft, input.state)
    return entry === undefined ? undefined : oddEntry(entry, judging(input))
  },
  (draft, input) =>
    draft._tag === "ListAsset" ? oddAsk({ ...draft, cost: costOf(draft, input) }, judging(input)) : undefined,
  (draft, { state }) =>
    draft._tag === "ListAsset" && unconfirmed(state) >= unconfirmedAtMost ? "UnconfirmedListings" : undefined
]

const firstNo = (all: ReadonlyArray<Gate>, draft: Draft, input: GuardInput): RefusalCode | undefined => {
  for (const gate of all) {
    const code = gate(draft, input)
    if (code !== undefined) return code
  }
  return undefined
}

export const rule = (draft: Draft, input: GuardInput): Ruling => {
  const refuse = (code: RefusalCode): Ruling => ({ _tag: "Refused", code, draft })
  const never = firstNo(always, draft, input)
  if (never !== undefined) return refuse(never)
  if (isExit(draft)) return approve(draft, input)
  const code = firstNo(gates, draft, input)
  if (code !== undefined) return refuse(code)
  const entry = entryOf(draft, input.state)
  if (entry === undefined) return approve(draft, input)
  const room = roomFor(entry, { ...input, account: input.rules.account })
  // a listing is bought whole or not at all
  if (room.units < (draft._tag === "BuyListing" ? draft.units : 1)) return refuse(room.code)
  return approve(
    draft._tag === "PlaceBid" && room.units < draft.quantity
      ? { ...draft, quantity: room.units, wished: draft.quantity }
      : draft,
    input
  )
}

/** What adds to the stock, and by which limits; undefined for everything else. */
const entryOf = (draft: Draft, state: State): Entry | undefined => {
  const { item, reason } = draft
  const of = { item, strategy: reason.origin.strategy }
  if (draft._tag === "PlaceBid") return { ...of, price: draft.price, limits: draft.limits, outright: false }
  return draft._tag === "BuyListing"
    ? { ...of, price: totalOf(draft), limits: limitsOfBuy(draft, state), outright: true }
    : undefined
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
  return intent(account, epoch, forJournal(draft)) as Approved
}

const isExit = (draft: Draft): draft is Exit => draft._tag === "CancelBid" || draft._tag === "RemoveListing"

/**
 * What only the guard needs stays out of the journal. The reason's words are written down now: a wish's reason would keep the facts that it
 * was made of for as long as the order lives.
 */
const forJournal = (draft: Draft): IntentDraft => {
  const reason = retold(draft.reason, draft.reason.because)
  return Struct.omit({ allowLoss: undefined, ...draft, reason }, ["limits", "allowLoss"]) as IntentDraft
}

/** A session that is gone gets answers in the currency of nobody: one book in another currency makes all of them suspect. */
const currenciesDiffer = ({ book, state, wallet }: GuardInput): boolean =>
  Object.keys(state.otherCurrency).length > 0 ||
  (state.currency !== undefined && state.currency !== wallet.currency) ||
  (book._tag === "Seen" && book.value.currency !== wallet.currency)

const judging = ({ book, history, now, rules, wallet }: GuardInput): Judging => ({
  book,
  history,
  now,
  wallet,
  rules: rules.sanity
})

const costOf = (draft: Draft, { state }: GuardInput) => avgCost(positionOf(state, itemKey(draft.item)))
