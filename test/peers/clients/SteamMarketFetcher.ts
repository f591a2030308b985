/** steam-market-fetcher: ten reads. Pointed at the market by its names. */
import { assetOf, expect, must, type Peer, type Stage } from "../Peer.ts"

type Row = Readonly<Record<string, unknown>>

interface Answer {
  readonly success: unknown
  readonly [field: string]: unknown
}

interface Client {
  readonly getItemPrice: (of: object) => Promise<Answer>
  readonly getItemImage: (of: object) => Promise<string>
  readonly getItemPriceHistory: (of: object) => Promise<Answer>
  readonly getMarketListings: (of: object) => Promise<Answer>
  readonly getItemActivity: (of: object) => Promise<Answer>
  readonly getItemHistogram: (of: object) => Promise<Answer>
  readonly getMyHistory: (of: object) => Promise<Answer>
  readonly getMyListings: (of: object) => Promise<Answer>
  readonly getPopularListings: (of: object) => Promise<Answer>
  readonly getRecentListings: (of: object) => Promise<Answer>
}

const fields = (answer: Answer, ...names: ReadonlyArray<string>) => {
  for (const name of names) must(answer[name], `${name} in ${JSON.stringify(answer).slice(0, 120)}`)
}

const rows = (answer: Answer, name: string): ReadonlyArray<Row> => {
  const value = answer[name]
  expect(Array.isArray(value), `${name} is no array in ${JSON.stringify(answer).slice(0, 120)}`)
  return value
}

/** The item_nameid as anyone finds it: on the item's page. */
const nameIdOf = async ({ commodity }: Stage): Promise<string> => {
  const page = await globalThis.fetch(
    `http://steamcommunity.com/market/listings/${commodity.app}/${encodeURIComponent(commodity.name)}`
  )
  return must(/Market_LoadOrderSpread\(\s*(\d+)/.exec(await page.text())?.[1], "item_nameid on the page")
}

const expectationsOf = async (stage: Stage) => {
  const { account, commodity, load, unique } = stage
  const client = new (load("steam-market-fetcher") as new (options: object) => Client)({ currency: "USD" })
  const of = { market_hash_name: commodity.name, appid: commodity.app }
  const cookie = must(account.cookies["steamLoginSecure"], "the login cookie")
  const item_nameid = await nameIdOf(stage)
  return [
    {
      operation: "GET /market/priceoverview/",
      expects: "getItemPrice without a country: success, lowest_price, and median_price and volume once sold",
      check: async () => {
        const answer = await client.getItemPrice(of)
        expect(answer.success === true, JSON.stringify(answer))
        fields(answer, "lowest_price", "median_price", "volume")
        return JSON.stringify(answer)
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}/render/",
      expects: "getItemImage without query, country and language: JSON with rows as HTML",
      check: () => client.getItemImage({ market_hash_name: unique.name, appid: unique.app })
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}/render/ (image)",
      expects: "getItemImage: an image in the rows",
      beyond: "rows are HTML without a promise of an image, which another host would serve",
      check: async () => {
        const image = await client.getItemImage({ market_hash_name: unique.name, appid: unique.app })
        expect(image !== "No image available", image)
        return image
      }
    },
    {
      operation: "GET /market/pricehistory/",
      expects: "getItemPriceHistory with the login cookie alone: prices as tuples",
      check: async () => {
        const answer = await client.getItemPriceHistory({ ...of, cookie })
        expect(answer.success === true, JSON.stringify(answer).slice(0, 120))
        const { length } = rows(answer, "prices")
        expect(length > 0, "no prices")
        fields(answer, "price_prefix", "price_suffix")
        return `${length} prices`
      }
    },
    {
      operation: "GET /market/search/render/",
      expects: "getMarketListings: results with names and prices",
      check: async () => {
        const answer = await client.getMarketListings({ appid: commodity.app, count: 10 })
        const [row] = rows(answer, "results")
        for (const name of [
          "name",
          "hash_name",
          "sell_listings",
          "sell_price",
          "sell_price_text",
          "asset_description"
        ])
          must(row?.[name], name)
        return `${rows(answer, "results").length} of ${String(answer["total_count"])}`
      }
    },
    {
      operation: "GET /market/itemordersactivity",
      expects: "getItemActivity: success 1, a list and a timestamp",
      check: async () => {
        const answer = await client.getItemActivity({ item_nameid })
        expect(answer.success === 1, JSON.stringify(answer).slice(0, 120))
        fields(answer, "timestamp")
        return `${rows(answer, "activity").length} entries`
      }
    },
    {
      operation: "GET /market/itemordershistogram",
      expects: "getItemHistogram with norender: counts, prices, tables as arrays and graphs",
      check: async () => {
        const answer = await client.getItemHistogram({ item_nameid })
        expect(answer.success === 1, JSON.stringify(answer).slice(0, 120))
        fields(answer, "sell_order_count", "buy_order_count", "highest_buy_order", "lowest_sell_order")
        const [level] = rows(answer, "sell_order_table")
        for (const name of ["price", "quantity"]) must(level?.[name], `${name} of a level`)
        expect(rows(answer, "buy_order_graph").length > 0, "an empty graph")
        return `${String(answer["highest_buy_order"])}/${String(answer["lowest_sell_order"])}`
      }
    },
    {
      operation: "GET /market/mylistings",
      expects:
        "getMyListings with the login cookie alone, without start and count: lists of listings and orders",
      check: async () => {
        const { asset } = assetOf(stage, commodity)
        const answer = await client.getMyListings({ cookie })
        expect(answer.success === true, JSON.stringify(answer).slice(0, 120))
        for (const name of ["listings", "listings_on_hold", "listings_to_confirm", "buy_orders"])
          rows(answer, name)
        return `account with asset ${asset}`
      }
    },
    {
      operation: "GET /market/myhistory",
      expects: "getMyHistory with the login cookie alone, without start and count: events and paging",
      check: async () => {
        const answer = await client.getMyHistory({ cookie })
        expect(answer.success === true, JSON.stringify(answer).slice(0, 120))
        rows(answer, "events")
        fields(answer, "pagesize", "total_count", "start", "listings", "purchases", "assets")
        return undefined
      }
    },
    {
      operation: "GET /market/popular",
      expects: "getPopularListings: success, rows and their listing infos",
      check: async () => {
        const answer = await client.getPopularListings({ start: 0, count: 10 })
        expect(answer.success === true, JSON.stringify(answer).slice(0, 120))
        fields(answer, "results_html", "listinginfo", "assets")
        return `${Object.keys(answer["listinginfo"] as object).length} listings`
      }
    },
    {
      operation: "GET /market/recent",
      expects: "getRecentListings: success, rows and their listing infos",
      check: async () => {
        const answer = await client.getRecentListings({})
        expect(answer.success === true, JSON.stringify(answer).slice(0, 120))
        fields(answer, "results_html", "listinginfo", "assets")
        return `${Object.keys(answer["listinginfo"] as object).length} listings`
      }
    }
  ]
}

export const steamMarketFetcher: Peer = {
  package: "steam-market-fetcher",
  seam: "its names resolve to the loopback, TLS ends there",
  expectations: expectationsOf
}
