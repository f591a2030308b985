/**
 * `haggle contract drift`: how the market's answers to the running daemon depart from the interface, and which operations are out of
 * service because of it; without a running daemon, what the database knows of the latter.
 */
import { Console, Effect } from "effect"

import type { Departure } from "../../domain/Drift.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { moment } from "../text/Format.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"
import { toDaemon } from "./Operator.ts"

export const run = Effect.fn("cli.contractDrift")(function* (flags: DatabaseFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, ({ file }) =>
    Effect.gen(function* () {
      const live = yield* toDaemon(file, (daemon) => daemon.drift())
      const { drifted } = yield* (yield* Store).state
      const out = Object.entries(drifted).map(([operation, since]) => ({ operation, since }))
      const departures = live ?? []
      if (flags.json)
        return yield* Console.log(
          JSON.stringify({ database: file, running: live !== undefined, outOfService: out, departures })
        )
      const lines = out.map(({ operation, since }) => `${operation} is out of service since ${moment(since)}`)
      const counted = table<Departure>(
        [
          { title: "OPERATION", cell: (row) => row.operation },
          { title: "FIELD", cell: (row) => row.kind },
          { title: "ANSWERS", align: "right", cell: (row) => String(row.count) },
          { title: "PATH", cell: (row) => row.path }
        ],
        departures,
        live === undefined
          ? "not running: fields are counted while the daemon runs"
          : "no answer departs from the interface"
      )
      yield* Console.log([...lines, counted].join("\n"))
    })
  )
})
