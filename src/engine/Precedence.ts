/**
 * Several strategies on one item: each side of it is decided by the first that decides it, and the others are told by whom.
 * Invariants: 1. after this, at most one strategy that may act wants something on a side. 2. a `hold` decides a side like a wish does.
 * 3. a strategy that only looks (dry-run) binds nobody, and its own wish is kept for show.
 */
import type { Decision, Side, Yield } from "../domain/Decision.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"

const sides: ReadonlyArray<Side> = ["bid", "ask"]

const decides = (decision: Decision, side: Side): boolean =>
  decision[side] !== undefined || (side === "bid" && decision.buys.length > 0)

/** The decisions of these strategies, in order of precedence, without the wishes of those that yield. */
export const byPrecedence = (
  strategies: ReadonlyArray<CompiledStrategy>,
  decisions: ReadonlyArray<Decision>
): ReadonlyArray<Decision> => {
  const deciders = new Map<Side, CompiledStrategy>()
  return decisions.map((decision, index) => {
    const strategy = strategies[index]
    if (strategy?.mode !== "inherit") return decision
    const yields: Array<Yield> = []
    for (const side of sides) {
      if (!decides(decision, side)) continue
      const by = deciders.get(side)
      if (by === undefined) deciders.set(side, strategy)
      else yields.push({ side, to: by.name, priority: by.priority })
    }
    return yields.length === 0 ? decision : withoutWishes(decision, yields)
  })
}

const withoutWishes = (decision: Decision, yields: ReadonlyArray<Yield>): Decision => {
  const lost = new Set(yields.map(({ side }) => side))
  return {
    ...decision,
    bid: lost.has("bid") ? undefined : decision.bid,
    buys: lost.has("bid") ? [] : decision.buys,
    ask: lost.has("ask") ? undefined : decision.ask,
    yields
  }
}

const narrowed = new WeakMap<CompiledStrategy, CompiledStrategy>()

/** The strategy on an item that left its universe: it sells what it holds there and wants nothing else. */
export const sellingOnly = (strategy: CompiledStrategy): CompiledStrategy => {
  const before = narrowed.get(strategy)
  if (before !== undefined) return before
  const only: CompiledStrategy = {
    ...strategy,
    evaluate: (facts, held) => {
      const result = strategy.evaluate(facts, held)
      return { ...result, decision: { ...result.decision, bid: undefined, buys: [] } }
    }
  }
  narrowed.set(strategy, only)
  return only
}
