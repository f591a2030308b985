/** 6. Every unknown outcome is settled or quarantined while the daemon is up for so long; also counts how each was settled. */
import type { Event } from "../../../src/domain/Event.ts"
import { itemKey } from "../../../src/domain/Item.ts"
import { type Checker, type Known, nothingWrong, type Record as Journal } from "../Occasion.ts"
import { isBid } from "../Truth.ts"

/** Market time that the bot may be up with an outcome that it does not know: reads may fail for half an hour until a person is told. */
const settleWithinMillis = 40 * 60_000

interface Open {
  readonly reason: string
  /** How long the daemon had been up when it was raised. */
  readonly raisedAtUp: number
}

export const settled = () => {
  const unknowns = { raised: 0, settled: 0, quarantined: 0, how: {} as Record<string, number> }
  const open = new Map<string, Open>()
  let upBefore = 0
  let upSince: number | undefined
  const up = (now: number): number => upBefore + (upSince === undefined ? 0 : now - upSince)

  const close = (id: string, how: "settled" | "quarantined", words: string, { intents }: Journal) => {
    const one = open.get(id)
    if (one === undefined) return
    open.delete(id)
    unknowns[how]++
    const name = `${intents.get(id)?.intent._tag ?? "?"} ${one.reason}: ${words}`
    unknowns.how[name] = (unknowns.how[name] ?? 0) + 1
  }
  const closeWhere = (is: (known: Known) => boolean, words: string, journal: Journal) => {
    for (const id of open.keys()) {
      const known = journal.intents.get(id)
      if (known !== undefined && is(known)) close(id, "settled", words, journal)
    }
  }
  const follow = (event: Event, now: number, journal: Journal): void => {
    switch (event._tag) {
      case "OutcomeUnknown":
        if (open.has(event.intent)) return
        unknowns.raised++
        open.set(event.intent, { reason: event.reason, raisedAtUp: up(now) })
        return
      case "Settled":
        return close(event.intent, "settled", event.happened ? "it had happened" : "it had not", journal)
      case "Quarantined":
        return close(event.intent, "quarantined", "quarantined", journal)
      case "Accepted":
      case "Refused":
        return close(event.intent, "settled", event._tag.toLowerCase(), journal)
      case "BuyClosed":
        return close(event.intent, "settled", "its purchase closed", journal)
      case "BidClosed":
        return closeWhere(
          ({ intent }) => isBid(intent) && itemKey(intent.item) === itemKey(event.item),
          `its order closed as ${event.as}`,
          journal
        )
      case "ListingClosed":
        return closeWhere(
          ({ intent }) => "asset" in intent && intent.asset === event.asset,
          `its listing closed as ${event.as}`,
          journal
        )
      default:
    }
  }

  const checker: Checker = {
    promise: 6,
    see: (occasion, journal) => {
      if (occasion._tag === "Up") upSince ??= occasion.now
      if (occasion._tag === "Died") {
        upBefore = up(occasion.now)
        upSince = undefined
      }
      if (occasion._tag !== "Journaled") return nothingWrong
      for (const event of occasion.events) follow(event, occasion.now, journal)
      return [...open].flatMap(([id, { raisedAtUp }]) =>
        up(occasion.now) - raisedAtUp > settleWithinMillis ? [`intent ${id} is still open`] : []
      )
    },
    differs: ({ state }) => [
      ...[...open.keys()].map((id) => `intent ${id} was never settled`),
      ...(state.unsettled === 0 ? [] : [`${state.unsettled} outcomes are still open`])
    ]
  }
  return { ...checker, unknowns, open }
}
