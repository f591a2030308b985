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

interface OwnPurchase {
  readonly purchase: string
  readonly strategy: string
  readonly price: number
  readonly at: number
}

/** Everything that the bot's orders and purchases outright bought, by what the exchange says. */
export const ownPurchases = (account: Account, { listings, orders }: Record): ReadonlyArray<OwnPurchase> => {
  const byOrder = [...account.orders, ...account.ended].flatMap(({ id, purchases }) => {
    const strategy = orders.get(id)?.reason.origin.strategy
    return strategy === undefined
      ? []
      : purchases.map(({ at, price, purchase }) => ({ purchase, strategy, price, at }))
  })
  const outright = account.history.flatMap(({ at, kind, listing, price, purchase }) => {
    const strategy = listings.get(listing)?.reason.origin.strategy
    return kind === "Bought" && strategy !== undefined ? [{ purchase, strategy, price, at }] : []
  })
  return [...byOrder, ...outright]
}

/** Whether the purchase was made by the bot. */
export const isOwnPurchase = (world: World, purchase: string, record: Record): boolean =>
  world.accounts[0] !== undefined &&
  ownPurchases(world.accounts[0], record).some((one) => one.purchase === purchase)

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
  record: Record
): ReadonlyMap<string, { readonly units: number; readonly lots: ReadonlyArray<Lot> }> => {
  const strategies = new Map(
    ownPurchases(account, record).map(({ purchase, strategy }) => [purchase, strategy])
  )
  const listed = new Set(
    [...record.intents.values()].flatMap(({ intent }) =>
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
