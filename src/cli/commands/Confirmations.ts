/**
 * `haggle confirmations`: what waits on the authenticator, and which of it is ours; `allow ID` and `cancel ID` settle one by its id.
 * A running daemon is asked; without one the session is used directly.
 * Invariants: 1. nothing is allowed or cancelled that was not named. 2. what was said is in the journal where there is one.
 */
import { Console, Effect, Layer, Option } from "effect"

import type { Confirmation } from "../../domain/Confirmation.ts"
import { layer as activityLayer } from "../../engine/Activity.ts"
import { settleByHand } from "../../engine/ByHand.ts"
import { awaiting, pendedBy } from "../../engine/Confirm.ts"
import { layer as journalLayer } from "../../engine/Journal.ts"
import { Market } from "../../market/Market.ts"
import { readSession } from "../../market/SessionFile.ts"
import { Store } from "../../store/Store.ts"
import { layerSqlite } from "../../store/StoreSqlite.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { cliError, failed, Reported } from "../Exit.ts"
import { layerLive, marketUrl } from "../run/LiveMarket.ts"
import { table } from "../text/Table.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"
import { toDaemon, user } from "./Operator.ts"

export interface ConfirmationsFlags extends DatabaseFlags {
  /** What to do with the confirmation of that id; without, all are listed. */
  readonly settle: Option.Option<{ readonly op: "allow" | "cancel"; readonly id: string }>
}

type Shown = Omit<Confirmation, "nonce">

const text = (listed: ReadonlyArray<Shown & { readonly ours: boolean }>): string =>
  table<(typeof listed)[number]>(
    [
      { title: "ID", cell: (row) => row.id },
      { title: "KIND", cell: (row) => row.kind },
      { title: "OURS", cell: (row) => (row.ours ? "yes" : "no") },
      { title: "ABOUT", cell: (row) => row.creator },
      { title: "", cell: (row) => row.headline }
    ],
    listed,
    "nothing waits on the authenticator"
  )

/** The market as the session file has it; only live databases have one. */
const overSession = Effect.fnUntraced(function* ({ settings }: ResolvedConfig) {
  const { mode } = (yield* Store).stamp
  if (mode === "embedded")
    return yield* cliError(
      failed,
      "the embedded market is there only while its daemon runs",
      "start it with `haggle run`, or name a live database with --db FILE"
    )
  const url = yield* marketUrl(settings)
  return layerLive(settings, url, yield* readSession(settings.session.file))
})

const list = Effect.fnUntraced(function* (file: string, config: ResolvedConfig) {
  const live = yield* toDaemon(file, (daemon) => daemon.confirmations())
  if (live !== undefined) return live
  const market = yield* overSession(config)
  return yield* Effect.flatMap(Market, ({ confirmations }) => confirmations).pipe(Effect.provide(market))
})

const settle = Effect.fnUntraced(function* (
  file: string,
  config: ResolvedConfig,
  { id, op }: { readonly id: string; readonly op: "allow" | "cancel" }
) {
  const who = yield* user
  const live = yield* toDaemon(file, (daemon) => daemon.settle({ payload: { id, op, who } }))
  if (live !== undefined) return live
  const market = yield* overSession(config)
  const { stamp } = yield* Store
  const journal = journalLayer.pipe(
    Layer.provide(Layer.mergeAll(activityLayer, layerSqlite({ file, stamp })))
  )
  return yield* settleByHand(id, op, who).pipe(
    Effect.provide(Layer.merge(market, journal)),
    Effect.catchTag("CannotSettle", ({ message }) => cliError(failed, message))
  )
})

export const run = Effect.fn("cli.confirmations")(function* (
  flags: ConfirmationsFlags,
  config: ResolvedConfig
) {
  yield* withDatabase(flags, config, ({ file }) =>
    Effect.gen(function* () {
      if (Option.isSome(flags.settle)) {
        const outcome = yield* settle(file, config, flags.settle.value)
        yield* Console.log(flags.json ? JSON.stringify({ ...flags.settle.value, outcome }) : outcome)
        if (outcome !== "Accepted") return yield* new Reported({ exitCode: failed })
        return
      }
      const state = yield* (yield* Store).state
      const waiting = awaiting(state)
      const isOurs = (one: Shown) =>
        pendedBy(state, one) !== undefined ||
        waiting.some(({ listed, listing }) => listed.asset === one.creator || listing === one.creator)
      const listed = (yield* list(file, config)).map(({ creator, headline, id, kind }) => {
        const one: Shown = { id, kind, creator, headline }
        return Object.assign(one, { ours: isOurs(one) })
      })
      yield* Console.log(
        flags.json ? JSON.stringify({ database: file, confirmations: listed }) : text(listed)
      )
    })
  )
})
