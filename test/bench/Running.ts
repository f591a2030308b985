/** Rows of what runs: requests, the journal, the whole daemon and the command line as processes. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"

import { Exchange, layer as exchangeLayer } from "../../src/exchange/Exchange.ts"
import { layerInProcess, serve } from "../../src/exchange/Server.ts"
import { Store } from "../../src/store/Store.ts"
import { layerMemory } from "../../src/store/StoreMemory.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { opened, placeBid, recorded, refused, sent } from "../store/events.ts"
import { median, millisEach, row } from "./Measure.ts"

const requestsPerRound = 200
const appendsPerRound = 300

const inFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "haggle-bench-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const asking = (client: HttpClient.HttpClient, base: string, query: string) =>
  Effect.gen(function* () {
    const answer = yield* client.get(`${base}/market/orderbook?${query}`)
    const text = yield* answer.text
    if (answer.status !== 200 || !text.includes("rgCompactBuyOrders"))
      return yield* Effect.die(new Error(`no order book: ${answer.status}`))
  }).pipe(Effect.repeat({ times: requestsPerRound - 1 }))

const requests = Effect.gen(function* () {
  const [item] = (yield* Exchange).items
  const query = new URLSearchParams({ q: "Load", qp: JSON.stringify([item?.app, item?.name]) }).toString()
  const { url } = yield* serve({ port: 0 })
  const inside = yield* Effect.provide(HttpClient.HttpClient, layerInProcess)
  const outside = yield* HttpClient.HttpClient
  const [near = 0, far = 0] = yield* millisEach(
    5,
    asking(inside, "http://embedded.invalid", query),
    asking(outside, url, query)
  )
  return row({
    name: "requests",
    value: (requestsPerRound * 1_000) / near,
    unit: "order books/s from the exchange in the same process, one after the other",
    against: { "over a loopback socket, faster": far / near }
  })
}).pipe(
  Effect.provide(
    Layer.merge(NodeHttpClient.layerUndici, exchangeLayer({ seed: 1, startAtMillis: 1_767_571_200_000 }))
  ),
  Effect.scoped,
  Effect.orDie
)

const stamp = { account: "76561190000000001", mode: "embedded", market: "bench" } as const

/** Appends of an intent, as the engine makes them; every round has new ids. */
const appending = (store: Store["Service"], next: () => string) =>
  Effect.suspend(() => {
    const id = next()
    return store.append([recorded(placeBid(id)), sent(id), refused(id)])
  }).pipe(Effect.repeat({ times: appendsPerRound - 1 }))

const journal = inFolder((folder) =>
  Effect.gen(function* () {
    const stores = yield* Effect.forEach(
      [layerSqlite({ file: join(folder, "haggle.db"), stamp }), layerMemory(stamp)],
      (layer) => Effect.flatMap(Layer.build(layer), (context) => Effect.provide(Store, context))
    )
    const [file, memory] = stores
    if (file === undefined || memory === undefined) return yield* Effect.die(new Error("no store"))
    for (const store of stores) yield* store.append([opened])
    let count = 0
    const next = () => `intent-${++count}`
    const [disk = 0, ram = 0] = yield* millisEach(3, appending(file, next), appending(memory, next))
    return row({
      name: "journal append",
      value: disk / appendsPerRound,
      unit: "ms per intent, its sending and its answer on disk (SQLite, fsync)",
      against: { "in memory, time": disk / ram }
    })
  }).pipe(Effect.scoped, Effect.orDie)
)

const node = resolve("node_modules/.bin/node")
const launcher = resolve("src/haggle.mjs")

const daemonRuns = 3
const daemonHours = 2

const daemon = inFolder((folder) =>
  Effect.sync(() => {
    const hoursPerSecond = Array.from({ length: daemonRuns }, (_, index) => {
      const args = [
        "run",
        "--json",
        "--for",
        `${daemonHours}h`,
        "--speed",
        "1000000",
        "--seed",
        `${index + 1}`
      ]
      const ran = spawnSync(node, [launcher, ...args, "--state", join(folder, `${index}`)], {
        encoding: "utf8"
      })
      if (ran.status !== 0) throw new Error(`haggle run ended with ${ran.status}: ${ran.stderr}`)
      const { marketSeconds, wallSeconds } = JSON.parse(ran.stdout) as {
        marketSeconds: number
        wallSeconds: number
      }
      return marketSeconds / 3_600 / wallSeconds
    })
    const value = median(hoursPerSecond)
    return row({
      name: "daemon",
      value,
      unit: "market hours/s of wall, the whole daemon over the embedded market, journals on disk",
      against: { "real time, faster": value * 3_600 }
    })
  })
)

const starts = 9
const helpBarMillis = 500

const help = Effect.sync(() => {
  const timed = (...args: ReadonlyArray<string>): number => {
    const began = performance.now()
    const { status, stderr } = spawnSync(node, args, { encoding: "utf8" })
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`)
    return performance.now() - began
  }
  timed(launcher, "--help")
  const times = Array.from({ length: starts }, () => [timed(launcher, "--help"), timed("-e", "0")] as const)
  const [ours, bare] = [median(times.map(([time]) => time)), median(times.map(([, time]) => time))]
  return row({
    name: "help",
    value: ours,
    unit: "ms for `haggle --help`, the process and all",
    against: { "an empty node, time": ours / bare },
    bar: helpBarMillis
  })
})

export const runningRows = { requests, "journal append": journal, daemon, help }
