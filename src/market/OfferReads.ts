/** What reads of offers have in common: `null` for nothing, pages, rows that name no known currency. */
import { Effect } from "effect"

import { type Item } from "../domain/Item.ts"
import type { Offer } from "../domain/Offer.ts"
import { type Operation } from "../domain/Operation.ts"
import { type Ask, type Call, type Read } from "./Ask.ts"
import { type Shapes } from "./contract/Shape.ts"
import { MarketError, type PageOf, Undecodable } from "./Market.ts"
import { offers, type SellListing } from "./OfferRows.ts"
import { nextStart } from "./SearchFilter.ts"

export const emptyPage: PageOf<never> = { rows: [], total: 0, next: undefined }

export const pageOf = <A>(rows: ReadonlyArray<A>, start: number, total: number): PageOf<A> => ({
  rows,
  total,
  next: nextStart(start, rows.length, total)
})

export const differs = (operation: Operation, path: string, detail: string) =>
  new MarketError({ operation, reason: new Undecodable({ path, detail }) })

/** The answer, or none for `null`: how some operations say that there is nothing. */
export const orNull = <S extends Shapes>(
  ask: Ask["Service"],
  operation: Operation,
  read: Read<S>,
  call: Call
) => Effect.asSome(ask.read(operation, read, call)).pipe(Effect.catchIf(isNull, () => Effect.succeedNone))

const isNull = ({ reason }: MarketError): boolean =>
  reason._tag === "NoData" && reason.detail.startsWith("Null ")

interface Found {
  readonly listings: ReadonlyArray<SellListing>
  readonly start: number
  readonly total_count: number
}

/** `of` is the item that was asked for, when it was one. */
export const offersOf = (
  operation: Operation,
  found: Found,
  of: Item | undefined
): Effect.Effect<PageOf<Offer>, MarketError> => {
  const rows = offers(found.listings, of)
  return typeof rows === "string"
    ? Effect.fail(differs(operation, rows, "neither a known currency nor a name"))
    : Effect.succeed(pageOf(rows, found.start, found.total_count))
}
