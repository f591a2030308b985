/**
 * Live listings as somebody sees them: ids, what it costs in the viewer's currency, the unit that is sold.
 * Invariants: 1. every ask of the books is exactly one offer. 2. its price is what buying the listing charges. 3. in the order of the
 * book: cheapest first, then oldest.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { type AssetDetails, detailsOf } from "./AssetDetails.ts"
import { backgroundAsset, backgroundListing } from "./Draft.ts"
import { type Price } from "./Rates.ts"
import { askPrice } from "./Settle.ts"
import { background, type MarketItem, type Resting, type World } from "./World.ts"

/** Who looks: an account, or nobody known. */
export interface Viewer {
  readonly account: number | undefined
  readonly currency: CurrencyId
}

export interface Offer {
  readonly index: number
  readonly item: MarketItem
  readonly ask: Resting
  readonly listing: string
  readonly asset: string
  /** In the viewer's currency. */
  readonly cost: Price
  readonly mine: boolean
  readonly details: AssetDetails
}

export const itemAt = (world: World, index: number): MarketItem => {
  const item = world.items[index]
  if (item === undefined) throw new RangeError(`no item ${index}`)
  return item
}

export const unitsOf = (side: ReadonlyArray<Resting>): number =>
  side.reduce((sum, { units }) => sum + units, 0)

const offerFor = (world: World, index: number, item: MarketItem, ask: Resting, viewer: Viewer): Offer => {
  const listed = world.accounts[ask.account]?.listings.find(({ id }) => id === ask.ref)
  const asset = listed?.asset ?? backgroundAsset(index, ask.seq)
  const origin = listed?.origin ?? (item.of.commodity ? "" : asset)
  return {
    index,
    item,
    ask,
    asset,
    listing: listed?.id ?? backgroundListing(index, ask.seq),
    cost: askPrice(world, item, ask, viewer.currency),
    mine: ask.account !== background && ask.account === viewer.account,
    details: detailsOf(world.seed, item.of, origin)
  }
}

export const offersOf = (world: World, index: number, viewer: Viewer): ReadonlyArray<Offer> => {
  const item = itemAt(world, index)
  return item.asks.map((ask) => offerFor(world, index, item, ask, viewer))
}

/** The cheapest offer of an item. */
export const bestOffer = (world: World, index: number, viewer: Viewer): Offer | undefined => {
  const item = itemAt(world, index)
  const ask = item.asks[0]
  return ask === undefined ? undefined : offerFor(world, index, item, ask, viewer)
}

/** The newest offers of the whole market, newest first. */
export const newestOffers = (world: World, viewer: Viewer, count: number): ReadonlyArray<Offer> =>
  world.items
    .flatMap((item, index) => item.asks.map((ask) => ({ index, item, ask })))
    .toSorted((a, b) => b.ask.at - a.ask.at || a.index - b.index || b.ask.seq - a.ask.seq)
    .slice(0, count)
    .map(({ ask, index, item }) => offerFor(world, index, item, ask, viewer))
