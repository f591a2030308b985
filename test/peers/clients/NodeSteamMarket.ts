/** node-steam-market: search page, item page, buying a listing. Pointed at the market by its names. */
import process from "node:process"

import { expect, must, type Peer, type Stage } from "../Peer.ts"

interface Found {
  readonly link: string
  readonly name: string
  readonly game: string
}

interface Entry {
  readonly itemId: string
  readonly itemInfo?: {
    readonly listingid: string
    readonly converted_price: number
    readonly converted_fee: number
  }
  readonly itemAsset: { readonly market_hash_name: string } | ""
}

interface Client {
  readonly setCookies: (cookies: ReadonlyArray<string>) => void
  readonly search: (options: object, done: (error: unknown, found?: ReadonlyArray<Found>) => void) => void
  readonly loadItemPage: (url: string, done: (entries: ReadonlyArray<Entry>) => void) => void
  readonly buyItem: (
    entry: object,
    done: (answer: { wallet_info?: { success: number }; message?: string }) => void
  ) => void
}

/** The client throws in callbacks of its own when a page is not as it expects; this process tells, the promise never ends. */
const orThrown = <A>(use: (done: (value: A) => void) => void): Promise<A> =>
  new Promise((resolve, reject) => {
    process.once("uncaughtException", reject)
    use((value) => {
      process.removeListener("uncaughtException", reject)
      resolve(value)
    })
  })

export const nodeSteamMarket: Peer = {
  package: "node-steam-market",
  seam: "its names resolve to the loopback, TLS ends there",
  expectations: async ({ account, cookies, load, unique }: Stage) => {
    const client = new (load("node-steam-market") as new () => Client)()
    // over plain HTTP it sends no cookie whose name ends with Secure; the name the market knows does
    client.setCookies([`steamLogin=${account.cookies["steamLoginSecure"] ?? ""}`, ...cookies])
    const page = `https://steamcommunity.com/market/listings/${unique.app}/${encodeURIComponent(unique.name)}`
    let entry: Entry | undefined
    return [
      {
        operation: "GET /market/search",
        expects: "search: rows of the page with link, name and application",
        check: async () => {
          const found = await orThrown<ReadonlyArray<Found>>((done) => {
            client.search({ searchTerm: "AK-47", appId: unique.app }, (_error, found) => done(found ?? []))
          })
          const { game, link, name } = must(found[0], "a row")
          expect(link !== "" && name !== "" && game !== "", JSON.stringify(found[0]))
          return `${found.length} rows, first ${name} of ${game}`
        }
      },
      {
        operation: "GET /market/listings/{appid}/{market_hash_name}",
        expects:
          "loadItemPage: wallet, session, listing infos and assets of the page's rows, each on one line",
        check: async () => {
          const entries = await orThrown<ReadonlyArray<Entry>>((done) => client.loadItemPage(page, done))
          entry = must(
            entries.find(({ itemInfo }) => itemInfo !== undefined),
            `a row with a listing info among ${entries.length}`
          )
          expect(entry.itemAsset !== "" && entry.itemAsset.market_hash_name === unique.name, "no asset")
          return `${entries.length} rows`
        }
      },
      {
        operation: "POST /market/buylisting/{listingid}",
        expects: "buyItem with the row's converted price and fee: wallet_info.success 1",
        check: async () => {
          const info = must(entry?.itemInfo, "a listing to buy")
          const answer = await orThrown<{ wallet_info?: { success: number }; message?: string }>((done) =>
            client.buyItem(info, done)
          )
          expect(answer.wallet_info?.success === 1, JSON.stringify(answer))
          return `bought ${info.listingid}`
        }
      },
      {
        operation: "POST /market/buylisting/{listingid} (again)",
        expects: "buyItem of what was just bought: a message, no completed wallet_info",
        check: async () => {
          const info = must(entry?.itemInfo, "a listing to buy")
          const answer = await orThrown<{ wallet_info?: { success: number }; message?: string }>((done) =>
            client.buyItem(info, done)
          )
          expect(answer.wallet_info?.success !== 1, "bought twice")
          return must(answer.message, "a message")
        }
      }
    ]
  }
}
