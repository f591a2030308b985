/** The account's owner, who trades by hand beside the bot: stages listings that wait for their confirmation, orders and cancels. */
import { Effect } from "effect"

import type { Exchange } from "../../src/exchange/Exchange.ts"
import type { Dice } from "./Dice.ts"

const restMinutes = [4, 30] as const

/** Trades for ever on the exchange's first account. */
export const owner = (exchange: Exchange["Service"], chance: Dice): Effect.Effect<never> => {
  const orders: Array<string> = []
  const stage = Effect.suspend(() => {
    const [asset] = chance.some(exchange.accounts[0]?.assets ?? [], 1)
    if (asset === undefined) return Effect.void
    return exchange.execute({
      _tag: "SellItem",
      account: 0,
      app: asset.item.app,
      context: asset.context,
      asset: asset.asset,
      amount: 1,
      take: chance.between(100, 100_000)
    })
  })
  const order = Effect.gen(function* () {
    const { items } = yield* exchange.world
    const [item] = chance.some(items, 1)
    const bid = item?.bids[0]?.price
    if (item === undefined || bid === undefined || bid > 3_000) return
    const quantity = chance.between(1, 3)
    const reply = yield* exchange.execute({
      _tag: "CreateBuyOrder",
      account: 0,
      app: item.of.app,
      name: item.of.name,
      currency: 1,
      total: Math.max(3, bid - chance.between(0, 2)) * quantity,
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
  return Effect.sleep(0).pipe(
    Effect.andThen(Effect.suspend(() => Effect.sleep(chance.between(...restMinutes) * 60_000))),
    Effect.andThen(Effect.suspend(() => chance.pick([stage, order, order, cancel]))),
    Effect.orDie,
    Effect.forever
  )
}
