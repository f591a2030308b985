/**
 * `haggle drift`: a kept result of a backtest against what a daemon did in the same time, by its database.
 * Invariant: only fills that an intent of ours explains are compared, on the items that were played.
 */
import { Console, Effect, FileSystem, Schema } from "effect"

import {
  type Cause,
  causes,
  type Deeds,
  deedsOf,
  type Drift,
  driftOf,
  type Standing
} from "../backtest/Drift.ts"
import type { BacktestResult } from "../backtest/Result.ts"
import type { Millis } from "../domain/Ids.ts"
import { itemKey } from "../domain/Item.ts"
import { type Money, money } from "../domain/Money.ts"
import { trades } from "../store/Queries.ts"
import { Store } from "../store/Store.ts"
import type { ResolvedConfig } from "./Config.ts"
import { type DatabaseFlags, withDatabase } from "./Database.ts"
import { badConfig, cliError, notFound } from "./Exit.ts"
import { amount, moment } from "./Format.ts"
import { fields, table } from "./Table.ts"

export interface DriftFlags extends DatabaseFlags {
  readonly result: string
}

const Kept = Schema.fromJsonString(Schema.Struct({ version: Schema.Literal(1), digest: Schema.String }))

/** A result that `backtest --out` wrote; what stands in it is not checked further than that. */
const keptResult = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(path)
    .pipe(Effect.mapError(() => cliError(notFound, `${path} cannot be read`, "check the path")))
  yield* Schema.decodeUnknownEffect(Kept)(text).pipe(
    Effect.mapError(() =>
      cliError(badConfig, `${path} is no result of a backtest`, "write one with `haggle backtest --out FILE`")
    )
  )
  return JSON.parse(text) as BacktestResult
})

/** Orders by what was intended: the next word on the same side ends the one before it. */
const ordersOf = Effect.fnUntraced(function* (to: Millis) {
  const store = yield* Store
  const recorded = yield* store.journal({ kinds: ["IntentRecorded"] })
  const last = new Map<string, Standing>()
  const orders: Array<Standing> = []
  for (const { event } of recorded) {
    if (event._tag !== "IntentRecorded") continue
    const { intent } = event
    const item = itemKey(intent.item)
    const side = intent._tag === "ListAsset" || intent._tag === "RemoveListing" ? "Sell" : "Buy"
    const before = last.get(`${side} ${item}`)
    if (before !== undefined) orders.push({ ...before, until: intent.at })
    last.delete(`${side} ${item}`)
    const price =
      intent._tag === "PlaceBid"
        ? intent.price
        : intent._tag === "ListAsset"
          ? intent.buyerPays
          : intent._tag === "BuyListing"
            ? intent.limit
            : undefined
    if (price !== undefined) last.set(`${side} ${item}`, { item, side, at: intent.at, until: to, price })
  }
  return [...orders, ...last.values()]
})

const deedsOfRun = Effect.fnUntraced(function* ({ from, items, to }: BacktestResult) {
  const store = yield* Store
  const played = new Set(items.map(({ item }) => item))
  const fills = (yield* trades()).flatMap(({ fill, origin }) => {
    const item = itemKey(fill.item)
    if (origin === undefined || !played.has(item) || fill.at < from || fill.at > to) return []
    const { amount, at, fee, side, units } = fill
    return [{ item, amount, at, fee, side, units, strategy: origin.strategy, rule: origin.rule }]
  })
  const refused = yield* store.journal({ kinds: ["GuardRefused"] })
  const refusals = refused.flatMap(({ event }) =>
    event._tag !== "GuardRefused"
      ? []
      : [
          {
            item: itemKey(event.item),
            side: event.side === "bid" ? ("Buy" as const) : ("Sell" as const),
            at: event.at,
            code: event.code
          }
        ]
  )
  const deeds: Deeds = { fills, orders: yield* ordersOf(to), refusals, seen: new Map() }
  return deeds
})

export const run = Effect.fn("cli.drift")(function* (flags: DriftFlags, config: ResolvedConfig) {
  const result = yield* keptResult(flags.result)
  yield* withDatabase(flags, config, ({ file }) =>
    Effect.gen(function* () {
      const drift = driftOf(yield* deedsOfRun(result), deedsOf(result))
      yield* Console.log(
        flags.json
          ? JSON.stringify({
              database: file,
              result: flags.result,
              from: result.from,
              to: result.to,
              ...drift
            })
          : textOf(drift, result)
      )
    })
  )
})

/** How the replay differs from the run: `+12 %`. */
const differs = (run: number, replay: number): string =>
  run === 0
    ? replay === 0
      ? "equal"
      : "–"
    : `${replay >= run ? "+" : ""}${(((replay - run) / Math.abs(run)) * 100).toFixed(1)} %`

const byCause = (of: Drift["onlyRun"]): ReadonlyArray<readonly [Cause, number]> =>
  [...Map.groupBy(of, ({ cause }) => cause)]
    .map(([cause, all]) => [cause, all.reduce((units, one) => units + one.units, 0)] as const)
    .toSorted(([, a], [, b]) => b - a)

const textOf = (drift: Drift, { currency, from, to }: BacktestResult): string => {
  const show = (of: number | undefined) =>
    of === undefined ? "–" : amount(money(Math.round(of)) as Money, currency)
  const line = (name: "bought" | "sold") =>
    `${drift.run[name]} in the run, ${drift.replay[name]} in the replay (${differs(drift.run[name], drift.replay[name])})`
  const right = (title: string, cell: (row: Drift["items"][number]) => string) => ({
    title,
    align: "right" as const,
    cell
  })
  const reasons = [
    ...byCause(drift.onlyRun).map(([cause, units]) => ({ who: "run", units, cause })),
    ...byCause(drift.onlyReplay).map(([cause, units]) => ({ who: "replay", units, cause }))
  ]
  return [
    fields([
      ["period", `${moment(from)} to ${moment(to)} UTC`],
      ["units bought", line("bought")],
      ["units sold", line("sold")],
      [
        "profit",
        `${show(drift.run.profit)} in the run, ${show(drift.replay.profit)} in the replay (${differs(drift.run.profit, drift.replay.profit)})`
      ],
      ["same fills", `${drift.matchedUnits} units within an hour of each other`]
    ]),
    table(
      [
        { title: "ITEM", cell: ({ item }) => item },
        right("BOUGHT", ({ replay, run }) => `${run.bought} / ${replay.bought}`),
        right("PAID", ({ replay, run }) => `${show(run.paid)} / ${show(replay.paid)}`),
        right("SOLD", ({ replay, run }) => `${run.sold} / ${replay.sold}`),
        right("RECEIVED", ({ replay, run }) => `${show(run.received)} / ${show(replay.received)}`),
        right("PROFIT", ({ replay, run }) => `${show(run.profit)} / ${show(replay.profit)}`)
      ],
      drift.items,
      "neither traded"
    ),
    table(
      [
        { title: "ONLY IN THE", cell: ({ who }) => who },
        { title: "UNITS", align: "right", cell: ({ units }) => String(units) },
        { title: "WHAT THE OTHER DID", cell: ({ cause }) => causes[cause] }
      ],
      reasons,
      "every fill has its counterpart"
    )
  ].join("\n\n")
}
