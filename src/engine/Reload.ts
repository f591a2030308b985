/**
 * Changes of the strategies in force and of their universes, made by the deciding fiber between two steps.
 * Invariants: 1. a set is replaced whole. 2. bids that nobody answers for any more are cancelled at once, and tried again when the market
 * refuses. 3. since when the conditions of a strategy hold is forgotten with its revision.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey, type ItemKey, itemOfKey } from "../domain/Item.ts"
import type { CompiledStrategy, StrategyChange } from "../rules/Strategies.ts"
import { Strategies } from "../rules/Strategies.ts"
import { retire } from "./Decide.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"
import { factsOf } from "./Observe.ts"
import { type Searched, searchesIn } from "./Resolve.ts"
import { inForce, judge, relist } from "./Universe.ts"

/** Strategies lie in one folder: its place may differ between two runs, the names do not. */
const bareName = (file: string): string => file.split(/[/\\]/).at(-1) ?? file

export const loadedEvent = (
  { file, mode, name, onRemove, revision, shadowOf }: CompiledStrategy,
  at: Millis
): Event => ({
  _tag: "StrategyLoaded",
  at,
  name,
  revision,
  file: bareName(file),
  ...(mode === "shadow" && shadowOf !== undefined ? { shadowOf } : {}),
  ...(onRemove === "keep" ? { onRemove } : {})
})

/**
 * Takes a change of the strategies over; gives the items to decide on anew. The set may be newer than the change: what is journaled is the
 * difference to the set before, so that no step works with what the journal does not know yet.
 */
export const changed = Effect.fn("Reload.changed")(function* (desk: Desk, change: StrategyChange) {
  const journal = yield* Journal
  const at = yield* marketNow
  const file = bareName(change._tag === "Loaded" ? change.strategy.file : change.file)
  if (change._tag === "Rejected") {
    yield* journal.append([{ _tag: "StrategyRejected", at, file, message: change.message }])
    return []
  }
  const { strategies: set } = yield* (yield* Strategies).current
  const { events, names } = difference(desk.universes.loaded, set, at)
  const { strategies: record } = yield* journal.append(events)
  // back to the text that was in force all the time, or gone without ever having been
  if (record.rejected[file] !== undefined) yield* journal.append([{ _tag: "RejectionEnded", at, file }])
  if (names.size === 0) return []
  for (const [key, held] of desk.held)
    desk.held.set(key, new Map([...held].filter(([name]) => !names.has(name))))
  yield* replace(desk, set)
  yield* retire(desk)
  const rolls = [...names].flatMap((name) => desk.universes.rolls.get(name) ?? [])
  return [...new Set(rolls.flatMap(({ selling, trading }) => Array.from(trading.union(selling))))]
})

/** What happened between two sets, and the names that it happened to. */
const difference = (
  before: ReadonlyArray<CompiledStrategy>,
  after: ReadonlyArray<CompiledStrategy>,
  at: Millis
): { readonly events: ReadonlyArray<Event>; readonly names: ReadonlySet<string> } => {
  const [had, has] = [before, after].map((set) => new Map(set.map((one) => [one.name, one])))
  const removed = before.filter(({ name }) => has?.has(name) !== true)
  const loaded = after.filter((one) => {
    const old = had?.get(one.name)
    return old?.revision !== one.revision || old.file !== one.file
  })
  return {
    events: [
      ...removed.map(({ file, name }): Event => ({
        _tag: "StrategyRemoved",
        at,
        name,
        file: bareName(file)
      })),
      ...loaded.map((one) => loadedEvent(one, at))
    ],
    names: new Set([...removed, ...loaded].map(({ name }) => name))
  }
}

/** Puts the set in force; what nobody searches for any more is forgotten. */
export const replace = Effect.fn("Reload.replace")(function* (
  desk: Desk,
  set: ReadonlyArray<CompiledStrategy>
) {
  const journal = yield* Journal
  inForce(desk.universes, set, yield* journal.state)
  const searches = searchesIn(desk)
  const at = yield* marketNow
  const state = yield* journal.append(
    Object.keys((yield* journal.state).strategies.found)
      .filter((search) => !searches.has(search))
      .map((search): Event => ({ _tag: "UniverseForgotten", at, search }))
  )
  for (const keys of desk.universes.listed.values())
    for (const key of keys) {
      const facts = factsOf(desk.view, state, itemOfKey(key), at)
      if (facts !== undefined) judge(desk.universes, key, facts)
    }
  desk.hurry.openUnsafe()
  desk.searches.openUnsafe()
})

/** Takes over what a search found; only a difference is journaled. */
export const searched = Effect.fn("Reload.searched")(function* (
  desk: Desk,
  { items, problems, search }: Searched
) {
  const journal = yield* Journal
  const { strategies } = yield* journal.state
  if (!searchesIn(desk).has(search.key)) return
  const before = strategies.found[search.key]
  const [had, has] = [before?.items ?? [], items ?? before?.items ?? []]
  const [hadKeys, hasKeys] = [new Set(had.map(itemKey)), new Set(has.map(itemKey))]
  const joined = has.filter((of) => !hadKeys.has(itemKey(of)))
  const left = had.filter((of) => !hasKeys.has(itemKey(of)))
  const isNew = before === undefined && (items !== undefined || problems.length > 0)
  const differs = joined.length + left.length > 0 || before?.problems.join() !== problems.join()
  if (!isNew && !(before !== undefined && differs)) return
  const state = yield* journal.append([
    {
      _tag: "UniverseFound",
      at: yield* marketNow,
      search: search.key,
      about: search.about,
      joined,
      left,
      problems
    }
  ])
  relist(desk.universes, state)
  yield* retire(desk)
  desk.hurry.openUnsafe()
})

/** Asks the `where` of the item's strategies after one of its facts was seen. */
export const judged = Effect.fnUntraced(function* (desk: Desk, key: ItemKey) {
  const journal = yield* Journal
  const facts = factsOf(desk.view, yield* journal.state, itemOfKey(key), yield* marketNow)
  if (facts === undefined || !judge(desk.universes, key, facts)) return
  yield* retire(desk)
  desk.hurry.openUnsafe()
})
