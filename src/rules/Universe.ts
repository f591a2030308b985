/**
 * Which items a strategy is about, as its file describes it: pure data that the engine resolves to items.
 * Invariants: 1. the description does not change while the strategy runs; what it stands for at the moment is the engine's to know.
 * 2. equal searches have equal keys, so that strategies share what was found.
 */
import type { Facts, PolledFact } from "../domain/Facts.ts"
import type { AppId } from "../domain/Ids.ts"
import { type Item, itemKey } from "../domain/Item.ts"
import type { Money } from "../domain/Money.ts"

/** The first `top` items that the market's own search gives. */
export interface SearchEntry {
  readonly _tag: "Search"
  /** Hash of everything below but the refresh. */
  readonly key: string
  /** What is searched for, in a trader's words. */
  readonly about: string
  readonly app: AppId
  readonly text: string
  readonly inDescriptions: boolean
  /** Values by category, as written: internal names or labels of the application's own vocabulary. */
  readonly filters: Readonly<Record<string, ReadonlyArray<string>>>
  /** What a buyer pays, inclusive, in the wallet's currency. */
  readonly min: Money | undefined
  readonly max: Money | undefined
  readonly sort: "popularity" | "name" | "quantity" | "price"
  readonly direction: "ascending" | "descending"
  readonly top: number
  readonly refreshMillis: number
}

/** Items that we hold; `unclaimed` leaves out those that another strategy in force looks after. */
interface InventoryEntry {
  readonly _tag: "Inventory"
  readonly app: AppId | undefined
  readonly which: "all" | "unclaimed"
}

export type UniverseEntry =
  | { readonly _tag: "Names"; readonly items: ReadonlyArray<Item> }
  | SearchEntry
  | InventoryEntry

type Judged =
  | { readonly _tag: "Holds" }
  | { readonly _tag: "Fails" }
  | { readonly _tag: "Unknown"; readonly why: string }

/** A condition that keeps only the items for which it holds. */
export interface Where {
  readonly text: string
  /** The facts that it reads, with the age in milliseconds that they may have here. */
  readonly reads: ReadonlyMap<PolledFact, number>
  /** How often an item that is in is judged again. */
  readonly everyMillis: number
  readonly judge: (facts: Facts) => Judged
}

/** The entries are united; an item that several name counts once. */
export interface Universe {
  readonly entries: ReadonlyArray<UniverseEntry>
  readonly where: Where | undefined
  /** Names that have params of their own, to be told when no such item is found. */
  readonly overridden: ReadonlyArray<string>
}

/** A universe of just these items. */
export const universeOf = (...items: ReadonlyArray<Item>): Universe => ({
  entries: [{ _tag: "Names", items }],
  where: undefined,
  overridden: []
})

/** The items that the file itself names, each once and in its order. */
export const namedItems = ({ entries }: Pick<Universe, "entries">): ReadonlyArray<Item> => {
  const named = entries.flatMap((entry) => (entry._tag === "Names" ? entry.items : []))
  return [...new Map(named.map((of) => [itemKey(of), of] as const)).values()]
}

export const searchesOf = ({ entries }: Universe): ReadonlyArray<SearchEntry> =>
  entries.flatMap((entry) => (entry._tag === "Search" ? [entry] : []))

/** Whether items may belong to it that the file does not name. */
export const isOpen = ({ entries }: Pick<Universe, "entries">): boolean =>
  entries.some(({ _tag }) => _tag !== "Names")
