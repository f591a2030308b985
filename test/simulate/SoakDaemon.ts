/**
 * The daemon of a soak: what `haggle run --live` puts together, with undici, the door and the watch on strategies, in accelerated time.
 * It differs in the clock, which stands still while the market answers, and in the session's file, which is read once.
 */
// The schemas are compiled in the daemon, too.
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"

import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Duration, Effect, Exit, Layer, Random, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

import { notifierLayer } from "../../src/cli/config/NotifySettings.ts"
import { engineOptions, marketOptions, paperRules, quotas } from "../../src/cli/config/Options.ts"
import { defaults } from "../../src/cli/config/Settings.ts"
import { daemon } from "../../src/cli/run/Daemon.ts"
import { smallHeap } from "../../src/cli/run/SmallHeap.ts"
import { layer as virtualClock, VirtualClock } from "../../src/clock/VirtualClock.ts"
import { marketNow } from "../../src/engine/Journal.ts"
import { layer as ledgerSqlite } from "../../src/market/RateLedgerSqlite.ts"
import { layerOf as sessionOf } from "../../src/market/Session.ts"
import { layer as strategiesYaml } from "../../src/rules/StrategiesYaml.ts"
import { layerSqlite } from "../../src/store/StoreSqlite.ts"
import { engine } from "../../src/Wiring.ts"
import { SoakPlan, timeHeader, type Weight, weightLine } from "./SoakWords.ts"

const dayMillis = 86_400_000
const latencyMillis = 60
/** Short enough that events go behind a base many times in a soak. */
const keepMillis = 7 * dayMillis

/** Requests go out over undici and say when it is; time stands still until the whole answer is there. */
const accelerated = Effect.gen(function* () {
  const http = yield* HttpClient.HttpClient
  const { held } = yield* VirtualClock
  const travel = Effect.sleep(latencyMillis)
  return HttpClient.transform(http, (_, request) =>
    Effect.gen(function* () {
      yield* travel
      const stamped = HttpClientRequest.setHeader(request, timeHeader, `${yield* marketNow}`)
      // read whole while time stands still; whoever reads it next is given what was read
      const response = yield* held(Effect.tap(http.execute(stamped), ({ arrayBuffer }) => arrayBuffer))
      yield* travel
      return response
    })
  )
})

/** Says after each day what the process weighs, and lets no time pass before it is heard. */
const weighed = Effect.fnUntraced(function* (days: number) {
  const { held } = yield* VirtualClock
  for (let day = 1; day <= days; day++) {
    yield* Effect.sleep(dayMillis)
    const { heapUsed, rss } = process.memoryUsage()
    const peakBytes = process.resourceUsage().maxRSS * 1024
    const weight: Weight = { day, rssBytes: rss, heapBytes: heapUsed, peakBytes }
    yield* held(
      Effect.callback<void>((resume) => {
        process.stdin.once("data", () => {
          process.stdin.pause()
          resume(Effect.void)
        })
        process.stdin.resume()
        process.stdout.write(weightLine(weight))
      })
    )
  }
})

const run = Effect.fnUntraced(function* ({ days, folder, session, url }: SoakPlan) {
  const { held } = yield* VirtualClock
  const database = join(folder, "haggle.db")
  const budgets = quotas(defaults)
  const layers = engine(
    { market: marketOptions(defaults, url), quotas: budgets },
    strategiesYaml({
      directory: join(folder, "strategies"),
      target: { currency: defaults.exchange.currency },
      watch: true
    })
  ).pipe(
    Layer.provideMerge(
      layerSqlite({
        file: database,
        stamp: { account: session.accountId, mode: "live", market: url },
        keepMillis
      })
    ),
    Layer.provide(
      ledgerSqlite({
        file: join(folder, "requests.db"),
        market: url,
        account: session.accountId,
        quotas: budgets
      })
    ),
    Layer.provide(sessionOf(session)),
    Layer.provide(Layer.effect(HttpClient.HttpClient, accelerated)),
    Layer.provide(NodeHttpClient.layerUndici)
  )
  // files are read meanwhile, which no virtual time waits for by itself
  const context = yield* held(
    Layer.build(Layer.mergeAll(layers, notifierLayer(defaults.notify, yield* Clock.Clock)))
  )
  yield* Effect.forkScoped(weighed(days))
  yield* daemon({
    // a little longer than the last day, so that its weight is told
    flags: { json: true, forMillis: days * dayMillis + 60_000, history: [] },
    mode: "live",
    seed: undefined,
    database,
    market: url,
    time: { held, unpaced: Effect.void, isVirtual: true },
    paper: paperRules(defaults),
    engine: engineOptions(defaults),
    recording: defaults.recording,
    summaryEvery: Duration.days(1)
  }).pipe(Effect.provideContext(context))
})

smallHeap()
const plan = Schema.decodeSync(SoakPlan)(readFileSync(process.argv[2] ?? "", "utf8"))
run(plan).pipe(
  Effect.provide([virtualClock({ startAtMillis: plan.startAtMillis }), NodeServices.layer]),
  Random.withSeed("soak"),
  Effect.scoped,
  // the line that lets it go on is no reason to stay
  NodeRuntime.runMain({ teardown: (exit) => process.exit(Exit.isSuccess(exit) ? 0 : 1) })
)
