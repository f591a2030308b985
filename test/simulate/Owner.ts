/** The account's owner, who trades by hand beside the bot: stages listings and leaves them, sells, orders and cancels. */
import { Effect } from "effect"

import type { Exchange } from "../../src/exchange/Exchange.ts"
import type { JournalError } from "../../src/exchange/Journal.ts"
import { dice } from "./Dice.ts"
import type { Act } from "./Plan.ts"
import { atTheirTimes } from "./Shelf.ts"

/** Carries out the acts on the exchange's first account. */
export const owner = (exchange: Exchange["Service"], acts: ReadonlyArray<Act>): Effect.Effect<void> => {
  const orders: Array<string> = []

  const stage = Effect.fnUntraced(function* (roll: number) {
    const chance = dice("stage", roll)
    const [asset] = chance.some(exchange.accounts[0]?.assets ?? [], 1)
    if (asset === undefined) return undefined
    const { app } = asset.item
    const take = chance.between(100, 100_000)
    const { asset: id, context } = asset
    return yield* exchange.execute({ _tag: "SellItem", account: 0, app, context, asset: id, amount: 1, take })
  })
  /** Lists and confirms with the phone. */
  const sell = Effect.fnUntraced(function* (roll: number) {
    const reply = yield* stage(roll)
    if (reply?._tag !== "Staged") return
    const { accounts } = yield* exchange.world
    const own = accounts[0]?.confirmations.find(
      ({ subject }) => subject._tag === "Listing" && subject.listing === reply.listing
    )
    if (own === undefined) return
    const { id, nonce } = own
    yield* exchange.execute({ _tag: "SettleConfirmation", account: 0, id, nonce, op: "allow" })
  })
  const order = Effect.fnUntraced(function* (roll: number) {
    const chance = dice("order", roll)
    const { accounts, currency, items } = yield* exchange.world
    const [item] = chance.some(items, 1)
    const bid = item?.bids[0]?.price
    if (item === undefined || bid === undefined || bid * 3 > (accounts[0]?.balance ?? 0)) return
    const quantity = chance.between(1, 3)
    const step = item.fees.increment
    const reply = yield* exchange.execute({
      _tag: "CreateBuyOrder",
      account: 0,
      app: item.of.app,
      name: item.of.name,
      currency,
      total: Math.max(3 * item.fees.floor, bid - chance.between(0, 2) * step) * quantity,
      quantity,
      confirmation: "0"
    })
    if (reply._tag === "OrderPlaced") orders.push(reply.order)
  })
  const cancel = Effect.suspend(() => {
    const id = orders.shift()
    return id === undefined
      ? Effect.void
      : exchange.execute({ _tag: "CancelBuyOrder", account: 0, order: id })
  })

  const carryOut = ({ act, roll }: Act): Effect.Effect<void> => {
    const done = { stage: stage(roll), sell: sell(roll), order: order(roll), cancel }[act]
    return Effect.orDie(Effect.asVoid(done as Effect.Effect<unknown, JournalError>))
  }
  return atTheirTimes(acts, carryOut)
}
