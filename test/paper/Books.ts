/** Books in few words. */
import type { CurrencyId } from "../../src/domain/Currency.ts"
import { money } from "../../src/domain/Money.ts"
import { type OrderBook, orderBook } from "../../src/domain/OrderBook.ts"

/** 2026-01-05T00:00:00Z. */
export const start = 1_767_571_200_000
export const minute = 60_000

type Pairs = ReadonlyArray<readonly [price: number, units: number]>

const levels = (pairs: Pairs) => pairs.map(([price, units]) => ({ price: money(price), units }))
const count = (pairs: Pairs) => pairs.reduce((sum, [, units]) => sum + units, 0)

export const bookWith = (bids: Pairs, asks: Pairs): OrderBook =>
  orderBook({
    currency: 1 as CurrencyId,
    bids: levels(bids),
    asks: levels(asks),
    bidUnits: count(bids),
    askUnits: count(asks)
  })
