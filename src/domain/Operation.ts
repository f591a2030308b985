/** The thirty operations of the interface by the names that the command line, the budgets and the docs use. */
import { Schema } from "effect"

export const operations = [
  "home",
  "search-page",
  "search",
  "search-render",
  "suggestions",
  "appfacets",
  "appaccessories",
  "popular",
  "recent",
  "listing-page",
  "listings",
  "listings-render",
  "orderbook",
  "histogram",
  "activity",
  "priceoverview",
  "pricehistory",
  "eligibility",
  "billing",
  "mylistings",
  "myhistory",
  "buylisting",
  "buyorder-status",
  "create-buyorder",
  "cancel-buyorder",
  "sellitem",
  "removelisting",
  "confirmations",
  "confirmation-details",
  "confirmation-op"
] as const

export const Operation = Schema.Literals(operations)
export type Operation = typeof Operation.Type

export const perOperation = <A>(make: (operation: Operation) => A): Readonly<Record<Operation, A>> =>
  Object.fromEntries(operations.map((operation) => [operation, make(operation)])) as Record<Operation, A>
