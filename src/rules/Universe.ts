/**
 * Which items a strategy is about, as its file describes it: pure data that the engine resolves to items.
 * Invariant: the description does not change while the strategy runs; what it stands for at the moment is the engine's to know.
 */
import { type Item, itemKey } from "../domain/Item.ts"

export type UniverseEntry = { readonly _tag: "Names"; readonly items: ReadonlyArray<Item> }

/** The entries are united; an item that several name counts once. */
export interface Universe {
  readonly entries: ReadonlyArray<UniverseEntry>
}

/** A universe of just these items. */
export const universeOf = (...items: ReadonlyArray<Item>): Universe => ({
  entries: [{ _tag: "Names", items }]
})

/** The items that the file itself names, each once and in its order. */
export const namedItems = ({ entries }: Universe): ReadonlyArray<Item> => {
  const byKey = new Map(entries.flatMap(({ items }) => items.map((of) => [itemKey(of), of] as const)))
  return [...byKey.values()]
}
