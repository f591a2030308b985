/** 3. What the operator said holds from the moment it is on disk: paused, nothing new; draining, nothing bought; halted, bids cancelled only. */
import type { Event } from "../../../src/domain/Event.ts"
import { type Checker, nothingWrong } from "../Occasion.ts"

const lets: Readonly<Record<string, ReadonlyArray<string>>> = {
  Paused: [],
  Draining: ["CancelBid", "ListAsset", "RemoveListing"],
  Halted: ["CancelBid"]
}

export const operator = (): Checker => {
  let inForce: string | undefined

  const follow = (event: Event): ReadonlyArray<string> => {
    switch (event._tag) {
      case "Halted":
        inForce = "Halted"
        return nothingWrong
      case "Paused":
      case "Draining":
        if (inForce !== "Halted") inForce = event._tag
        return nothingWrong
      case "Resumed":
        inForce = undefined
        return nothingWrong
      case "IntentRecorded":
        return inForce === undefined || lets[inForce]?.includes(event.intent._tag) === true
          ? nothingWrong
          : [`${event.intent._tag} although ${inForce.toLowerCase()}`]
      case "Confirming":
        return inForce === "Halted" ? ["a confirmation although halted"] : nothingWrong
      default:
        return nothingWrong
    }
  }

  return {
    promise: 3,
    see: (occasion) => (occasion._tag === "Journaled" ? occasion.events.flatMap(follow) : nothingWrong)
  }
}
