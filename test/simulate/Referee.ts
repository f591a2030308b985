/**
 * Tells every checker what happens, and keeps what they find. It shares no code with the engine: it follows the journal and the wire its
 * own way and believes the exchange.
 */
import type { Event } from "../../src/domain/Event.ts"
import { books } from "./checkers/Books.ts"
import { budgets } from "./checkers/Budgets.ts"
import { limits } from "./checkers/Limits.ts"
import { liveness } from "./checkers/Liveness.ts"
import { oneOrder } from "./checkers/OneOrder.ts"
import { operator } from "./checkers/Operator.ts"
import { ownConfirmations } from "./checkers/OwnConfirmations.ts"
import { secrets } from "./checkers/Secrets.ts"
import { sentOnce } from "./checkers/SentOnce.ts"
import { settled } from "./checkers/Settled.ts"
import type { Secret } from "./Leaks.ts"
import { type Checker, type Ending, type Known, type Occasion, type Promised, promises } from "./Occasion.ts"
import type { Caps } from "./Plan.ts"
import { means } from "./Truth.ts"

/** More of the same tells nothing new. */
const mostViolations = 20

export class Referee {
  readonly violations: Array<string> = []
  readonly unknowns: ReturnType<typeof settled>["unknowns"]
  requests = 0
  worstRecoveryMillis = 0
  /** Until when the bot last said that it would rest. */
  bannedUntil = 0
  private readonly checkers: ReadonlyArray<Checker>
  private readonly intents = new Map<string, Known>()
  private readonly orders = new Map<string, Known["intent"]>()
  private readonly listings = new Map<string, Known["intent"]>()
  private readonly record = { intents: this.intents, orders: this.orders, listings: this.listings }
  private recovering: { readonly since: number; up: boolean } | undefined
  private readonly open: ReturnType<typeof settled>["open"]

  constructor(kept: ReadonlyArray<Secret>, caps: Caps = {}) {
    const settling = settled()
    this.unknowns = settling.unknowns
    this.open = settling.open
    this.checkers = [
      oneOrder(),
      sentOnce(),
      limits(caps),
      operator(),
      books(),
      budgets(),
      settling,
      ownConfirmations(),
      secrets(kept),
      liveness()
    ]
  }

  violated(promise: Promised, detail: string): void {
    const text = `${promise}: ${promises[promise]}: ${detail}`
    if (this.violations.length < mostViolations && !this.violations.includes(text)) this.violations.push(text)
  }

  see(occasion: Occasion): void {
    if (occasion._tag === "Journaled")
      for (const event of occasion.events) this.recordEvent(event, occasion.life)
    for (const checker of this.checkers)
      for (const detail of checker.see(occasion, this.record)) this.violated(checker.promise, detail)
    if (occasion._tag === "Commanded") this.recordPost(occasion)
    if (occasion._tag === "Replied") this.recordReply(occasion)
    if (occasion._tag === "Answered") this.requests++
    this.recovery(occasion)
  }

  /** What differs between the bot's books, the checkers' and the exchange's; empty when all agree. */
  differences(ending: Ending): ReadonlyArray<string> {
    return this.checkers.flatMap((checker) => checker.differs?.(ending, this.record) ?? [])
  }

  /** The last word, when the bot has stopped in order and everything had time to settle. */
  ended(ending: Ending): void {
    this.see({ _tag: "Ended", ending })
    for (const checker of this.checkers)
      for (const detail of checker.differs?.(ending, this.record) ?? [])
        this.violated(checker.promise, detail)
  }

  private recordEvent(event: Event, life: number): void {
    if (event._tag === "IntentRecorded") {
      const { intent } = event
      if (this.intents.has(intent.id)) this.violated(2, `intent ${intent.id} was recorded twice`)
      this.intents.set(intent.id, { intent, life, sent: false, posts: 0, reposts: 0, pended: undefined })
    }
    if (event._tag === "Banned") this.bannedUntil = event.until
    if (event._tag === "Pended") {
      const known = this.intents.get(event.intent)
      if (known !== undefined) known.pended = event.confirmation
    }
  }

  /** Counts the post for the intent that it carries out: the first that was not posted yet, or the one that pended. */
  private recordPost({ command, life }: Extract<Occasion, { _tag: "Commanded" }>): void {
    const meant = [...this.intents.values()].filter(({ intent, sent }) => sent && means(intent, command))
    const fresh = meant.find((known) => known.posts === 0 && known.life === life)
    if (fresh !== undefined) {
      fresh.posts++
      return
    }
    const again = meant.find(({ pended, reposts }) => reposts === 0 && pended === confirmationOf(command))
    if (again !== undefined) again.reposts++
  }

  private recordReply({ command, reply }: Extract<Occasion, { _tag: "Replied" }>): void {
    const meant = [...this.intents.values()].findLast(({ intent }) => means(intent, command))?.intent
    if (meant === undefined) return
    if (reply._tag === "OrderPlaced") this.orders.set(reply.order, meant)
    if (reply._tag === "Done" && meant._tag === "BuyListing") this.listings.set(meant.listing, meant)
  }

  private recovery(occasion: Occasion): void {
    if (occasion._tag === "Died") this.recovering = undefined
    if (occasion._tag === "Booted") this.recovering = { since: occasion.now, up: false }
    if (occasion._tag === "Up" && this.recovering !== undefined) this.recovering.up = true
    if (occasion._tag !== "Up" && occasion._tag !== "Journaled") return
    if (this.recovering?.up !== true || this.open.size > 0) return
    this.worstRecoveryMillis = Math.max(this.worstRecoveryMillis, occasion.now - this.recovering.since)
    this.recovering = undefined
  }
}

const confirmationOf = (command: Extract<Occasion, { _tag: "Commanded" }>["command"]): string | undefined =>
  "confirmation" in command && command.confirmation !== "0" ? command.confirmation : undefined
