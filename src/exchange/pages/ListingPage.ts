/**
 * The page of an item, or of a group of its variants: price history, order book, listings to buy, a form for a buy order.
 * The older form carries its data as inline state, the newer one as what its server asked for. Both show a person the same.
 */
import { currencyOf, formatPrice } from "../../domain/Currency.ts"
import { money } from "../../domain/Money.ts"
import { compactBook, nameIdOf, tableOf } from "../handlers/BookRows.ts"
import { descriptionOf, groupTitle, legacyFields, sellListingRow } from "../handlers/OfferRows.ts"
import { buyerOf } from "../handlers/Reader.ts"
import { type Asked } from "../handlers/Request.ts"
import { buyOrderRow } from "../handlers/Rows.ts"
import { walletInfo } from "../handlers/WalletRows.ts"
import { levelsOf, pricePoints } from "../Levels.ts"
import { type Offer, type Viewer } from "../Offers.ts"
import { findOffers } from "../Search.ts"
import { type Account, type MarketItem } from "../World.ts"
import { salesChart } from "./Chart.ts"
import { offerRows } from "./ListingRows.ts"
import { orderTable } from "./OrderTable.ts"
import { orderHtml } from "./OwnPages.ts"
import { escapeHtml, hidden, listingLink, page } from "./Page.ts"
import { readerState } from "./ReaderState.ts"

/** What the page is about: one item, or the variants of a finish. */
export interface Subject {
  readonly app: number
  readonly name: string
  readonly indexes: ReadonlyArray<number>
}

const shownListings = 20

const everything = {
  app: undefined,
  text: "",
  inDescriptions: false,
  tags: {},
  accessories: {},
  properties: []
}

const offersFor = ({ world }: Asked, viewer: Viewer, { indexes }: Subject): ReadonlyArray<Offer> => {
  const price = { currency: viewer.currency, least: undefined, most: undefined }
  return findOffers(world, indexes, { ...everything, price }, viewer).slice(0, shownListings)
}

const single = ({ world }: Asked, { indexes }: Subject): MarketItem | undefined =>
  indexes.length === 1 ? world.items[indexes[0] ?? -1] : undefined

const books = ({ world }: Asked, item: MarketItem, { currency }: Viewer): string => {
  const { asks, bids } = levelsOf(world, item, currency)
  return `<div class="books">
<div id="market_commodity_forsale_table"><h2>For sale</h2>${orderTable(tableOf(asks, currency, "more"))}</div>
<div id="market_commodity_buyreqeusts_table"><h2>Wanted</h2>${orderTable(tableOf(bids, currency, "less"))}</div>
</div>`
}

const orderForm = (item: MarketItem, account: Account, sessionid: string): string => {
  const { decimalSeparator } = currencyOf(account.currency)
  const fields = {
    sessionid,
    currency: String(account.currency),
    appid: String(item.of.app),
    market_hash_name: item.of.name,
    confirmation: "0"
  }
  return `<h2>Place a buy order</h2>
<form method="post" action="/market/createbuyorder/">${hidden(fields)}<label>Units <input name="quantity" value="1" size="4" inputmode="numeric"></label>
<label>Total in minor units (100 are ${escapeHtml(formatPrice(money(100), account.currency))}, written without ${escapeHtml(decimalSeparator)}) <input name="price_total" size="8" inputmode="numeric"></label> <button>Place order</button></form>`
}

const variants = ({ world }: Asked, { indexes }: Subject): string => {
  const links = indexes.map((index) => {
    const { app = 0, name = "" } = world.items[index]?.of ?? {}
    return `<li><a href="${listingLink(app, name)}">${escapeHtml(name)}</a></li>`
  })
  return `<h2>Variants</h2>\n<ul>${links.join("")}</ul>`
}

const bodyOf = (request: Asked, viewer: Viewer, subject: Subject, offers: ReadonlyArray<Offer>): string => {
  const { session, world } = request
  const item = single(request, subject)
  const account = world.accounts[session?.account ?? -1]
  const sessionid = session?.sessionid ?? ""
  const orders = account?.orders.filter((order) => subject.indexes.includes(order.item)) ?? []
  const parts = [
    item === undefined
      ? variants(request, subject)
      : `<p>${escapeHtml(item.of.type)}. ${escapeHtml(item.of.description)}</p>`,
    item === undefined ? "" : salesChart(pricePoints(world, item, viewer.currency)),
    item === undefined ? "" : books(request, item, viewer),
    account === undefined
      ? ""
      : orders.map((order) => orderHtml(world, account, sessionid, order, "mbuyorder_")).join("\n"),
    item === undefined || account === undefined ? "" : orderForm(item, account, sessionid),
    `<h2>Listings</h2>\n<div id="searchResultsRows">\n${offerRows(buyerOf(request, viewer), offers, "listing_")}\n</div>`
  ]
  return parts.filter((part) => part !== "").join("\n")
}

const titleOf = (request: Asked, subject: Subject): string =>
  single(request, subject)?.of.name ??
  groupTitle(request.world.items[subject.indexes[0] ?? -1]?.of.name ?? subject.name)

/** The older page, with its inline state. */
export const legacyListingPage = (request: Asked, viewer: Viewer, subject: Subject): string => {
  const { session, theirs, world } = request
  const item = single(request, subject)
  const account = world.accounts[session?.account ?? -1]
  const offers = offersFor(request, viewer, subject)
  const legacy = legacyFields(world, offers, viewer.currency, "listing_")
  const { prefix, suffix } = currencyOf(viewer.currency)
  const points = item === undefined ? [] : pricePoints(world, item, viewer.currency)
  const state = `${readerState(request)}
var g_bLoggedIn = ${account !== undefined};
var g_rgWalletInfo = ${account === undefined ? "false" : theirs(walletInfo(account))};
var g_rgAppContextData = ${theirs(legacy.app_data)};
var g_rgAssets = ${theirs(legacy.assets)};
var g_rgCurrency = [];
var g_rgListingInfo = ${theirs(legacy.listinginfo)};
${legacy.hovers}`
  const line = `var line1=${points.length === 0 ? "false" : theirs(points)};
var strFormatPrefix = ${theirs(prefix.trim())};
var strFormatSuffix = ${theirs(suffix.trim())};
Market_LoadOrderSpread( ${nameIdOf(subject.indexes[0] ?? 0)} );`
  const script = item === undefined ? state : `${state}\n${line}`
  return page(titleOf(request, subject), bodyOf(request, viewer, subject, offers), script)
}

/** What the newer page and the loader's payload carry. */
export const listingQueries = (request: Asked, viewer: Viewer, subject: Subject) => {
  const { session, world } = request
  const { app, indexes, name } = subject
  const offers = offersFor(request, viewer, subject)
  const item = single(request, subject)
  const account = world.accounts[session?.account ?? -1]
  const query = (kind: string, data: unknown) => ({
    queryKey: ["market", kind, app, name],
    state: { data, status: "success" }
  })
  const rows = {
    start: 0,
    total_count: offers.length,
    facets: [],
    more: false,
    listings: offers.map((offer) => sellListingRow(world, offer, viewer.currency))
  }
  const orders = account?.orders.filter((order) => indexes.includes(order.item)) ?? []
  const own = account === undefined ? [] : orders.map((order) => buyOrderRow(world, account, order))
  if (item === undefined) return [query("listings", rows)]
  const book = { ...compactBook(world, item, viewer.currency), rgBuyOrders: own }
  const { prefix, suffix } = currencyOf(viewer.currency)
  const history = {
    success: true,
    price_prefix: prefix.trim(),
    price_suffix: suffix.trim(),
    prices: pricePoints(world, item, viewer.currency)
  }
  return [
    query("orderbook", { success: true, data: book }),
    query("pricehistory", history),
    query("description", descriptionOf(world, indexes[0] ?? 0)),
    query("listings", rows)
  ]
}

/** The newer page: what its server asked for stands in it as JSON inside JSON; an item has no name id there. */
export const renderedListingPage = (request: Asked, viewer: Viewer, subject: Subject): string => {
  const { session, theirs } = request
  const queryData = theirs({ queries: listingQueries(request, viewer, subject) })
  const context = theirs(JSON.stringify({ queryData }))
  const loader = theirs([JSON.stringify({ logged_in: session !== undefined })])
  const script = `${readerState(request)}
window.SSR = {};
window.SSR.loaderData = ${loader};
window.SSR.renderContext=JSON.parse(${context});`
  const offers = offersFor(request, viewer, subject)
  return page(titleOf(request, subject), bodyOf(request, viewer, subject, offers), script)
}
