/** What happened to accounts: the record that tests and summaries read. Trades among background traders are not listed. */
import type { BuyOrderId, ListingId } from "../domain/Ids.ts"

export type MarketEvent =
  | {
      readonly _tag: "Traded"
      readonly at: number
      readonly item: number
      readonly price: number
      readonly units: number
      /** Both fees of one unit. */
      readonly fee: number
      /** Indices of the accounts, `background` for the others. */
      readonly buyer: number
      readonly seller: number
    }
  | {
      readonly _tag: "OrderOpened"
      readonly at: number
      readonly account: number
      readonly order: BuyOrderId
    }
  | {
      readonly _tag: "OrderEnded"
      readonly at: number
      readonly account: number
      readonly order: BuyOrderId
      readonly state: "Filled" | "Cancelled" | "OutOfFunds"
    }
  | {
      readonly _tag: "ListingStaged"
      readonly at: number
      readonly account: number
      readonly listing: ListingId
    }
  | {
      readonly _tag: "ListingLive"
      readonly at: number
      readonly account: number
      readonly listing: ListingId
    }
  | {
      readonly _tag: "ListingReturned"
      readonly at: number
      readonly account: number
      readonly listing: ListingId
    }
  | {
      readonly _tag: "PurchaseAsked"
      readonly at: number
      readonly account: number
      readonly pending: string
    }
