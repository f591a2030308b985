/**
 * A listing page in any of its forms: the older one with inline state, the newer server-rendered one, the loader's payload
 * (interface, Listings: item_nameid is embedded in the listing page's inline state).
 * Invariant: a part that stands on the page but cannot be read is an error; a part that is not there is undefined.
 */
import { Option, Result, Schema } from "effect"

import { type BuyOrderRow, BuyOrderRow as BuyOrderRowSchema } from "../contract/Account.ts"
import { WalletInfo } from "../contract/Billing.ts"
import { isJsonArray, isJsonObject, type Json } from "../contract/Json.ts"
import { LegacyListing } from "../contract/LegacyListing.ts"
import { OrderBookData } from "../contract/Orders.ts"
import { type Names } from "../contract/Platform.ts"
import { PricePoint } from "../contract/Pricing.ts"
import { ListingsBody, Description, type SellListingRow } from "../contract/Search.ts"
import { Assets, entriesOf, mapOf } from "../contract/Wire.ts"
import { hoversOf } from "./Hovers.ts"
import { decoderOf, inlineState } from "./InlineState.ts"
import { type ListingRowHtml, listingRowsOf } from "./ListingRows.ts"
import { type OwnOrderRow, ownRowsOf } from "./OwnRows.ts"
import { parsePage, scriptOf } from "./Page.ts"
import { pageError, type Read } from "./PageError.ts"
import { callsOf } from "./Script.ts"
import { dataOf, isServerRendered, payloadQueries, type Query, renderedQueries } from "./ServerRendered.ts"

export interface ListingPage {
  readonly form: "legacy" | "rendered" | "payload"
  /** Undefined when the page does not tell. */
  readonly isLoggedIn: boolean | undefined
  /** Of legacy pages of items with an order book. */
  readonly itemNameId: string | undefined
  /** Points of the price line: label, median in major units, volume. */
  readonly prices: ReadonlyArray<PricePoint> | undefined
  readonly assets: Assets | undefined
  /** Listings of the older form, with the data that a purchase repeats. */
  readonly listings: ReadonlyArray<LegacyListing>
  readonly rows: ReadonlyArray<ListingRowHtml>
  readonly wallet: WalletInfo | undefined
  readonly orderBook: OrderBookData | undefined
  readonly description: Description | undefined
  /** Listings of the newer form. */
  readonly sellListings: ReadonlyArray<SellListingRow>
  /** Own orders: rows of the older form, data of the newer one. */
  readonly ownOrders: ReadonlyArray<OwnOrderRow>
  readonly ownOrderData: ReadonlyArray<BuyOrderRow>
}

const nothing: ListingPage = {
  form: "legacy",
  isLoggedIn: undefined,
  itemNameId: undefined,
  prices: undefined,
  assets: undefined,
  listings: [],
  rows: [],
  wallet: undefined,
  orderBook: undefined,
  description: undefined,
  sellListings: [],
  ownOrders: [],
  ownOrderData: []
}

const LegacyListings = mapOf(LegacyListing)
const PriceLine = Schema.Array(PricePoint)

const readAssets = inlineState("g_rgAssets", Assets)
const readListings = inlineState("g_rgListingInfo", LegacyListings)
const readWallet = inlineState(
  "g_rgWalletInfo",
  Schema.Union([WalletInfo, Schema.Array(Schema.Json), Schema.Literal(false), Schema.Null])
)
const readLine = inlineState("line1", Schema.Union([PriceLine, Schema.Literal(false), Schema.Null]))
const readLoggedIn = inlineState("g_bLoggedIn", Schema.Boolean)

/** `text` is a page or, when it does not begin with a tag, a loader's payload. */
export const readListingPage = (text: string, names: Names): Read<ListingPage> => {
  if (!/^[\s\ufeff]*</.test(text))
    return Result.flatMap(payloadQueries(text, names), (queries) => queried("payload", queries, undefined))
  return Result.flatMap(parsePage(text), (page) => {
    const script = scriptOf(page)
    if (isServerRendered(script))
      return Result.flatMap(renderedQueries(script, names), (queries) =>
        queried("rendered", queries, /\\*"logged_in\\*"\s*:\s*(true|false)/.exec(script)?.[1])
      )
    return Result.gen(function* () {
      const assets = yield* readAssets(script, names)
      const listings = yield* readListings(script, names)
      const line = yield* readLine(script, names)
      const [[nameId] = []] = callsOf(script, "Market_LoadOrderSpread")
      if (assets === undefined && listings === undefined && line === undefined && nameId === undefined)
        return yield* pageError("listing page", "Missing", "no inline state")
      const wallet = yield* readWallet(script, names)
      const own = yield* ownRowsOf(page, hoversOf(script))
      return {
        ...nothing,
        isLoggedIn: yield* readLoggedIn(script, names),
        itemNameId: typeof nameId === "number" || typeof nameId === "string" ? String(nameId) : undefined,
        prices: line === false || line === null ? [] : line,
        assets,
        listings: entriesOf(listings).map(([, listing]) => listing),
        rows: listingRowsOf(page).rows,
        wallet: isWallet(wallet) ? wallet : undefined,
        ownOrders: own.orders
      }
    })
  })
}

const isWallet = (wallet: unknown): wallet is WalletInfo =>
  typeof wallet === "object" && wallet !== null && !Array.isArray(wallet)

const readBook = decoderOf("orderbook", OrderBookData)
const readHistory = decoderOf("pricehistory", PriceLine)
const readDescription = decoderOf("description", Description)
const readRows = decoderOf("listings", ListingsBody)
const readOrders = decoderOf("rgBuyOrders", Schema.Array(BuyOrderRowSchema))

const queried = (
  form: "rendered" | "payload",
  queries: ReadonlyArray<Query>,
  loggedIn: string | undefined
): Read<ListingPage> => {
  const book = inner(dataOf(queries, "market", "orderbook"))
  const history = inner(dataOf(queries, "market", "pricehistory"))
  const description = inner(dataOf(queries, "market", "description"))
  const rows = inner(dataOf(queries, "market", "listings"))
  if (book === undefined && history === undefined && description === undefined && rows === undefined)
    return pageError("listing page", "Missing", "no market queries")
  const prices = isJsonObject(history) ? history["prices"] : history
  const orders = isJsonObject(book) ? book["rgBuyOrders"] : undefined
  return Result.gen(function* () {
    return {
      ...nothing,
      form,
      isLoggedIn: loggedIn === undefined ? undefined : loggedIn === "true",
      orderBook: book === undefined || !hasBook(book) ? undefined : yield* readBook(book),
      prices: prices === undefined || !isJsonArray(prices) ? undefined : yield* readHistory(prices),
      description: description === undefined ? undefined : yield* readDescription(description),
      sellListings: rows === undefined ? [] : (yield* readRows(rows)).listings,
      ownOrderData: orders === undefined || !isJsonArray(orders) ? [] : yield* readOrders(orders)
    }
  })
}

/** Data without its envelopes `{success, data}` and `{data}`; undefined for null. */
const inner = (data: Json | undefined): Json | undefined => {
  let found = data
  for (let envelopes = 0; envelopes < 2; envelopes += 1)
    if (isJsonObject(found) && found["data"] !== undefined) found = found["data"]
  return found === null ? undefined : found
}

/** An unknown item's book is a failure without prices. */
const hasBook = (book: Json): boolean => isJsonObject(book) && book["success"] !== false

/** Hash name of the page's item, when every asset on it has the same one. */
export const hashNameOf = ({ assets, description }: ListingPage): Option.Option<string> => {
  const names = new Set(
    entriesOf(assets).flatMap(([, contexts]) =>
      entriesOf(contexts).flatMap(([, ids]) =>
        entriesOf(ids).flatMap(([, asset]) => asset.market_hash_name ?? [])
      )
    )
  )
  const [only] = names
  return names.size === 1 && only !== undefined
    ? Option.some(only)
    : Option.fromUndefinedOr(description?.market_hash_name)
}
