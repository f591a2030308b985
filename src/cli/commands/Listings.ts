/** `haggle listings`: our sell listings that are, or may be, on the market. */
import { Console, Effect } from "effect"

import { itemKey } from "../../domain/Item.ts"
import { type OpenListing, openListings } from "../../store/Queries.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { age, amount, ruleOf } from "../text/Format.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"

const text = (listings: ReadonlyArray<OpenListing>, { currency, nowMillis }: Seen): string =>
  table<OpenListing>(
    [
      { title: "ITEM", cell: (row) => itemKey(row.item) },
      { title: "STATE", cell: (row) => row.state },
      { title: "BUYER PAYS", align: "right", cell: (row) => amount(row.buyerPays, currency) },
      { title: "WE GET", align: "right", cell: (row) => amount(row.sellerReceives, currency) },
      { title: "AGE", align: "right", cell: (row) => age(row.since, nowMillis) },
      { title: "RULE", cell: (row) => ruleOf(row.reason?.origin) },
      { title: "LISTING", cell: (row) => row.listing ?? "–" },
      { title: "ASSET", cell: (row) => row.asset }
    ],
    listings,
    "no listings"
  )

export const run = Effect.fn("cli.listings")(function* (flags: DatabaseFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const listings = openListings(yield* (yield* Store).state)
      yield* Console.log(
        flags.json ? JSON.stringify({ ...seenAsData(seen), listings }) : text(listings, seen)
      )
    })
  )
})
