/**
 * Which strategies look after which items at the moment: their universes resolved by names, by what searches found, by what we hold and by
 * `where`, and which facts of an item are wanted how fresh.
 * Invariants: 1. strategies of an item are in order of precedence. 2. an item that left a universe is still sold by its strategy, and only
 * sold. 3. while `where` is unknown an item waits: nothing new is begun there and nothing that stands is given up. 4. `revision` grows
 * whenever anything here changes, so that whoever plans by it knows when to plan anew.
 */
import type { Facts, PolledFact } from "../domain/Facts.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey, type ItemKey, itemOfKey } from "../domain/Item.ts"
import { units } from "../domain/Position.ts"
import { placedOf } from "../domain/Slot.ts"
import type { State } from "../domain/State.ts"
import type { CompiledStrategy } from "../rules/Strategies.ts"
import { isOpen, namedItems, searchesOf } from "../rules/Universe.ts"
import { sellingOnly } from "./Precedence.ts"
import { guardReads } from "./Sanity.ts"

/** The items of one strategy: traded, waiting for `where` to hold, or left and only sold out. */
interface Roll {
  readonly trading: Set<ItemKey>
  readonly waiting: Set<ItemKey>
  readonly selling: Set<ItemKey>
}

type Holdings = Pick<State, "positions" | "bids">

export interface Universes {
  /** Every strategy, in order of precedence. */
  loaded: ReadonlyArray<CompiledStrategy>
  /** Strategies in force, those that are off left out. */
  strategies: ReadonlyArray<CompiledStrategy>
  readonly byItem: Map<ItemKey, ReadonlyArray<CompiledStrategy>>
  /** By strategy name. */
  readonly rolls: Map<string, Roll>
  /** Items by name and by search, by strategy name. */
  readonly listed: Map<string, ReadonlySet<ItemKey>>
  /** The last word of `where`, by strategy name. */
  readonly judged: Map<string, Map<ItemKey, { readonly holds: boolean; readonly at: Millis }>>
  /** What the rolls were made from. */
  holdings: Holdings
  revision: number
}

/** A universe is cut at so many items: more than any budget could look at. */
const mostItems = 5_000

export const noUniverses = (): Universes => ({
  loaded: [],
  strategies: [],
  byItem: new Map(),
  rolls: new Map(),
  listed: new Map(),
  judged: new Map(),
  holdings: { positions: {}, bids: {} },
  revision: 0
})

/** Puts this set of strategies in force, with what the state knows of their searches. */
export const inForce = (
  universes: Universes,
  strategies: ReadonlyArray<CompiledStrategy>,
  state: State
): void => {
  const before = new Map(universes.strategies.map(({ name, revision }) => [name, revision]))
  universes.loaded = strategies
  universes.strategies = strategies.filter(({ mode }) => mode !== "off")
  const revisions = new Map(universes.strategies.map(({ name, revision }) => [name, revision]))
  for (const name of universes.judged.keys())
    if (revisions.get(name) !== before.get(name)) universes.judged.delete(name)
  relist(universes, state)
}

/** Makes every roll anew, after a search found something else. */
export const relist = (universes: Universes, state: State): void => {
  const { byItem, listed, rolls, strategies } = universes
  for (const map of [byItem, listed, rolls]) map.clear()
  for (const { name, universe } of strategies) {
    const found = searchesOf(universe).flatMap(({ key }) => state.strategies.found[key]?.items ?? [])
    const keys = [...namedItems(universe), ...found].map(itemKey)
    listed.set(name, new Set([...new Set(keys)].slice(0, mostItems)))
    rolls.set(name, { trading: new Set(), waiting: new Set(), selling: new Set() })
  }
  universes.holdings = state
  const listedKeys = [...listed.values()].flatMap((keys) => Array.from(keys))
  for (const key of new Set([...listedKeys, ...oursIn(state)])) enrol(universes, key)
  universes.revision++
}

/** Takes over what changed in our positions and orders. */
export const align = (universes: Universes, state: State): void => {
  const before = universes.holdings
  if (before.positions === state.positions && before.bids === state.bids) return
  universes.holdings = state
  const keys = new Set([...oursIn(before), ...oursIn(state)])
  for (const key of keys)
    if (before.positions[key] !== state.positions[key] || before.bids[key] !== state.bids[key])
      enrol(universes, key)
}

/** Asks the `where` of every strategy that lists the item; true when a roll changed. An item that is in is asked again once per refresh. */
export const judge = (universes: Universes, key: ItemKey, facts: Facts): boolean => {
  const before = universes.revision
  for (const strategy of universes.strategies) {
    const { name, universe } = strategy
    if (universe.where === undefined || !lists(universes, strategy, key)) continue
    const words = universes.judged.get(name) ?? new Map<ItemKey, { holds: boolean; at: Millis }>()
    const last = words.get(key)
    if (last?.holds === true && facts.now - last.at < universe.where.everyMillis) continue
    const word = universe.where.judge(facts)
    if (word._tag === "Unknown") continue
    universes.judged.set(name, words.set(key, { holds: word._tag === "Holds", at: facts.now }))
    if (last?.holds !== (word._tag === "Holds")) enrol(universes, key)
  }
  return universes.revision !== before
}

/** Items on which we have a position, also one that is sold, or an order. */
const oursIn = ({ bids, positions }: Holdings) =>
  [...Object.keys(positions), ...Object.keys(bids)] as ReadonlyArray<string> as ReadonlyArray<ItemKey>

const heldUnits = ({ positions }: Holdings, key: ItemKey): number => {
  const position = positions[key]
  return position === undefined ? 0 : units(position)
}

/** Whether units or an order on the item came from this strategy. */
const claims = ({ bids, positions }: Holdings, strategy: string, key: ItemKey): boolean => {
  const slot = bids[key]
  return (
    (slot !== undefined && placedOf(slot)?.reason.origin.strategy === strategy) ||
    (positions[key]?.lots.some((lot) => lot.units > 0 && lot.strategy === strategy) ?? false)
  )
}

const lists = (universes: Universes, { name, universe }: CompiledStrategy, key: ItemKey): boolean => {
  const { holdings, listed, strategies } = universes
  if (listed.get(name)?.has(key) === true) return true
  if (!universe.entries.some(({ _tag }) => _tag === "Inventory") || heldUnits(holdings, key) === 0)
    return false
  const isClaimed = () =>
    strategies.some(
      (other) =>
        other.name !== name &&
        other.mode !== "shadow" &&
        (listed.get(other.name)?.has(key) === true || claims(holdings, other.name, key))
    )
  return universe.entries.some(
    (entry) =>
      entry._tag === "Inventory" &&
      (entry.app === undefined || entry.app === itemOfKey(key).app) &&
      (entry.which === "all" || !isClaimed())
  )
}

const moved = (set: Set<ItemKey>, key: ItemKey, belongs: boolean): boolean => {
  if (set.has(key) === belongs) return false
  if (belongs) set.add(key)
  else set.delete(key)
  return true
}

/** Puts the item on the roll of each strategy where it belongs now. */
const enrol = (universes: Universes, key: ItemKey): void => {
  let changed = false
  const here: Array<CompiledStrategy> = []
  for (const strategy of universes.strategies) {
    const roll = universes.rolls.get(strategy.name)
    if (roll === undefined) continue
    const isListed = lists(universes, strategy, key)
    const holds =
      strategy.universe.where === undefined || universes.judged.get(strategy.name)?.get(key)?.holds === true
    const isTrading = isListed && holds
    const isSelling = !isTrading && claims(universes.holdings, strategy.name, key)
    if (!isListed) universes.judged.get(strategy.name)?.delete(key)
    for (const [set, belongs] of [
      [roll.trading, isTrading],
      [roll.waiting, isListed && !holds],
      [roll.selling, isSelling]
    ] as const)
      changed = moved(set, key, belongs) || changed
    // a shadow is resolved and polled for like any other, and decides nothing
    if (strategy.mode === "shadow") continue
    if (isTrading) here.push(strategy)
    else if (isSelling) here.push(sellingOnly(strategy))
  }
  if (!changed) return
  if (here.length === 0) universes.byItem.delete(key)
  else universes.byItem.set(key, here)
  universes.revision++
}

/** Whether the strategy has given the item up: known not to be in its universe any more. */
export const hasLeft = (
  { judged, rolls }: Universes,
  { name, universe }: CompiledStrategy,
  key: ItemKey,
  { strategies }: State
): boolean => {
  const roll = rolls.get(name)
  if (roll === undefined || roll.trading.has(key)) return false
  if (roll.waiting.has(key)) return judged.get(name)?.get(key)?.holds === false
  return searchesOf(universe).every(({ key }) => (strategies.found[key]?.items.length ?? 0) > 0)
}

/** How many items each strategy looks after whose universe is not just a list of names, for a person. */
export const universeNotes = ({ rolls, strategies }: Universes): Readonly<Record<string, string>> =>
  Object.fromEntries(
    strategies.flatMap(({ name, universe }) => {
      const roll = rolls.get(name)
      if (roll === undefined || (universe.where === undefined && !isOpen(universe))) return []
      const waiting = roll.waiting.size === 0 ? "" : `, ${roll.waiting.size} outside \`where\``
      const selling = roll.selling.size === 0 ? "" : `, ${roll.selling.size} left and only sold`
      return [[`universe ${name}`, `${roll.trading.size} items${waiting}${selling}`]]
    })
  )

/** Whether any strategy is only compared with another. */
export const hasShadows = ({ strategies }: Universes): boolean =>
  strategies.some(({ mode }) => mode === "shadow")

/** Items of which some strategy wants this fact, with the age in milliseconds that it may have at most. */
export const wanted = ({ rolls, strategies }: Universes, fact: PolledFact): ReadonlyMap<ItemKey, number> => {
  const ages = new Map<ItemKey, number>()
  const want = (keys: Iterable<ItemKey>, millis: number | undefined): void => {
    if (millis === undefined) return
    for (const key of keys) ages.set(key, Math.min(ages.get(key) ?? Number.POSITIVE_INFINITY, millis))
  }
  for (const { name, reads, universe } of strategies) {
    const roll = rolls.get(name)
    if (roll === undefined) continue
    // offers bring the description along
    const isBrought = (of: ReadonlyMap<PolledFact, number>) => fact === "description" && of.has("offers")
    // prices are judged by the book and the history, so whoever may act needs them
    const inRules = reads.get(fact) ?? guardReads.get(fact)
    if (!isBrought(reads)) for (const keys of [roll.trading, roll.selling]) want(keys, inRules)
    const inWhere = universe.where?.reads
    if (inWhere !== undefined && !isBrought(inWhere))
      for (const keys of [roll.trading, roll.waiting]) want(keys, inWhere.get(fact))
  }
  return ages
}
