/** steam-market: thirteen methods, reads and mutations. Pointed at the market by its names. */
import { pathToFileURL } from "node:url"

import { assetOf, expect, must, type Peer, type Stage } from "../Peer.ts"

interface Listing {
  readonly listingId: string
  readonly price: number
  readonly fee: number
  readonly asset: { readonly id: number; readonly marketHashName: string }
}

interface Order {
  readonly buyOrderId: number
  readonly hashName: string
  readonly price: number
  readonly quantity: number
  readonly quantityRemaining: number
}

interface Client {
  readonly setCookies: (cookies: ReadonlyArray<string>) => void
  readonly setCurrency: (currency: number) => void
  readonly search: (
    app: number,
    options: object
  ) => Promise<{
    success: boolean
    totalCount: number
    pageSize: number
    searchData: { query: string; prefix: string }
    results: ReadonlyArray<{
      hashName: string
      sellPrice: number
      sellPriceText: string
      salePriceText: string
      sellListings: number
      assetDescription: { appId: number; classId: string; marketHashName: string }
    }>
  }>
  readonly listings: (
    app: number,
    name: string
  ) => Promise<{ itemNameId: () => Promise<number>; priceHistory: () => Promise<History> }>
  readonly itemOrdersHistogram: (
    app: number,
    name: string,
    nameId: number
  ) => Promise<{
    success: boolean
    highestBuyOrder: number
    lowestSellOrder: number
    buyOrderGraph: ReadonlyArray<{ price: number; volume: number; description: string }>
    sellOrderGraph: ReadonlyArray<{ price: number; volume: number; description: string }>
    graphMaxY: number
    pricePrefix: string
    sellOrderSummary: string
  }>
  readonly priceOverview: (
    app: number,
    name: string
  ) => Promise<{ success: boolean; lowestPrice: string; medianPrice: string; volume?: number }>
  readonly priceHistory: (app: number, name: string) => Promise<History>
  readonly myListings: (
    start?: number,
    count?: number
  ) => Promise<{
    success: boolean
    numActiveListings: number
    assets: ReadonlyArray<{ marketHashName: string }>
    listings: ReadonlyArray<Listing>
    listingsToConfirm: ReadonlyArray<Listing>
    listingsOnHold: ReadonlyArray<Listing>
    buyOrders: ReadonlyArray<Order>
  }>
  readonly myHistory: (
    start?: number,
    count?: number
  ) => Promise<{
    success: boolean
    events: ReadonlyArray<{ listingId: number; eventType: number; timeEvent: number; dateEvent: string }>
    purchases: ReadonlyArray<object>
    listings: ReadonlyArray<object>
  }>
  readonly createBuyOrder: (
    app: number,
    options: { marketHashName: string; price: number; amount: number }
  ) => Promise<{ _data: unknown; success: boolean; buyOrderId: number }>
  readonly createSellOrder: (
    app: number,
    options: { assetId: string; contextId: string; price: number; amount: number }
  ) => Promise<{
    _data: unknown
    success: boolean
    requiresConfirmation: boolean
    needsMobileConfirmation: boolean
  }>
  readonly buyOrderStatus: (
    app: number,
    name: string,
    order: number
  ) => Promise<{
    success: boolean
    active: boolean
    purchased: number
    quantity: unknown
    quantityRemaining: unknown
    purchases: ReadonlyArray<object>
  }>
  readonly cancelBuyOrder: (order: number) => Promise<{ success: number }>
  readonly cancelSellOrder: (listing: string) => Promise<unknown>
}

interface History {
  readonly success: boolean
  readonly pricePrefix: string
  readonly priceSuffix: string
  readonly prices: ReadonlyArray<{ datetime: string; price: number; volume: number }>
}

const clientOf = async ({ cookies, resolve }: Stage): Promise<Client> => {
  const module = (await import(pathToFileURL(resolve("steam-market")).href)) as {
    default: new () => Client
  }
  const client = new module.default()
  client.setCookies(cookies)
  return client
}

const yen = 8

const expectationsOf = async (stage: Stage) => {
  const { commodity } = stage
  const client = await clientOf(stage)
  client.setCurrency(yen)
  let nameId = 0
  let order = 0
  const { asset, context } = assetOf(stage, commodity)
  return [
    {
      operation: "GET /market/search/render/",
      expects:
        "search: results with hash names, prices, texts and descriptions, and the searchdata beside them",
      check: async () => {
        const found = await client.search(commodity.app, { query: "Case", count: "10" })
        expect(found.success && found.totalCount > 0, "nothing found")
        expect(found.searchData.prefix !== undefined, "no searchdata")
        const [row] = found.results
        const { assetDescription, sellListings, sellPrice, sellPriceText } = must(row, "a row")
        expect(sellPrice > 0 && sellListings > 0 && sellPriceText !== "", "a row without price or count")
        expect(assetDescription.appId === commodity.app && assetDescription.classId !== "", "no description")
        return `${found.results.length} of ${found.totalCount}`
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}",
      expects: "listings: item_nameid and the price line with its prefix and suffix, cut from the page",
      check: async () => {
        const page = await client.listings(commodity.app, commodity.name)
        nameId = await page.itemNameId()
        expect(Number.isSafeInteger(nameId) && nameId > 0, `item_nameid is ${nameId}`)
        const history = await page.priceHistory()
        expect(history.prices.length > 0, "an empty price line")
        expect(
          history.prices.every(({ price, volume }) => price > 0 && Number.isSafeInteger(volume)),
          "a price line that is not numbers"
        )
        return `nameid ${nameId}, ${history.prices.length} prices, prefix ${history.pricePrefix}`
      }
    },
    {
      operation: "GET /market/itemordershistogram",
      expects: "itemOrdersHistogram without norender: best prices, both graphs, summaries as HTML",
      check: async () => {
        const book = await client.itemOrdersHistogram(commodity.app, commodity.name, nameId)
        expect(book.success, "no success")
        expect(
          book.lowestSellOrder > book.highestBuyOrder && book.highestBuyOrder > 0,
          "best prices are wrong"
        )
        expect(book.buyOrderGraph.length > 0 && book.sellOrderGraph.length > 0, "an empty graph")
        expect(
          book.sellOrderGraph.every(({ price, volume }) => price > 0 && volume > 0),
          "a graph that is not numbers"
        )
        expect(book.sellOrderSummary.includes("<"), "the summary is no HTML")
        return `${book.highestBuyOrder}/${book.lowestSellOrder}`
      }
    },
    {
      operation: "GET /market/priceoverview/",
      expects: "priceOverview without a country: lowest and median price as texts, volume as a number",
      check: async () => {
        const { lowestPrice, medianPrice, success, volume } = await client.priceOverview(
          commodity.app,
          commodity.name
        )
        expect(success && lowestPrice !== undefined, "no lowest price")
        expect(volume === undefined || Number.isSafeInteger(volume), `volume is ${volume}`)
        return `${lowestPrice}, ${medianPrice}, ${volume}`
      }
    },
    {
      operation: "GET /market/pricehistory/",
      expects: "priceHistory with a currency beside the two parameters: labels, prices and volumes",
      check: async () => {
        const history = await client.priceHistory(commodity.app, commodity.name)
        expect(history.success && history.prices.length > 0, "no prices")
        expect(
          history.prices.every(({ datetime }) => /^\w{3} \d\d \d{4} \d\d: \+0$/.test(datetime)),
          `a label like ${history.prices[0]?.datetime}`
        )
        return `${history.prices.length} prices`
      }
    },
    {
      operation: "POST /market/sellitem/",
      expects: "createSellOrder: success, and a mobile confirmation is asked for",
      check: async () => {
        const sold = await client.createSellOrder(commodity.app, {
          assetId: asset,
          contextId: context,
          price: 90_000,
          amount: 1
        })
        expect(sold.success && sold.requiresConfirmation, JSON.stringify(sold._data))
        expect(sold.needsMobileConfirmation, "needs no mobile confirmation")
        return undefined
      }
    },
    {
      operation: "GET /market/mylistings",
      expects: "myListings: the staged listing awaits confirmation, with its asset and price",
      check: async () => {
        const mine = await client.myListings()
        expect(mine.success, "no success")
        const [staged] = mine.listingsToConfirm
        const { asset: listed, fee, price } = must(staged, "a listing to confirm")
        expect(listed.id === Number(asset), `asset ${listed.id}`)
        expect(price === 90_000 && fee > 0, `price ${price}, fee ${fee}`)
        expect(
          mine.assets.some(({ marketHashName }) => marketHashName === commodity.name),
          "no asset in assets"
        )
        return undefined
      }
    },
    {
      operation: "POST /market/removelisting/{listingid}",
      expects: "cancelSellOrder of the staged listing: an empty array, and it is gone",
      check: async () => {
        const { listingsToConfirm } = await client.myListings()
        const { listingId } = must(listingsToConfirm[0], "a listing to confirm")
        const answer = await client.cancelSellOrder(listingId)
        expect(Array.isArray(answer) && answer.length === 0, `answer ${JSON.stringify(answer)}`)
        expect((await client.myListings()).listingsToConfirm.length === 0, "it is still there")
        return undefined
      }
    },
    {
      operation: "POST /market/createbuyorder/",
      expects: "createBuyOrder without a confirmation field: an order with its id",
      check: async () => {
        const placed = await client.createBuyOrder(commodity.app, {
          marketHashName: commodity.name,
          price: 10_000,
          amount: 2
        })
        expect(placed.success && placed.buyOrderId > 0, JSON.stringify(placed._data))
        order = placed.buyOrderId
        return `order ${order}`
      }
    },
    {
      operation: "GET /market/getbuyorderstatus",
      expects: "buyOrderStatus: active, nothing bought of two",
      check: async () => {
        const status = await client.buyOrderStatus(commodity.app, commodity.name, order)
        expect(status.success && status.active, JSON.stringify(status))
        expect(status.purchased === 0 && Number(status.quantity) === 2, JSON.stringify(status))
        expect(
          Number(status.quantityRemaining) === 2 && status.purchases.length === 0,
          JSON.stringify(status)
        )
        return undefined
      }
    },
    {
      operation: "GET /market/mylistings (orders)",
      expects: "myListings: the order with price, quantities and a description",
      check: async () => {
        const { buyOrders } = await client.myListings()
        const mine = must(
          buyOrders.find(({ buyOrderId }) => buyOrderId === order),
          "the order"
        )
        expect(
          mine.price === 10_000 && mine.quantity === 2 && mine.quantityRemaining === 2,
          JSON.stringify(mine)
        )
        expect(mine.hashName === commodity.name, mine.hashName)
        return undefined
      }
    },
    {
      operation: "POST /market/cancelbuyorder/",
      expects: "cancelBuyOrder: success 1, and the order is not active any more",
      check: async () => {
        const { success } = await client.cancelBuyOrder(order)
        expect(success === 1, `success ${success}`)
        const status = await client.buyOrderStatus(commodity.app, commodity.name, order)
        expect(!status.active, "still active")
        return undefined
      }
    },
    {
      operation: "GET /market/myhistory",
      expects:
        "myHistory: the listing created and cancelled as events, with listings and purchases beside them",
      check: async () => {
        const { events, listings, success } = await client.myHistory()
        expect(success, "no success")
        const kinds = events.map(({ eventType }) => eventType)
        expect(kinds.includes(2), `event types ${kinds.join(",")}`)
        expect(listings.length > 0, "no listings")
        expect(
          events.every(({ dateEvent, timeEvent }) => timeEvent > 0 && dateEvent !== ""),
          "an event without time"
        )
        return `${events.length} events`
      }
    }
  ]
}

const inDollars = async (stage: Stage) => {
  const { commodity } = stage
  const client = await clientOf(stage)
  const { asset, context } = assetOf(stage, commodity)
  return [
    {
      operation: "POST /market/sellitem/",
      expects: "createSellOrder with a price in whole dollars: listed for 21.50",
      check: async () => {
        const options = { assetId: asset, contextId: context, price: 21.5, amount: 1 }
        const sold = await client.createSellOrder(commodity.app, options)
        expect(sold.success, JSON.stringify(sold._data))
        const { listingsToConfirm } = await client.myListings()
        expect(listingsToConfirm[0]?.price === 2150, `price ${listingsToConfirm[0]?.price}`)
        return undefined
      }
    },
    {
      operation: "POST /market/createbuyorder/",
      expects: "createBuyOrder in a currency with decimals: an order with its id",
      beyond:
        "the client writes price_total as 1.00 for 100; markets of this family take a whole number of minor units only",
      check: async () => {
        const options = { marketHashName: commodity.name, price: 100, amount: 1 }
        const placed = await client.createBuyOrder(commodity.app, options)
        expect(placed.success && placed.buyOrderId > 0, JSON.stringify(placed._data))
        return undefined
      }
    }
  ]
}

/** Its option for a proxy makes an invalid address of every proxy with a port. */
const seam = "its names resolve to the loopback, TLS ends there"

export const steamMarketInDollars: Peer = {
  package: "steam-market",
  variant: "USD",
  seam,
  expectations: inDollars
}

export const steamMarket: Peer = {
  package: "steam-market",
  variant: "JPY",
  seam,
  // the client writes price_total with decimals unless the currency has none, and the interface wants a whole number
  settings: { currency: "JPY", balance: 10_000_000 },
  expectations: expectationsOf
}
