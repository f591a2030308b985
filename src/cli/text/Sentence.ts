/** An event of the journal as one line that a person reads. Invariant: total over the kinds; a new kind does not compile without words. */
import { costOf } from "../../domain/BuySlot.ts"
import { controlAfter, showControl, trading } from "../../domain/Control.ts"
import { type CurrencyId, currencyOf } from "../../domain/Currency.ts"
import { showOrigin } from "../../domain/Decision.ts"
import type { Event } from "../../domain/Event.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { Intent } from "../../domain/Intent.ts"
import { itemKey } from "../../domain/Item.ts"
import { showDuration } from "../../rules/Strategy.ts"
import { amount, moment } from "./Format.ts"
import { isOfAccount, ofAccount } from "./SentenceAccount.ts"

const ofIntent = (intent: Intent, currency: CurrencyId | undefined): string => {
  const item = itemKey(intent.item)
  switch (intent._tag) {
    case "PlaceBid":
      return `wants to buy ${intent.quantity} × ${item} at ${amount(intent.price, currency)}`
    case "CancelBid":
      return `wants to cancel buy order ${intent.order} for ${item}`
    case "ListAsset":
      return `wants to list ${item} at ${amount(intent.buyerPays, currency)} (gets ${amount(intent.sellerReceives, currency)})`
    case "RemoveListing":
      return `wants to remove listing ${intent.listing} of ${item}`
    case "BuyListing":
      return `wants to buy listing ${intent.listing} of ${item} for ${amount(costOf(intent), currency)}, at most ${amount(intent.limit, currency)} each`
  }
}

/** The intent, its reason and the rule behind it. */
export const intentSentence = (intent: Intent, currency: CurrencyId | undefined): string => {
  const { because, origin } = intent.reason
  return `${ofIntent(intent, currency)}${because === "" ? "" : ` because ${because}`} [${showOrigin(origin)}]`
}

const ofFill = (fill: Fill, currency: CurrencyId | undefined): string =>
  fill.side === "Buy"
    ? `bought ${fill.units} × ${itemKey(fill.item)} for ${amount(fill.amount, currency)} (fees ${amount(fill.fee, currency)})`
    : `sold ${fill.units} × ${itemKey(fill.item)}, got ${amount(fill.amount, currency)} (fees ${amount(fill.fee, currency)})`

/** The event without its time. */
export const sentence = (event: Event, currency: CurrencyId | undefined): string => {
  switch (event._tag) {
    case "LedgerOpened":
      return `ledger opened with ${amount(event.balance, event.currency)}`
    case "RunStarted":
      return `run started (${event.mode})`
    case "RunStopped":
      return `run stopped: ${event.why}`
    case "IntentRecorded":
      return intentSentence(event.intent, currency)
    case "Sent":
      return "sent"
    case "Accepted":
      return event.order === undefined ? "accepted" : `accepted as order ${event.order}`
    case "Refused":
      return `refused: ${event.code}${event.marketCode === undefined ? "" : ` (${event.marketCode})`}${event.message === "" ? "" : `, ${event.message}`}`
    case "Pended":
      return `waits for confirmation ${event.confirmation}`
    case "OutcomeUnknown":
      return `outcome unknown: ${event.reason}, ${event.detail}`
    case "Settled":
      return event.happened ? "settled: it had happened" : "settled: it had not happened"
    case "Quarantined":
      return `quarantined after ${event.tries} tries: a person must look`
    case "Confirming":
      return `confirming ${event.confirmation}`
    case "Confirmed":
      return `confirmed ${event.confirmation}`
    case "Reappeared":
      return "it had happened after all: ours again"
    case "Released":
      return `let go by ${event.who}${event.why === "" ? "" : `: ${event.why}`}`
    case "Filled":
      return ofFill(event.fill, currency)
    default:
      return isOfAccount(event) ? ofAccount(event, currency) : ofRead(event, currency)
  }
}

type Rest = Extract<
  Event,
  {
    readonly _tag:
      | "BidProgressed"
      | "BidClosed"
      | "BuyClosed"
      | "ListingSeen"
      | "ListingClosed"
      | "Returned"
      | "ForeignBidSeen"
      | "CurrencyDiffers"
      | "Protected"
      | "StrategyHalted"
      | "EquityMarked"
      | "CurrencyAgrees"
      | "GuardRefused"
      | "Notified"
      | "Halted"
      | "Stalled"
      | "Paused"
      | "Draining"
      | "Resumed"
      | "StrategyLoaded"
      | "StrategyRejected"
      | "StrategyRemoved"
      | "RejectionEnded"
      | "UniverseFound"
      | "UniverseForgotten"
  }
>

const ofRead = (event: Rest, currency: CurrencyId | undefined): string => {
  switch (event._tag) {
    case "BidProgressed":
      return `buy order ${event.order} for ${itemKey(event.item)}: ${event.remaining} left`
    case "BidClosed":
      return `buy order ${event.order} for ${itemKey(event.item)} closed: ${event.as}`
    case "BuyClosed":
      return event.as === "Bought"
        ? `listing ${event.listing} of ${itemKey(event.item)} is ours`
        : `listing ${event.listing} of ${itemKey(event.item)}: the market never showed what it sold us`
    case "ListingSeen":
      return `listing ${event.listing.id} of ${itemKey(event.listing.item)} at ${amount(event.listing.buyerPays, currency)}: ${event.listing.stage}`
    case "ListingClosed":
      return `listing ${event.listing} of ${itemKey(event.item)} closed: ${event.as}`
    case "Returned":
      return `${itemKey(event.returned.item)} came back as asset ${event.returned.returnedAs}`
    case "ForeignBidSeen":
      return `foreign buy order ${event.order.id} for ${itemKey(event.order.item)}: left alone`
    case "Protected":
      return `${event.strategy} buys nothing${event.item === undefined ? "" : ` of ${itemKey(event.item)}`} for ${showDuration(event.until - event.at)}: ${event.kind}, ${event.why}`
    case "StrategyHalted":
      return `${event.strategy} is halted: ${event.why}`
    case "EquityMarked":
      return `${event.strategy} stands at ${amount(event.profit, currency)}, with ${amount(event.invested, currency)} invested`
    case "CurrencyDiffers":
      return `the book of ${itemKey(event.item)} is in ${currencyOf(event.book).code}, the wallet in ${currencyOf(event.wallet).code}: trading stops`
    case "CurrencyAgrees":
      return `the book of ${itemKey(event.item)} is in the wallet's currency again`
    case "GuardRefused":
      return `guard refused ${event.side} on ${itemKey(event.item)}: ${event.code}, ${event.message}`
    case "Notified":
      return `${itemKey(event.item)}: ${event.message}`
    case "Halted":
    case "Paused":
    case "Draining":
      return showControl(controlAfter(trading, event))
    case "Stalled":
      return `the loop "${event.loop}" made no progress since ${moment(event.since)}: the process ended itself`
    case "Resumed":
      return `trading resumed by ${event.who}${event.why === "" ? "" : `: ${event.why}`}`
    case "StrategyLoaded":
      return `strategy ${event.name}@${event.revision} loaded`
    case "StrategyRejected":
      return `strategy file ${event.file} rejected: ${event.message.split("\n")[0] ?? ""}`
    case "StrategyRemoved":
      return `strategy ${event.name} removed`
    case "RejectionEnded":
      return `strategy file ${event.file} is refused no more`
    case "UniverseFound":
      return `search ${event.about}: ${[`${event.joined.length} joined, ${event.left.length} left`, ...event.problems].join("; ")}`
    case "UniverseForgotten":
      return `search ${event.search} is asked no more`
  }
}
