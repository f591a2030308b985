/** steamcommunity: market apps, items, search; the whole of confirmations. Pointed at the market by the `request` function it takes. */
import { setTimeout } from "node:timers/promises"

import { asError, called, expect, must, type Peer, type Stage, unixSeconds } from "../Peer.ts"

type Done<A = unknown> = (error: unknown, value?: A) => void

interface Confirmation {
  readonly id: string
  readonly type: number
  readonly creator: string
  readonly key: string
  readonly title: string
  readonly timestamp: Date
  readonly respond: (time: number, key: string, accept: boolean, done: Done) => void
}

interface MarketItem {
  readonly commodity: boolean
  readonly commodityID: number
  readonly medianSalePrices: ReadonlyArray<{ hour: Date; price: number; quantity: number }> | null
  readonly firstAsset: { readonly market_hash_name: string } | null
  readonly quantity: number
  readonly lowestPrice: number
  readonly highestBuyOrder: number
}

interface SearchResult {
  readonly appid: number
  readonly market_hash_name: string
  readonly price: number
  readonly quantity: number
}

interface Community {
  readonly setCookies: (cookies: ReadonlyArray<string>) => void
  readonly getSessionID: () => string
  readonly getMarketApps: (done: Done<Record<string, string>>) => void
  readonly getMarketItem: (app: number, name: string, currency: number, done: Done<MarketItem>) => void
  readonly marketSearch: (options: object | string, done: Done<ReadonlyArray<SearchResult>>) => void
  readonly httpRequestPost: (
    options: object,
    done: (error: unknown, response: unknown, body: Sold) => void
  ) => void
  readonly httpRequestGet: (
    options: object,
    done: (error: unknown, response: unknown, body: { readonly num_active_listings: number }) => void
  ) => void
  readonly getConfirmations: (time: number, key: unknown, done: Done<ReadonlyArray<Confirmation>>) => void
  readonly getConfirmationOfferID: (id: string, time: number, key: string, done: Done<string>) => void
  readonly acceptAllConfirmations: (
    time: number,
    conf: string,
    allow: string,
    done: Done<ReadonlyArray<Confirmation>>
  ) => void
  readonly acceptConfirmationForObject: (secret: string, object: string, done: Done) => void
  readonly startConfirmationChecker: (everyMillis: number, secret: string) => void
  readonly stopConfirmationChecker: () => void
  readonly once: (event: string, listener: (value: Confirmation) => void) => void
}

interface Sold {
  readonly success: boolean
  readonly needs_mobile_confirmation: boolean
}

interface Totp {
  readonly time: () => number
  readonly getConfirmationKey: (secret: string, time: number, tag: string) => string
}

interface Requests {
  readonly defaults: (options: object) => unknown
}

const communityOf = ({ cookies, load, proxy }: Stage): Community => {
  const request = load("request") as Requests
  const Made = load("steamcommunity") as new (options: object) => Community
  // `tunnel: false` asks the proxy for whole addresses instead of a tunnel
  const community = new Made({ request: request.defaults({ proxy, tunnel: false, forever: true }) })
  community.setCookies(cookies)
  return community
}

const host = "https://steamcommunity.com"
/** Cents, above every bid, so that an accepted listing stays. */
const highPrice = 90_000

/** A second that no earlier signature of this process used: a signature counts once. */
const freshTime = (() => {
  let last = 0
  return async (): Promise<number> => {
    while (unixSeconds() <= last) await setTimeout(100)
    last = unixSeconds()
    return last
  }
})()

const expectationsOf = async (stage: Stage) => {
  const { account, commodity, cookies, load, unique } = stage
  const community = communityOf(stage)
  const totp = load("steam-totp") as Totp
  const key = (time: number, tag: string) => totp.getConfirmationKey(account.identitySecret, time, tag)

  const list = async (): Promise<ReadonlyArray<Confirmation>> => {
    const time = await freshTime()
    return must(
      await called<ReadonlyArray<Confirmation>>((done) =>
        community.getConfirmations(time, key(time, "conf"), done)
      ),
      "the list"
    )
  }

  let sold = 0
  /** Lists one more asset with the client's own HTTP function, and gives its confirmation. */
  const staged = async (): Promise<Confirmation> => {
    const { asset, context, item } = must(account.assets[sold++], "an asset to sell")
    const before = new Set((await list()).map(({ id }) => id))
    const body = await new Promise<Sold>((resolve, reject) => {
      community.httpRequestPost(
        {
          uri: `${host}/market/sellitem/`,
          form: {
            sessionid: community.getSessionID(),
            appid: item.app,
            contextid: context,
            assetid: asset,
            amount: 1,
            price: highPrice + sold
          },
          headers: { referer: `${host}/profiles/${account.accountId}/inventory` },
          json: true
        },
        (error, _response, body) => (error === null ? resolve(body) : reject(asError(error)))
      )
    })
    expect(body.success && body.needs_mobile_confirmation, `sellitem answered ${JSON.stringify(body)}`)
    return must(
      (await list()).find(({ id }) => !before.has(id)),
      "the confirmation of the new listing"
    )
  }

  const live = () =>
    new Promise<number>((resolve, reject) => {
      community.httpRequestGet(
        { uri: `${host}/market/mylistings`, qs: { norender: 1, start: 0, count: 10 }, json: true },
        (error, _response, body) =>
          error === null ? resolve(body.num_active_listings) : reject(asError(error))
      )
    })

  const gone = async ({ id }: Confirmation) => {
    expect(!(await list()).some((one) => one.id === id), "the confirmation is still listed")
  }

  return [
    {
      operation: "GET /market/",
      expects: "getMarketApps: the applications with their names, from the home page",
      check: async () => {
        const apps = must(
          await called<Record<string, string>>((done) => community.getMarketApps(done)),
          "apps"
        )
        const name = apps[String(commodity.app)] ?? ""
        expect(name !== "", `no name for ${commodity.app} in ${JSON.stringify(apps)}`)
        return JSON.stringify(apps)
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}",
      expects:
        "getMarketItem of a commodity: item_nameid, hourly prices and an asset from the page; best prices from the histogram",
      check: async () => {
        const item = must(
          await called<MarketItem>((done) => community.getMarketItem(commodity.app, commodity.name, 1, done)),
          "item"
        )
        expect(item.commodity && item.commodityID > 0, "no item_nameid found")
        const [first] = must(item.medianSalePrices, "the price line")
        expect(
          first !== undefined && !Number.isNaN(first.hour.getTime()),
          "the price line has no readable time"
        )
        expect(item.lowestPrice > 0 && item.highestBuyOrder > 0, "no best prices")
        expect(item.quantity > 0, "no number of sell orders in sell_order_summary")
        return `nameid ${item.commodityID}, ${item.lowestPrice}/${item.highestBuyOrder}, ${item.quantity} on sale`
      }
    },
    {
      operation: "GET /market/listings/{appid}/{market_hash_name}/render/",
      expects:
        "getMarketItem of an item with wear: number of listings and lowest price with fee from the rows",
      beyond:
        "the client takes a page with Market_LoadOrderSpread for a commodity's and then reads the histogram; pages of the document carry it for every item",
      check: async () => {
        const item = must(
          await called<MarketItem>((done) => community.getMarketItem(unique.app, unique.name, 1, done)),
          "item"
        )
        expect(!item.commodity, "the page says commodity")
        expect(
          item.quantity > 0 && item.lowestPrice > 0,
          `quantity ${item.quantity}, price ${item.lowestPrice}`
        )
        return `${item.quantity} listings from ${item.lowestPrice}`
      }
    },
    {
      operation: "GET /market/search/render/",
      expects: "marketSearch: every row over all pages with application, hash name, price and quantity",
      check: async () => {
        const rows = must(
          await called<ReadonlyArray<SearchResult>>((done) =>
            community.marketSearch({ query: "Case", appid: commodity.app }, done)
          ),
          "rows"
        )
        const row = must(
          rows.find(({ market_hash_name }) => market_hash_name === commodity.name),
          `${commodity.name} among ${rows.length} rows`
        )
        expect(row.appid === commodity.app, "another application")
        expect(row.price > 0, `price is ${row.price}`)
        expect(row.quantity > 0, `quantity is ${row.quantity}`)
        return `${rows.length} rows`
      }
    },
    {
      operation: "GET /market/search/render/ (nothing)",
      expects: "marketSearch without a match: an error with the sentence that stands in place of rows",
      check: async () => {
        const told = await called((done) => community.marketSearch("no such thing at all", done)).then(
          () => "rows",
          (error: unknown) => asError(error).message
        )
        expect(told !== "rows" && told !== "No results_html in response", told)
        return told.trim()
      }
    },
    {
      operation: "GET /market/search/render/ (tag)",
      expects: "marketSearch with a tag of the application narrows the result",
      beyond: "the document: this operation accepts no tag filters",
      check: async () => {
        const all = must(
          await called<ReadonlyArray<SearchResult>>((done) =>
            community.marketSearch({ query: "AK-47", appid: unique.app }, done)
          ),
          "rows"
        )
        const worn = must(
          await called<ReadonlyArray<SearchResult>>((done) =>
            community.marketSearch({ query: "AK-47", appid: unique.app, Exterior: "WearCategory0" }, done)
          ),
          "rows"
        )
        expect(worn.length > 0 && worn.length < all.length, `${worn.length} of ${all.length} rows`)
        return `${worn.length} of ${all.length} rows`
      }
    },
    {
      operation: "GET /mobileconf/getlist",
      expects:
        "getConfirmations signed with conf: a listing staged with sellitem is in the list with type, key, title and time",
      check: async () => {
        const { creator, id, key, timestamp, title, type } = await staged()
        expect(type === 3, `type is ${type}`)
        expect(key !== "" && creator !== "" && id !== "", "an id, a key or a creator is missing")
        expect(!Number.isNaN(timestamp.getTime()), "no time")
        return title
      }
    },
    {
      operation: "GET /mobileconf/ajaxop (cancel)",
      expects:
        "CConfirmation.respond(false) signed with cancel: the confirmation is gone, the listing not live",
      check: async () => {
        const confirmation = await staged()
        const before = await live()
        const time = await freshTime()
        await called((done) => confirmation.respond(time, key(time, "cancel"), false, done))
        await gone(confirmation)
        expect((await live()) === before, "the listing is live")
        return undefined
      }
    },
    {
      operation: "GET /mobileconf/ajaxop (allow)",
      expects: "CConfirmation.respond(true) signed with allow: the confirmation is gone, the listing live",
      check: async () => {
        const confirmation = await staged()
        const before = await live()
        const time = await freshTime()
        await called((done) => confirmation.respond(time, key(time, "allow"), true, done))
        await gone(confirmation)
        expect((await live()) === before + 1, "the listing is not live")
        return undefined
      }
    },
    {
      operation: "GET /mobileconf/getlist + ajaxop",
      expects:
        "acceptConfirmationForObject finds the confirmation by its creator and accepts it, signed with list and accept",
      check: async () => {
        const confirmation = await staged()
        await freshTime()
        await called((done) =>
          community.acceptConfirmationForObject(account.identitySecret, confirmation.creator, done)
        )
        await gone(confirmation)
        return undefined
      }
    },
    {
      operation: "POST /mobileconf/multiajaxop",
      expects:
        "acceptAllConfirmations accepts what is listed with one request, cid and ck as arrays with indices",
      check: async () => {
        const one = await staged()
        const two = await staged()
        const time = await freshTime()
        const accepted = must(
          await called<ReadonlyArray<Confirmation>>((done) =>
            community.acceptAllConfirmations(time, key(time, "conf"), key(time, "allow"), done)
          ),
          "what was accepted"
        )
        expect(accepted.length >= 2, `${accepted.length} accepted`)
        await gone(one)
        await gone(two)
        return `${accepted.length} accepted`
      }
    },
    {
      operation: "GET /mobileconf/getlist + ajaxop (checker)",
      expects: "startConfirmationChecker with a secret accepts a new confirmation by itself",
      check: async () => {
        const confirmation = await staged()
        await freshTime()
        const accepted = await new Promise<Confirmation>((resolve) => {
          community.once("confirmationAccepted", resolve)
          community.startConfirmationChecker(60_000, account.identitySecret)
        })
        community.stopConfirmationChecker()
        expect(accepted.creator !== "", "no creator")
        await freshTime()
        await gone(confirmation)
        return undefined
      }
    },
    {
      operation: "GET /mobileconf/getlist (session ended)",
      expects:
        "getConfirmations with a login that is not valid any more: the error Not Logged In, the event sessionExpired",
      check: async () => {
        const other = communityOf({
          ...stage,
          cookies: cookies.map((cookie) => cookie.replace(/^(steamLoginSecure=.*).$/, "$1!"))
        })
        const expired = new Promise<void>((resolve) => other.once("sessionExpired", () => resolve()))
        const time = await freshTime()
        const told = await called((done) => other.getConfirmations(time, key(time, "conf"), done)).then(
          () => "a list",
          (error: unknown) => asError(error).message
        )
        expect(told === "Not Logged In", told)
        await expired
        return undefined
      }
    },
    {
      operation: "GET /mobileconf/detailspage/{id}",
      expects: "getConfirmationOfferID: null for a confirmation that is no trade's",
      beyond: "not an operation of the interface, which has details/{id}; the page is a trade's",
      check: async () => {
        const confirmation = await staged()
        const time = await freshTime()
        const offer = await called<string>((done) =>
          community.getConfirmationOfferID(confirmation.id, time, key(time, "details"), done)
        )
        expect(offer === null, `offer ${offer}`)
        return undefined
      }
    }
  ]
}

const shared = {
  package: "steamcommunity",
  seam: "the `request` function it takes, with a proxy and absolute-form targets",
  expectations: expectationsOf
} satisfies Peer

/** On a lenient market everything. */
export const steamCommunity: Peer = { ...shared, lenient: true }

/** What signs with the official app's later tags. */
const laterTags = /acceptConfirmationForObject/

/** On a strict market what it signs with the document's tags. */
export const steamCommunityStrict: Peer = {
  ...shared,
  variant: "strict market",
  expectations: async (stage) => {
    const beyond = "a strict market takes the document's tags only; --lenient takes the client's"
    return (await expectationsOf(stage))
      .filter(({ operation }) => operation.includes("mobileconf"))
      .map((expectation) =>
        laterTags.test(expectation.expects) ? Object.assign(expectation, { beyond }) : expectation
      )
  }
}
