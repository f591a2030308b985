/**
 * What a daemon did, by its journal, in the words of a comparison. Invariants: 1. only fills that an intent of ours explains count. 2. an
 * order stands from its intent until the journal tells its end, or the end of what is known.
 */
import type { Event, EventKind } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import type { Intent } from "../domain/Intent.ts"
import { type ItemKey, itemKey } from "../domain/Item.ts"
import { totalOf } from "../domain/Offer.ts"
import type { Deeds, Standing } from "./Drift.ts"

/** The events that are read. */
export const deedKinds: ReadonlyArray<EventKind> = [
  "IntentRecorded",
  "Refused",
  "Filled",
  "BidClosed",
  "ListingClosed",
  "BuyClosed",
  "GuardRefused",
  "RunStarted",
  "RunStopped",
  "Paused",
  "Halted",
  "Resumed",
  "SessionExpired",
  "SessionRenewed",
  "Banned",
  "BanLifted"
]

type Growing<A> = { -readonly [K in keyof A]: A[K] }

/** Where an order of ours stands: one bid an item, one listing an asset. */
const placeOf = (intent: Intent): string =>
  intent._tag === "ListAsset" || intent._tag === "RemoveListing"
    ? `ask ${intent.asset}`
    : `bid ${itemKey(intent.item)}`

const priceOf = (intent: Intent): number | undefined => {
  switch (intent._tag) {
    case "PlaceBid":
      return intent.price
    case "ListAsset":
      return intent.buyerPays
    case "BuyListing":
      return totalOf(intent)
    default:
      return undefined
  }
}

/** What keeps a daemon from trading, by the events that begin and end it. */
const offBy: Partial<Record<EventKind, { readonly why: string; readonly begins: boolean }>> = {
  RunStopped: { why: "run", begins: true },
  RunStarted: { why: "run", begins: false },
  Paused: { why: "control", begins: true },
  Halted: { why: "control", begins: true },
  Resumed: { why: "control", begins: false },
  SessionExpired: { why: "session", begins: true },
  SessionRenewed: { why: "session", begins: false },
  Banned: { why: "ban", begins: true },
  BanLifted: { why: "ban", begins: false }
}

class Reading {
  readonly fills: Array<Deeds["fills"][number]> = []
  readonly orders: Array<Growing<Standing>> = []
  readonly refusals: Array<Deeds["refusals"][number]> = []
  readonly off: Array<NonNullable<Deeds["off"]>[number]> = []
  private readonly to: Millis
  private readonly intents = new Map<string, Intent>()
  private readonly standing = new Map<string, Growing<Standing>>()
  private readonly offSince = new Map<string, Millis>()

  constructor(to: Millis) {
    this.to = to
  }

  take(event: Event): void {
    this.taken(event)
    const word = offBy[event._tag]
    if (word === undefined) return
    const since = this.offSince.get(word.why)
    if (word.begins) this.offSince.set(word.why, since ?? event.at)
    else if (since !== undefined) {
      this.off.push({ from: since, to: event.at })
      this.offSince.delete(word.why)
    }
  }

  private taken(event: Event): void {
    switch (event._tag) {
      case "IntentRecorded":
        return this.intended(event.intent)
      case "Refused": {
        const intent = this.intents.get(event.intent)
        if (intent !== undefined) this.refused(intent, event.at, event.code)
        return undefined
      }
      case "GuardRefused": {
        const { at, code, item, side } = event
        this.refusals.push({ item: itemKey(item), side: side === "bid" ? "Buy" : "Sell", at, code })
        return undefined
      }
      case "BidClosed":
      case "BuyClosed":
        return this.ended(`bid ${itemKey(event.item)}`, event.at)
      case "ListingClosed":
        return this.ended(`ask ${event.asset}`, event.at)
      case "Filled": {
        const origin = event.intent === undefined ? undefined : this.intents.get(event.intent)?.reason.origin
        if (event.intent === undefined) return undefined
        const { amount, at, fee, item, side, units } = event.fill
        const { rule = "", strategy = event.strategy ?? "" } = origin ?? {}
        this.fills.push({ item: itemKey(item), amount, at, fee, side, units, strategy, rule })
        return undefined
      }
      default:
        return undefined
    }
  }

  private intended(intent: Intent): void {
    this.intents.set(intent.id, intent)
    const place = placeOf(intent)
    this.ended(place, intent.at)
    const price = priceOf(intent)
    if (price === undefined) return
    const { at } = intent
    const item: ItemKey = itemKey(intent.item)
    const side = intent._tag === "ListAsset" ? "Sell" : "Buy"
    const order: Growing<Standing> = { item, side, at, until: this.to, price }
    this.orders.push(order)
    this.standing.set(place, order)
  }

  private ended(place: string, at: Millis): void {
    const order = this.standing.get(place)
    if (order === undefined) return
    order.until = at
    this.standing.delete(place)
  }

  private refused(intent: Intent, at: Millis, code: string): void {
    const order = this.standing.get(placeOf(intent))
    if (order === undefined || order.at !== intent.at) return
    this.standing.delete(placeOf(intent))
    this.orders.splice(this.orders.indexOf(order), 1)
    this.refusals.push({ item: order.item, side: order.side, at, code })
  }

  deeds(): Deeds {
    for (const from of this.offSince.values()) this.off.push({ from, to: this.to })
    const { fills, off, orders, refusals } = this
    return { fills: fills.toSorted((a, b) => a.at - b.at), orders, refusals, seen: new Map(), off }
  }
}

/** What these events tell, in the journal's order; `to` is when the last thing was known. */
export const deedsOfJournal = (events: Iterable<Event>, to: Millis): Deeds => {
  const reading = new Reading(to)
  for (const event of events) reading.take(event)
  return reading.deeds()
}
