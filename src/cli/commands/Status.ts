/**
 * `haggle status`: whose database it is, whether its daemon lives, and the figures of the state and the last run.
 * Invariant: "running" means that its daemon answers, or that the last run has not stopped in order and that its process is there.
 */
import { kill } from "node:process"

import { Console, Effect, Option } from "effect"

import type { LiveStatus } from "../../control/ControlApi.ts"
import { connect } from "../../control/ControlClient.ts"
import { showControl } from "../../domain/Control.ts"
import { itemKey } from "../../domain/Item.ts"
import { sum } from "../../domain/Money.ts"
import { lotsCost, units } from "../../domain/Position.ts"
import { haltedStrategies } from "../../domain/Trail.ts"
import { showDuration } from "../../rules/Strategy.ts"
import { openListings, openOrders, openPurchases } from "../../store/Queries.ts"
import { Store } from "../../store/Store.ts"
import type { ResolvedConfig } from "../config/Config.ts"
import { age, amount, moment } from "../text/Format.ts"
import { fields } from "../text/Table.ts"
import { type DatabaseFlags, type Seen, seenAsData, withDatabase } from "./Database.ts"

/** A process of that id exists; one of another user answers with a refusal, which is an answer too. */
const isAlive = (pid: number): Effect.Effect<boolean> =>
  pid <= 0
    ? Effect.succeed(false)
    : Effect.try({
        try: () => kill(pid, 0),
        catch: (cause) => cause instanceof Error && "code" in cause && cause.code === "EPERM"
      }).pipe(Effect.catch((isThere) => Effect.succeed(isThere)))

/** Slots in which a person may have to look. */
const stuck: ReadonlySet<string> = new Set(["Uncertain", "Quarantined"])

const gather = Effect.fnUntraced(function* (seen: Seen) {
  const store = yield* Store
  const state = yield* store.state
  const beat = Option.getOrUndefined(yield* store.lastBeat)
  const [run] = yield* store.journal({ kinds: ["RunStarted", "RunStopped"], last: 1 })
  const [last] = yield* store.journal({ last: 1 })
  const daemon = yield* connect(seen.file)
  const alive = run?.event._tag === "RunStarted" && beat !== undefined && (yield* isAlive(beat.pid))
  const pid = daemon?.found.pid ?? (alive ? beat.pid : undefined)
  const orders = openOrders(state)
  const listings = openListings(state)
  const purchases = openPurchases(state)
  const held = Object.values(state.positions)
  return {
    ...seenAsData(seen),
    ...store.stamp,
    running: pid !== undefined,
    pid,
    loops: daemon?.found.loops ?? [],
    control: state.control,
    lastEventAt: last?.event.at,
    lastBeatAt: beat?.at,
    events: last?.seq ?? 0,
    ledger: state.ledger,
    opening: state.opening,
    openOrders: orders.length,
    openListings: listings.length,
    openPurchases: purchases.length,
    units: held.reduce((count, position) => count + units(position), 0),
    stockCost: sum(held.map(lotsCost)),
    realised: sum(held.map((position) => position.realised)),
    fees: sum(held.map((position) => position.fees)),
    counters: state.counters,
    stuck: [...orders, ...listings, ...purchases]
      .filter((slot) => stuck.has(slot.state))
      .map((slot) => itemKey(slot.item)),
    haltedStrategies: Object.fromEntries(haltedStrategies(state.trails)),
    pauses: Object.entries(state.trails).flatMap(([strategy, { pauses }]) =>
      Object.values(pauses)
        .filter(({ until }) => until > seen.nowMillis)
        .map(({ item, kind, since, until, why }) => ({ strategy, item, kind, since, until, why }))
    ),
    otherCurrency: Object.keys(state.otherCurrency),
    refused: Object.entries(state.strategies.rejected).map(([file, { at, message }]) => ({
      file,
      since: at,
      message
    })),
    searches: Object.values(state.strategies.found).map(({ about, at, items, problems }) => ({
      about,
      at,
      items: items.length,
      problems
    })),
    numbers: beat?.numbers ?? {},
    notes: beat?.notes ?? {}
  }
})

type Gathered = Effect.Success<ReturnType<typeof gather>>

const stateText = (of: Gathered): string => {
  const process = of.running ? `running, process ${of.pid}` : "not running"
  return of.control._tag === "Trading" ? process : `${showControl(of.control)}; ${process}`
}

const loopText = ({ at, loop }: LiveStatus["loops"][number], nowMillis: number): string =>
  `${loop} ${age(at, nowMillis)} ago`

const text = (of: Gathered, { currency, nowMillis }: Seen): string => {
  const { counters } = of
  const rest = [...Object.entries(of.numbers), ...Object.entries(of.notes)]
  return fields([
    ["state", stateText(of)],
    ["mode", `${of.mode}, account ${of.account}, market ${of.market}`],
    ["database", of.database],
    ["market time", moment(nowMillis)],
    ["last event", of.lastEventAt === undefined ? "none" : `${age(of.lastEventAt, nowMillis)} ago`],
    ["ledger", `${amount(of.ledger, currency)}, opened with ${amount(of.opening, currency)}`],
    ["stock", `${of.units} units, cost ${amount(of.stockCost, currency)}`],
    ["profit", `${amount(of.realised, currency)} realised, ${amount(of.fees, currency)} fees`],
    ["buy orders", `${of.openOrders} open; ${counters.placed} placed, ${counters.unitsBought} units bought`],
    ["purchases", `${of.openPurchases} on their way; ${counters.boughtOutright} listings bought outright`],
    ["listings", `${of.openListings} open; ${counters.created} created, ${counters.sold} sold`],
    [
      "intents",
      `${counters.recorded} recorded, ${counters.accepted} accepted, ${counters.refused} refused, ${counters.unknown} unknown`
    ],
    ...(of.loops.length === 0
      ? []
      : [["loops", of.loops.map((loop) => loopText(loop, nowMillis)).join(", ")] as const]),
    ...(of.stuck.length === 0 ? [] : [["look at", of.stuck.join(", ")] as const]),
    ...Object.entries(of.haltedStrategies).map(([name, why]) => ["halted", `${name}: ${why}`] as const),
    ...of.pauses.map(
      ({ item, kind, strategy, until, why }) =>
        [
          "paused",
          `${strategy}${item === undefined ? "" : ` on ${item}`} buys nothing for ${showDuration(until - nowMillis)}: ${kind}, ${why}`
        ] as const
    ),
    ...(of.otherCurrency.length === 0
      ? []
      : [["stopped", `another currency than the wallet's: ${of.otherCurrency.join(", ")}`] as const]),
    ...of.refused.map(
      ({ message, since }) =>
        [
          "refused",
          `${message.split("\n")[0] ?? ""} (since ${moment(since)}; the last good revision goes on)`
        ] as const
    ),
    ...of.searches.map(
      ({ about, items, problems }) =>
        ["search", [`${about}: ${items} items`, ...problems].join("; ")] as const
    ),
    ...rest.map(([name, value]) => [name, String(value)] as const)
  ])
}

export const run = Effect.fn("cli.status")(function* (flags: DatabaseFlags, config: ResolvedConfig) {
  yield* withDatabase(flags, config, (seen) =>
    Effect.flatMap(gather(seen), (gathered) =>
      Console.log(flags.json ? JSON.stringify(gathered) : text(gathered, seen))
    )
  )
})
