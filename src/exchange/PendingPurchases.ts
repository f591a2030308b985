/**
 * Purchases that ask for a mobile confirmation before they exist (facts on createbuyorder: HTTP 406).
 * Invariants: 1. one question for the same purchase, however often it is posted. 2. an allowed confirmation is good for the form it was
 * asked for, and once.
 */
import { digits } from "./Chance.ts"
import { refuse, type Reply } from "./Command.ts"
import { accountAt, changeAccount, type Draft, nextConfirmation, nextPending } from "./Draft.ts"
import { type PendingOrder } from "./World.ts"

const nonceDigits = 19

const sameOrder = (one: PendingOrder, other: PendingOrder): boolean =>
  one.item === other.item &&
  one.price === other.price &&
  one.quantity === other.quantity &&
  one.listing === other.listing

/** Asks for a confirmation, once for the same order. */
const ask = (draft: Draft, account: number, order: PendingOrder): Reply => {
  const owner = accountAt(draft, account)
  const asked = owner.pending.find((one) => one.state === "Asked" && sameOrder(one.order, order))
  if (asked !== undefined) return { _tag: "NeedsConfirmation", pending: asked.id }
  const pending = nextPending(draft)
  changeAccount(draft, account, {
    pending: [...owner.pending, { id: pending, order, state: "Asked" }],
    confirmations: [
      ...owner.confirmations,
      {
        id: nextConfirmation(draft),
        nonce: digits(draft.chance, nonceDigits),
        createdAt: draft.now,
        subject: { _tag: "Purchase", pending, order }
      }
    ]
  })
  draft.events.push({ _tag: "PurchaseAsked", at: draft.now, account, pending })
  return { _tag: "NeedsConfirmation", pending }
}

/** Undefined when the purchase may go on now. */
export const confirmed = (
  draft: Draft,
  account: number,
  confirmation: string,
  order: PendingOrder
): Reply | undefined => {
  if (confirmation === "0" || confirmation === "") {
    return draft.world.rules.confirmPurchases ? ask(draft, account, order) : undefined
  }
  const pending = accountAt(draft, account).pending.find(({ id }) => id === confirmation)
  if (pending === undefined || !sameOrder(pending.order, order)) return refuse("WrongConfirmation")
  if (pending.state === "Asked") return { _tag: "NeedsConfirmation", pending: pending.id }
  return pending.state === "Rejected" ? refuse("ConfirmationRejected") : undefined
}

/** The confirmation has been used. */
export const forget = (draft: Draft, account: number, confirmation: string): void => {
  const { pending } = accountAt(draft, account)
  changeAccount(draft, account, { pending: pending.filter(({ id }) => id !== confirmation) })
}
