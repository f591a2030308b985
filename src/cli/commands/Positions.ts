/** `haggle positions`: what we hold of each item, and what came of what we sold. */
import { Console, Effect } from "effect"

import { itemKey } from "../../domain/Item.ts"
import { type Holding, positions } from "../../store/Queries.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { amount } from "../text/Format.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"

const text = (holdings: ReadonlyArray<Holding>, { currency }: Seen): string =>
  table<Holding>(
    [
      { title: "ITEM", cell: (row) => itemKey(row.item) },
      { title: "UNITS", align: "right", cell: (row) => String(row.units) },
      { title: "AVG COST", align: "right", cell: (row) => amount(row.avgCost, currency) },
      { title: "COST", align: "right", cell: (row) => amount(row.cost, currency) },
      { title: "BOUGHT", align: "right", cell: (row) => String(row.unitsBought) },
      { title: "SOLD", align: "right", cell: (row) => String(row.unitsSold) },
      { title: "REALISED", align: "right", cell: (row) => amount(row.realised, currency) },
      { title: "FEES", align: "right", cell: (row) => amount(row.fees, currency) }
    ],
    holdings,
    "no positions"
  )

export const run = Effect.fn("cli.positions")(function* (flags: DatabaseFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const holdings = positions(yield* (yield* Store).state)
      yield* Console.log(
        flags.json ? JSON.stringify({ ...seenAsData(seen), positions: holdings }) : text(holdings, seen)
      )
    })
  )
})
