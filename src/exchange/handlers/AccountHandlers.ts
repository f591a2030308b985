/** Group Account: wallet, own listings and orders, own history. Without a session everything here is sent to the login page. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

import { type Millis } from "../../domain/Ids.ts"
import { formatLabel } from "../../domain/SalesLabel.ts"
import { type MyHistoryBody, type MyListingsBody } from "../../market/contract/Account.ts"
import { type BillingBody } from "../../market/contract/Billing.ts"
import { MarketApi } from "../../market/contract/MarketApi.ts"
import { type Asset, type Assets } from "../../market/contract/Wire.ts"
import { hoversOf, myHistoryHtml, myListingsHtml } from "../pages/OwnPages.ts"
import { page } from "../pages/Page.ts"
import { type Account, type Listing, maximumBalance, maximumPrice, type World } from "../World.ts"
import { accountOf, asked, toLogin } from "./Request.ts"
import {
  assetRow,
  assetStatus,
  buyOrderRow,
  historyAsset,
  historyEvent,
  historyListing,
  itemAt,
  listingRow,
  purchaseRow,
  shortDate
} from "./Rows.ts"

const defaultCount = 10
const mostListings = 100
const mostEvents = 500
const country = "US"

interface PageQuery {
  readonly norender?: 0 | 1
  readonly start?: number
  readonly count?: number
}

/** `assets[app][context][id]`, `[]` when there are none. */
const assetsOf = (rows: ReadonlyArray<Asset>): Assets => {
  const apps: Record<string, Record<string, Record<string, Asset>>> = {}
  for (const row of rows) ((apps[String(row.appid)] ??= {})[row.contextid] ??= {})[row.id] = row
  return rows.length === 0 ? [] : apps
}

const billingOf = (world: World, account: Account): BillingBody => ({
  billing_address: {
    firstname: "",
    lastname: "",
    address1: "",
    address2: "",
    city: "",
    state: "",
    countrycode: country,
    postcode: "",
    phone: ""
  },
  require_billing_info: false,
  country_code: country,
  billing_states: {},
  localized_country: "United States",
  wallet_info: {
    success: 1,
    wallet_currency: world.currency,
    wallet_country: country,
    wallet_state: "",
    wallet_fee: "1",
    wallet_fee_minimum: String(world.fees.floor),
    wallet_fee_percent: String(world.fees.platformRate),
    wallet_publisher_fee_percent_default: String(world.fees.publisherRate),
    wallet_fee_base: "0",
    wallet_balance: String(account.balance),
    wallet_delayed_balance: "0",
    wallet_max_balance: String(maximumBalance(world)),
    wallet_trade_max_balance: String(maximumPrice(world)),
    wallet_market_minimum: String(world.fees.floor),
    wallet_currency_increment: String(world.fees.increment)
  },
  account_name: account.name,
  ssa: { last_update: 0, latest_accepted: true, eu_ssa: false },
  confirmation_type: 2,
  tax_rate: { success: true, tradefee_addtax: 0, tradefee_taxrate: 0, tax_region: "" }
})

const hoverOf = (world: World, listing: Listing) => ({
  element: `mylisting_${listing.id}_name`,
  app: itemAt(world, listing.item).of.app,
  asset: listing.asset
})

const myListings = (world: World, account: Account, query: PageQuery): MyListingsBody | string => {
  const [start, count] = [query.start ?? 0, Math.min(query.count ?? defaultCount, mostListings)]
  const live = account.listings.filter((listing) => listing.live).toReversed()
  const staged = account.listings.filter((listing) => !listing.live).toReversed()
  const shown = live.slice(start, start + count)
  const html = myListingsHtml(world, account, shown)
  if (query.norender !== 1) return page("My market listings", html)
  return {
    success: true,
    pagesize: count,
    total_count: live.length,
    start,
    num_active_listings: live.length,
    assets: assetsOf(
      [...shown, ...staged].map(({ asset, item }) => assetRow(world, item, asset, assetStatus.listed, "1"))
    ),
    hovers: hoversOf([...shown, ...staged].map((listing) => hoverOf(world, listing))),
    results_html: html,
    listings: shown.map((listing) => listingRow(world, listing)),
    listings_on_hold: [],
    listings_to_confirm: staged.map((listing) => listingRow(world, listing)),
    buy_orders: account.orders.map((order) => buyOrderRow(world, order))
  }
}

const myHistory = (world: World, account: Account, query: PageQuery): MyHistoryBody | string => {
  const [start, count] = [query.start ?? 0, Math.min(query.count ?? defaultCount, mostEvents)]
  const total = account.history.length
  const shown = account.history
    .slice(Math.max(0, total - start - count), Math.max(0, total - start))
    .toReversed()
  const html = myHistoryHtml(world, shown)
  if (query.norender !== 1) return page("My market history", html)
  // Of two rows about one asset or listing the later one tells where it is.
  const oldestFirst = shown.toReversed()
  const traded = shown.filter(({ purchase }) => purchase !== "")
  return {
    success: true,
    pagesize: count,
    total_count: total,
    start,
    assets: assetsOf(oldestFirst.map((row) => historyAsset(world, row))),
    hovers: hoversOf(
      traded.map((row) => ({
        element: `history_row_${row.listing}_${row.purchase}_name`,
        app: itemAt(world, row.item).of.app,
        asset: row.asset
      }))
    ),
    results_html: html,
    events: shown.map((row) => historyEvent(world, account, row, shortDate(formatLabel(row.at as Millis)))),
    purchases:
      traded.length === 0
        ? []
        : Object.fromEntries(
            traded.map((row) => [`${row.listing}_${row.purchase}`, purchaseRow(world, account, row)] as const)
          ),
    listings:
      shown.length === 0
        ? []
        : Object.fromEntries(oldestFirst.map((row) => [row.listing, historyListing(world, row)] as const))
  }
}

export const AccountHandlers = HttpApiBuilder.group(
  MarketApi,
  "account",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      billing: Effect.fnUntraced(function* () {
        const { session, url, world } = yield* asked("billing")
        if (session === undefined) return yield* toLogin(url)
        return billingOf(world, accountOf(world, session))
      }),
      mylistings: Effect.fnUntraced(function* ({ query }) {
        const { session, url, world } = yield* asked("mylistings")
        if (session === undefined) return yield* toLogin(url)
        return myListings(world, accountOf(world, session), query)
      }),
      myhistory: Effect.fnUntraced(function* ({ query }) {
        const { session, url, world } = yield* asked("myhistory")
        if (session === undefined) return yield* toLogin(url)
        return myHistory(world, accountOf(world, session), query)
      })
    })
  })
)
