/** 1. One live order per item, one listing per asset: in what is decided, in what is sent, and in what stands. */
import { itemKey } from "../../../src/domain/Item.ts"
import { type Checker, nothingWrong, type Occasion, type Record } from "../Occasion.ts"

export const oneOrder = (): Checker => {
  /** Live orders by item key and live listings by asset, as the journal tells. */
  const bids = new Map<string, string>()
  const asks = new Set<string>()

  const follow = (event: Journaled, { intents }: Record): ReadonlyArray<string> => {
    switch (event._tag) {
      case "IntentRecorded": {
        const { intent } = event
        if (intent._tag === "PlaceBid" && bids.has(itemKey(intent.item)))
          return [`a second order for ${intent.item.name} was decided on`]
        if (intent._tag === "ListAsset" && asks.has(intent.asset))
          return [`a second listing of asset ${intent.asset} was decided on`]
        return nothingWrong
      }
      case "Accepted":
      case "Settled": {
        const intent = intents.get(event.intent)?.intent
        if (intent === undefined || (event._tag === "Settled" && !event.happened)) return nothingWrong
        if (intent._tag === "PlaceBid" && event.order !== undefined)
          bids.set(itemKey(intent.item), event.order)
        if (intent._tag === "CancelBid") bids.delete(itemKey(intent.item))
        if (intent._tag === "ListAsset") asks.add(intent.asset)
        if (intent._tag === "RemoveListing") asks.delete(intent.asset)
        return nothingWrong
      }
      case "BidClosed":
        bids.delete(itemKey(event.item))
        return nothingWrong
      case "ListingClosed":
        asks.delete(event.asset)
        return nothingWrong
      default:
        return nothingWrong
    }
  }

  return {
    promise: 1,
    see: (occasion, record) => {
      if (occasion._tag === "Journaled") return occasion.events.flatMap((event) => follow(event, record))
      return occasion._tag === "Commanded" ? secondLive(occasion, record) : nothingWrong
    },
    differs: ({ state, world }, { orders }) => {
      const account = world.accounts[0]
      const standing = new Set(account?.orders.map(({ id }) => id as string).filter((id) => orders.has(id)))
      const listed = new Set<string>(account?.listings.map(({ asset }) => asset))
      return [
        ...[...standing].flatMap((id) => (state.orders.has(id) ? [] : [`the bot forgot order ${id}`])),
        ...[...state.orders].flatMap((id) => (standing.has(id) ? [] : [`order ${id} of the bot is gone`])),
        ...[...state.assets].flatMap((one) => (listed.has(one) ? [] : [`asset ${one} is not listed`])),
        ...[...listed].flatMap((one) =>
          asks.has(one) && !state.assets.has(one) ? [`the bot forgot the listing of asset ${one}`] : []
        )
      ]
    }
  }
}

type Journaled = Extract<Occasion, { _tag: "Journaled" }>["events"][number]

const secondLive = (
  { command, world }: Extract<Occasion, { _tag: "Commanded" }>,
  { orders }: Record
): ReadonlyArray<string> => {
  const account = world.accounts[command.account]
  if (command._tag === "SellItem")
    return account?.listings.some(({ asset }) => asset === command.asset) === true
      ? [`a second listing of asset ${command.asset} was sent`]
      : nothingWrong
  if (command._tag !== "CreateBuyOrder") return nothingWrong
  const item = world.items.findIndex(({ of }) => of.app === command.app && of.name === command.name)
  const standing = account?.orders.some((order) => order.item === item && orders.has(order.id))
  return standing === true ? [`a second order for ${command.name} was sent`] : nothingWrong
}
