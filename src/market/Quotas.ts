/**
 * The request budgets that the limiter keeps unless the configuration says otherwise: those of the interface (Limits) and, where it
 * names none, what careful clients were seen to survive with.
 * Invariants: 1. every operation has at least one budget. 2. a budget may be narrowed by configuration; a published one should not be widened.
 */
import { type Operation, operations } from "../domain/Operation.ts"

/** At most `requests` in any window of this length; with `distinct`, so many different items, each as often as one likes. */
export interface Budget {
  readonly requests: number
  readonly windowMillis: number
  readonly distinct?: true
}

/** The time between two requests, spread evenly by this part to either side so that nothing ticks like a machine. */
interface Spacing {
  readonly millis: number
  readonly jitter: number
}

/** Operations that draw on the same budgets. */
interface Meter {
  readonly operations: ReadonlyArray<Operation>
  readonly budgets: ReadonlyArray<Budget>
  readonly spacing?: Spacing
  /** Requests of each budget that reads of market data leave to everything else. */
  readonly reserved?: number
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
  /** Published: about 10 distinct items an hour, the same one again is cheaper: as often as other tight reads. */
  histogram: [{ ...per(hour, 10), distinct: true }, per(minute, 20)],
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

/** Which way a request goes: each lane has budgets of its own, so that none can starve another. */
export type Lane = "read" | "own" | "mutation" | "confirmation"

/** Operations that leave or take back what stands, so that they take risk away. */
export const exits: ReadonlySet<Operation> = new Set(["cancel-buyorder", "removelisting"])

const members: Readonly<Record<Exclude<Lane, "read">, ReadonlyArray<Operation>>> = {
  mutation: ["buylisting", "create-buyorder", "cancel-buyorder", "sellitem", "removelisting"],
  confirmation: ["confirmations", "confirmation-details", "confirmation-op"],
  own: ["eligibility", "billing", "mylistings", "myhistory", "buyorder-status"]
}

/** Lanes other than that of market data. */
const ofAccount: ReadonlyMap<Operation, Lane> = new Map(
  (["mutation", "confirmation", "own"] as const).flatMap((lane) =>
    members[lane].map((operation) => [operation, lane] as const)
  )
)
export const laneOf = (operation: Operation): Lane => ofAccount.get(operation) ?? "read"

/** Reads that were seen to be refused together. */
const tight: ReadonlyArray<Operation> = ["home", "popular", "recent", "priceoverview", "pricehistory"]

/** Operations that the market slows down together: after "too fast" to one of them all of them rest. */
export const restingTogether = (operation: Operation): ReadonlyArray<Operation> => {
  if (laneOf(operation) === "mutation") return members.mutation
  return [tight, members.confirmation].find((group) => group.includes(operation)) ?? [operation]
}

/** Survived by careful clients: one mutation a second, a fifth more or less. */
const mutationSpacing: Spacing = { millis: second, jitter: 0.2 }

/** Nobody publishes how much is too much in all; reads of market data leave a fifth of it to what must not wait. */
const inAll = (requestsPerMinute: number): Meter => ({
  operations,
  budgets: [per(minute, requestsPerMinute)],
  reserved: Math.ceil(requestsPerMinute / 5)
})

export const defaultQuotas: Quotas = [
  ...operations.map((operation): Meter => ({ operations: [operation], budgets: own[operation] })),
  { operations: members.mutation, budgets: [], spacing: mutationSpacing },
  { operations: ["confirmation-details", "confirmation-op"], budgets: [per(second, 1)] },
  inAll(300)
]

/** Operations none of whose budgets looks back for more than an hour. */
export const briefIn = (quotas: Quotas): ReadonlyArray<Operation> =>
  operations.filter((operation) =>
    quotas.every(
      (meter) =>
        !meter.operations.includes(operation) ||
        meter.budgets.every(({ windowMillis }) => windowMillis <= hour)
    )
  )

/** The quotas with other budgets for some operations of their own, and for all together; other shared budgets stay. */
export const withBudgets = (
  quotas: Quotas,
  changes: Readonly<Partial<Record<Operation, ReadonlyArray<Budget>>>>,
  requestsPerMinute?: number
): Quotas =>
  quotas.map((meter) => {
    if (meter.operations === operations && requestsPerMinute !== undefined) return inAll(requestsPerMinute)
    const [only] = meter.operations
    const change = meter.operations.length === 1 && only !== undefined ? changes[only] : undefined
    return change === undefined ? meter : { ...meter, budgets: change }
  })
