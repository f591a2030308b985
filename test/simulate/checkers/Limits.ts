/**
 * 3. No order leaves that would take a strategy or the account over its limits, by what the exchange knows: spent, held and on order, over
 * all lives; and nothing is offered under what it cost unless its rule says so. The limits of the intent's revision or of the newest one
 * count, whichever is wider.
 */
import type { Limits } from "../../../src/domain/Decision.ts"
import type { Intent } from "../../../src/domain/Intent.ts"
import type { Command } from "../../../src/exchange/Command.ts"
import type { Account, World } from "../../../src/exchange/World.ts"
import { type Checker, nothingWrong, type Occasion, type Record } from "../Occasion.ts"
import type { Caps } from "../Plan.ts"
import { means, ownPurchases, ownUnits } from "../Truth.ts"

const dayMillis = 86_400_000

type Commanded = Extract<Occasion, { _tag: "Commanded" }>

export const limits = (caps: Caps): Checker => {
  const written = new Map<string, Limits>()
  const newest = new Map<string, Limits>()
  const lossRules = new Map<string, ReadonlySet<string>>()

  const limitsOf = ({ reason: { origin } }: Intent): ReadonlyArray<Limits> =>
    [written.get(`${origin.strategy}@${origin.revision}`), newest.get(origin.strategy)].flatMap(
      (one) => one ?? []
    )
  const mayLose = ({ reason: { origin } }: Intent): boolean =>
    lossRules.get(`${origin.strategy}@${origin.revision}`)?.has(origin.rule) === true

  return {
    promise: 3,
    see: (occasion, record) => {
      if (occasion._tag === "Written") {
        const revision = `${occasion.name}@${occasion.revision}`
        written.set(revision, occasion.limits)
        newest.set(occasion.name, occasion.limits)
        lossRules.set(revision, occasion.lossRules)
      }
      if (occasion._tag !== "Commanded") return nothingWrong
      const intent = intentOf(occasion.command, record)
      const [account] = occasion.world.accounts
      if (intent === undefined || account === undefined) return nothingWrong
      if (intent._tag === "ListAsset" && !mayLose(intent))
        return atALoss(intent, occasion.world, account, record)
      if (intent._tag !== "PlaceBid" && intent._tag !== "BuyListing") return nothingWrong
      return [
        ...over(occasion, account, intent, limitsOf(intent), record),
        ...overAll(occasion, account, intent, caps, record)
      ]
    }
  }
}

const intentOf = (command: Command, { intents }: Record): Intent | undefined =>
  [...intents.values()].findLast(({ intent }) => means(intent, command))?.intent

type Entry = Extract<Intent, { _tag: "PlaceBid" | "BuyListing" }>

const costOf = (intent: Entry): number =>
  intent._tag === "PlaceBid" ? intent.price * intent.quantity : (intent.subtotal + intent.fee) * intent.units
const unitsOf = (intent: Entry): number => (intent._tag === "PlaceBid" ? intent.quantity : intent.units)

const over = (
  { now, world }: Commanded,
  account: Account,
  intent: Entry,
  widest: ReadonlyArray<Limits>,
  record: Record
): ReadonlyArray<string> => {
  if (widest.length === 0) return nothingWrong
  const { strategy } = intent.reason.origin
  const used = usedBy((one) => one === strategy, world, account, now, record)
  const key = `${intent.item.app}/${intent.item.name}`
  const cost = costOf(intent)
  const wants: ReadonlyArray<readonly [keyof Limits, number]> = [
    ["spendPerDay", used.spent + used.ordered + cost],
    ["exposure", used.held + used.ordered + cost],
    ["openOrders", intent._tag === "PlaceBid" ? used.orders + 1 : 0],
    ["perItemUnits", (ownUnits(world, account, record).get(key)?.units ?? 0) + unitsOf(intent)],
    ["maxPrice", cost / unitsOf(intent)]
  ]
  return wants.flatMap(([name, want]) => {
    const most = Math.max(...widest.map((one) => one[name] ?? Number.POSITIVE_INFINITY))
    return want > most ? [`${strategy} ${name} ${want} of ${most}`] : []
  })
}

const overAll = (
  { now, world }: Commanded,
  account: Account,
  intent: Entry,
  caps: Caps,
  record: Record
): ReadonlyArray<string> => {
  const used = usedBy(() => true, world, account, now, record)
  const cost = costOf(intent)
  const wants: ReadonlyArray<readonly [keyof Caps, number]> = [
    ["spendPerDay", used.spent + used.ordered + cost],
    ["exposure", used.held + used.ordered + cost],
    ["openOrders", intent._tag === "PlaceBid" ? used.orders + 1 : 0]
  ]
  return wants.flatMap(([name, want]) => {
    const most = caps[name]
    return most !== undefined && want > most ? [`the account's ${name} ${want} of ${most}`] : []
  })
}

/** Less than the cheapest unit that is held cost: whatever way costs are counted, this is a loss. */
const atALoss = (
  { item, reason, sellerReceives }: Extract<Intent, { _tag: "ListAsset" }>,
  world: World,
  account: Account,
  record: Record
): ReadonlyArray<string> => {
  const lots = ownUnits(world, account, record).get(`${item.app}/${item.name}`)?.lots ?? []
  const cheapest = Math.min(...lots.map(({ cost }) => cost))
  return lots.length > 0 && sellerReceives < cheapest
    ? [`${reason.origin.strategy} offers ${item.name} for ${sellerReceives}, which cost ${cheapest}`]
    : nothingWrong
}

/** What such strategies have spent within a day, hold, and have on order, minor units. */
const usedBy = (
  isMine: (strategy: string) => boolean,
  world: World,
  account: Account,
  now: number,
  record: Record
) => {
  const standing = account.orders.filter(({ id }) => {
    const strategy = record.orders.get(id)?.reason.origin.strategy
    return strategy !== undefined && isMine(strategy)
  })
  const held = [...ownUnits(world, account, record).values()].flatMap(({ lots }) =>
    lots.filter(({ strategy }) => isMine(strategy))
  )
  return {
    orders: standing.length,
    ordered: standing.reduce((sum, order) => sum + order.price * order.remaining, 0),
    spent: ownPurchases(account, record)
      .filter(({ at, strategy }) => isMine(strategy) && at > now - dayMillis)
      .reduce((sum, { price }) => sum + price, 0),
    held: held.reduce((sum, lot) => sum + lot.cost, 0)
  }
}
