/**
 * Buy orders: placed, confirmed where the market asks for it, cancelled (interface, Mutations; facts on createbuyorder).
 * Invariants: 1. one active order per account and item. 2. all active orders together are worth at most ten times the wallet.
 * 3. an order that asks for a confirmation exists only after the same form came again with the allowed confirmation.
 */
import { minimumBid } from "../domain/Fee.ts"
import { money } from "../domain/Money.ts"
import { digits } from "./Chance.ts"
import { type CommandOf, done, refuse, type Reply } from "./Command.ts"
import {
  accountAt,
  changeAccount,
  type Draft,
  editItem,
  nextConfirmation,
  nextOrder,
  nextPending
} from "./Draft.ts"
import { submitBid, withdraw } from "./Matching.ts"
import { type Refusal } from "./Refusal.ts"
import { endOrder } from "./Settle.ts"
import { type BuyOrder, itemIndex, maximumPrice, type PendingOrder } from "./World.ts"

/** Active orders together may be worth this many wallets. */
const walletMultiple = 10
/** Largest quantity of one order. */
const largestQuantity = 10_000
const nonceDigits = 19

type Create = CommandOf<"CreateBuyOrder">

const readOrder = (draft: Draft, command: Create): PendingOrder | Refusal => {
  const item = itemIndex(draft.world, command.app, command.name)
  const known = draft.items[item]
  if (known === undefined) return "UnknownItem"
  if (command.currency !== draft.world.currency) return "WrongCurrency"
  const { quantity, total } = command
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > largestQuantity) return "WrongQuantity"
  if (!Number.isSafeInteger(total) || total < 1 || total % quantity !== 0) return "WrongPrice"
  const price = total / quantity
  if (price < minimumBid(known.fees)) return "PriceTooLow"
  if (price > maximumPrice(draft.world)) return "PriceTooHigh"
  if (price % known.fees.increment !== 0) return "WrongPrice"
  return { item, price: money(price), quantity }
}

const worth = (orders: ReadonlyArray<BuyOrder>): number =>
  orders.reduce((sum, { price, remaining }) => sum + price * remaining, 0)

const limits = (draft: Draft, account: number, order: PendingOrder): Refusal | undefined => {
  const { balance, orders } = accountAt(draft, account)
  if (orders.some(({ item }) => item === order.item)) return "OrderExists"
  return worth(orders) + order.price * order.quantity > walletMultiple * balance
    ? "OrdersExceedBalance"
    : undefined
}

const sameOrder = (one: PendingOrder, other: PendingOrder): boolean =>
  one.item === other.item && one.price === other.price && one.quantity === other.quantity

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

/** Undefined when the order may be placed now. */
const confirmed = (draft: Draft, command: Create, order: PendingOrder): Reply | undefined => {
  const { account, confirmation } = command
  if (confirmation === "0" || confirmation === "") {
    return draft.world.rules.confirmPurchases ? ask(draft, account, order) : undefined
  }
  const pending = accountAt(draft, account).pending.find(({ id }) => id === confirmation)
  if (pending === undefined || !sameOrder(pending.order, order)) return refuse("WrongConfirmation")
  if (pending.state === "Asked") return { _tag: "NeedsConfirmation", pending: pending.id }
  return pending.state === "Rejected" ? refuse("ConfirmationRejected") : undefined
}

export const createBuyOrder = (draft: Draft, command: Create): Reply => {
  const order = readOrder(draft, command)
  if (typeof order === "string") return refuse(order)
  const { account } = command
  const refusal = limits(draft, account, order)
  if (refusal !== undefined) return refuse(refusal)
  const reply = confirmed(draft, command, order)
  if (reply !== undefined) return reply
  const id = nextOrder(draft)
  const owner = accountAt(draft, account)
  changeAccount(draft, account, {
    orders: [
      ...owner.orders,
      { ...order, id, remaining: order.quantity, createdAt: draft.now, purchases: [], state: "Active" }
    ],
    pending: owner.pending.filter((one) => one.id !== command.confirmation)
  })
  draft.events.push({ _tag: "OrderOpened", at: draft.now, account, order: id })
  const item = editItem(draft, order.item)
  const bid = { seq: item.seq++, price: order.price, take: 0, units: order.quantity, account, ref: id }
  submitBid(draft, order.item, bid, "rest")
  return { _tag: "OrderPlaced", order: id }
}

export const cancelBuyOrder = (draft: Draft, command: CommandOf<"CancelBuyOrder">): Reply => {
  const order = accountAt(draft, command.account).orders.find(({ id }) => id === command.order)
  if (order === undefined) return refuse("NoSuchOrder")
  withdraw(draft, order.item, "bids", order.id)
  endOrder(draft, command.account, order, "Cancelled")
  return done
}
