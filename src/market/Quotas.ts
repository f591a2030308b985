/**
 * The request budgets that the limiter keeps unless the configuration says otherwise: those of the interface (Limits) and, where it
 * names none, what careful clients were seen to survive with.
 * Invariants: 1. every operation has at least one budget. 2. a budget may be narrowed by configuration; a published one should not be widened.
 */
import { type Operation, operations } from "../domain/Operation.ts"

/** At most `requests` in any window of this length. */
export interface Budget {
  readonly requests: number
  readonly windowMillis: number
}

/** Operations that draw on the same budgets; a refusal of one cools all of them down. */
interface Meter {
  readonly operations: ReadonlyArray<Operation>
  readonly budgets: ReadonlyArray<Budget>
}
export type Quotas = ReadonlyArray<Meter>

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const per = (windowMillis: number, requests: number): Budget => ({ requests, windowMillis })

const own: Readonly<Record<Operation, ReadonlyArray<Budget>>> = {
  home: [per(minute, 4)],
  "search-page": [per(minute, 20)],
  search: [per(minute, 20)],
  /** Published: about 20 a minute. */
  "search-render": [per(minute, 20)],
  suggestions: [per(minute, 30)],
  appfacets: [per(minute, 10)],
  appaccessories: [per(minute, 10)],
  popular: [per(minute, 4)],
  recent: [per(minute, 4)],
  "listing-page": [per(minute, 20)],
  listings: [per(minute, 20)],
  "listings-render": [per(minute, 20)],
  orderbook: [per(minute, 120)],
  /** Published: about 10 distinct items an hour; counted as if every request were another item. */
  histogram: [per(hour, 10)],
  activity: [per(minute, 10)],
  /** Published: about 20 a minute and 1,000 a day. */
  priceoverview: [per(minute, 20), per(day, 1000)],
  pricehistory: [per(minute, 10), per(day, 1000)],
  eligibility: [per(minute, 4)],
  billing: [per(minute, 12)],
  mylistings: [per(minute, 30)],
  myhistory: [per(minute, 20)],
  "buyorder-status": [per(minute, 60)],
  buylisting: [per(minute, 20)],
  "create-buyorder": [per(minute, 40)],
  "cancel-buyorder": [per(minute, 40)],
  sellitem: [per(minute, 20)],
  removelisting: [per(minute, 40)],
  confirmations: [per(10 * second, 1)],
  "confirmation-details": [per(minute, 30)],
  "confirmation-op": [per(minute, 30)]
}

const mutations: ReadonlyArray<Operation> = [
  "buylisting",
  "create-buyorder",
  "cancel-buyorder",
  "sellitem",
  "removelisting"
]
const confirmationOperations: ReadonlyArray<Operation> = ["confirmation-details", "confirmation-op"]

export const defaultQuotas: Quotas = [
  ...operations.map((operation): Meter => ({ operations: [operation], budgets: own[operation] })),
  { operations: mutations, budgets: [per(second, 1)] },
  { operations: confirmationOperations, budgets: [per(second, 1)] }
]

/** The quotas with other budgets for some operations of their own; shared budgets stay. */
export const withBudgets = (
  quotas: Quotas,
  changes: Readonly<Partial<Record<Operation, ReadonlyArray<Budget>>>>
): Quotas =>
  quotas.map((meter) => {
    const [only] = meter.operations
    const change = meter.operations.length === 1 && only !== undefined ? changes[only] : undefined
    return change === undefined ? meter : { ...meter, budgets: change }
  })
