/** steam-market-parser: page, histogram, rows, overview, history. Pointed at the market by its names. */
import { expect, must, type Peer, type Stage } from "../Peer.ts"

interface Client {
  readonly getMarketData: (name: string) => Promise<{
    itemNameId: number
    icon: string | undefined
    assets: { market_hash_name: string; type: string } | undefined
    priceHistory: ReadonlyArray<readonly [string, number, string]>
  }>
  readonly getOrderHistogram: (nameId: number) => Promise<{
    success: number
    sell_order_count: string
    sell_order_price: string
    buy_order_count: string
    highest_buy_order: string
  }>
  readonly getListing: (name: string, page: object) => Promise<{ success: boolean; listinginfo: object }>
  readonly getPriceOverview: (name: string) => Promise<{ success: boolean; lowest_price: string }>
  readonly getPriceHistory: (name: string) => Promise<{ success: boolean; prices: ReadonlyArray<unknown> }>
}

interface Module {
  readonly SteamMarketParser: new (options: object) => Client
}

const expectationsOf = async (stage: Stage) => {
  const { commodity, cookies, load, unique } = stage
  const { SteamMarketParser } = load("steam-market-parser") as Module
  const client = new SteamMarketParser({ appId: commodity.app, cookie: cookies.join("; ") })
  let nameId = 0
  return [
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}",
      expects: "getMarketData: item_nameid, price line and first asset, each cut from one line of the page",
      check: async () => {
        const { assets, itemNameId, priceHistory } = await client.getMarketData(unique.name)
        nameId = itemNameId
        expect(Number.isSafeInteger(nameId) && nameId > 0, `item_nameid ${nameId}`)
        expect(priceHistory.length > 0, "no price line")
        expect(assets?.market_hash_name === unique.name, `asset ${JSON.stringify(assets)}`)
        return `nameid ${nameId}, ${priceHistory.length} prices`
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name} (icon)",
      expects: "getMarketData: the item's icon from the page",
      beyond: "icons are the platform's, on another host; the document has none",
      check: async () => {
        const { icon } = await client.getMarketData(unique.name)
        return must(icon, "the icon")
      }
    },
    {
      operation: "GET /market/itemordershistogram",
      expects: "getOrderHistogram without norender: counts and best prices from the summaries",
      check: async () => {
        const book = await client.getOrderHistogram(nameId)
        expect(book.success === 1, `success ${book.success}`)
        for (const name of ["sell_order_count", "sell_order_price", "buy_order_count"] as const)
          must(book[name], `${name} in the summary`)
        return `${book.sell_order_count} from ${book.sell_order_price}`
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}/render/",
      expects: "getListing of one row without a query: JSON with its listing info",
      check: async () => {
        const page = await client.getListing(unique.name, { start: 0, count: 1 })
        expect(page.success && Object.keys(page.listinginfo).length === 1, JSON.stringify(page).slice(0, 120))
        return undefined
      }
    },
    {
      operation: "GET /market/priceoverview/",
      expects: "getPriceOverview without a country: lowest price",
      check: async () => {
        const { lowest_price, success } = await client.getPriceOverview(commodity.name)
        expect(success && lowest_price !== "", "no price")
        return lowest_price
      }
    },
    {
      operation: "GET /market/pricehistory/",
      expects: "getPriceHistory with cookies: prices",
      check: async () => {
        const { prices, success } = await client.getPriceHistory(commodity.name)
        expect(success && prices.length > 0, "no prices")
        return `${prices.length} prices`
      }
    }
  ]
}

export const steamMarketParser: Peer = {
  package: "steam-market-parser",
  seam: "its names resolve to the loopback, TLS ends there",
  expectations: expectationsOf
}
