/**
 * What became of a mutation that was sent once. Invariant: Unknown is never treated as Refused; only reads of the market settle it.
 */
import type { ConfirmationId } from "./Ids.ts"

/** Why an answer tells nothing about the effect. */
export type UnknownReason =
  | "TimedOut"
  | "Disconnected"
  | "ServerError"
  | "NotJson"
  | "Undecodable"
  | "MarketTimeout"
  | "SessionDoubtful"
  | "ProcessDied"

/** The market's definitive no. `NotSent` means that it never left this process (budget, session, signing). */
export type RefusalCode =
  | "Failed"
  | "InvalidParameter"
  | "Busy"
  | "InvalidState"
  | "AccessDenied"
  | "Banned"
  | "Unavailable"
  | "NotLoggedOn"
  | "LimitExceeded"
  | "OrderExists"
  | "BeingMatched"
  | "RateLimited"
  | "InsufficientFunds"
  | "AlreadyListed"
  | "NotInInventory"
  | "Rejected"
  | "NotSent"

export type Outcome<A> =
  | { readonly _tag: "Accepted"; readonly value: A }
  | {
      readonly _tag: "Refused"
      readonly code: RefusalCode
      readonly marketCode: number | undefined
      readonly message: string
    }
  | { readonly _tag: "Pending"; readonly confirmation: ConfirmationId }
  | { readonly _tag: "Unknown"; readonly reason: UnknownReason; readonly detail: string }

export const accepted = <A>(value: A): Outcome<A> => ({ _tag: "Accepted", value })
export const refused = (code: RefusalCode, message: string, marketCode?: number): Outcome<never> => ({
  _tag: "Refused",
  code,
  marketCode,
  message
})
export const pending = (confirmation: ConfirmationId): Outcome<never> => ({ _tag: "Pending", confirmation })
export const unknown = (reason: UnknownReason, detail: string): Outcome<never> => ({
  _tag: "Unknown",
  reason,
  detail
})
