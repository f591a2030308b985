/**
 * What a failure told by the body means (interface, Errors 1): result codes and the messages that go without one.
 * Invariants: 1. an unknown code survives as `marketCode`. 2. a code that says nothing about the effect is Unknown, never Refused.
 */
import { type Operation } from "../domain/Operation.ts"
import { type Outcome, refused, type RefusalCode, unknown } from "../domain/Outcome.ts"
import { type BuyListingFailed } from "./contract/Mutations.ts"
import { type Failure } from "./contract/Wire.ts"

/** Result codes that always mean the same. */
const refusalCodes: ReadonlyMap<number, RefusalCode> = new Map([
  [8, "InvalidParameter"],
  [11, "InvalidState"],
  [15, "AccessDenied"],
  [17, "Banned"],
  [21, "NotLoggedOn"],
  [24, "AccessDenied"],
  [25, "LimitExceeded"],
  [29, "OrderExists"],
  [40, "BeingMatched"],
  [42, "Rejected"],
  [52, "InvalidState"],
  [73, "AccessDenied"],
  [78, "LimitExceeded"],
  [80, "Unavailable"],
  [83, "AccessDenied"],
  [84, "RateLimited"],
  [107, "InsufficientFunds"]
])

/** Result codes that a message next to them makes precise, and that leave a doubt about a new order without one. */
const vagueCodes: ReadonlyMap<number, RefusalCode> = new Map([
  [2, "Failed"],
  [10, "Busy"],
  [20, "Unavailable"],
  [44, "Unavailable"],
  [79, "Failed"]
])

/** The market gave up waiting for itself: the effect may have happened. */
const timeout = 16
/** A confirmation is due, but the body does not say which. */
const pendingWithoutId = 22

/** What messages say, in English as the session should be; the first that applies. */
const refusalMessages: ReadonlyArray<readonly [RegExp, RefusalCode]> = [
  [/previous action completes/i, "Busy"],
  [/already have a listing for this item/i, "AlreadyListed"],
  [/already have an active buy order/i, "OrderExists"],
  [/no longer in your inventory|not allowed to be traded/i, "NotInInventory"],
  [/exceeds the maximum|maximum wallet balance/i, "LimitExceeded"],
  [/(?:unable to|cannot) use the community market/i, "AccessDenied"],
  [/sufficient funds|not enough funds/i, "InsufficientFunds"],
  [/item server/i, "Unavailable"],
  [/somebody else has already purchased/i, "InvalidState"]
]

/** The outcome of a mutation that the body calls a failure. `status` is the HTTP status. */
export const failureOutcome = (operation: Operation, failure: Failure, status: number): Outcome<never> => {
  const code = typeof failure.success === "number" ? failure.success : undefined
  const message = failure.message ?? failure.error ?? ""
  if (failure.needauth === true || failure.needsauth === true) return refused("NotLoggedOn", message, code)
  if (code === timeout) return unknown("MarketTimeout", `success ${timeout}`)
  if (code === pendingWithoutId) return unknown("Undecodable", "a confirmation is due but not named")
  const exact = code === undefined ? undefined : refusalCodes.get(code)
  if (exact !== undefined) return refused(exact, message, code)
  const said = refusalMessages.find(([pattern]) => pattern.test(message))?.[1]
  if (said !== undefined) return refused(said, message, code)
  if (message === "" && isDoubtful(operation, status))
    return unknown("ServerError", `success ${String(failure.success)} without a message, HTTP ${status}`)
  const vague = code === undefined ? "Failed" : vagueCodes.get(code)
  return refused(vague ?? "Rejected", message, code)
}

/** A purchase that the market says we made before: perhaps this very one, when its first answer was lost. */
const boughtBefore = /you've already purchased|you have already purchased/i

/** The outcome of a purchase that came back with a message (interface, Errors 1). */
export const purchaseFailure = (failed: BuyListingFailed, status: number): Outcome<never> => {
  const { message, success = false } = failed
  if (success === 1 || success === true) return unknown("Undecodable", "a message next to success 1")
  if (boughtBefore.test(message)) return unknown("ServerError", "the market says that it was bought before")
  return failureOutcome("buylisting", { success, message }, status)
}

/** Without a message a new order may exist all the same, and so may whatever a failing server was asked for. */
const isDoubtful = (operation: Operation, status: number): boolean =>
  operation === "create-buyorder" || operation === "buylisting" || status >= 500
