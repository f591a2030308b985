/**
 * What clients of this family leave out and real markets fill in: country, language and currency of prices, slashes too many.
 * Invariants: 1. a parameter that is there is left alone, also an empty or wrong one: the contract judges it. 2. only what the
 * contract's own query of that operation has is filled in.
 */
import { type CurrencyId } from "../domain/Currency.ts"
import { type Operation } from "../domain/Operation.ts"
import { popularQuery, recentQuery } from "../market/contract/Discovery.ts"
import { activityQuery, histogramQuery, listingsRenderQuery } from "../market/contract/Listings.ts"
import { priceoverviewQuery } from "../market/contract/Pricing.ts"
import { country, language } from "./handlers/WalletRows.ts"
import { type Known } from "./OperationOf.ts"

const queries: Partial<Readonly<Record<Operation, Readonly<Record<string, unknown>>>>> = {
  priceoverview: priceoverviewQuery,
  popular: popularQuery,
  recent: recentQuery,
  "listings-render": listingsRenderQuery,
  histogram: histogramQuery,
  activity: activityQuery
}

/** The address with the parameters that its operation needs and that it lacks; `currency` is that of the reader's wallet. */
export const withDefaults = (known: Known, currency: CurrencyId): Known => {
  const query = queries[known.operation]
  if (query === undefined) return known
  // What follows a hash is no part of a query.
  const [url = ""] = known.url.split("#", 1)
  const mark = url.indexOf("?")
  const given = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1))
  const missing = Object.entries({ country, language, currency })
    .filter(([name]) => name in query && !given.has(name))
    .map(([name, value]) => `${name}=${value}`)
  if (missing.length === 0) return known
  return { ...known, url: `${url}${mark < 0 ? "?" : "&"}${missing.join("&")}` }
}

/** The address with one slash where some clients write several at its beginning. */
export const withoutDoubleSlash = (url: string): string => url.replace(/^\/{2,}/, "/")
