/** From what happens to what people are told: the events that a notice is made of, and the summary that goes out now and then. */
import { type Duration, Effect, Stream } from "effect"

import type { CurrencyId } from "../domain/Currency.ts"
import type { Event, EventKind } from "../domain/Event.ts"
import { Activity } from "../engine/Activity.ts"
import type { Desk } from "../engine/Desk.ts"
import { Journal, marketNow } from "../engine/Journal.ts"
import { type Notice, Notifier } from "../notify/Notifier.ts"
import { standing } from "./Live.ts"
import { sentence } from "./Sentence.ts"

type Told = readonly [urgency: Notice["urgency"], title: string]

/** Which events people are told of, how urgently and under what title. */
const told: { readonly [K in EventKind]?: Told } = {
  Halted: ["critical", "Trading is halted"],
  Stalled: ["critical", "The daemon ends itself"],
  SessionExpired: ["critical", "The session is lost"],
  Banned: ["critical", "The market refuses us"],
  CurrencyDiffers: ["critical", "Another currency than the wallet’s"],
  Paused: ["warning", "Trading is paused"],
  Quarantined: ["warning", "An outcome could not be settled"],
  OperationDrifted: ["critical", "The market’s interface changed"],
  OperationRecovered: ["info", "The market is understood again"],
  LedgerDiffers: ["warning", "Ledger and wallet differ"],
  StrategyRejected: ["warning", "A strategy was refused"],
  SessionExpiring: ["warning", "The session ends soon"],
  SessionRenewalFailed: ["warning", "The session was not renewed"],
  Draining: ["info", "Trading is draining"],
  Resumed: ["info", "Trading goes on"],
  BanLifted: ["info", "The market takes requests again"],
  SessionRenewed: ["info", "The session is in force"],
  LedgerAgrees: ["info", "Ledger and wallet agree again"],
  OrphansSeen: ["info", "Something waits that is not ours"],
  CurrencyAgrees: ["info", "The currency agrees again"],
  Notified: ["info", "A rule speaks"]
}

/** What people are told of an event, if they are. */
const noticeOf = (event: Event, currency: CurrencyId | undefined): Notice | undefined => {
  const telling = told[event._tag]
  if (telling === undefined) return undefined
  const [urgency, title] = telling
  return { at: event.at, urgency, kind: event._tag, title, text: sentence(event, currency) }
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
        const { currency } = yield* journal.state
        const notice = noticeOf(happening.event, currency)
        if (notice !== undefined) yield* notifier.notify(notice)
      })
    ),
    Effect.forkScoped({ startImmediately: true })
  )
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
