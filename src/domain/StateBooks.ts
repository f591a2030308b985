/**
 * What each event posts to the books.
 * Invariant: an entry sums to zero; the cost of what is sold is what the lots lose, so the books and the lots cannot part.
 */
import { posted, type Postings } from "./Books.ts"
import type { Event } from "./Event.ts"
import { itemKey } from "./Item.ts"
import { lotsCost } from "./Position.ts"
import { positionOf, type State } from "./State.ts"

/** What an event posts; undefined when no money or lot moves. `before` and `after` are the states around it. */
export const postingsOf = (before: State, event: Event, after: State): Postings | undefined => {
  switch (event._tag) {
    case "LedgerOpened":
      return { wallet: event.balance, owner: -event.balance }
    case "LedgerAdjusted":
      return { wallet: event.difference, owner: -event.difference }
    case "FundsReleased":
      return { held: -event.amount, wallet: event.amount }
    case "FundsRevoked": {
      const from = before.heldFunds[event.fill] === undefined ? "wallet" : "held"
      const loser = before.byHand.includes(event.fill) ? "owner" : "profit"
      return { [from]: -event.amount, [loser]: event.amount }
    }
    case "Filled":
      return ofFill(before, event, after)
    default:
      return undefined
  }
}

const ofFill = (before: State, { fill, intent }: Extract<Event, { _tag: "Filled" }>, after: State) => {
  const paidInto = fill.side === "Sell" && fill.heldUntil !== undefined ? "held" : "wallet"
  const cash = fill.side === "Buy" ? -fill.amount : fill.amount
  if (intent === undefined) return { [paidInto]: cash, owner: -cash }
  const key = itemKey(fill.item)
  const lots = lotsCost(positionOf(after, key)) - lotsCost(positionOf(before, key))
  if (fill.side === "Buy") return { wallet: cash, inventory: lots }
  return { [paidInto]: cash, fees: fill.fee, inventory: lots, profit: -(cash + fill.fee + lots) }
}

/** The books and the funds on hold after an event. */
export const booksAfter = (before: State, event: Event, after: State): State => {
  const postings = postingsOf(before, event, after)
  const heldFunds = heldAfter(after.heldFunds, event)
  if (postings === undefined && heldFunds === after.heldFunds) return after
  return { ...after, heldFunds, books: postings === undefined ? after.books : posted(after.books, postings) }
}

const heldAfter = (held: State["heldFunds"], event: Event): State["heldFunds"] => {
  if (event._tag === "FundsReleased" || event._tag === "FundsRevoked") {
    if (held[event.fill] === undefined) return held
    const { [event.fill]: _, ...rest } = held
    return rest
  }
  if (event._tag !== "Filled" || event.fill.side !== "Sell" || event.fill.heldUntil === undefined) return held
  const { amount, heldUntil, id } = event.fill
  return { ...held, [id]: { amount, until: heldUntil } }
}
