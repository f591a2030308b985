/**
 * The account of a replay: what an approved intent does on paper, and what a look at the account tells the journal of it.
 * Invariants: 1. an intent is journaled before its answer. 2. what is read of the account goes through the same tracking as a market's
 * answers. 3. a staged listing is confirmed at the next look, as by the daemon.
 */
import type { Event } from "../domain/Event.ts"
import type { Fill } from "../domain/Fill.ts"
import type { IntentId, Millis } from "../domain/Ids.ts"
import type { Intent } from "../domain/Intent.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { Outcome } from "../domain/Outcome.ts"
import { knownIds } from "../domain/State.ts"
import { touched } from "../engine/Account.ts"
import { awaiting } from "../engine/Confirm.ts"
import type { Approved } from "../engine/Guard.ts"
import { track } from "../engine/Track.ts"
import {
  allowListing,
  type Answered,
  buyListing,
  cancelOrder,
  placeOrder,
  stageListing,
  takeBack
} from "../paper/PaperOrders.ts"
import { openOf } from "../paper/PaperState.ts"
import { append, type ReplayDesk } from "./ReplayDesk.ts"

/** Carries an intent out on paper; true when the answer was a yes. */
export const execute = (desk: ReplayDesk, intent: Approved, at: Millis): boolean => {
  append(desk, [
    { _tag: "IntentRecorded", at, intent },
    { _tag: "Sent", at, intent: intent.id }
  ])
  const [paper, outcome] = asked(desk, intent, at)
  desk.paper = paper
  append(desk, [answer(intent, outcome, at)])
  return outcome._tag === "Accepted"
}

const asked = (desk: ReplayDesk, intent: Intent, at: Millis): Answered<unknown> => {
  const { paper, paperRules, wallet } = desk
  const { fees } = wallet
  switch (intent._tag) {
    case "PlaceBid":
      return placeOrder(paper, intent, at, fees, paperRules)
    case "CancelBid":
      return cancelOrder(paper, intent.order)
    case "ListAsset":
      return stageListing(paper, intent, at, fees, paperRules)
    case "RemoveListing":
      return takeBack(paper, intent.listing, at)
    case "BuyListing": {
      const { limit: atMost, units: quantity } = intent
      return buyListing(paper, { offer: { ...intent, isMine: false }, quantity, atMost }, at, paperRules)
    }
  }
}

const answer = ({ _tag, id: intent }: Intent, outcome: Outcome<unknown>, at: Millis): Event => {
  if (outcome._tag === "Accepted")
    return {
      _tag: "Accepted",
      at,
      intent,
      ...(_tag === "PlaceBid" ? { order: outcome.value as never } : {})
    }
  const [code, message] =
    outcome._tag === "Refused" ? [outcome.code, outcome.message] : [outcome._tag, "there was no answer"]
  return { _tag: "Refused", at, intent, code, message }
}

/** Looks at the account: fills, what was closed, confirmations that wait. Answers the items on which something of ours changed. */
export const look = (desk: ReplayDesk, now: Millis): ReadonlySet<ItemKey> => {
  const { missing, options, paper, state } = desk
  const known = knownIds(state)
  const { events, missing: after } = track({
    state,
    open: openOf(paper),
    history: {
      fills: newFills(paper.fills, known),
      returned: paper.returned.filter((one) => !known.has(one.listing))
    },
    funds: paper.balance,
    missing,
    now,
    rules: options.track
  })
  append(desk, events)
  desk.missing = after
  confirm(desk, now)
  return touched(events)
}

/** The newest come first, so that behind one that is known all are. */
const newFills = (fills: ReadonlyArray<Fill>, known: ReadonlySet<string>): ReadonlyArray<Fill> => {
  const end = fills.findIndex(({ id }) => known.has(id))
  return end < 0 ? fills : fills.slice(0, end)
}

const confirm = (desk: ReplayDesk, at: Millis): void => {
  const waiting = awaiting(desk.state)
  if (waiting.length === 0) return
  for (const { asset, confirmation, liveAt } of desk.paper.listings) {
    const intent: IntentId | undefined = waiting.find(({ listed }) => listed.asset === asset)?.listed.id
    if (liveAt !== undefined || intent === undefined) continue
    append(desk, [{ _tag: "Confirming", at, intent, confirmation }])
    const [paper] = allowListing(desk.paper, confirmation, at, desk.paperRules)
    desk.paper = paper
    append(desk, [{ _tag: "Confirmed", at, intent, confirmation }])
  }
}
