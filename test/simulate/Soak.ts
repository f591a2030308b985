/**
 * Many market days of the daemon in a few minutes: it runs in a process of its own with an operator's flags, over sockets, against a market
 * in this one. After each day, while its time stands still, it is looked at as an operator would: its door, its database, its weight.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execPath } from "node:process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

import { Data, Deferred, Effect, Option, Queue, References, Schema, type Scope } from "effect"

import { connect } from "../../src/control/ControlClient.ts"
import { Store } from "../../src/store/Store.ts"
import { layerReadOnly } from "../../src/store/StoreSqlite.ts"
import { startAtMillis } from "./Daemon.ts"
import { soakMarket } from "./SoakMarket.ts"
import { SoakPlan, type Weight, weightIn, weightMark } from "./SoakWords.ts"

/** The app whose items are soaked. */
const app = 730

export interface SoakOptions {
  readonly days: number
  readonly items: number
  readonly onDay?: (day: Day) => Effect.Effect<void>
}

export interface Day {
  readonly day: number
  readonly rssMegabytes: number
  readonly heapMegabytes: number
  readonly peakMegabytes: number
  readonly fileMegabytes: number
  /** Answered by the market, and those that it called too fast. */
  readonly requests: number
  readonly tooFast: number
  readonly polls: number
  readonly steps: number
  readonly passes: number
  readonly events: number
  /** Loops of the daemon that the door told of, and those among them that are silent. */
  readonly loops: number
  readonly silent: ReadonlyArray<string>
}

/** The daemon ended before its time; it has said why on stderr. */
export class Ended extends Data.TaggedError("Ended")<{ readonly code: number | null }> {}

const inFile = (list: ReadonlyArray<string>): string =>
  `  - { app: ${app}, items: [${list.map((name) => JSON.stringify(name)).join(", ")}] }`

/** Items that one entry of a universe may name. */
const atOnce = 500

const watching = (index: number, list: ReadonlyArray<string>): string => `version: 1
name: watching-${index}
universe:
${inFile(list)}
freshness: { book: 12h, history: 7d }
rules:
  - { id: never, when: book.ask < book.bid * 0.5, do: bid, at: book.bid, qty: 1 }
`

const trading = (list: ReadonlyArray<string>): string => `version: 1
name: trading
universe:
${inFile(list)}
freshness: { book: 1h, history: 2d }
rules:
  - { id: take, when: position.units < 2, do: bid, at: book.bid + tick(1), qty: 2 - position.units, expire: 12h }
  - { id: give, when: position.units > 0, do: ask, at: book.ask - tick(1), allowLoss: true }
limits: { openOrders: 12, exposure: 400.00 }
`

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(folder, entry.name)).size : 0),
    0
  )

const megabytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10

interface Daemon {
  readonly child: ChildProcess
  /** Its weights as they come. */
  readonly weights: Queue.Dequeue<Weight>
  readonly ended: Effect.Effect<number | null>
}

const started = (plan: string): Effect.Effect<Daemon, never, Scope.Scope> =>
  Effect.gen(function* () {
    const weights = yield* Queue.unbounded<Weight>()
    const end = yield* Deferred.make<number | null>()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(execPath, [fileURLToPath(new URL("SoakDaemon.mjs", import.meta.url)), plan], {
          stdio: ["pipe", "pipe", "inherit"]
        })
      ),
      (one) => Effect.sync(() => one.kill("SIGKILL"))
    )
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith(weightMark)) Queue.offerUnsafe(weights, weightIn(line))
    })
    child.once("exit", (code) => Deferred.doneUnsafe(end, Effect.succeed(code)))
    return { child, weights, ended: Deferred.await(end) }
  })

/** The numbers of its last beat, and how many events the database holds. */
const written = (database: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const beat = yield* store.lastBeat
    const [last] = yield* store.journal({ last: 1 })
    const numbers = Option.match(beat, { onNone: () => ({}), onSome: (one) => one.numbers })
    return { numbers: numbers as Readonly<Record<string, number>>, events: last?.seq ?? 0 }
  }).pipe(Effect.provide(layerReadOnly(database)), Effect.scoped)

const lookedAt = Effect.fnUntraced(function* (
  { day, heapBytes, peakBytes, rssBytes }: Weight,
  folder: string,
  counts: { readonly requests: number; readonly tooFast: number }
) {
  const database = join(folder, "haggle.db")
  const { events, numbers } = yield* written(database)
  const door = yield* connect(database)
  const loops = door?.found.loops ?? []
  const now = door?.found.now ?? 0
  const found: Day = {
    day,
    rssMegabytes: megabytes(rssBytes),
    heapMegabytes: megabytes(heapBytes),
    peakMegabytes: megabytes(peakBytes),
    fileMegabytes: megabytes(sizeOf(folder)),
    ...counts,
    polls: numbers["polls"] ?? 0,
    steps: numbers["steps"] ?? 0,
    passes: numbers["passes"] ?? 0,
    events,
    loops: loops.length,
    silent: loops.filter(({ at, boundMillis }) => now - at > boundMillis).map(({ loop }) => loop)
  }
  return found
})

/** Every day of the soak; what the daemon has to say goes to stderr. */
export const soak = Effect.fn("Soak.soak")(
  function* ({ days, items, onDay }: SoakOptions) {
    const folder = mkdtempSync(join(tmpdir(), "haggle-soak-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const { account, counts, traded, url, watched } = yield* soakMarket({ app, items })
    mkdirSync(join(folder, "strategies"))
    writeFileSync(join(folder, "strategies", "trading.yaml"), trading(traded))
    for (let index = 0; index * atOnce < watched.length; index++)
      writeFileSync(
        join(folder, "strategies", `watching-${index}.yaml`),
        watching(index, watched.slice(index * atOnce, (index + 1) * atOnce))
      )
    const { accountId, cookies, deviceId, identitySecret, sessionid } = account
    const session = { accountId, cookies, deviceId, identitySecret, sessionid }
    const plan = yield* Schema.encodeEffect(SoakPlan)({ startAtMillis, days, url, session, folder })
    writeFileSync(join(folder, "plan.json"), plan)
    const { child, ended, weights } = yield* started(join(folder, "plan.json"))
    const tooSoon = Effect.flatMap(ended, (code) => Effect.fail(new Ended({ code })))
    const found: Array<Day> = []
    for (let day = 1; day <= days; day++) {
      const weight = yield* Effect.raceFirst(Queue.take(weights), tooSoon)
      const one = yield* lookedAt(weight, folder, { ...counts })
      found.push(one)
      if (onDay !== undefined) yield* onDay(one)
      child.stdin?.write("on\n")
    }
    const code = yield* ended
    if (code !== 0) return yield* new Ended({ code })
    return found
  },
  Effect.provideService(References.MinimumLogLevel, "Error"),
  Effect.scoped
)
