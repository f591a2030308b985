/**
 * Units that the market would not let us list: bought a moment ago, they may not be traded yet. No operation tells how long; what tells
 * it at all is the refusal of a listing. Invariant: such a unit is left alone for a while that doubles with every refusal, then it is
 * tried once more.
 */
import type { Event } from "./Event.ts"
import type { AssetId, Millis } from "./Ids.ts"
import { findIntent } from "./SlotEdits.ts"
import type { State } from "./State.ts"

/** A unit that was delivered a moment ago may be there in minutes; a real hold lasts for days. */
const firstHoldMillis = 5 * 60_000
const longestHoldMillis = 6 * 3_600_000
/** The market's word for a unit that is not there or may not be traded. */
const refusedUnit = "NotInInventory"

/** True while the unit is not worth another try. */
export const isHeld = ({ held }: State, asset: AssetId, now: Millis): boolean => {
  const hold = held[asset]
  if (hold === undefined) return false
  return now - hold.at < Math.min(longestHoldMillis, firstHoldMillis * 2 ** (hold.refusals - 1))
}

/** Which units are held after the event; the same record when it changes nothing. `before` still has the slot of the event's intent. */
export const heldAfter = (before: State, event: Event): State["held"] => {
  switch (event._tag) {
    case "Refused": {
      const intent = event.code === refusedUnit ? findIntent(before, event.intent)?.intent : undefined
      if (intent?._tag !== "ListAsset") return before.held
      const refusals = (before.held[intent.asset]?.refusals ?? 0) + 1
      return { ...before.held, [intent.asset]: { at: event.at, refusals } }
    }
    case "Accepted": {
      const intent = findIntent(before, event.intent)?.intent
      return intent?._tag === "ListAsset" ? without(before.held, intent.asset) : before.held
    }
    case "Filled":
      return without(before.held, event.fill.asset)
    case "Returned":
      return without(before.held, event.returned.asset)
    default:
      return before.held
  }
}

const without = (held: State["held"], asset: AssetId): State["held"] => {
  if (held[asset] === undefined) return held
  const { [asset]: _, ...rest } = held
  return rest
}
