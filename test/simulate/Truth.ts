/** What the referee knows of the exchange and of what commands mean, apart from any bot. */
import type { Intent } from "../../src/domain/Intent.ts"
import type { Command } from "../../src/exchange/Command.ts"
import type { Account, World } from "../../src/exchange/World.ts"
import type { Record } from "./Occasion.ts"

export const isBid = (intent: Intent): boolean => intent._tag === "PlaceBid" || intent._tag === "CancelBid"

/** Whether the command is what the intent says. */
export const means = (intent: Intent, command: Command): boolean => {
  switch (command._tag) {
    case "CreateBuyOrder":
      return (
        intent._tag === "PlaceBid" &&
        intent.item.app === command.app &&
        intent.item.name === command.name &&
        intent.quantity === command.quantity &&
        intent.price * intent.quantity === command.total
      )
    case "CancelBuyOrder":
      return intent._tag === "CancelBid" && intent.order === command.order
    case "SellItem":
      return (
        intent._tag === "ListAsset" &&
        intent.asset === command.asset &&
        intent.sellerReceives === command.take
      )
    case "RemoveListing":
      return intent._tag === "RemoveListing" && intent.listing === command.listing
    case "BuyListing":
      return (
        intent._tag === "BuyListing" &&
        intent.listing === command.listing &&
        intent.units === command.quantity &&
        intent.subtotal * intent.units === command.subtotal &&
        intent.fee * intent.units === command.fee
      )
    case "SettleConfirmation":
      return false
  }
}

const nameOf = (world: World, item: number): string => {
  const of = world.items[item]?.of
  return `${of?.app ?? 0}/${of?.name ?? ""}`
}

/** Units in the inventory or listed, by `app/name`. */
export const unitsOf = (world: World, account: Account): ReadonlyMap<string, number> => {
  const units = new Map<string, number>()
  for (const { item } of [...account.inventory, ...account.listings])
    units.set(nameOf(world, item), (units.get(nameOf(world, item)) ?? 0) + 1)
  return units
}

/** Whether the purchase was made by an order of the bot. */
export const isOwnPurchase = (world: World, purchase: string, { orders }: Record): boolean => {
  const account = world.accounts[0]
  return [...(account?.orders ?? []), ...(account?.ended ?? [])].some(
    ({ id, purchases }) => orders.has(id) && purchases.some((one) => one.purchase === purchase)
  )
}

/** Whether the asset was listed by the bot. */
export const isOwnSale = (asset: string, { intents }: Record): boolean =>
  [...intents.values()].some(({ intent }) => intent._tag === "ListAsset" && intent.asset === asset)

interface Lot {
  readonly strategy: string
  readonly cost: number
}

/** What the bot's own orders bought and its own listings did not sell yet, by `app/name`: the oldest units are sold first. */
export const ownUnits = (
  world: World,
  account: Account,
  { intents, orders }: Record
): ReadonlyMap<string, { readonly units: number; readonly lots: ReadonlyArray<Lot> }> => {
  const strategies = new Map<string, string>()
  for (const { id, purchases } of [...account.orders, ...account.ended])
    for (const { purchase } of purchases) {
      const strategy = orders.get(id)?.reason.origin.strategy
      if (strategy !== undefined) strategies.set(purchase, strategy)
    }
  const listed = new Set(
    [...intents.values()].flatMap(({ intent }) =>
      intent._tag === "ListAsset" ? [intent.asset as string] : []
    )
  )
  const lots = new Map<string, Array<Lot>>()
  for (const { asset, item, kind, price, purchase } of account.history) {
    const name = nameOf(world, item)
    const strategy = strategies.get(purchase)
    if (kind === "Bought" && strategy !== undefined)
      lots.set(name, [...(lots.get(name) ?? []), { strategy, cost: price }])
    if (kind === "Sold" && listed.has(asset)) lots.set(name, (lots.get(name) ?? []).slice(1))
  }
  return new Map([...lots].map(([name, held]) => [name, { units: held.length, lots: held }]))
}
