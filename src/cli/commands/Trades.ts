/** `haggle trades`: our fills, the last at the end, each with the rule that wanted it. */
import { Console, Effect } from "effect"

import { itemKey } from "../../domain/Item.ts"
import { type Trade, trades } from "../../store/Queries.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { amount, moment, ruleOf } from "../text/Format.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"

export interface TradesFlags extends DatabaseFlags {
  readonly limit: number
}

const text = (rows: ReadonlyArray<Trade>, { currency }: Seen): string =>
  table<Trade>(
    [
      { title: "TIME (UTC)", cell: ({ fill }) => moment(fill.at) },
      { title: "SIDE", cell: ({ fill }) => fill.side },
      { title: "ITEM", cell: ({ fill }) => itemKey(fill.item) },
      { title: "UNITS", align: "right", cell: ({ fill }) => String(fill.units) },
      { title: "AMOUNT", align: "right", cell: ({ fill }) => amount(fill.amount, currency) },
      { title: "FEE", align: "right", cell: ({ fill }) => amount(fill.fee, currency) },
      { title: "RULE", cell: ({ origin }) => ruleOf(origin) },
      { title: "ID", cell: ({ fill }) => fill.id }
    ],
    rows,
    "no trades"
  )

export const run = Effect.fn("cli.trades")(function* (flags: TradesFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.gen(function* () {
      const rows = yield* trades({ last: flags.limit })
      yield* Console.log(
        flags.json ? JSON.stringify({ ...seenAsData(seen), trades: rows }) : text(rows, seen)
      )
    })
  )
})
