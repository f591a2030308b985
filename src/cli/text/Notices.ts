/** From what happens to what people are told: the events that a notice is made of, and the summary that goes out now and then. */
import { Cause, type Duration, Effect, Stream } from "effect"

import type { BuySlot } from "../../domain/BuySlot.ts"
import { drained, itself } from "../../domain/Control.ts"
import type { CurrencyId } from "../../domain/Currency.ts"
import type { Event, EventKind, EventOf } from "../../domain/Event.ts"
import type { AskSlot, BidSlot } from "../../domain/Slot.ts"
import type { State } from "../../domain/State.ts"
import { Activity } from "../../engine/Activity.ts"
import type { Desk } from "../../engine/Desk.ts"
import { Journal, marketNow } from "../../engine/Journal.ts"
import { Stalled } from "../../engine/Progress.ts"
import { type Notice, Notifier } from "../../notify/Notifier.ts"
import { explained } from "./ErrorText.ts"
import { standing } from "./Live.ts"
import { intentSentence, sentence } from "./Sentence.ts"
import { accountSubjects } from "./SentenceAccount.ts"

type Told = readonly [urgency: Notice["urgency"], title: string]

/** Which events people are told of, how urgently and under what title; some kinds say more than one thing. */
const told: { readonly [K in EventKind]?: Told | ((event: EventOf<K>) => Told | undefined) } = {
  Halted: ["critical", "Trading is halted"],
  Stalled: ["critical", "The daemon ends itself"],
  SessionExpired: ["critical", "The session is lost"],
  Banned: ["critical", "The market refuses us"],
  CurrencyDiffers: ["critical", "Another currency than the wallet’s"],
  // by itself it pauses when it has drained and when it crashes in a loop
  Paused: ({ who, why }) =>
    who !== itself
      ? ["warning", "Trading is paused"]
      : why === drained
        ? ["info", "Trading is paused"]
        : ["critical", "The daemon crashes again and again"],
  StrategyHalted: ["warning", "A strategy is halted"],
  Protected: ["info", "A protection pauses a strategy"],
  Quarantined: ["warning", "An outcome could not be settled"],
  OperationDrifted: ["critical", "The market’s interface changed"],
  OperationRecovered: ["info", "The market is understood again"],
  LedgerDiffers: ["warning", "Ledger and wallet differ"],
  FundsRevoked: ["warning", "The funds of a sale were taken back"],
  StrategyRejected: ["warning", "A strategy was refused"],
  SessionExpiring: ["warning", "The session ends soon"],
  SessionRenewalFailed: ["warning", "The session was not renewed"],
  Draining: ["info", "Trading is draining"],
  Resumed: ["info", "Trading goes on"],
  BanLifted: ["info", "The market takes requests again"],
  SessionRenewed: ["info", "The session is in force"],
  LedgerAgrees: ["info", "Ledger and wallet agree again"],
  OrphansSeen: ({ confirmations, listings }) =>
    confirmations.length + listings.length > 0
      ? ["warning", "Something waits that is not ours"]
      : ["info", "Nothing waits any more that is not ours"],
  ForeignBidSeen: ["info", "A buy order that is not ours"],
  Reappeared: ["warning", "What was given up stands after all"],
  UniverseFound: ({ problems }) => (problems.length > 0 ? ["warning", "A search has problems"] : undefined),
  RejectionEnded: ["info", "A strategy file is in order again"],
  CurrencyAgrees: ["info", "The currency agrees again"],
  Notified: ["info", "A rule speaks"]
}

/** What people are told of an event, if they are, in the state that it led to. */
export const noticeOf = (event: Event, state: State): Notice | undefined => {
  const telling = told[event._tag] as Told | ((event: Event) => Told | undefined) | undefined
  const [urgency, title] = (typeof telling === "function" ? telling(event) : telling) ?? []
  if (urgency === undefined || title === undefined) return undefined
  const text = [sentence(event, state.currency), ...intentOf(event, state)].join("; ")
  const about = aboutOf(event)
  const notice = { at: event.at, urgency, kind: event._tag, title, text }
  return about === undefined ? notice : { ...notice, about }
}

const aboutOf = (event: Event): string | undefined => {
  switch (event._tag) {
    case "Halted":
    case "Paused":
    case "Draining":
    case "Resumed":
      return "trading"
    case "CurrencyDiffers":
    case "CurrencyAgrees":
      return "currency"
    case "StrategyRejected":
    case "RejectionEnded":
      return event.file
    default:
      return accountSubjects[event._tag]
  }
}

/** What it is about, when the event only names an intent. */
const intentOf = (event: Event, state: State): ReadonlyArray<string> => {
  if (event._tag !== "Quarantined" && event._tag !== "Reappeared") return []
  const intents = [state.bids, state.asks, state.buys].flatMap((slots) =>
    Object.values<BidSlot | AskSlot | BuySlot>(slots).flatMap((slot) =>
      "intent" in slot
        ? [slot.intent]
        : "open" in slot
          ? [slot.open.placed]
          : "ask" in slot
            ? [slot.ask.listed]
            : []
    )
  )
  const intent = intents.find(({ id }) => id === event.intent)
  if (intent === undefined) return []
  const remedy = event._tag === "Quarantined" ? ": see `haggle status`, let it go with `haggle release`" : ""
  return [`it ${intentSentence(intent, state.currency)}${remedy}`]
}

/** Tells of what happens for as long as the scope lasts. */
export const tellPeople = Effect.fn("Notices.tellPeople")(function* () {
  const activity = yield* Activity
  const journal = yield* Journal
  const notifier = yield* Notifier
  yield* activity.happenings.pipe(
    Stream.runForEach((happening) =>
      Effect.gen(function* () {
        if (happening._tag !== "Journaled") return
        const notice = noticeOf(happening.event, yield* journal.state)
        if (notice !== undefined) yield* notifier.notify(notice)
      })
    ),
    Effect.forkScoped({ startImmediately: true })
  )
})

/** The last notice of a daemon that fails; a loop that went silent has been told by its event. */
export const tellEnd = Effect.fn("Notices.tellEnd")(function* (cause: Cause.Cause<unknown>) {
  if (Cause.hasInterruptsOnly(cause)) return
  const error = Cause.squash(cause)
  if (error instanceof Stalled) return
  const notifier = yield* Notifier
  const { message } = explained(error)
  yield* notifier.notify({
    at: yield* marketNow,
    urgency: "critical",
    kind: "Failed",
    title: "The daemon ends",
    text: message
  })
})

/** Tells where we stand, again and again. */
export const tellSummaries = Effect.fn("Notices.tellSummaries")(function* (
  desk: Desk,
  currency: CurrencyId,
  every: Duration.Duration
) {
  const notifier = yield* Notifier
  const tell = Effect.gen(function* () {
    const text = yield* standing(desk, currency)
    yield* notifier.notify({ at: yield* marketNow, urgency: "info", kind: "Summary", title: "Summary", text })
  })
  return yield* Effect.forever(Effect.andThen(Effect.sleep(every), tell))
})
