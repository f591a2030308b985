/** What happens, as the lines of the live log: market time, item, text. */
import { DateTime } from "effect"

import { costOf } from "../../domain/BuySlot.ts"
import { type CurrencyId, currencyOf, formatPrice } from "../../domain/Currency.ts"
import type { Decision, Yield } from "../../domain/Decision.ts"
import type { Event } from "../../domain/Event.ts"
import type { Facts } from "../../domain/Facts.ts"
import type { IntentId, Millis } from "../../domain/Ids.ts"
import type { Intent } from "../../domain/Intent.ts"
import type { Item } from "../../domain/Item.ts"
import type { Money } from "../../domain/Money.ts"
import { bestAsk, bestBid } from "../../domain/OrderBook.ts"
import type { Happening } from "../../engine/Activity.ts"
import { showDuration } from "../../rules/Strategy.ts"
import { verdictText } from "../../rules/Trace.ts"
import { sentence } from "./Sentence.ts"
import { accountSubjects } from "./SentenceAccount.ts"

/** Intents whose answers have not been told yet; far more than can be in flight. */
const rememberedIntents = 1_000
const itemWidth = 26

export interface Teller {
  readonly currency: CurrencyId
  readonly intents: Map<IntentId, Intent>
}

const clockTime = (at: Millis): string => DateTime.formatIso(DateTime.makeUnsafe(at)).slice(11, 19)

export const line = (at: Millis, subject: string, text: string): string =>
  `${clockTime(at)}  ${subject.length > itemWidth ? `${subject.slice(0, itemWidth - 1)}…` : subject.padEnd(itemWidth)}  ${text}`

export const lineOf = (teller: Teller, happening: Happening): string | undefined => {
  switch (happening._tag) {
    case "Decided":
      return decided(teller, happening.decision, happening.facts)
    case "PollFailed":
      return line(
        happening.at,
        happening.about,
        `${happening.operation} could not be read: ${happening.why}; trying again later`
      )
    case "Journaled":
      return journaled(teller, happening.event)
  }
}

/** Reloads, refusals of files, halts and differences: what must not be missed even when only the summary is wanted. */
export const problemOf = (happening: Happening): string | undefined => {
  if (happening._tag !== "Journaled") return undefined
  const { event } = happening
  switch (event._tag) {
    case "StrategyLoaded":
    case "StrategyRejected":
    case "StrategyRemoved":
    case "Halted":
    case "Paused":
    case "Draining":
    case "Resumed":
    case "Stalled":
    case "Notified":
    case "OperationDrifted":
    case "OperationRecovered":
    case "LedgerDiffers":
    case "LedgerAgrees":
    case "OrphansSeen":
    case "CurrencyDiffers":
    case "CurrencyAgrees":
    case "StrategyHalted":
    case "Quarantined":
    case "SessionExpired":
    case "SessionRenewed":
    case "SessionExpiring":
    case "SessionRenewalFailed":
    case "Banned":
    case "BanLifted":
      return aboutRun(event, 1)
    case "UniverseFound":
      return event.problems.length === 0 ? undefined : aboutRun(event, 1)
    default:
      return undefined
  }
}

const decided = ({ currency }: Teller, decision: Decision, facts: Facts): string => {
  const price = (of: Money | undefined) => (of === undefined ? "–" : formatPrice(of, currency))
  const book =
    facts.book._tag === "Seen"
      ? `bid ${price(bestBid(facts.book.value))} ask ${price(bestAsk(facts.book.value))}`
      : "no book yet"
  return line(
    decision.at,
    decision.item.name,
    `${book} · ${decision.strategy}: ${[...decision.verdicts.map(verdictText), ...decision.yields.map(yieldText), ...stopTexts(decision)].join(", ")}`
  )
}

const stopTexts = ({ at, halted, pauses = [] }: Decision): ReadonlyArray<string> => [
  ...(halted === undefined ? [] : [`halted (${halted})`]),
  ...pauses.map(({ kind, until, why }) => `buys nothing for ${showDuration(until - at)} (${kind}, ${why})`)
]

const yieldText = ({ priority, side, to }: Yield): string => `${side} decided by ${to} (priority ${priority})`

const remember = ({ intents }: Teller, intent: Intent): void => {
  const [oldest] = intents.keys()
  if (intents.size >= rememberedIntents && oldest !== undefined) intents.delete(oldest)
  intents.set(intent.id, intent)
}

const journaled = (teller: Teller, event: Event): string | undefined => {
  if (event._tag === "IntentRecorded") {
    remember(teller, event.intent)
    return line(
      event.at,
      event.intent.item.name,
      `→ ${wanted(event.intent, teller.currency)}  ${why(event.intent)}`
    )
  }
  if ("intent" in event && event._tag !== "Filled" && event.intent !== undefined) {
    const intent = teller.intents.get(event.intent)
    const text = answered(event, intent)
    return text === undefined ? undefined : line(event.at, intent?.item.name ?? event.intent, `  ${text}`)
  }
  const told = ofMarket(event, teller.currency)
  return told === undefined ? aboutRun(event, teller.currency) : line(event.at, told.item.name, told.text)
}

const wanted = (intent: Intent, currency: CurrencyId): string => {
  switch (intent._tag) {
    case "PlaceBid":
      return `buy ${intent.quantity} at ${formatPrice(intent.price, currency)}`
    case "CancelBid":
      return "cancel the buy order"
    case "ListAsset":
      return `sell one at ${formatPrice(intent.buyerPays, currency)} (we get ${formatPrice(intent.sellerReceives, currency)})`
    case "RemoveListing":
      return "take the listing back"
    case "BuyListing":
      return `buy listing ${intent.listing} for ${formatPrice(costOf(intent), currency)} (at most ${formatPrice(intent.limit, currency)})`
  }
}

const why = ({ reason }: Intent): string => {
  const saw = Object.entries(reason.saw)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ")
  const because = reason.because === "" ? "" : ` ${reason.because}`
  return `[${reason.origin.strategy}#${reason.origin.rule}]${because}${saw === "" ? "" : ` (${saw})`}`
}

const answered = (event: Event, intent: Intent | undefined): string | undefined => {
  switch (event._tag) {
    case "Accepted":
      return intent?._tag === "ListAsset"
        ? "staged, waits for its confirmation"
        : event.order === undefined
          ? intent?._tag === "BuyListing"
            ? "bought, waits for its unit"
            : "done"
          : `stands as order ${event.order}`
    case "Refused":
      return `refused by the market: ${event.code}${event.message === "" ? "" : `, ${event.message}`}`
    case "Pended":
      return "waits for its mobile confirmation"
    case "OutcomeUnknown":
      return `no clear answer (${event.reason}): blocked until the market tells`
    case "Settled":
      return event.happened ? "settled: it had happened" : "settled: it had not happened"
    case "Quarantined":
      return "could not be settled: a person must look"
    case "Confirmed":
      return "confirmed"
    case "BuyClosed":
      return event.as === "Gone" ? "the market never showed what it sold us" : undefined
    default:
      return undefined
  }
}

const ofMarket = (
  event: Event,
  currency: CurrencyId
): { readonly item: Item; readonly text: string } | undefined => {
  switch (event._tag) {
    case "Filled": {
      const { fill } = event
      const verb = fill.side === "Buy" ? "bought" : "sold"
      const hand = event.intent === undefined ? " (not ours)" : ""
      return {
        item: fill.item,
        text: `✔ ${verb} ${fill.units} for ${formatPrice(fill.amount, currency)}${hand}`
      }
    }
    case "ForeignBidSeen":
      return { item: event.order.item, text: "a buy order that is not ours stands here: left alone" }
    case "GuardRefused":
      return {
        item: event.item,
        text: `held back: ${event.message} [${event.origin.strategy}#${event.origin.rule}]`
      }
    case "BidClosed":
      return event.as === "Gone" ? { item: event.item, text: "the buy order is gone" } : undefined
    case "ListingClosed":
      return event.as === "Gone" ? { item: event.item, text: "the listing is gone" } : undefined
    default:
      return undefined
  }
}

const aboutRun = (event: Event, currency: CurrencyId): string | undefined => {
  const subject = accountSubjects[event._tag]
  if (subject !== undefined) return line(event.at, subject, sentence(event, currency))
  switch (event._tag) {
    case "LedgerOpened":
      return line(event.at, "wallet", formatPrice(event.balance, currency))
    case "StrategyLoaded":
      return line(
        event.at,
        event.name,
        event.shadowOf === undefined
          ? `strategy in force, revision ${event.revision}`
          : `compared with ${event.shadowOf}, revision ${event.revision}; nothing of it is sent`
      )
    case "StrategyRejected":
      return `${line(event.at, event.file, "refused, the last good revision goes on:")}\n${event.message}`
    case "StrategyRemoved":
      return line(event.at, event.name, "strategy removed")
    case "RejectionEnded":
      return line(event.at, event.file, "is refused no more")
    case "UniverseFound":
      return line(event.at, "universe", sentence(event, currency))
    case "Halted":
    case "Paused":
    case "Draining":
    case "Resumed":
    case "Stalled":
      return line(event.at, event._tag.toUpperCase(), sentence(event, currency))
    case "Notified":
      return line(event.at, event.item.name, `! ${event.message}`)
    case "Protected":
      return line(event.at, event.item?.name ?? event.strategy, sentence(event, currency))
    case "StrategyHalted":
      return line(event.at, "HALT", sentence(event, currency))
    case "CurrencyDiffers":
      return line(
        event.at,
        event.item.name,
        `STOP: its book is in ${currencyOf(event.book).code}, the wallet in ${currencyOf(event.wallet).code}`
      )
    case "CurrencyAgrees":
      return line(event.at, event.item.name, "its book is in the wallet's currency again")
    case "Quarantined":
      return line(event.at, event.intent, "could not be settled: a person must look")
    default:
      return undefined
  }
}
