/** steam-market-search: search of an application. Pointed at the market by its names. */
import { asError, expect, must, type Peer, type Stage } from "../Peer.ts"

interface Row {
  readonly name: string
  readonly hash_name: string
  readonly sell_price: number
  readonly asset_description: { readonly appid: number }
}

interface Client {
  readonly search: (app: number, options: object | string) => Promise<ReadonlyArray<Row>>
  readonly searchCSGO: (options: object | string) => Promise<ReadonlyArray<Row>>
  readonly searchTF2: (options: object | string) => Promise<ReadonlyArray<Row>>
  readonly searchCommunity: (options: object | string) => Promise<ReadonlyArray<Row>>
}

interface Module {
  readonly SteamMarket: new () => Client
}

const operation = "GET /market/search/render/"

export const steamMarketSearch: Peer = {
  package: "steam-market-search",
  seam: "its names resolve to the loopback, TLS ends there",
  expectations: async ({ commodity, load, unique }: Stage) => {
    const client = new (load("steam-market-search") as Module).SteamMarket()
    return [
      {
        operation,
        expects: "search with spaces as plus signs: the named item",
        check: async () => {
          const rows = await client.search(commodity.app, commodity.name)
          const row = must(
            rows.find(({ hash_name }) => hash_name === commodity.name),
            commodity.name
          )
          expect(row.sell_price > 0 && row.asset_description.appid === commodity.app, JSON.stringify(row))
          return `${rows.length} rows`
        }
      },
      {
        operation: `${operation} (sorted)`,
        expects: "search by price ascending: prices do not fall",
        check: async () => {
          const rows = await client.searchCSGO({ query: "Case", sort_column: "price", sort_dir: "asc" })
          const prices = rows.map(({ sell_price }) => sell_price)
          expect(prices.length > 1, `${prices.length} rows`)
          expect(
            prices.every((price, index) => index === 0 || price >= (prices[index - 1] ?? 0)),
            `prices ${prices.join(", ")}`
          )
          return prices.join(", ")
        }
      },
      {
        operation: `${operation} (other application)`,
        expects: "searchTF2: items of the other application alone",
        check: async () => {
          const rows = await client.searchTF2("Key")
          expect(rows.length > 0 && rows.every((row) => row.asset_description.appid === 440), "other items")
          return `${rows.length} rows`
        }
      },
      {
        operation: `${operation} (unknown application)`,
        expects: "searchCommunity of an application that this market has not: no rows, or a refusal",
        check: async () => {
          const rows = await client.searchCommunity("Key").catch((error: unknown) => asError(error).message)
          expect(typeof rows === "string" || rows.length === 0, "rows of nowhere")
          return undefined
        }
      },
      {
        operation: `${operation} (tag)`,
        expects: "searchCSGO with a tag of the application narrows the result",
        beyond: "the document: this operation accepts no tag filters",
        check: async () => {
          const all = await client.searchCSGO("AK-47")
          const worn = await client.searchCSGO({
            query: "AK-47",
            "category_730_Exterior[]": "tag_WearCategory0"
          })
          expect(
            worn.length > 0 && worn.length < all.length,
            `${worn.length} of ${all.length} for ${unique.name}`
          )
          return undefined
        }
      }
    ]
  }
}
