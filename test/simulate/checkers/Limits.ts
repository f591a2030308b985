/**
 * 3. No order leaves that would take a strategy over its limits, by what the exchange knows: spent, held and on order, over all lives.
 * The limits of the intent's revision or of the newest one count, whichever is wider.
 */
import type { Limits } from "../../../src/domain/Decision.ts"
import type { Intent } from "../../../src/domain/Intent.ts"
import type { Account, World } from "../../../src/exchange/World.ts"
import { type Checker, nothingWrong, type Occasion, type Record } from "../Occasion.ts"
import { means, ownUnits } from "../Truth.ts"

const dayMillis = 86_400_000

export const limits = (): Checker => {
  const written = new Map<string, Limits>()
  const newest = new Map<string, Limits>()

  const limitsOf = ({ reason: { origin } }: Intent): ReadonlyArray<Limits> =>
    [written.get(`${origin.strategy}@${origin.revision}`), newest.get(origin.strategy)].flatMap(
      (one) => one ?? []
    )

  return {
    promise: 3,
    see: (occasion, record) => {
      if (occasion._tag === "Written") {
        written.set(`${occasion.name}@${occasion.revision}`, occasion.limits)
        newest.set(occasion.name, occasion.limits)
      }
      if (occasion._tag !== "Commanded" || occasion.command._tag !== "CreateBuyOrder") return nothingWrong
      return over(occasion, limitsOf, record)
    }
  }
}

const over = (
  { command, now, world }: Extract<Occasion, { _tag: "Commanded" }>,
  limitsOf: (intent: Intent) => ReadonlyArray<Limits>,
  record: Record
): ReadonlyArray<string> => {
  const account = world.accounts[0]
  const intent = [...record.intents.values()].findLast((known) => means(known.intent, command))?.intent
  if (account === undefined || intent?._tag !== "PlaceBid") return nothingWrong
  const { origin } = intent.reason
  const used = usedBy(origin.strategy, world, account, now, record)
  const key = `${intent.item.app}/${intent.item.name}`
  const cost = intent.price * intent.quantity
  const wants: ReadonlyArray<readonly [keyof Limits, number]> = [
    ["spendPerDay", used.spent + used.ordered + cost],
    ["exposure", used.held + used.ordered + cost],
    ["openOrders", used.orders + 1],
    ["perItemUnits", (ownUnits(world, account, record).get(key)?.units ?? 0) + intent.quantity],
    ["maxPrice", intent.price]
  ]
  const widest = limitsOf(intent)
  return wants.flatMap(([name, want]) => {
    const most = Math.max(...widest.map((one) => one[name] ?? Number.POSITIVE_INFINITY))
    return widest.length > 0 && want > most ? [`${origin.strategy} ${name} ${want} of ${most}`] : []
  })
}

/** What a strategy has spent within a day, holds, and has on order, minor units. */
const usedBy = (strategy: string, world: World, account: Account, now: number, record: Record) => {
  const isMine = ({ id }: { readonly id: string }) =>
    record.orders.get(id)?.reason.origin.strategy === strategy
  const standing = account.orders.filter(isMine)
  const purchases = [...account.orders, ...account.ended].filter(isMine).flatMap((order) => order.purchases)
  const held = [...ownUnits(world, account, record).values()].flatMap(({ lots }) =>
    lots.filter((lot) => lot.strategy === strategy)
  )
  return {
    orders: standing.length,
    ordered: standing.reduce((sum, order) => sum + order.price * order.remaining, 0),
    spent: purchases.reduce((sum, { at, price }) => (at > now - dayMillis ? sum + price : sum), 0),
    held: held.reduce((sum, lot) => sum + lot.cost, 0)
  }
}
