/**
 * Buys a listing outright (interface, Buy-listing rules), sent once.
 * Invariants: 1. subtotal, fee and currency are those of the listing's row, never computed; total is their sum and the tax on the fee.
 * 2. a form in another currency than the listing's, of our own listing, or above the caller's limit with its tax, is not sent.
 */
import { Effect } from "effect"

import { money, times } from "../domain/Money.ts"
import { totalOf } from "../domain/Offer.ts"
import { accepted, type Outcome, refused, unknown } from "../domain/Outcome.ts"
import { type Account } from "./AccountFacts.ts"
import { Ask } from "./Ask.ts"
import { type BuyListingForm, buyListingShapes } from "./contract/Mutations.ts"
import { reader } from "./contract/Reading.ts"
import { type IntLike, numberOf } from "./contract/Wire.ts"
import { Http, Referer } from "./Http.ts"
import { type MarketError, type Purchased, type PurchaseListing } from "./Market.ts"

const readBought = reader(buyListingShapes)

export const makePurchase = (account: Effect.Effect<Account, MarketError>) =>
  Effect.gen(function* () {
    const ask = yield* Ask
    const http = yield* Http
    return Effect.fn("Market.purchase")(function* (form: PurchaseListing) {
      const known = yield* Effect.result(account)
      if (known._tag === "Failure") return refused("NotSent", `wallet unknown: ${known.failure.reason._tag}`)
      const { offer } = form
      const { currency } = known.success.wallet
      if (offer.currency !== currency)
        return refused("NotSent", `the listing is in currency ${offer.currency}, the wallet in ${currency}`)
      if (offer.isMine) return refused("NotSent", "the listing is our own")
      const { feeTaxPercent } = known.success
      const unit = totalOf(offer) + taxPerUnit(offer.fee, feeTaxPercent)
      if (form.atMost !== undefined && unit > form.atMost)
        return refused("NotSent", "with the tax on its fee it costs more than the limit")
      const { item, listing } = offer
      const call = Effect.flatMap(http.sessionid, (sessionid) =>
        ask.client.mutations.buylisting({
          params: { listingid: listing },
          payload: formOf(form, known.success, sessionid),
          responseMode: "response-only"
        })
      ).pipe(Effect.provideService(Referer, `/market/listings/${item.app}/${encodeURIComponent(item.name)}`))
      return yield* ask.mutate("buylisting", readBought, call, purchasedOf)
    })
  })

const formOf = (
  { confirmation, offer, quantity = 1 }: PurchaseListing,
  { feeTaxPercent }: Account,
  sessionid: string
): BuyListingForm => {
  const tax = times(taxPerUnit(offer.fee, feeTaxPercent), quantity)
  const subtotal = times(offer.subtotal, quantity)
  const fee = times(offer.fee, quantity)
  return {
    sessionid,
    currency: String(offer.currency),
    subtotal: String(subtotal),
    fee: String(fee),
    total: String(subtotal + fee + tax),
    quantity: String(quantity),
    tradefee_tax: String(tax),
    confirmation: confirmation ?? "0",
    save_my_address: "0"
  }
}

/** A fee of two minor units or less is not taxed. */
const untaxedFee = 2

const taxPerUnit = (fee: number, percent: number) =>
  money(fee > untaxedFee && percent > 0 ? Math.floor((fee * percent) / 100 + 0.5) : 0)

interface Bought {
  readonly wallet_info?: { readonly wallet_balance?: IntLike }
  readonly message?: string | null
}

/** A completed wallet with a message next to it contradicts itself. */
const purchasedOf = (bought: Bought | undefined): Outcome<Purchased> => {
  if (bought?.message !== undefined && bought.message !== null && bought.message !== "")
    return unknown("Undecodable", "a message next to a completed purchase")
  const balance = bought?.wallet_info?.wallet_balance
  return accepted({ balance: balance === undefined ? undefined : money(numberOf(balance)) })
}
