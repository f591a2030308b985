/**
 * Whether the market lets us send: after "too fast" or failures it rests us, and what could not be sent anyway is not even journaled.
 * Invariant: a wait of seconds between two mutations is no rest.
 */
import type { Intent } from "../domain/Intent.ts"
import type { Operation } from "../domain/Operation.ts"
import { mutationPatienceMillis, type RateLimiter } from "../market/RateLimiter.ts"

const operations: Readonly<Record<Intent["_tag"], Operation>> = {
  PlaceBid: "create-buyorder",
  CancelBid: "cancel-buyorder",
  BuyListing: "buylisting",
  ListAsset: "sellitem",
  RemoveListing: "removelisting"
}

export const rests = (limiter: RateLimiter["Service"], tag: Intent["_tag"], now: number): boolean =>
  limiter.waitMillis(operations[tag], now) > mutationPatienceMillis
