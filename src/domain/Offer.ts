/**
 * A listing of anybody, and what an item is: what may be bought outright, and the words that tell one item from another.
 * Invariant: the amounts of an offer are those that its purchase must repeat; a stale one is refused, never bought at another price.
 */
import type { CurrencyId } from "./Currency.ts"
import type { AssetId, ListingId } from "./Ids.ts"
import type { Item } from "./Item.ts"
import { add, type Money } from "./Money.ts"

/** A listing of anybody: what it is, and the amounts that its purchase must repeat. */
export interface Offer {
  readonly listing: ListingId
  readonly item: Item
  readonly asset: AssetId
  readonly context: string
  readonly units: number
  readonly currency: CurrencyId
  /** What the seller gets per unit, and both fees per unit; the buyer pays their sum. */
  readonly subtotal: Money
  readonly fee: Money
  readonly isMine: boolean
  /** Numeric and text properties by id, such as wear. */
  readonly properties: ReadonlyMap<number, number | string>
  /** Display names of applied stickers and charms, where the market tells them. */
  readonly accessories: ReadonlyArray<string>
}

/** What the buyer pays for one unit, minor units. */
export const totalOf = ({ fee, subtotal }: Pick<Offer, "fee" | "subtotal">): Money => add(subtotal, fee)

/** What an item is, as the market files it. */
export interface Description {
  /** Internal names by category without prefix, such as Rarity → Rarity_Rare. */
  readonly tags: ReadonlyMap<string, ReadonlyArray<string>>
  /** Units are interchangeable and sold by price alone; undefined where the market does not tell. */
  readonly commodity: boolean | undefined
  readonly marketable: boolean | undefined
}
