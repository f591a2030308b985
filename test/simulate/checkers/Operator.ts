/** 3. What the operator said holds from the moment it is on disk: paused, nothing new; draining, nothing bought; halted, bids cancelled only. */
import type { Event } from "../../../src/domain/Event.ts"
import { type Checker, nothingWrong } from "../Occasion.ts"

const lets: Readonly<Record<string, ReadonlyArray<string>>> = {
  Paused: [],
  Draining: ["CancelBid", "ListAsset", "RemoveListing"],
  Halted: ["CancelBid"]
}

/** What left before the halt may arrive so much later. */
const underWayMillis = 15_000

export const operator = (): Checker => {
  let inForce: string | undefined
  let haltedAt = Number.POSITIVE_INFINITY

  const follow = (event: Event): ReadonlyArray<string> => {
    switch (event._tag) {
      case "Halted":
        if (inForce !== "Halted") haltedAt = event.at
        inForce = "Halted"
        return nothingWrong
      case "Paused":
      case "Draining":
        if (inForce !== "Halted") inForce = event._tag
        return nothingWrong
      case "Resumed":
        inForce = undefined
        haltedAt = Number.POSITIVE_INFINITY
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
    see: (occasion) => {
      if (occasion._tag === "Journaled") return occasion.events.flatMap(follow)
      if (occasion._tag !== "Commanded") return nothingWrong
      const { command, now } = occasion
      const isAgain = "confirmation" in command && command.confirmation !== "0"
      return isAgain && now > haltedAt + underWayMillis
        ? ["a purchase was posted again although halted"]
        : nothingWrong
    }
  }
}
