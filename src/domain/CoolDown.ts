/**
 * Rests after refusals by the market: a side of an item is left alone for a while that doubles with every refusal in a row.
 * Invariants: 1. rests are part of the state, so a daemon that starts again and again does not ask again and again. 2. at most
 * `sidesKept` are remembered, and none for longer than `forgottenMillis`: the oldest go first.
 */
import { Schema } from "effect"

import type { BuySlot } from "./BuySlot.ts"
import type { Event } from "./Event.ts"
import { Millis } from "./Ids.ts"
import { epochKey, type Intent, sideOf } from "./Intent.ts"
import { itemKey } from "./Item.ts"
import type { AskSlot, BidSlot } from "./Slot.ts"

/** By what rests together; when it was refused last, and how often in a row. */
export const Cooling = Schema.Record(Schema.String, Schema.Struct({ at: Millis, refusals: Schema.Natural }))
export type Cooling = typeof Cooling.Type

/** The part of the state that rests are in, and the intents that may lead to one. */
interface Cooled {
  readonly cooling: Cooling
  readonly bids: Readonly<Record<string, BidSlot>>
  readonly asks: Readonly<Record<string, AskSlot>>
  readonly buys: Readonly<Record<string, BuySlot>>
}

/** First rest and the longest that it doubles up to. */
export interface CoolDownRules {
  readonly firstMillis: number
  readonly longestMillis: number
}
export const defaultCoolDown: CoolDownRules = { firstMillis: 60_000, longestMillis: 3_600_000 }

/** Sides that the market refuses at once; when there are more, it refuses everything and other rests hold. */
const sidesKept = 1_000
/** Nobody has tried for so long: whatever was in the way then is another matter now. */
const forgottenMillis = 24 * 3_600_000

type Side = Pick<Intent, "_tag" | "item">

/** What rests together after a refusal: a side of an item; entries, purchases outright and exits apart. */
const coolingKey = ({ _tag, item }: Side): string => {
  const kind =
    _tag === "CancelBid" || _tag === "RemoveListing" ? "exit" : _tag === "BuyListing" ? "purchase" : "entry"
  return `${kind} ${epochKey(itemKey(item), sideOf({ _tag }))}`
}

/** Until when nothing of the kind is sent on the item; in the past when nothing keeps it. */
export const restsUntil = (
  { cooling }: Pick<Cooled, "cooling">,
  side: Side,
  { firstMillis, longestMillis }: CoolDownRules
): number => {
  const last = cooling[coolingKey(side)]
  return last === undefined ? 0 : last.at + Math.min(longestMillis, firstMillis * 2 ** (last.refusals - 1))
}

/** What rests after the event; the same record when it changes nothing. `before` still has the slot of the event's intent. */
export const coolingAfter = (before: Cooled, event: Event): Cooling => {
  if (event._tag !== "Refused" && event._tag !== "Accepted" && event._tag !== "OutcomeUnknown")
    return before.cooling
  const intent = sentIntent(before, event.intent)
  if (intent === undefined) return before.cooling
  const key = coolingKey(intent)
  if (event._tag !== "Refused") return without(before.cooling, key)
  const { [key]: last, ...others } = before.cooling
  const refusals = (last?.refusals ?? 0) + 1
  const kept = Object.entries(others).filter(([, { at }]) => event.at - at < forgottenMillis)
  return { ...Object.fromEntries(kept.slice(1 - sidesKept)), [key]: { at: event.at, refusals } }
}

/** What a process wrote down and did not live to send was refused by nobody. */
const sentIntent = ({ asks, bids, buys }: Cooled, id: string): Intent | undefined => {
  for (const slots of [bids, asks, buys])
    for (const slot of Object.values(slots))
      if ("intent" in slot && slot.intent.id === id)
        return "sent" in slot && !slot.sent ? undefined : slot.intent
  return undefined
}

const without = (cooling: Cooling, key: string): Cooling => {
  if (cooling[key] === undefined) return cooling
  const { [key]: _, ...rest } = cooling
  return rest
}
