/** `haggle orders`: our buy orders that are, or may be, on the market. */
import { Console, Effect } from "effect"

import { itemKey } from "../../domain/Item.ts"
import { type OpenOrder, openOrders } from "../../store/Queries.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { age, amount, ruleOf } from "../text/Format.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"

const text = (orders: ReadonlyArray<OpenOrder>, { currency, nowMillis }: Seen): string =>
  table<OpenOrder>(
    [
      { title: "ITEM", cell: (row) => itemKey(row.item) },
      { title: "STATE", cell: (row) => row.state },
      { title: "PRICE", align: "right", cell: (row) => amount(row.price, currency) },
      { title: "LEFT", align: "right", cell: (row) => `${row.remaining}/${row.quantity}` },
      { title: "AGE", align: "right", cell: (row) => age(row.since, nowMillis) },
      { title: "RULE", cell: (row) => ruleOf(row.reason?.origin) },
      { title: "ORDER", cell: (row) => row.order ?? "–" }
    ],
    orders,
    "no buy orders"
  )

export const run = Effect.fn("cli.orders")(function* (flags: DatabaseFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const orders = openOrders(yield* (yield* Store).state)
      yield* Console.log(flags.json ? JSON.stringify({ ...seenAsData(seen), orders }) : text(orders, seen))
    })
  )
})
