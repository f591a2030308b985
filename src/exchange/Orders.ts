/**
 * Buy orders: placed, confirmed where the market asks for it, cancelled (interface, Mutations; facts on createbuyorder).
 * Invariants: 1. one active order per account and item. 2. all active orders together are worth at most ten times the wallet.
 * 3. an order that asks for a confirmation exists only after the same form came again with the allowed confirmation.
 */
import { minimumBid } from "../domain/Fee.ts"
import { money } from "../domain/Money.ts"
import { logActivity, nobody } from "./ActivityLog.ts"
import { type CommandOf, done, refuse, type Reply } from "./Command.ts"
import { accountAt, changeAccount, type Draft, editItem, nextOrder } from "./Draft.ts"
import { submitBid, withdraw } from "./Matching.ts"
import { confirmed, forget } from "./PendingPurchases.ts"
import { feesIn, limitAs, maximumPrice } from "./Rates.ts"
import { type Refusal } from "./Refusal.ts"
import { endOrder } from "./Settle.ts"
import { type BuyOrder, itemIndex, type PendingOrder } from "./World.ts"

/** Active orders together may be worth this many wallets. */
const walletMultiple = 10
/** Largest quantity of one order. */
const largestQuantity = 10_000

type Create = CommandOf<"CreateBuyOrder">

const readOrder = (draft: Draft, command: Create): PendingOrder | Refusal => {
  const item = itemIndex(draft.world, command.app, command.name)
  const known = draft.items[item]
  if (known === undefined) return "UnknownItem"
  const { currency } = accountAt(draft, command.account)
  const fees = feesIn(known.of.publisherRate, currency)
  if (command.currency !== currency) return "WrongCurrency"
  const { quantity, total } = command
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > largestQuantity) return "WrongQuantity"
  if (!Number.isSafeInteger(total) || total < 1 || total % quantity !== 0) return "WrongPrice"
  const price = total / quantity
  if (price < minimumBid(fees)) return "PriceTooLow"
  if (limitAs(price, known.of.publisherRate, currency, draft.world.currency) < minimumBid(known.fees))
    return "PriceTooLow"
  if (price > maximumPrice(currency)) return "PriceTooHigh"
  if (price % fees.increment !== 0) return "WrongPrice"
  return { item, price: money(price), quantity, listing: "" }
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

export const createBuyOrder = (draft: Draft, command: Create): Reply => {
  const order = readOrder(draft, command)
  if (typeof order === "string") return refuse(order)
  const { account } = command
  const refusal = limits(draft, account, order)
  if (refusal !== undefined) return refuse(refusal)
  const reply = confirmed(draft, account, command.confirmation, order)
  if (reply !== undefined) return reply
  forget(draft, account, command.confirmation)
  const id = nextOrder(draft)
  const owner = accountAt(draft, account)
  const { price, quantity } = order
  changeAccount(draft, account, {
    orders: [
      ...owner.orders,
      {
        id,
        item: order.item,
        price,
        quantity,
        remaining: quantity,
        createdAt: draft.now,
        purchases: [],
        state: "Active"
      }
    ]
  })
  draft.events.push({ _tag: "OrderOpened", at: draft.now, account, order: id })
  const item = editItem(draft, order.item)
  const limit = limitAs(price, item.of.publisherRate, owner.currency, draft.world.currency)
  logActivity(item, [draft.now, "BuyOrder", limit, quantity, account, nobody])
  const bid = { seq: item.seq++, price: limit, take: 0, units: quantity, account, ref: id, at: draft.now }
  submitBid(draft, order.item, bid, "rest")
  return { _tag: "OrderPlaced", order: id }
}

export const cancelBuyOrder = (draft: Draft, command: CommandOf<"CancelBuyOrder">): Reply => {
  const order = accountAt(draft, command.account).orders.find(({ id }) => id === command.order)
  if (order === undefined) return refuse("NoSuchOrder")
  const bid = withdraw(draft, order.item, "bids", order.id)
  const row = [
    draft.now,
    "BuyOrderCancel",
    bid?.price ?? 0,
    order.remaining,
    command.account,
    nobody
  ] as const
  logActivity(editItem(draft, order.item), row)
  endOrder(draft, command.account, order, "Cancelled")
  return done
}
