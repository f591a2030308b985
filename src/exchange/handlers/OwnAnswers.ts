/** Own listings, orders and history as answers: JSON rows with their rendered form, or a page. */
import { type MyHistoryBody, type MyListingsBody } from "../../market/contract/Account.ts"
import { historyRowId, hoversOf, myHistoryHtml, myListingsHtml, shortDate } from "../pages/OwnPages.ts"
import { page } from "../pages/Page.ts"
import { type Account, type HistoryRow, type Listing, type World } from "../World.ts"
import { assetsOf } from "./OfferRows.ts"
import { type Asked } from "./Request.ts"
import {
  assetRow,
  assetStatus,
  buyOrderRow,
  historyAsset,
  historyEvent,
  historyListing,
  itemAt,
  listingRow,
  purchaseRow
} from "./Rows.ts"

const defaultCount = 10
const mostListings = 100
const mostEvents = 500

export interface PageQuery {
  readonly norender?: 0 | 1
  readonly start?: number
  readonly count?: number
}

/** The script of a page with own rows: their assets and what ties the two. */
const ownScript = (theirs: Asked["theirs"], assets: unknown, hovers: string): string =>
  `var g_bLoggedIn = true;\nvar g_rgAssets = ${theirs(assets)};\n${hovers}`

const listingHover = (world: World, { asset, id, item }: Listing) => ({
  element: `mylisting_${id}_name`,
  app: itemAt(world, item).of.app,
  asset
})

/** Live and staged listings, newest first, with what ties their rows to assets. */
export const ownListings = (world: World, account: Account, start: number, count: number) => {
  const live = account.listings.filter((listing) => listing.live).toReversed()
  const staged = account.listings.filter((listing) => !listing.live).toReversed()
  const shown = live.slice(start, start + count)
  return {
    live,
    staged,
    shown,
    assets: assetsOf(
      [...shown, ...staged].map(({ asset, item }) => assetRow(world, item, asset, assetStatus.listed, "1"))
    ),
    hovers: hoversOf([...shown, ...staged].map((listing) => listingHover(world, listing)))
  }
}

export const myListings = (request: Asked, account: Account, query: PageQuery): MyListingsBody | string => {
  const { session, theirs, world } = request
  const [start, count] = [query.start ?? 0, Math.min(query.count ?? defaultCount, mostListings)]
  const { assets, hovers, live, shown, staged } = ownListings(world, account, start, count)
  const html = myListingsHtml(world, account, session?.sessionid ?? "", shown)
  if (query.norender !== 1) return page("My market listings", html, ownScript(theirs, assets, hovers))
  return {
    success: true,
    pagesize: count,
    total_count: live.length,
    start,
    num_active_listings: live.length,
    assets,
    hovers,
    results_html: html,
    listings: shown.map((listing) => listingRow(world, account, listing)),
    listings_on_hold: [],
    listings_to_confirm: staged.map((listing) => listingRow(world, account, listing)),
    buy_orders: account.orders.map((order) => buyOrderRow(world, account, order))
  }
}

const historyHover = (world: World, row: HistoryRow) => ({
  element: `${historyRowId(row)}_name`,
  app: itemAt(world, row.item).of.app,
  asset: row.asset
})

export const myHistory = (request: Asked, account: Account, query: PageQuery): MyHistoryBody | string => {
  const { theirs, world } = request
  const [start, count] = [query.start ?? 0, Math.min(query.count ?? defaultCount, mostEvents)]
  const total = account.history.length
  const shown = account.history
    .slice(Math.max(0, total - start - count), Math.max(0, total - start))
    .toReversed()
  const html = myHistoryHtml(world, account, shown)
  // Of two rows about one asset or listing the later one tells where it is.
  const oldestFirst = shown.toReversed()
  const assets = assetsOf(oldestFirst.map((row) => historyAsset(world, row)))
  const hovers = hoversOf(shown.map((row) => historyHover(world, row)))
  if (query.norender !== 1) return page("My market history", html, ownScript(theirs, assets, hovers))
  const traded = shown.filter(({ purchase }) => purchase !== "")
  return {
    success: true,
    pagesize: count,
    total_count: total,
    start,
    assets,
    hovers,
    results_html: html,
    events: shown.map((row) => historyEvent(world, account, row, shortDate(row.at))),
    purchases:
      traded.length === 0
        ? []
        : Object.fromEntries(
            traded.map((row) => [`${row.listing}_${row.purchase}`, purchaseRow(world, account, row)] as const)
          ),
    listings:
      shown.length === 0
        ? []
        : Object.fromEntries(
            oldestFirst.map((row) => [row.listing, historyListing(world, account, row)] as const)
          )
  }
}
