/**
 * One moment of one item in a replay: the account on paper sees the book, then the engine's own step decides, the guard rules and what is
 * approved is carried out. Invariants: 1. rules, protections, planner and guard are those of a run. 2. nothing here knows what
 * the tape holds next.
 */
import { noLimits, retold } from "../domain/Decision.ts"
import { type Facts, seen } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { type ItemKey, itemOfKey } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
import type { Wallet } from "../domain/Wallet.ts"
import { forgetRefusals, refusalEvents, signalEvents } from "../engine/Decide.ts"
import type { Draft } from "../engine/Draft.ts"
import { equityOf } from "../engine/Equity.ts"
import { approveExit } from "../engine/Guard.ts"
import { factsOf } from "../engine/Observe.ts"
import { priceWindow, withPrice } from "../engine/PriceTrail.ts"
import { protectionEvents } from "../engine/Protections.ts"
import { wantsLook } from "../engine/Recover.ts"
import { rulingOn, step, type StepInput } from "../engine/Step.ts"
import { align, hasLeft, judge } from "../engine/Universe.ts"
import type { Known } from "../paper/Known.ts"
import { bookOnPaper } from "../paper/PaperQuote.ts"
import { seeBook } from "../paper/PaperSee.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import type { BookAt } from "../tape/Books.ts"
import { execute, look } from "./ReplayAccount.ts"
import { append, lookAtWallet, replayAccount, type ReplayDesk } from "./ReplayDesk.ts"

/** What a step did; `Idle` drafted nothing. */
export type Did = "Idle" | "Held back" | "Sent" | "Refused"

/** Our orders on the item stand in the queue while this book comes. */
export const serveOrders = (
  desk: ReplayDesk,
  key: ItemKey,
  { at: now, book }: BookAt,
  known: Known | undefined
): void => {
  const { paper, paperRules, wallet } = desk
  desk.paper = seeBook(paper, itemOfKey(key), { at: now, book, known }, wallet.fees, paperRules)
  desk.view.books.set(key, seen(bookOnPaper(book, desk.paper.quotes[key]), now))
  const { fills, listings, orders } = desk.paper
  const isMoved =
    fills !== paper.fills ||
    listings.length !== paper.listings.length ||
    orders.length !== paper.orders.length
  // the queue moves with every book; the account is only looked at when something was bought, sold or dropped, or is missed
  if (isMoved || desk.missing.size > 0) follow(desk, now)
}

/** Decides on an item of which something was seen just now. */
export const observe = (desk: ReplayDesk, key: ItemKey, now: Millis): Did => {
  lookAtWallet(desk, now)
  const facts = factsAt(desk, key, now)
  if (facts !== undefined && judge(desk.universes, key, facts)) retire(desk, key, now)
  const did = decide(desk, key, now)
  if (did === "Refused" || (did === "Sent" && wantsLook(desk.state))) follow(desk, now)
  return did
}

/** Looks in a row: what a look led us to send wants one more. */
const looksInARow = 3

const follow = (desk: ReplayDesk, now: Millis): void => {
  for (let round = 0; round < looksInARow; round++) {
    let sent = false
    for (const key of look(desk, now)) {
      const did = decide(desk, key, now)
      sent = did === "Sent" || did === "Refused" || sent
    }
    if (!sent || !wantsLook(desk.state)) return
  }
}

/** What the rules know now. */
export const factsAt = (desk: ReplayDesk, key: ItemKey, now: Millis): Facts | undefined =>
  factsOf(desk.view, desk.state, itemOfKey(key), now, false)

const decide = (desk: ReplayDesk, key: ItemKey, now: Millis): Did => {
  align(desk.universes, desk.state)
  const strategies = desk.universes.byItem.get(key) ?? []
  const wallet = lookAtWallet(desk, now)
  const facts = factsAt(desk, key, now)
  if (facts === undefined || strategies.length === 0) return "Idle"
  watchProtections(desk, key, strategies, facts)
  const input = inputOf(desk, key, strategies, facts, wallet)
  const result = step(input)
  desk.held.set(key, result.held)
  append(desk, signalEvents(desk, key, result.decisions, now))
  return carryOut(desk, input, result.drafts, now)
}

const inputOf = (
  desk: ReplayDesk,
  key: ItemKey,
  strategies: ReadonlyArray<CompiledStrategy>,
  facts: Facts,
  wallet: Wallet
): StepInput => ({
  facts,
  state: desk.state,
  wallet,
  account: replayAccount,
  strategies,
  held: desk.held.get(key) ?? new Map(),
  rules: desk.options.plan,
  guard: desk.options.guard
})

const carryOut = (desk: ReplayDesk, input: StepInput, drafts: ReadonlyArray<Draft>, now: Millis): Did => {
  if (drafts.length === 0) return "Idle"
  let [sent, refused] = [false, false]
  for (const draft of drafts) {
    const ruling = rulingOn(draft, input, desk.state, now, false)
    if (ruling._tag === "Refused") {
      append(desk, refusalEvents(desk, ruling, now))
      continue
    }
    forgetRefusals(desk, draft)
    const accepted = execute(desk, ruling.intent, now)
    sent = true
    refused ||= !accepted
  }
  return refused ? "Refused" : sent ? "Sent" : "Held back"
}

/** Pauses and halts that begin now, as Protect has them written down in a run. */
const watchProtections = (
  desk: ReplayDesk,
  key: ItemKey,
  strategies: ReadonlyArray<CompiledStrategy>,
  facts: Facts
): void => {
  const guarded = strategies.filter(({ protections }) => protections.length > 0)
  if (guarded.length === 0) return
  const { state } = desk
  const prices = desk.prices.get(key) ?? []
  for (const strategy of guarded)
    append(
      desk,
      protectionEvents(strategy, { state, facts, prices, equity: equityNow(desk, strategy, facts, state) })
    )
  const windowMillis = Math.max(...guarded.map(({ protections }) => priceWindow(protections)))
  if (windowMillis > 0) desk.prices.set(key, withPrice(prices, facts.book, windowMillis))
}

/** Profit is reckoned up anew at most this often, as in a run. */
const reckonMillis = 60_000

const equityNow = (
  desk: ReplayDesk,
  { name, protections }: CompiledStrategy,
  { fees, now }: Facts,
  state: State
) => {
  if (!protections.some(({ kind }) => kind === "drawdown")) return undefined
  const before = desk.equity.get(name)
  if (before !== undefined && now - before.at < reckonMillis) return before
  const point = { at: now, ...equityOf(state, name, desk.view.books, fees) }
  desk.equity.set(name, point)
  return point
}

/** The bid on an item that has just left its strategy's universe is cancelled. */
const retire = (desk: ReplayDesk, key: ItemKey, at: Millis): void => {
  const slot = desk.state.bids[key]
  if (slot?._tag !== "Open") return
  const { order, placed } = slot.open
  const { strategy } = placed.reason.origin
  const owner = desk.universes.strategies.find(({ name }) => name === strategy)
  if (owner === undefined || !hasLeft(desk.universes, owner, key, desk.state)) return
  const draft = {
    _tag: "CancelBid",
    item: placed.item,
    at,
    order,
    limits: noLimits,
    reason: retold(placed.reason, `it left the universe of ${strategy}`)
  } as const
  const approved = approveExit(draft, desk.state, replayAccount)
  if (approved === undefined) return
  execute(desk, approved, at)
  follow(desk, at)
}
