/** The market's front page: own listings, orders and inventory for those who are logged in, popular items, new listings. */
import { formatPrice } from "../../domain/Currency.ts"
import { loginCookie } from "../Accounts.ts"
import { contextOf } from "../Catalogue.ts"
import { legacyFields } from "../handlers/OfferRows.ts"
import { ownListings } from "../handlers/OwnAnswers.ts"
import { buyerOf } from "../handlers/Reader.ts"
import { type Asked } from "../handlers/Request.ts"
import { walletInfo } from "../handlers/WalletRows.ts"
import { newestOffers, type Viewer } from "../Offers.ts"
import { findItems } from "../Search.ts"
import { applications } from "../Vocabulary.ts"
import { type Account, type World } from "../World.ts"
import { offerRows } from "./ListingRows.ts"
import { myListingsHtml } from "./OwnPages.ts"
import { escapeHtml, hidden, listingLink, page } from "./Page.ts"
import { readerState } from "./ReaderState.ts"
import { searchRowsHtml } from "./SearchRows.ts"

const shownListings = 10
const shownPopular = 10
const shownRecent = 10
/** A whole inventory would bury the page. */
const shownAssets = 40

const searchForm = `<form action="/market/search" method="get"><select name="appid">${applications
  .map(({ app, name }) => `<option value="${app}">${escapeHtml(name)}</option>`)
  .join("")}</select> <input name="q" aria-label="Search"> <button>Search</button></form>`

const gameButtons = `<div class="market_search_game_button_group">${applications
  .map(
    ({ app, name }) =>
      `<a class="game_button" href="/market/search?appid=${app}"><span class="game_button_contents"><span class="game_button_game_name">${escapeHtml(name)}</span></span></a>`
  )
  .join("\n")}</div>`

const sellForm = (
  world: World,
  account: Account,
  sessionid: string,
  asset: Account["inventory"][number]
): string => {
  const { app = 0, name = "" } = world.items[asset.item]?.of ?? {}
  const fields = { sessionid, appid: String(app), contextid: contextOf(app), assetid: asset.id, amount: "1" }
  return `<div class="market_listing_row"><a href="${listingLink(app, name)}">${escapeHtml(name)}</a>
<form class="market_listing_right_cell" method="post" action="/market/sellitem/">${hidden(fields)}<label>You receive (minor units of ${escapeHtml(String(account.currency))}) <input name="price" size="8" inputmode="numeric"></label> <button>Sell</button></form></div>`
}

const ownPart = (request: Asked, account: Account): string => {
  const { session, world } = request
  const sessionid = session?.sessionid ?? ""
  const { shown } = ownListings(world, account, 0, shownListings)
  const inventory = account.inventory.slice(0, shownAssets)
  return `<p>${escapeHtml(account.name)}, your wallet holds <span id="marketWalletBalanceAmount">${escapeHtml(formatPrice(account.balance, account.currency))}</span>.</p>
<div id="myListings">
${myListingsHtml(world, account, sessionid, shown)}
</div>
<details><summary>My inventory (${account.inventory.length})</summary>
${inventory.map((asset) => sellForm(world, account, sessionid, asset)).join("\n")}
</details>`
}

/** A person pastes what `haggle exchange --json` prints; the page keeps it as the cookies that every client sends. */
const loginForm = (platformName: string): string => `<p>You are not logged in.</p>
<form id="login" action="/market/"><label>${escapeHtml(loginCookie(platformName))} <input name="login" autocomplete="off"></label> <label>sessionid <input name="sessionid" autocomplete="off"></label> <button>Log in</button></form>
<script>
document.getElementById("login").addEventListener("submit", function (event) {
  event.preventDefault();
  document.cookie = "${loginCookie(platformName)}=" + this.elements.login.value.trim() + "; path=/";
  document.cookie = "sessionid=" + this.elements.sessionid.value.trim() + "; path=/";
  location.reload()
});
</script>`

export const homePage = (request: Asked, viewer: Viewer): string => {
  const { session, theirs, world } = request
  const account = world.accounts[session?.account ?? -1]
  const everything = {
    app: undefined,
    text: "",
    inDescriptions: false,
    tags: {},
    accessories: {},
    properties: [],
    price: { currency: viewer.currency, least: undefined, most: undefined }
  }
  const popular = findItems(world, everything, viewer, "popular", "descending").slice(0, shownPopular)
  const recent = newestOffers(world, viewer, shownRecent)
  const legacy = legacyFields(world, recent, viewer.currency, "listing_sell_new_")
  const own = account === undefined ? undefined : ownListings(world, account, 0, shownListings)
  const assets = mergedAssets(own?.assets ?? [], legacy.assets)
  const body = `${searchForm}
${gameButtons}
${account === undefined ? loginForm(request.exchange.platformName) : ownPart(request, account)}
<h2>Popular items</h2>
<div id="popularItemsTable">
${searchRowsHtml(viewer, popular)}
</div>
<h2>New listings</h2>
<div id="sellListingsNew">
${offerRows(buyerOf(request, viewer), recent, "listing_sell_new_")}
</div>`
  const script = `${readerState(request)}
var g_bLoggedIn = ${account !== undefined};
var g_bMarketAllowed = true;
var g_rgWalletInfo = ${account === undefined ? "false" : theirs(walletInfo(account))};
var g_rgAssets = ${theirs(assets)};
var g_rgListingInfo = ${theirs(legacy.listinginfo)};
${own?.hovers ?? ""}
${legacy.hovers}`
  return page("Community market", body, script)
}

type Nested = Readonly<Record<string, unknown>>
const isNested = (value: unknown): value is Nested =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Two maps of assets as one: by application, context and asset. */
const mergedAssets = (one: unknown, other: unknown, depth = 0): unknown => {
  if (!isNested(one)) return isNested(other) ? other : one
  if (!isNested(other) || depth === 2) return isNested(other) ? { ...one, ...other } : one
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...keys].map((key) => [key, mergedAssets(one[key], other[key], depth + 1)]))
}
