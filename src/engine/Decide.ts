/**
 * The effectful side of a step: facts, decision, guard, and each approved intent carried out in turn.
 * Invariant: after a change of ours on an item its book and offers are forgotten, so the next decision sees ones that know of the change.
 */
import { Effect } from "effect"

import { restsUntil } from "../domain/CoolDown.ts"
import { noLimits, type Decision, retold, showOrigin } from "../domain/Decision.ts"
import type { Event } from "../domain/Event.ts"
import { type Facts, forgotten } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { epochKey, sideOf } from "../domain/Intent.ts"
import { type ItemKey, itemKey, itemOfKey } from "../domain/Item.ts"
import { RateLimiter } from "../market/RateLimiter.ts"
import { Activity } from "./Activity.ts"
import type { Desk } from "./Desk.ts"
import type { Draft } from "./Draft.ts"
import { execute } from "./Execute.ts"
import { approveExit, type Exit, type Ruling } from "./Guard.ts"
import { Journal, marketNow } from "./Journal.ts"
import { rests } from "./MarketRest.ts"
import { factsOf, ownIn } from "./Observe.ts"
import { hasten } from "./PlannerWants.ts"
import { watchProtections } from "./Protect.ts"
import { refusals } from "./Refusals.ts"
import { rulingOn, step, type StepInput } from "./Step.ts"
import { align, hasLeft, hasShadows } from "./Universe.ts"

/** What a step did on the market; `Refused` when at least one answer was a no. */
type Did = "Nothing" | "Sent" | "Refused"

/** Decides on one item and acts. */
export const decide = Effect.fn("Decide.decide")(function* (desk: Desk, key: ItemKey) {
  const journal = yield* Journal
  align(desk.universes, yield* journal.state)
  const strategies = desk.universes.byItem.get(key) ?? []
  const now = yield* marketNow
  const facts = factsOf(desk.view, yield* journal.state, itemOfKey(key), now)
  if (facts === undefined || desk.view.wallet._tag === "Unseen") return "Nothing"
  if (hasShadows(desk.universes)) {
    const activity = yield* Activity
    yield* activity.tell({ _tag: "Stepped", facts, own: ownIn(yield* journal.state, key) })
  }
  if (strategies.length === 0) return "Nothing"
  yield* watchProtections(desk, key, strategies, facts)
  const { value: wallet } = desk.view.wallet
  const { account } = journal
  const input = inputOf(desk, { facts, state: yield* journal.state, wallet, account, strategies })
  const result = step(input)
  desk.held.set(key, result.held)
  desk.metrics.steps++
  desk.metrics.evaluations += result.decisions.reduce(
    (count, decision) => count + decision.verdicts.length,
    0
  )
  yield* tellChanges(desk, key, result.decisions, facts)
  yield* journal.append(signalEvents(desk, key, result.decisions, yield* marketNow))
  return yield* carryOut(desk, input, result.drafts)
})

/** What a step takes, with what the desk remembers of the item. */
export const inputOf = (
  desk: Desk,
  of: Pick<StepInput, "facts" | "state" | "wallet" | "account" | "strategies">
): StepInput => ({
  ...of,
  held: desk.held.get(itemKey(of.facts.item)) ?? new Map(),
  rules: desk.options.plan,
  guard: desk.options.guard
})

const carryOut = Effect.fnUntraced(function* (desk: Desk, input: StepInput, drafts: ReadonlyArray<Draft>) {
  const journal = yield* Journal
  const limiter = yield* RateLimiter
  let [sent, refused] = [false, false]
  for (const draft of drafts) {
    const now = yield* marketNow
    const ruling = rulingOn(draft, input, yield* journal.state, now, rests(limiter, draft._tag, now))
    if (ruling._tag === "Refused") {
      yield* journal.append(refusalEvents(desk, ruling, now))
      continue
    }
    forgetRefusals(desk, draft)
    const result = yield* execute(ruling.intent)
    sent = true
    refused ||= result === "Refused"
  }
  if (sent) forgetQuotes(desk, itemKey(input.facts.item), yield* marketNow)
  const did: Did = refused ? "Refused" : sent ? "Sent" : "Nothing"
  return did
})

/** What was read of the item before is not believed any more, and read again at once. */
export const forgetQuotes = (desk: Desk, key: ItemKey, now: Millis): void => {
  desk.generations.set(key, (desk.generations.get(key) ?? 0) + 1)
  desk.view.books.set(key, forgotten(now))
  desk.view.offers.set(key, forgotten(now))
  for (const fact of ["book", "offers"] as const) hasten(desk.planner, fact, key, now)
  desk.hurry.openUnsafe()
}

const refusalKey = (draft: Draft): string =>
  `${epochKey(itemKey(draft.item), sideOf(draft))} ${draft.reason.origin.strategy}`

type Refusing = Pick<Desk, "refusedBefore">

export const forgetRefusals = (desk: Refusing, draft: Draft): void => {
  desk.refusedBefore.delete(refusalKey(draft))
}

/** The guard's no as an event, once for as long as it stays the same. */
export const refusalEvents = (
  desk: Refusing,
  { code, draft }: Extract<Ruling, { _tag: "Refused" }>,
  at: Millis
): ReadonlyArray<Event> => {
  const key = refusalKey(draft)
  // After a change of ours the book is away for a moment: nothing to tell.
  if (code === "NoBook" || desk.refusedBefore.get(key) === code) return []
  desk.refusedBefore.set(key, code)
  const { item, reason } = draft
  const { means: message } = refusals[code]
  return [{ _tag: "GuardRefused", at, item, side: sideOf(draft), code, message, origin: reason.origin }]
}

const tellChanges = Effect.fnUntraced(function* (
  desk: Desk,
  key: ItemKey,
  decisions: ReadonlyArray<Decision>,
  facts: Facts
) {
  const activity = yield* Activity
  const fingerprint = decisions.map(fingerprintOf).join("|")
  // Until the book is back after a change of ours there is nothing to tell but that.
  if (facts.book._tag === "Unseen" || desk.toldBefore.get(key) === fingerprint) return
  desk.toldBefore.set(key, fingerprint)
  yield* Effect.forEach(decisions, (decision) => activity.tell({ _tag: "Decided", decision, facts }), {
    discard: true
  })
})

const fingerprintOf = (decision: Decision): string =>
  JSON.stringify([
    decision.strategy,
    decision.revision,
    decision.verdicts.map(({ rule, verdict }) => [
      rule,
      verdict._tag,
      verdict._tag === "Unknown" ? verdict.why : ""
    ]),
    decision.bid?._tag,
    decision.ask?._tag,
    decision.yields
  ])

/** A rule that notifies or halts speaks when it begins to match, not for as long as it does. */
export const signalEvents = (
  desk: Pick<Desk, "signalling">,
  key: ItemKey,
  decisions: ReadonlyArray<Decision>,
  at: Millis
): ReadonlyArray<Event> => {
  const before = desk.signalling.get(key) ?? new Set()
  const now = new Set<string>()
  const events: Array<Event> = []
  for (const { item, signals } of decisions)
    for (const { _tag, message, reason } of signals) {
      const { origin } = reason
      const name = `${origin.strategy}#${origin.rule}`
      now.add(name)
      if (before.has(name)) continue
      events.push(
        _tag === "Notify"
          ? { _tag: "Notified", at, item, message, origin }
          : { _tag: "Halted", at, why: `${showOrigin(origin)}: ${message}` }
      )
    }
  if (now.size > 0 || before.size > 0) desk.signalling.set(key, now)
  return events
}

/**
 * Bids of strategies that are no longer in force, and bids on items that left their strategy's universe, are cancelled, unless the file said
 * `onRemove: keep`. What the market refuses rests and is tried again.
 */
export const retire = Effect.fn("Decide.retire")(function* (desk: Desk) {
  const journal = yield* Journal
  const active = new Map(
    desk.universes.strategies.flatMap((one) => (one.mode === "inherit" ? [[one.name, one] as const] : []))
  )
  const state = yield* journal.state
  align(desk.universes, state)
  for (const slot of Object.values(state.bids)) {
    if (slot._tag !== "Open") continue
    const { order, placed } = slot.open
    const { strategy } = placed.reason.origin
    const owner = active.get(strategy)
    const isLeft = owner !== undefined && hasLeft(desk.universes, owner, itemKey(placed.item), state)
    if ((owner !== undefined && !isLeft) || state.strategies.kept.includes(strategy)) continue
    const because = isLeft ? `it left the universe of ${strategy}` : `strategy ${strategy} is gone`
    const at = yield* marketNow
    const draft = {
      _tag: "CancelBid",
      item: placed.item,
      at,
      order,
      limits: noLimits,
      reason: retold(placed.reason, because)
    } as const
    if (restsUntil(yield* journal.state, draft, desk.options.guard.coolDown) <= at)
      yield* cancelOwn(desk, draft)
  }
})

/** Cancels a bid of ours without a wish of a rule; false when the operator's control holds it back or the market rests us. */
export const cancelOwn = Effect.fn("Decide.cancelOwn")(function* (desk: Desk, draft: Exit) {
  const journal = yield* Journal
  if (rests(yield* RateLimiter, draft._tag, yield* marketNow)) return false
  const approved = approveExit(draft, yield* journal.state, journal.account)
  if (approved === undefined) return false
  yield* execute(approved)
  forgetQuotes(desk, itemKey(draft.item), yield* marketNow)
  return true
})
