/**
 * What a person may settle by a word after a look: an intent that reads could not settle, a difference that nothing explains.
 * Invariant: only what the daemon itself has put before a person can be settled so.
 */
import { Result } from "effect"

import type { Event, EventOf } from "./Event.ts"
import type { Millis } from "./Ids.ts"
import { itemKey } from "./Item.ts"
import type { State } from "./State.ts"

/** Who speaks, and why. */
export interface Speaker {
  readonly who: string
  readonly why: string
}

/** Lets quarantined intents go: of an item (its key or name), or one by its id. */
export const released = (
  state: State,
  target: string,
  { who, why }: Speaker,
  at: Millis
): Result.Result<ReadonlyArray<EventOf<"Released">>, string> => {
  const slots = [...Object.values(state.bids), ...Object.values(state.asks), ...Object.values(state.buys)]
  const found = slots.flatMap((slot) =>
    slot._tag === "Quarantined" &&
    [slot.intent.id, itemKey(slot.intent.item), slot.intent.item.name].includes(target)
      ? [{ _tag: "Released", at, intent: slot.intent.id, who, why } as const]
      : []
  )
  return found.length === 0
    ? Result.fail(`nothing of "${target}" is quarantined; \`haggle status\` shows what is`)
    : Result.succeed(found)
}

/** Takes the lasting difference for the owner's doing. */
export const taken = (
  { ledgerOff }: State,
  { who, why }: Speaker,
  at: Millis
): Result.Result<ReadonlyArray<Event>, string> =>
  ledgerOff === undefined
    ? Result.fail("no lasting difference between ledger and wallet is known")
    : Result.succeed([{ _tag: "LedgerAdjusted", at, difference: ledgerOff.difference, who, why }])
