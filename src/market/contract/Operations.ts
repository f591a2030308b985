/**
 * The registry of the thirty operations: where they live, what they take and what they answer.
 * Used by `haggle call`, `haggle call --list`, `haggle contract check` and the docs; derived from the groups, so it cannot disagree.
 */
import * as Account from "./Account.ts"
import * as Confirmations from "./Confirmations.ts"
import * as Discovery from "./Discovery.ts"
import * as Listings from "./Listings.ts"
import * as Mutations from "./Mutations.ts"
import { entry as info, type OperationInfo } from "./OperationInfo.ts"
import {
  pricehistoryQuery,
  pricehistoryShapes,
  priceoverviewQuery,
  priceoverviewShapes,
  PricingGroup
} from "./Pricing.ts"
import { conditionalHeaders } from "./Query.ts"
import { ListingsRequest, SearchRequest } from "./Search.ts"
import { type Due } from "./Shape.ts"
import { signatureFields } from "./Wire.ts"

export { type OperationInfo } from "./OperationInfo.ts"

const page: ReadonlyArray<Due> = ["html", "payload", "redirect"]
/** `null` stands for an empty or transient result. */
const orNull: ReadonlyArray<Due> = ["null"]
const orPage: ReadonlyArray<Due> = ["html", "null"]
const conditional: ReadonlyArray<Due> = ["html", "null", "not-modified"]
const header = conditionalHeaders

const discovery: ReadonlyArray<OperationInfo> = [
  info(Discovery.DiscoveryGroup, "home", "Home page; own listings and orders stand in it.", {
    shapes: Listings.pageShapes,
    due: ["html", "redirect"]
  }),
  info(Discovery.DiscoveryGroup, "search-page", "Search page: HTML, or the loader's payload.", {
    takes: { query: Discovery.searchQuery },
    shapes: Listings.pageShapes,
    due: page
  }),
  info(Discovery.DiscoveryGroup, "search", "Structured search.", {
    takes: { query: Discovery.searchQuery, body: SearchRequest },
    shapes: Discovery.searchShapes,
    due: orNull
  }),
  info(Discovery.DiscoveryGroup, "search-render", "Legacy search; 10 rows at most.", {
    takes: { query: Discovery.searchRenderQuery },
    shapes: Discovery.searchRenderShapes,
    due: orPage
  }),
  info(Discovery.DiscoveryGroup, "suggestions", "Autocomplete.", {
    takes: { query: Discovery.suggestionsQuery },
    shapes: Discovery.suggestionsShapes,
    due: orNull
  }),
  info(Discovery.DiscoveryGroup, "appfacets", "Catalog tag vocabulary of an application.", {
    takes: { path: Discovery.appPath },
    shapes: Discovery.appfacetsShapes,
    due: orNull
  }),
  info(Discovery.DiscoveryGroup, "appaccessories", "Accessory vocabulary of an application.", {
    takes: { path: Discovery.appPath },
    shapes: Discovery.appaccessoriesShapes,
    due: orNull
  }),
  info(Discovery.DiscoveryGroup, "popular", "Popular listings.", {
    takes: { query: Discovery.popularQuery },
    shapes: Discovery.popularShapes,
    due: orPage
  }),
  info(Discovery.DiscoveryGroup, "recent", "Recent listings across all applications.", {
    takes: { query: Discovery.recentQuery },
    shapes: Discovery.recentShapes,
    due: orPage
  })
]

const listings: ReadonlyArray<OperationInfo> = [
  info(Listings.ListingsGroup, "listing-page", "Listing page: HTML, or the loader's payload.", {
    takes: { path: Listings.listingPath, query: Listings.listingPageQuery },
    shapes: Listings.pageShapes,
    due: page
  }),
  info(Listings.ListingsGroup, "listings", "Sell listings of an item, paged, and matched facets.", {
    takes: { path: Listings.listingPath, query: Listings.listingsQuery, body: ListingsRequest },
    shapes: Listings.listingsShapes,
    due: orNull
  }),
  info(Listings.ListingsGroup, "listings-render", "Legacy listing rows of an item.", {
    takes: { path: Listings.listingPath, query: Listings.listingsRenderQuery, header },
    shapes: Listings.listingsRenderShapes,
    due: conditional
  }),
  info(Listings.ListingsGroup, "orderbook", "Compact order book of one item.", {
    takes: { query: Listings.orderbookQuery, header },
    shapes: Listings.orderbookShapes,
    due: conditional
  }),
  info(Listings.ListingsGroup, "histogram", "Order histogram of one item; about 10 distinct items an hour.", {
    takes: { query: Listings.histogramQuery, header },
    shapes: Listings.histogramShapes,
    due: conditional
  }),
  info(Listings.ListingsGroup, "activity", "Recent order activity of one item.", {
    takes: { query: Listings.activityQuery, header },
    shapes: Listings.activityShapes,
    due: conditional
  })
]

const pricing: ReadonlyArray<OperationInfo> = [
  info(PricingGroup, "priceoverview", "Lowest ask, median and volume of the last 24 hours.", {
    takes: { query: priceoverviewQuery, header },
    shapes: priceoverviewShapes,
    due: ["null", "not-modified"]
  }),
  info(PricingGroup, "pricehistory", "Median price and volume over time.", {
    takes: { query: pricehistoryQuery },
    shapes: pricehistoryShapes,
    credential: "session",
    due: orNull
  })
]

const account: ReadonlyArray<OperationInfo> = [
  info(
    Account.AccountGroup,
    "eligibility",
    "Whether the account may trade; answers a redirect and a cookie.",
    {
      takes: { query: Account.eligibilityQuery },
      shapes: Account.eligibilityShapes,
      credential: "session",
      due: ["redirect"]
    }
  ),
  info(Account.AccountGroup, "billing", "Billing and wallet state; private.", {
    shapes: Account.billingShapes,
    credential: "session",
    due: orNull
  }),
  info(Account.AccountGroup, "mylistings", "Own listings and buy orders.", {
    takes: { query: Account.pageQuery },
    shapes: Account.mylistingsShapes,
    credential: "session",
    due: orPage
  }),
  info(Account.AccountGroup, "myhistory", "Own history, newest first.", {
    takes: { query: Account.pageQuery },
    shapes: Account.myhistoryShapes,
    credential: "session",
    due: ["html", "null", "redirect"]
  })
]

const csrf = { credential: "csrf", mutation: true } as const

const mutations: ReadonlyArray<OperationInfo> = [
  info(Mutations.MutationsGroup, "buylisting", "Buy a listing outright.", {
    takes: { path: Mutations.removelistingPath, form: Mutations.buyListingForm },
    shapes: Mutations.buyListingShapes,
    ...csrf
  }),
  info(Mutations.MutationsGroup, "buyorder-status", "How far a buy order is filled.", {
    takes: { query: Mutations.buyOrderForm },
    shapes: Mutations.buyOrderStatusShapes,
    credential: "csrf"
  }),
  info(Mutations.MutationsGroup, "create-buyorder", "Place a buy order.", {
    takes: { form: Mutations.createBuyOrderForm },
    shapes: Mutations.createBuyOrderShapes,
    ...csrf
  }),
  info(Mutations.MutationsGroup, "cancel-buyorder", "Cancel a buy order.", {
    takes: { form: Mutations.buyOrderForm },
    shapes: Mutations.cancelBuyOrderShapes,
    ...csrf
  }),
  info(Mutations.MutationsGroup, "sellitem", "Stage a sell listing.", {
    takes: { form: Mutations.sellItemForm },
    shapes: Mutations.sellItemShapes,
    ...csrf
  }),
  info(Mutations.MutationsGroup, "removelisting", "Remove a sell listing, staged or live.", {
    takes: { path: Mutations.removelistingPath, form: Mutations.sessionForm },
    shapes: Mutations.removeListingShapes,
    due: ["redirect"],
    ...csrf
  })
]

const signed = { credential: "signature" } as const

const confirmations: ReadonlyArray<OperationInfo> = [
  info(Confirmations.ConfirmationsGroup, "confirmations", "What waits for confirmation.", {
    takes: { query: signatureFields },
    shapes: Confirmations.confirmationsShapes,
    ...signed
  }),
  info(Confirmations.ConfirmationsGroup, "confirmation-details", "Details of one confirmation.", {
    takes: { path: Confirmations.detailsPath, query: signatureFields },
    shapes: Confirmations.confirmationDetailsShapes,
    ...signed
  }),
  info(Confirmations.ConfirmationsGroup, "confirmation-op", "Allow or cancel one confirmation.", {
    takes: { query: Confirmations.operationQuery },
    shapes: Confirmations.confirmationOpShapes,
    mutation: true,
    ...signed
  })
]

/** All thirty in the order of the document. */
export const registry: ReadonlyArray<OperationInfo> = [
  ...discovery,
  ...listings,
  ...pricing,
  ...account,
  ...mutations,
  ...confirmations
]

const byName: ReadonlyMap<string, OperationInfo> = new Map(registry.map((one) => [one.operation, one]))

/** The operation of that name. */
export const operationInfo = (name: string): OperationInfo | undefined => byName.get(name)
