/**
 * What one evaluation sees: the facts, each fresh or Unknown, the item's params and the let values computed so far.
 * Invariant: a polled fact is either not older than its freshness or Unknown with its age.
 */
import type { Facts, Observed, Overview, PolledFact, WalletFacts } from "../domain/Facts.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { PriceHistory } from "../domain/Sales.ts"
import { showDuration } from "./Strategy.ts"
import { type Unknown, unknown, type Value } from "./Value.ts"

export type Freshness = Readonly<Record<PolledFact, number>>

export interface Scope {
  readonly facts: Facts
  readonly book: OrderBook | Unknown
  readonly history: PriceHistory | Unknown
  readonly overview: Overview | Unknown
  readonly wallet: WalletFacts | Unknown
  readonly params: ReadonlyArray<Value>
  /** One slot per let in file order; undefined until it is read. */
  readonly lets: Array<Value | undefined>
}

/** A sub-expression that was checked: computes its value from a scope, without effects. */
export type Run = (scope: Scope) => Value

const fresh = <A extends object>(
  name: PolledFact,
  observed: Observed<A>,
  now: number,
  limitMillis: number
): A | Unknown => {
  if (observed._tag === "Unseen") return unknown(() => `${name} was not seen yet`)
  const age = now - observed.at
  if (age > limitMillis)
    return unknown(
      () => `${name} is ${showDuration(age)} old, at most ${showDuration(limitMillis)} is allowed`
    )
  return observed.value
}

export const scopeOf = (
  facts: Facts,
  freshness: Freshness,
  params: ReadonlyArray<Value>,
  lets: number
): Scope => ({
  facts,
  book: fresh("book", facts.book, facts.now, freshness.book),
  history: fresh("history", facts.history, facts.now, freshness.history),
  overview: fresh("overview", facts.overview, facts.now, freshness.overview),
  wallet: fresh("wallet", facts.wallet, facts.now, freshness.wallet),
  params,
  lets: Array.from({ length: lets }, () => undefined)
})

/** Age of the oldest of these polled facts; undefined when none was seen. */
export const oldestAge = (facts: Facts, polled: Iterable<PolledFact>): number | undefined => {
  let oldest: number | undefined
  for (const name of polled) {
    const observed = facts[name]
    if (observed._tag === "Seen") oldest = Math.max(oldest ?? 0, facts.now - observed.at)
  }
  return oldest
}
