/**
 * Which strategies look after which items at the moment, and which facts of an item are wanted how fresh.
 * Invariants: 1. strategies of an item are in order of precedence. 2. `revision` grows whenever anything here changes, so that whoever
 * plans by it knows when to plan anew.
 */
import type { PolledFact } from "../domain/Facts.ts"
import { itemKey, type ItemKey } from "../domain/Item.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { namedItems } from "../rules/Universe.ts"

export interface Universes {
  /** Strategies in force, those that are off left out. */
  strategies: ReadonlyArray<CompiledStrategy>
  /** Items of each strategy, by its name. */
  members: ReadonlyMap<string, ReadonlySet<ItemKey>>
  byItem: ReadonlyMap<ItemKey, ReadonlyArray<CompiledStrategy>>
  revision: number
}

export const noUniverses = (): Universes => ({
  strategies: [],
  members: new Map(),
  byItem: new Map(),
  revision: 0
})

/** Puts this set of strategies in force. */
export const inForce = (universes: Universes, strategies: ReadonlyArray<CompiledStrategy>): void => {
  universes.strategies = strategies.filter(({ mode }) => mode !== "off")
  universes.members = new Map(
    universes.strategies.map(({ name, universe }) => [name, new Set(namedItems(universe).map(itemKey))])
  )
  const byItem = new Map<ItemKey, Array<CompiledStrategy>>()
  for (const strategy of universes.strategies)
    for (const key of universes.members.get(strategy.name) ?? [])
      byItem.set(key, [...(byItem.get(key) ?? []), strategy])
  universes.byItem = byItem
  universes.revision++
}

/** Prices are judged against the book, so whoever may act needs it. */
const defaultBookFreshnessMillis = 90_000

/** Items of which some strategy wants this fact, with the age in milliseconds that it may have at most. */
export const wanted = (
  { members, strategies }: Universes,
  fact: PolledFact
): ReadonlyMap<ItemKey, number> => {
  const ages = new Map<ItemKey, number>()
  for (const strategy of strategies) {
    const needed = strategy.reads.get(fact) ?? (fact === "book" ? defaultBookFreshnessMillis : undefined)
    // offers bring the description along
    if (needed === undefined || (fact === "description" && strategy.reads.has("offers"))) continue
    for (const key of members.get(strategy.name) ?? [])
      ages.set(key, Math.min(ages.get(key) ?? Number.POSITIVE_INFINITY, needed))
  }
  return ages
}
