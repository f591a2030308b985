/**
 * The kinds of faults: which operations each can happen to, and how kinds go together in one call.
 * Invariant: of the kinds that spoil the answer as a whole only the first rule that fires plays; the others all add up.
 */
import { type Operation, operations } from "../domain/Operation.ts"

export const faultKinds = [
  "rate-limited",
  "null",
  "html",
  "login",
  "server-error",
  "lost-answer",
  "delay",
  "reset",
  "truncated",
  "code",
  "session",
  "confirmations",
  "clock",
  "manual-order",
  "bought",
  "maintenance",
  "currency",
  "history",
  "funds-held"
] as const
export type FaultKind = (typeof faultKinds)[number]

const mutationOperations: ReadonlyArray<Operation> = [
  "buylisting",
  "create-buyorder",
  "cancel-buyorder",
  "sellitem",
  "removelisting"
]
const confirming: ReadonlyArray<Operation> = ["confirmations", "confirmation-details", "confirmation-op"]
/** Operations that answer a page and nothing else. */
const pages: ReadonlySet<Operation> = new Set(["home", "search-page", "listing-page", "eligibility"])

const only: Partial<Record<FaultKind, ReadonlyArray<Operation>>> = {
  null: operations.filter((operation) => !pages.has(operation)),
  code: operations.filter((operation) => !pages.has(operation)),
  session: operations,
  confirmations: confirming,
  bought: ["buylisting", "mylistings", "removelisting", "orderbook"],
  currency: ["orderbook", "search", "listings"],
  history: ["myhistory"],
  "funds-held": ["myhistory", "billing"]
}

/** Operations that a rule of the kind watches when it names none: result codes are for those that change something. */
const unnamed: Partial<Record<FaultKind, ReadonlyArray<Operation>>> = {
  ...only,
  code: [...mutationOperations, "confirmation-op"]
}

export const touches = (kind: FaultKind, operation: Operation, isNamed = true): boolean =>
  ((isNamed ? only : unnamed)[kind] ?? operations).includes(operation)

/** Kinds that make the whole answer another one, or lose it. */
export const spoils: ReadonlySet<FaultKind> = new Set([
  "rate-limited",
  "null",
  "html",
  "login",
  "server-error",
  "lost-answer",
  "reset",
  "truncated",
  "code",
  "maintenance"
])
