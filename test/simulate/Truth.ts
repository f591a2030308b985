/** What the referee knows of the exchange and of what commands mean, apart from any bot. */
import type { Intent } from "../../src/domain/Intent.ts"
import type { Command } from "../../src/exchange/Command.ts"
import type { Account, World } from "../../src/exchange/World.ts"

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

/** Units bought by orders that are not the bot's. */
export const boughtByHand = (
  world: World,
  account: Account,
  own: ReadonlySet<string>
): ReadonlyMap<string, number> => {
  const units = new Map<string, number>()
  for (const { id, item, purchases } of [...account.orders, ...account.ended]) {
    if (own.has(id)) continue
    units.set(nameOf(world, item), (units.get(nameOf(world, item)) ?? 0) + purchases.length)
  }
  return units
}
