/** What strategies want and what the planner drafts, in a trader's words. Invariant: amounts are decimals of the wallet's currency. */
import type { AskWish, BidWish, Decision } from "../domain/Decision.ts"
import { toDecimal } from "../domain/Money.ts"
import type { Draft } from "./Draft.ts"
import type { Outcome } from "./Explanation.ts"

/** The sides that intents belong to; a purchase outright stands beside the buy order. */
export type Side = "bid" | "ask" | "buy"

/** What an outcome says of the wish itself. */
export type Wished = Pick<Outcome, "side" | "rule" | "wish" | "because" | "price" | "quantity">

const ofBid = (wish: BidWish): Wished => {
  const { because, origin } = wish.reason
  const of = { side: "bid", rule: origin.rule, because } as const
  switch (wish._tag) {
    case "Bid":
      return {
        ...of,
        wish: `a buy order for ${wish.quantity} at ${toDecimal(wish.price)}`,
        price: wish.price,
        quantity: wish.quantity
      }
    case "NoBid":
      return { ...of, wish: "no buy order" }
    case "Hold":
      return { ...of, wish: "hold: the buy order stays as it is" }
  }
}

const ofAsk = (wish: AskWish): Wished => {
  const { because, origin } = wish.reason
  const of = { side: "ask", rule: origin.rule, because } as const
  switch (wish._tag) {
    case "Ask":
      return { ...of, wish: `all sellable units listed at ${toDecimal(wish.price)}`, price: wish.price }
    case "NoAsk":
      return { ...of, wish: "no listing" }
    case "Hold":
      return { ...of, wish: "hold: the listings stay as they are" }
  }
}

/** What the decision wants, thing by thing. */
export const wishesOf = ({ ask, bid, buys, signals }: Decision): ReadonlyArray<Wished> => {
  const [buy] = buys
  return [
    ...(bid === undefined ? [] : [ofBid(bid)]),
    ...(ask === undefined ? [] : [ofAsk(ask)]),
    ...(buy === undefined
      ? []
      : [
          {
            side: "buy",
            rule: buy.reason.origin.rule,
            because: buy.reason.because,
            wish: `one of ${buys.length} listings, the cheapest ${buy.offer.listing}, for at most ${toDecimal(buy.limit)}`,
            price: buy.limit,
            quantity: 1
          } as const
        ]),
    ...signals.map(({ _tag, message, reason }) => ({
      side: _tag === "Halt" ? ("halt" as const) : ("notify" as const),
      rule: reason.origin.rule,
      because: reason.because,
      wish: message
    }))
  ]
}

export const sideOfDraft = ({ _tag }: Draft): Side =>
  _tag === "BuyListing" ? "buy" : _tag === "PlaceBid" || _tag === "CancelBid" ? "bid" : "ask"

export const actWords = (draft: Draft): string => {
  switch (draft._tag) {
    case "PlaceBid":
      return `places a buy order for ${draft.quantity} at ${toDecimal(draft.price)}`
    case "CancelBid":
      return `cancels buy order ${draft.order}: ${draft.reason.because}`
    case "ListAsset":
      return `lists a unit at ${toDecimal(draft.buyerPays)} (we get ${toDecimal(draft.sellerReceives)})`
    case "RemoveListing":
      return `takes listing ${draft.listing} back: ${draft.reason.because}`
    case "BuyListing":
      return `buys listing ${draft.listing}`
  }
}
