/**
 * Many market days of the daemon in a few minutes, over an exchange in another process: what it weighs after the first day and at the
 * end, how large its files grow, whether every loop still runs. Virtual time stands still while the other process answers.
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryUsage } from "node:process"

import { Effect, Exit, Layer, Random, References, Scope } from "effect"
import { HttpClient, HttpClientResponse, UrlParams } from "effect/http"

import { layer as virtualClock, VirtualClock } from "../../src/clock/VirtualClock.ts"
import { defaultOptions } from "../../src/engine/Desk.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import { numbers, start } from "../../src/engine/Loop.ts"
import { catalogue } from "../../src/exchange/Catalogue.ts"
import { settings } from "../../src/market/MarketConfig.ts"
import { defaultQuotas } from "../../src/market/Quotas.ts"
import { layer as ledgerSqlite } from "../../src/market/RateLedgerSqlite.ts"
import { RateLimiter } from "../../src/market/RateLimiter.ts"
import { layerOf as sessionOf } from "../../src/market/Session.ts"
import { Store } from "../../src/store/Store.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { engine } from "../../src/Wiring.ts"
import { startAtMillis } from "./Daemon.ts"
import { Referee } from "./Referee.ts"
import { makeShelf } from "./Shelf.ts"
import type { Answered, Asked, Opened } from "./SoakMarket.ts"

const dayMillis = 86_400_000

export interface SoakOptions {
  readonly days: number
  readonly items: number
  readonly onDay?: (day: Day) => Effect.Effect<void>
}

export interface Day {
  readonly day: number
  readonly rssMegabytes: number
  readonly heapMegabytes: number
  readonly fileMegabytes: number
  readonly requests: number
  readonly rateLimited: number
  readonly polls: number
  readonly steps: number
  readonly passes: number
  readonly events: number
}

const latencyMillis = 60

/** A process that is asked by message, in order. */
const opened: Effect.Effect<{ child: ChildProcess; market: Opened }, never, Scope.Scope> =
  Effect.acquireRelease(
    Effect.callback<{ child: ChildProcess; market: Opened }>((resume) => {
      const child = fork(new URL("SoakMarket.ts", import.meta.url), [`${startAtMillis}`])
      child.once("message", (market: Opened) => resume(Effect.succeed({ child, market })))
    }),
    ({ child }) => Effect.sync(() => child.kill())
  )

const clientOf = (child: ChildProcess, clock: VirtualClock["Service"]): HttpClient.HttpClient => {
  const waiting = new Map<number, (answer: Answered) => void>()
  let asked = 0
  child.on("message", (answer: Answered) => {
    const answered = waiting.get(answer.id)
    waiting.delete(answer.id)
    answered?.(answer)
  })
  const travel = Effect.sleep(latencyMillis)
  return HttpClient.make(
    Effect.fnUntraced(function* (request) {
      yield* travel
      const query = UrlParams.toString(request.urlParams)
      const { body } = request
      const message: Asked = {
        id: asked++,
        now: yield* marketNow,
        method: request.method === "POST" ? "POST" : "GET",
        url: realNames(query === "" ? request.url : `${request.url}?${query}`),
        headers: { ...request.headers },
        body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : undefined
      }
      const answer = yield* clock.held(
        Effect.callback<Answered>((resume) => {
          waiting.set(message.id, (one) => resume(Effect.succeed(one)))
          child.send(message)
        })
      )
      yield* travel
      const { headers, status } = answer
      return HttpClientResponse.fromWeb(request, new Response(answer.body, { status, headers }))
    })
  )
}

/** The embedded market has some hundred items: more are the same under other names, which are read and never traded. */
const alias = " ~ "
const realNames = (url: string): string => url.replaceAll(/(?:\+|%20)(?:~|%7E)(?:\+|%20)\d+/gi, "")

const names = (app: number, more: number): ReadonlyArray<string> => {
  const real = catalogue.filter((item) => item.app === app).map(({ name }) => name)
  return Array.from({ length: more }, (_, index) => `${real[index % real.length] ?? ""}${alias}${index}`)
}

const inFile = (app: number, list: ReadonlyArray<string>): string =>
  `  - { app: ${app}, items: [${list.map((name) => JSON.stringify(name)).join(", ")}] }`

/** Items that one entry of a universe may name. */
const atOnce = 500

const watching = (index: number, list: ReadonlyArray<string>) => ({
  name: `watching-${index}`,
  text: `version: 1
name: watching-${index}
universe:
${inFile(730, list)}
freshness: { book: 12h, history: 7d }
rules:
  - { id: never, when: book.ask < book.bid * 0.5, do: bid, at: book.bid, qty: 1 }
`
})

const trading = {
  name: "trading",
  text: `version: 1
name: trading
universe:
${inFile(
  730,
  catalogue
    .filter(({ app, commodity, price }) => app === 730 && commodity && price < 2_000)
    .map(({ name }) => name)
)}
freshness: { book: 1h, history: 2d }
rules:
  - { id: take, when: position.units < 2, do: bid, at: book.bid + tick(1), qty: 2 - position.units, expire: 12h }
  - { id: give, when: position.units > 0, do: ask, at: book.ask - tick(1), allowLoss: true }
limits: { openOrders: 12, exposure: 400.00 }
`
}

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const megabytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10

export const soak = Effect.fn("Soak.soak")(function* (options: SoakOptions) {
  const folder = mkdtempSync(join(tmpdir(), "haggle-soak-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { child, market } = yield* opened
  return yield* Effect.scoped(soaking(options, folder, child, market)).pipe(
    Effect.provide(virtualClock({ startAtMillis })),
    Effect.provideService(References.MinimumLogLevel, "Error"),
    Random.withSeed("soak")
  )
})

const soaking = Effect.fnUntraced(function* (
  { days, items, onDay }: SoakOptions,
  folder: string,
  child: ChildProcess,
  { account }: Opened
) {
  const clock = yield* VirtualClock
  const extra = names(730, Math.max(0, items - catalogue.length))
  const strategies = [
    trading,
    ...Array.from({ length: Math.ceil(extra.length / atOnce) }, (_, index) =>
      watching(index, extra.slice(index * atOnce, (index + 1) * atOnce))
    )
  ]
  const shelf = yield* makeShelf(
    { currency: account.wallet.currency, edits: [], strategies },
    new Referee([])
  )
  const stamp = { account: account.accountId, mode: "embedded", market: "soak" } as const
  const { accountId, cookies, deviceId, identitySecret, sessionid } = account
  const layers = engine(
    { market: settings({ baseUrl: "http://embedded.invalid" }), quotas: defaultQuotas },
    shelf.layer
  ).pipe(
    Layer.provideMerge(layerSqlite({ file: join(folder, "haggle.db"), stamp })),
    Layer.provide(
      ledgerSqlite({
        file: join(folder, "requests.db"),
        market: "soak",
        account: accountId,
        quotas: defaultQuotas
      })
    ),
    Layer.provide(sessionOf({ accountId, cookies, sessionid, identitySecret, deviceId })),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, clientOf(child, clock)))
  )
  const scope = yield* Scope.Scope
  const context = yield* clock.held(Layer.buildWithScope(layers, scope))
  const found: Array<Day> = []
  yield* Effect.gen(function* () {
    const loop = yield* Scope.make()
    const { desk, failed } = yield* Scope.provide(start(defaultOptions, "embedded"), loop)
    const { usage } = yield* RateLimiter
    const store = yield* Store
    for (let day = 1; day <= days; day++) {
      yield* Effect.raceFirst(Effect.sleep(dayMillis), failed)
      const { heapUsed, rss } = memoryUsage()
      const { passes, polls, steps } = yield* numbers(desk)
      const used = [...(yield* usage).values()]
      const [last] = yield* store.journal({ last: 1 })
      const one: Day = {
        day,
        rssMegabytes: megabytes(rss),
        heapMegabytes: megabytes(heapUsed),
        fileMegabytes: megabytes(sizeOf(folder)),
        requests: used.reduce((sum, { requests }) => sum + requests, 0),
        rateLimited: used.reduce((sum, { rateLimited }) => sum + rateLimited, 0),
        polls,
        steps,
        passes,
        events: last?.seq ?? 0
      }
      found.push(one)
      if (onDay !== undefined) yield* onDay(one)
    }
    yield* Scope.close(loop, Exit.void)
  }).pipe(Effect.provideContext(context))
  return found
})
