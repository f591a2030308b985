/**
 * Holds a bot's journal, its requests and its words against what it promised. It shares no code with the engine: it folds the journal
 * its own way and believes the exchange. The numbers of the promises are those of the list in `promises`.
 */
import type { Event } from "../../src/domain/Event.ts"
import type { Intent } from "../../src/domain/Intent.ts"
import { itemKey } from "../../src/domain/Item.ts"
import type { Command, CommandOf, Reply } from "../../src/exchange/Command.ts"
import type { Account, World } from "../../src/exchange/World.ts"
import { boughtByHand, isBid, means, unitsOf } from "./Truth.ts"

export const promises = {
  1: "no two live orders for one item or listings for one asset",
  2: "no mutation without a journaled intent, none sent twice",
  3: "no limit exceeded, also across a restart",
  4: "ledger equals wallet, lots equal inventory",
  5: "no request over a published budget",
  6: "every unknown outcome is settled or quarantined in time",
  7: "no confirmation allowed that is not ours",
  8: "no secret in any event, log line or error",
  9: "trading goes on once faults are gone",
  10: "same seed, same journal"
} as const
type Promised = keyof typeof promises

/** Market time that the bot may be up with an outcome that it does not know. */
const settleWithinMillis = 15 * 60_000
/** With faults gone, an order book is read at least this often. */
const idleAtMostMillis = 10 * 60_000
/** More of the same tells nothing new. */
const mostViolations = 20

interface Known {
  readonly intent: Intent
  sent: boolean
  /** Sent by a process that is dead now: whatever left of it has left. */
  dead: boolean
  posts: number
  reposts: number
  pended: string | undefined
}

interface Unknown {
  readonly raisedAt: number
  readonly downBefore: number
}

/** The bot's own holdings as the referee's fold of the journal has them. */
interface Book {
  opening: number | undefined
  ledger: number
  /** By `app/name`: units of fills with and without an intent of ours. */
  readonly own: Map<string, number>
  readonly foreign: Map<string, number>
  readonly fills: Set<string>
  readonly spent: Map<string, number>
}

export interface Ending {
  readonly now: number
  readonly world: World
  /** What the account had before the bot came, by `app/name`. */
  readonly starter: ReadonlyMap<string, number>
  readonly state: {
    readonly ledger: number
    readonly units: ReadonlyMap<string, number>
    readonly orders: ReadonlySet<string>
    readonly assets: ReadonlySet<string>
    readonly unsettled: number
  }
}

export class Referee {
  readonly violations: Array<string> = []
  readonly unknowns = { raised: 0, settled: 0, quarantined: 0 }
  requests = 0
  worstRecoveryMillis = 0
  private readonly secrets: ReadonlyArray<string>
  private readonly known = new Map<string, Known>()
  private readonly open = new Map<string, Unknown>()
  /** Live orders by item key and live listings by asset, as the journal tells. */
  private readonly bids = new Map<string, string>()
  private readonly asks = new Set<string>()
  private readonly ownOrders = new Set<string>()
  private readonly spendLimits = new Map<string, number>()
  private readonly book: Book = {
    opening: undefined,
    ledger: 0,
    own: new Map(),
    foreign: new Map(),
    fills: new Set(),
    spent: new Map()
  }
  private lastBookAt = 0
  private downMillis = 0
  private diedAt: number | undefined
  private recovering: { since: number; up: boolean } | undefined

  constructor(secrets: ReadonlyArray<string>) {
    this.secrets = secrets
  }

  violated(promise: Promised, detail: string): void {
    const text = `${promise}: ${promises[promise]}: ${detail}`
    if (this.violations.length < mostViolations && !this.violations.includes(text)) this.violations.push(text)
  }

  /** A strategy may spend so much a day, minor units; the highest limit that it ever had counts. */
  maySpend(strategy: string, limit: number | undefined): void {
    const before = this.spendLimits.get(strategy) ?? 0
    this.spendLimits.set(strategy, Math.max(before, limit ?? Number.POSITIVE_INFINITY))
  }

  /** Anything that the bot says. */
  said(where: string, text: string): void {
    if (this.secrets.some((secret) => text.includes(secret))) this.violated(8, `in ${where}`)
  }

  /** The daemon died, was started again, and has read its account. */
  died(now: number): void {
    this.diedAt = now
    this.recovering = undefined
    for (const known of this.known.values()) known.dead = true
  }

  booted(now: number): void {
    if (this.diedAt === undefined) return
    this.downMillis += now - this.diedAt
    this.diedAt = undefined
    this.recovering = { since: now, up: false }
  }

  up(now: number): void {
    if (this.recovering !== undefined) this.recovering.up = true
    this.recovered(now)
  }

  private recovered(now: number): void {
    if (this.recovering?.up !== true || this.open.size > 0) return
    this.worstRecoveryMillis = Math.max(this.worstRecoveryMillis, now - this.recovering.since)
    this.recovering = undefined
  }

  /** What the exchange answered to a request of the bot. */
  answered(path: string, status: number, now: number): void {
    this.requests++
    if (status === 429) this.violated(5, path)
    if (/orderbook/.test(path) && status === 200) this.lastBookAt = now
  }

  /** Events that are on disk now. */
  journaled(events: ReadonlyArray<Event>, now: number): void {
    for (const event of events) {
      this.said(`event ${event._tag}`, JSON.stringify(event))
      this.ofIntents(event, now)
      this.ofSlots(event)
      this.ofMoney(event)
    }
    this.overdue(now)
    this.recovered(now)
  }

  private ofIntents(event: Event, now: number): void {
    switch (event._tag) {
      case "IntentRecorded": {
        const { intent } = event
        if (this.known.has(intent.id)) this.violated(2, `intent ${intent.id} was recorded twice`)
        this.known.set(intent.id, {
          intent,
          sent: false,
          dead: false,
          posts: 0,
          reposts: 0,
          pended: undefined
        })
        this.secondOne(intent)
        return
      }
      case "Sent": {
        const known = this.known.get(event.intent)
        if (known === undefined) return this.violated(2, `intent ${event.intent} was sent, never recorded`)
        if (known.sent) this.violated(2, `intent ${event.intent} was sent twice`)
        known.sent = true
        return
      }
      case "Pended": {
        const known = this.known.get(event.intent)
        if (known !== undefined) known.pended = event.confirmation
        return
      }
      case "OutcomeUnknown":
        if (this.open.has(event.intent)) return
        this.unknowns.raised++
        this.open.set(event.intent, { raisedAt: now, downBefore: this.downMillis })
        return
      case "Settled":
        return this.settled(event.intent, "settled")
      case "Quarantined":
        return this.settled(event.intent, "quarantined")
      case "Accepted":
      case "Refused":
        if (!this.known.has(event.intent)) this.violated(2, `an answer to intent ${event.intent}, never sent`)
        return this.settled(event.intent, "settled")
      case "BuyClosed":
        return this.settled(event.intent, "settled")
      case "BidClosed":
        return this.settledWhere(
          ({ intent }) => isBid(intent) && itemKey(intent.item) === itemKey(event.item)
        )
      case "ListingClosed":
        return this.settledWhere(({ intent }) => "asset" in intent && intent.asset === event.asset)
      default:
    }
  }

  private settled(intent: string, how: "settled" | "quarantined"): void {
    if (this.open.delete(intent)) this.unknowns[how]++
  }

  private settledWhere(is: (known: Known) => boolean): void {
    for (const id of this.open.keys()) {
      const known = this.known.get(id)
      if (known !== undefined && is(known)) this.settled(id, "settled")
    }
  }

  private overdue(now: number): void {
    for (const [id, { downBefore, raisedAt }] of this.open) {
      const waited = now - raisedAt - (this.downMillis - downBefore)
      if (waited > settleWithinMillis) this.violated(6, `intent ${id} is still open`)
    }
  }

  private secondOne(intent: Intent): void {
    if (intent._tag === "PlaceBid" && this.bids.has(itemKey(intent.item)))
      this.violated(1, `a second order for ${intent.item.name} was decided on`)
    if (intent._tag === "ListAsset" && this.asks.has(intent.asset))
      this.violated(1, `a second listing of asset ${intent.asset} was decided on`)
  }

  private ofSlots(event: Event): void {
    switch (event._tag) {
      case "Accepted":
      case "Settled": {
        const intent = this.known.get(event.intent)?.intent
        if (intent === undefined || (event._tag === "Settled" && !event.happened)) return
        if (intent._tag === "PlaceBid" && event.order !== undefined)
          this.bids.set(itemKey(intent.item), event.order)
        if (intent._tag === "CancelBid") this.bids.delete(itemKey(intent.item))
        if (intent._tag === "ListAsset") this.asks.add(intent.asset)
        if (intent._tag === "RemoveListing") this.asks.delete(intent.asset)
        return
      }
      case "BidClosed":
        this.bids.delete(itemKey(event.item))
        return
      case "ListingClosed":
        this.asks.delete(event.asset)
        return
      default:
    }
  }

  private ofMoney(event: Event): void {
    const { book } = this
    if (event._tag === "LedgerOpened") {
      if (book.opening !== undefined) this.violated(4, "the ledger was opened twice")
      book.opening = event.balance
      book.ledger = event.balance
    }
    if (event._tag !== "Filled") return
    const { fill, intent, strategy } = event
    if (book.fills.has(fill.id)) this.violated(4, `fill ${fill.id} was booked twice`)
    book.fills.add(fill.id)
    const buy = fill.side === "Buy"
    book.ledger += buy ? -fill.amount : fill.amount
    const units = intent === undefined ? book.foreign : book.own
    const key = itemKey(fill.item)
    units.set(key, (units.get(key) ?? 0) + (buy ? fill.units : -fill.units))
    if (!buy || strategy === undefined) return
    const spent = (book.spent.get(strategy) ?? 0) + fill.amount
    book.spent.set(strategy, spent)
    const limit = this.spendLimits.get(strategy) ?? Number.POSITIVE_INFINITY
    if (spent > limit) this.violated(3, `${strategy} spent ${spent} of ${limit}`)
  }

  /** A command of the bot has reached the exchange and is about to be carried out in this world. */
  commanded(command: Command, world: World): void {
    const account = world.accounts[command.account]
    if (account === undefined) return
    if (command._tag === "SettleConfirmation") return this.confirmed(command, account)
    if (command._tag === "CancelBuyOrder" && !this.ownOrders.has(command.order))
      this.violated(2, `order ${command.order} was cancelled, but never placed by the bot`)
    const meant = [...this.known.values()].filter(({ intent, sent }) => sent && means(intent, command))
    const fresh = meant.find(({ dead, posts }) => posts === 0 && !dead)
    if (fresh !== undefined) {
      fresh.posts++
      return this.secondLive(command, account, world)
    }
    const again =
      (command._tag === "CreateBuyOrder" || command._tag === "BuyListing") && command.confirmation !== "0"
        ? meant.find(({ pended, reposts }) => pended === command.confirmation && reposts === 0)
        : undefined
    if (again !== undefined) {
      again.reposts++
      return
    }
    const why = meant.length === 0 ? "has no journaled intent" : "was sent before"
    this.violated(2, `${command._tag} ${why}`)
  }

  private secondLive(command: Command, account: Account, world: World): void {
    if (command._tag !== "CreateBuyOrder") return
    const item = world.items.findIndex(({ of }) => of.app === command.app && of.name === command.name)
    const standing = account.orders.find((order) => order.item === item && this.ownOrders.has(order.id))
    if (standing !== undefined) this.violated(1, `a second order for ${command.name} was sent`)
  }

  private confirmed({ id, op }: CommandOf<"SettleConfirmation">, account: Account): void {
    const subject = account.confirmations.find((one) => one.id === id)?.subject
    if (subject === undefined) return
    if (op === "cancel") return this.violated(7, `confirmation ${id} was cancelled`)
    const ours = [...this.known.values()].some(({ intent, pended, sent }) =>
      subject._tag === "Listing"
        ? sent && intent._tag === "ListAsset" && intent.asset === subject.asset
        : pended === subject.pending
    )
    if (!ours) this.violated(7, `confirmation ${id} of a ${subject._tag.toLowerCase()}`)
  }

  /** The exchange's answer to a command of the bot. */
  replied(reply: Reply): void {
    if (reply._tag === "OrderPlaced") this.ownOrders.add(reply.order)
  }

  /** What differs between the bot's books, the referee's and the exchange's; empty when all agree. */
  differences({ starter, state, world }: Ending): ReadonlyArray<readonly [Promised, string]> {
    const { book } = this
    const [account] = world.accounts
    if (account === undefined) return [[4, "no account"]]
    const found: Array<readonly [Promised, string]> = []
    const equal = (promise: Promised, what: string, ours: unknown, theirs: unknown) => {
      if (ours !== theirs)
        found.push([promise, `${what}: ${String(ours)} by the bot, ${String(theirs)} in truth`])
    }
    equal(4, "ledger of the journal and wallet", book.ledger, account.balance)
    equal(4, "ledger of the state and wallet", state.ledger, account.balance)
    const truth = unitsOf(world, account)
    const byHand = boughtByHand(world, account, this.ownOrders)
    for (const key of new Set([
      ...truth.keys(),
      ...book.own.keys(),
      ...book.foreign.keys(),
      ...state.units.keys()
    ])) {
      const own = book.own.get(key) ?? 0
      const foreign = book.foreign.get(key) ?? 0
      equal(4, `units of ${key}`, own + foreign, (truth.get(key) ?? 0) - (starter.get(key) ?? 0))
      equal(4, `units bought by hand of ${key}`, foreign, byHand.get(key) ?? 0)
      equal(4, `lots of ${key}`, state.units.get(key) ?? 0, own)
    }
    const orders = account.orders.map(({ id }) => id as string).filter((id) => this.ownOrders.has(id))
    for (const id of new Set([...orders, ...state.orders]))
      equal(1, `order ${id} stands`, state.orders.has(id), orders.includes(id))
    const listed = new Set<string>(account.listings.map(({ asset }) => asset as string))
    for (const asset of state.assets) equal(1, `asset ${asset} is listed`, true, listed.has(asset))
    for (const asset of listed)
      if (this.asks.has(asset)) equal(1, `asset ${asset} is listed`, state.assets.has(asset), true)
    equal(6, "outcomes still open", state.unsettled, 0)
    return found
  }

  /** The last word, when the bot has stopped in order and everything had time to settle. */
  ended(ending: Ending, quietSince: number): void {
    for (const [promise, detail] of this.differences(ending)) this.violated(promise, detail)
    for (const id of this.open.keys()) this.violated(6, `intent ${id} was never settled`)
    const idle = ending.now - Math.max(this.lastBookAt, quietSince)
    if (this.lastBookAt < quietSince || idle > idleAtMostMillis)
      this.violated(9, `no order book was read for ${Math.round((ending.now - this.lastBookAt) / 1_000)} s`)
  }
}
