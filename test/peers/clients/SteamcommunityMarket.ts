/** steamcommunity-market: histogram, listings, overview, search, history. Pointed at the market by HTTP_PROXY: absolute-form targets. */
import { expect, must, type Peer, type Stage } from "../Peer.ts"

interface Listings {
  readonly totalCount: number
  readonly listings: ReadonlyArray<{
    readonly listingid: string
    readonly price: number
    readonly fee: number
    readonly fullPrice: number
    readonly currency: number
    readonly iconUrl: string
  }>
}

interface Client {
  readonly getHistogram: (of: object) => Promise<{
    buyOrders: ReadonlyArray<ReadonlyArray<number>>
    sellOrders: ReadonlyArray<ReadonlyArray<number>>
    prefix: string
    suffix: string
  }>
  readonly getListings: (of: object) => Promise<Listings>
  readonly getOverview: (of: object) => Promise<{ lowestPrice: number; medianPrice: number; volume: unknown }>
  readonly search: (of: object) => Promise<{
    totalCount: number
    listings: ReadonlyArray<{
      marketHashName: string
      price: number
      sale?: number
      currency: number
      amount: number
      appid: number
    }>
  }>
  readonly getPriceHistory: (of: object) => Promise<{ prices: ReadonlyArray<object> }>
}

const nameIdOf = async ({ commodity, proxy }: Stage): Promise<string> => {
  const page = await globalThis.fetch(
    `${proxy}/market/listings/${commodity.app}/${encodeURIComponent(commodity.name)}`
  )
  return must(/Market_LoadOrderSpread\(\s*(\d+)/.exec(await page.text())?.[1], "item_nameid on the page")
}

const expectationsOf = async (stage: Stage) => {
  const { commodity, cookies, load, unique } = stage
  const Made = load("steamcommunity-market") as new (options: object) => Client
  // it sends its own cookie option under the name `Cookies`; the real header can be given as any header can
  const client = new Made({
    localization: { currency: 1, country: "US", language: "english" },
    http: { headers: { Cookie: cookies.join("; ") } }
  })
  const of = { marketHashName: commodity.name, appid: commodity.app }
  const itemNameID = await nameIdOf(stage)
  return [
    {
      operation: "GET /market/itemordershistogram",
      expects: "getHistogram: both graphs as pairs, prefix and suffix",
      check: async () => {
        const { buyOrders, prefix, sellOrders } = await client.getHistogram({ itemNameID })
        expect(buyOrders.length > 0 && sellOrders.length > 0, "an empty graph")
        expect(
          [...buyOrders, ...sellOrders].every(([price, count]) => Number(price) > 0 && Number(count) > 0),
          "a graph that is not numbers"
        )
        expect(prefix === "$", `prefix ${prefix}`)
        return `${buyOrders.length} and ${sellOrders.length} points`
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}/render/",
      expects: "getListings without a query: every listing over all pages, joined with its asset",
      check: async () => {
        const found = await client.getListings({
          marketHashName: unique.name,
          appid: unique.app
        })
        const { currency, fee, fullPrice, listingid, price } = must(found.listings[0], "a listing")
        expect(listingid !== "" && price > 0 && fee > 0 && fullPrice === price + fee, "prices")
        expect(currency === 1, `currency ${currency}`)
        return `${found.totalCount} listings`
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}/render/ (count)",
      expects: "getListings of the first 3",
      check: async () => {
        const found = await client.getListings({
          marketHashName: unique.name,
          appid: unique.app,
          count: 3
        })
        expect(found.totalCount === 3, `${found.totalCount} listings`)
        return undefined
      }
    },
    {
      operation: "GET /market/priceoverview/",
      expects: "getOverview without currency and country: lowest and median price as numbers",
      check: async () => {
        const { lowestPrice, medianPrice, volume } = await client.getOverview(of)
        expect(lowestPrice > 0 && medianPrice > 0, `${lowestPrice} and ${medianPrice}`)
        return `${lowestPrice}, ${medianPrice}, ${String(volume)}`
      }
    },
    {
      operation: "GET /market/search/render/",
      expects: "search: every row over all pages with price, currency and sale price",
      check: async () => {
        const found = await client.search({ appid: commodity.app, query: "Case" })
        const row = must(
          found.listings.find(({ marketHashName }) => marketHashName === commodity.name),
          `${commodity.name} among ${found.totalCount}`
        )
        expect(row.price > 0 && row.amount > 0 && row.appid === commodity.app, JSON.stringify(row))
        expect(row.currency === 1, `currency ${row.currency}`)
        expect(row.sale !== undefined && row.sale < row.price, `sale price ${row.sale} of ${row.price}`)
        return `${found.totalCount} rows`
      }
    },
    {
      operation: "GET /market/search/render/ (nothing)",
      expects: "search without a match: an empty result",
      check: async () => {
        const { totalCount } = await client.search({ appid: commodity.app, query: "no such thing at all" })
        expect(totalCount === 0, `${totalCount} rows`)
        return undefined
      }
    },
    {
      operation: "GET /market/pricehistory/",
      expects: "getPriceHistory with localization beside its parameters: dates, prices, amounts",
      check: async () => {
        const { prices } = await client.getPriceHistory(of)
        expect(prices.length > 0, "no prices")
        return `${prices.length} prices`
      }
    }
  ]
}

export const steamcommunityMarket: Peer = {
  package: "steamcommunity-market",
  seam: "HTTP_PROXY and HTTPS_PROXY, absolute-form targets",
  env: (proxy) => ({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy }),
  expectations: expectationsOf
}
