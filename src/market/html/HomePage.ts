/** The home page: own listings and orders, the wallet, popular items and new listings, and whether the account may trade. */
import { Result, Schema } from "effect"

import { WalletInfo } from "../contract/Billing.ts"
import { LegacyListing } from "../contract/LegacyListing.ts"
import { type Names } from "../contract/Platform.ts"
import { Assets, entriesOf, mapOf } from "../contract/Wire.ts"
import { hoversOf } from "./Hovers.ts"
import { inlineState } from "./InlineState.ts"
import { type ListingRowHtml, listingRowsOf } from "./ListingRows.ts"
import { type OwnRows, ownRowsOf } from "./OwnRows.ts"
import { find, parsePage, scriptOf, withId } from "./Page.ts"
import { pageError, type Read } from "./PageError.ts"
import { type SearchRowHtml, searchRowsOf } from "./SearchRows.ts"

export interface HomePage extends OwnRows {
  /** False for a stranger; undefined when the page does not tell. */
  readonly isLoggedIn: boolean | undefined
  /** False when the page says that the account may not use the market. */
  readonly mayTrade: boolean
  readonly wallet: WalletInfo | undefined
  readonly assets: Assets | undefined
  readonly popular: ReadonlyArray<SearchRowHtml>
  readonly recent: ReadonlyArray<ListingRowHtml>
  readonly recentListings: ReadonlyArray<LegacyListing>
}

const readAssets = inlineState("g_rgAssets", Assets)
const readListings = inlineState("g_rgListingInfo", mapOf(LegacyListing))
const readWallet = inlineState(
  "g_rgWalletInfo",
  Schema.Union([WalletInfo, Schema.Literal(false), Schema.Null])
)
const readLoggedIn = inlineState("g_bLoggedIn", Schema.Boolean)
const readAllowed = inlineState("g_bMarketAllowed", Schema.Boolean)

export const readHomePage = (html: string, names: Names): Read<HomePage> =>
  Result.flatMap(parsePage(html), (page) =>
    Result.gen(function* () {
      const script = scriptOf(page)
      const own = yield* ownRowsOf(page, hoversOf(script))
      const popular = searchRowsOf(page).rows
      const isHome =
        find(page, withId("myListings")) !== undefined || own.counts.live !== undefined || popular.length > 0
      if (!isHome) return yield* pageError("home page", "Missing", "neither own listings nor popular items")
      const wallet = yield* readWallet(script, names)
      const allowed = yield* readAllowed(script, names)
      return {
        ...own,
        isLoggedIn: yield* readLoggedIn(script, names),
        mayTrade: allowed !== false && find(page, withId("market_tip_noaccess")) === undefined,
        wallet: wallet === false || wallet === null ? undefined : wallet,
        assets: yield* readAssets(script, names),
        popular,
        recent: listingRowsOf(page).rows,
        recentListings: entriesOf(yield* readListings(script, names)).map(([, listing]) => listing)
      }
    })
  )
