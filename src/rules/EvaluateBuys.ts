/**
 * A rule that buys outright, run on each listing that is offered, the cheapest first.
 * Invariants: 1. at most `mostOffers` listings are looked at, and no more are wished for than the rule's `qty` in units. 2. no wish costs more
 * than its limit. 3. a listing about which the rule is Unknown is passed over; only when nothing matches is the rule Unknown.
 */
import type { BuyWish } from "../domain/Decision.ts"
import { floorTo } from "../domain/Money.ts"
import { totalOf } from "../domain/Offer.ts"
import { LazyReason, type Look, valueAt } from "./Look.ts"
import { priceOf, whyNoPrice } from "./Prices.ts"
import type { ProgramRule } from "./Program.ts"
import type { RunnableRule } from "./Runnable.ts"
import { missing, type Scope } from "./Scope.ts"
import { isUnknown, maybe, no, noise, yes } from "./Value.ts"

/** A page of the market's list; a bargain stands at its head. */
const mostOffers = 100

export type Buys =
  | { readonly _tag: "Match"; readonly buys: ReadonlyArray<BuyWish> }
  | { readonly _tag: "NoMatch" }
  /** The look holds the first listing that cannot be judged; none where listings were not seen. */
  | { readonly _tag: "Unknown"; readonly look: Look }

const noMatch: Buys = { _tag: "NoMatch" }

export const buysOf = (of: RunnableRule, scope: Scope, look: Look): Buys => {
  const { offers } = scope
  if (offers === undefined) return { _tag: "Unknown", look }
  const wanted = of.qty === undefined ? 1 : of.qty(scope) + noise
  if (Number.isNaN(wanted)) return { _tag: "Unknown", look }
  const { increment } = scope.facts.fees
  const buys: Array<BuyWish> = []
  let unsure: Buys | undefined
  for (let index = 0; index < offers.length && index < mostOffers && buys.length + 1 <= wanted; index++) {
    const offer = offers[index]
    scope.listing = offer
    const matches = of.when(scope)
    if (matches === no || offer === undefined) continue
    const limit = matches === yes ? priceOf(of.limit?.(scope) ?? Number.NaN, increment, floorTo) : undefined
    if (matches === maybe || limit === undefined)
      unsure ??= { _tag: "Unknown", look: { ...look, listing: offer } }
    else if (totalOf(offer) <= limit)
      buys.push({ _tag: "Buy", offer, limit, reason: new LazyReason({ ...look, listing: offer }, of.rule) })
  }
  scope.listing = undefined
  return buys.length > 0 ? { _tag: "Match", buys } : (unsure ?? noMatch)
}

export const whyNoBuy = (look: Look, rule: ProgramRule): string => {
  const { facts, program } = look
  const unseen = missing(facts, program.freshness, "offers")
  if (unseen !== undefined) return unseen
  for (const checked of [rule.qty, look.listing === undefined ? undefined : rule.when])
    if (checked !== undefined) {
      const value = valueAt(look, checked)
      if (isUnknown(value)) return value.why()
    }
  return whyNoPrice(look, rule.limit)
}
