/** What a plan is given and what it answers: drafts of intents, which the guard has not seen yet. */
import type { Decision, Limits } from "../domain/Decision.ts"
import type { FeeSchedule } from "../domain/Fee.ts"
import type { Millis } from "../domain/Ids.ts"
import type { BuyListing, CancelBid, ListAsset, PlaceBid, RemoveListing } from "../domain/Intent.ts"
import type { Item } from "../domain/Item.ts"
import type { State } from "../domain/State.ts"
import type { AccountLimits } from "./Room.ts"

export type BuyDraft = Omit<BuyListing, "id"> & { readonly limits: Limits }

/** An intent without its id, and the limits of the strategy that asks for it. */
export type Draft =
  | (Omit<PlaceBid, "id"> & { readonly limits: Limits })
  | (Omit<CancelBid, "id"> & { readonly limits: Limits })
  | (Omit<ListAsset, "id"> & { readonly limits: Limits; readonly allowLoss: boolean })
  | (Omit<RemoveListing, "id"> & { readonly limits: Limits })
  | BuyDraft

export interface PlanRules {
  /** A bid or listing younger than this is not replaced for its price. */
  readonly minBidAgeMillis: number
  readonly minAskAgeMillis: number
  /** Price differences up to this fraction are not worth a new place in the queue. */
  readonly minStepFraction: number
  /** Listings that one step may start: each needs a confirmation of its own. */
  readonly listingsPerStep: number
}

export const defaultPlanRules: PlanRules = {
  minBidAgeMillis: 600_000,
  minAskAgeMillis: 900_000,
  minStepFraction: 0.01,
  listingsPerStep: 5
}

export interface PlanInput {
  readonly state: State
  readonly item: Item
  readonly now: Millis
  readonly fees: FeeSchedule
  /** In order of precedence: the first that wants something on a side decides it. */
  readonly decisions: ReadonlyArray<Decision>
  readonly rules: PlanRules
  readonly account: AccountLimits
}
