/**
 * Books in another currency than the wallet's: a sign of a session that is gone. They stop all trading until they agree again.
 * Invariants: 1. each change is journaled once, so that a restart does not forget it. 2. an item that nobody looks at any more stops nothing
 * once another book agrees.
 */
import { Effect } from "effect"

import type { Event } from "../domain/Event.ts"
import { type Item, type ItemKey, itemKey, itemOfKey } from "../domain/Item.ts"
import type { OrderBook } from "../domain/OrderBook.ts"
import type { Desk } from "./Desk.ts"
import { Journal, marketNow } from "./Journal.ts"

/** Notes the currency that a book came in. */
export const watchCurrency = Effect.fnUntraced(function* (desk: Desk, item: Item, { currency }: OrderBook) {
  const { wallet } = desk.view
  if (wallet._tag === "Unseen") return
  const journal = yield* Journal
  const { otherCurrency } = yield* journal.state
  const [key, at] = [itemKey(item), yield* marketNow]
  if (currency !== wallet.value.currency) {
    if (otherCurrency[key] !== currency)
      yield* journal.append([
        { _tag: "CurrencyDiffers", at, item, book: currency, wallet: wallet.value.currency }
      ])
    return
  }
  const over = Object.keys(otherCurrency)
    .map((other) => other as ItemKey)
    .filter((other) => other === key || !desk.universes.byItem.has(other))
  yield* journal.append(over.map((other): Event => ({ _tag: "CurrencyAgrees", at, item: itemOfKey(other) })))
})
