/**
 * What one evaluation sees: the facts, each fresh or missing, the item's params, the listing that is looked at and the let values computed
 * so far. One scope serves many evaluations, one after the other: `look` turns it to other facts. Invariants: 1. a polled fact is
 * either not older than its freshness or missing. 2. a let value counts only in the turn in which it was computed.
 */
import type { Facts, Observed, Overview, PolledFact, WalletFacts } from "../domain/Facts.ts"
import type { Description, Offer } from "../domain/Offer.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import { showDuration } from "./Strategy.ts"
import type { Scalar } from "./Value.ts"

/** How old a fact may be, in milliseconds. */
export type Freshness = Readonly<Record<PolledFact, number>>

export interface Scope {
  facts: Facts
  readonly freshness: Freshness
  params: ReadonlyArray<Scalar>
  book: OrderBook | undefined
  history: PriceHistory | undefined
  overview: Overview | undefined
  offers: ReadonlyArray<Offer> | undefined
  description: Description | undefined
  wallet: WalletFacts | undefined
  /** The one that a buying rule looks at. */
  listing: Offer | undefined
  /** One slot per let in file order, and the turn that it is of. */
  readonly lets: Array<number | string | undefined>
  readonly letTurns: Array<number>
  turn: number
}

const fresh = <A>(observed: Observed<A>, now: number, limitMillis: number): A | undefined =>
  observed._tag === "Seen" && now - observed.at <= limitMillis ? observed.value : undefined

/** Turns the scope to these facts and params; what was computed of others is forgotten. */
export const look = (scope: Scope, facts: Facts, params: ReadonlyArray<Scalar>): void => {
  const { freshness } = scope
  const { now } = facts
  scope.facts = facts
  scope.params = params
  scope.book = fresh(facts.book, now, freshness.book)
  scope.history = fresh(facts.history, now, freshness.history)
  scope.overview = fresh(facts.overview, now, freshness.overview)
  scope.offers = fresh(facts.offers, now, freshness.offers)
  scope.description = fresh(facts.description, now, freshness.description)
  scope.wallet = fresh(facts.wallet, now, freshness.wallet)
  scope.listing = undefined
  scope.turn++
}

export const scopeOf = (
  facts: Facts,
  freshness: Freshness,
  params: ReadonlyArray<Scalar>,
  lets: number
): Scope => {
  const scope: Scope = {
    facts,
    freshness,
    params,
    book: undefined,
    history: undefined,
    overview: undefined,
    offers: undefined,
    description: undefined,
    wallet: undefined,
    listing: undefined,
    lets: Array.from({ length: lets }, () => undefined),
    letTurns: Array.from({ length: lets }, () => 0),
    turn: 0
  }
  look(scope, facts, params)
  return scope
}

/**
 * Whether book or listings are missing only because of a change of ours, and for no longer than they would have been fresh.
 */
export const isRereading = ({ book, now, offers }: Facts, freshness: Freshness): boolean => {
  const rereads = (observed: Observed<unknown>, limitMillis: number): boolean =>
    observed._tag === "Unseen" &&
    observed.forgottenAt !== undefined &&
    now - observed.forgottenAt <= limitMillis
  return rereads(book, freshness.book) || rereads(offers, freshness.offers)
}

/** Why a polled fact is missing; undefined when it is there. */
export const missing = (facts: Facts, freshness: Freshness, name: PolledFact): string | undefined => {
  const observed = facts[name]
  if (observed._tag === "Unseen")
    return observed.forgottenAt === undefined
      ? `${name} was not seen yet`
      : `${name} is read anew after a change of ours`
  const age = facts.now - observed.at
  return age > freshness[name]
    ? `${name} is ${showDuration(age)} old, at most ${showDuration(freshness[name])} is allowed`
    : undefined
}

/** Age of the oldest of these polled facts; undefined when none was seen. */
export const oldestAge = (facts: Facts, polled: Iterable<PolledFact>): number | undefined => {
  let oldest: number | undefined
  for (const name of polled) {
    const observed = facts[name]
    if (observed._tag === "Seen") oldest = Math.max(oldest ?? 0, facts.now - observed.at)
  }
  return oldest
}
