/**
 * The compositions of layers: the same engine on a real market, or (WiringEmbedded) on the embedded one in virtual time.
 * Invariants: 1. the two differ in the HttpClient, the session, the clock and the database's stamp, and in nothing else. 2. nothing here
 * leads to the exchange: a daemon on a real market does not carry one along.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, type FileSystem, Layer, type Path, Redacted } from "effect"
import type { ChildProcessSpawner } from "effect/process"

import { patiently } from "./engine/Account.ts"
import { type Activity, layer as activityLayer } from "./engine/Activity.ts"
import { type Control, layer as controlLayer } from "./engine/Control.ts"
import { type Journal, layer as journalLayer } from "./engine/Journal.ts"
import { DriftSamples, samplesIn } from "./market/DriftSamples.ts"
import { Market, type MarketError } from "./market/Market.ts"
import { MarketConfig, type MarketSettings } from "./market/MarketConfig.ts"
import { layer as marketLayer } from "./market/MarketHttp.ts"
import type { Quotas } from "./market/Quotas.ts"
import { layer as ledgerSqlite, type LedgerError } from "./market/RateLedgerSqlite.ts"
import { layer as limiterLayer, type RateLimiter } from "./market/RateLimiter.ts"
import { Session } from "./market/Session.ts"
import type { SessionFileError } from "./market/SessionFile.ts"
import { layer as renewedSession, type SessionSource } from "./market/SessionRenewal.ts"
import type { PaperError, PaperOptions } from "./paper/PaperAccount.ts"
import { layer as paperLayer } from "./paper/PaperMarket.ts"
import type { CompiledStrategy, Strategies } from "./rules/Strategies.ts"
import { layer as strategiesLayer, layerOf, type StrategiesError } from "./rules/StrategiesYaml.ts"
import { type Store, type StoreError } from "./store/Store.ts"
import { layerSqlite } from "./store/StoreSqlite.ts"

/** Everything that the loop needs. */
export type Engine = Market | RateLimiter | Strategies | Store | Journal | Activity | Control
export type Platform = FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner

export interface Common {
  readonly market: MarketSettings
  readonly quotas: Quotas
  readonly strategies: string
  /** These instead of a folder's; they never change. */
  readonly set?: ReadonlyArray<CompiledStrategy> | undefined
  /** Watch the strategies for changes. */
  readonly watch: boolean
  readonly database: string
  /** Market time for which the journal's events are kept. */
  readonly keepMillis: number
  /** File of the ledger of requests; processes that name the same one share their budgets. */
  readonly ledger: string
  /** Set for a dry-run: reads are the market's, everything else is an account on paper. */
  readonly paper?: PaperOptions | undefined
}

export interface LiveOptions extends Common {
  readonly session: SessionSource
  /** Folder for masked samples of answers that are not understood. */
  readonly samples: string
}

/** The engine over a real market, or an exchange on a socket. */
export const live = (
  options: LiveOptions
): Layer.Layer<
  Engine,
  StoreError | StrategiesError | SessionFileError | MarketError | LedgerError | PaperError,
  Platform
> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const session = yield* Session
      const stamp = {
        account: Redacted.value(session.accountId),
        mode: options.paper === undefined ? "live" : "dry-run",
        market: options.market.baseUrl
      } as const
      return wanted(options).pipe(
        Layer.provideMerge(layerSqlite({ file: options.database, stamp, keepMillis: options.keepMillis })),
        Layer.provide(
          ledgerSqlite({
            file: options.ledger,
            market: new URL(stamp.market).origin,
            account: stamp.account,
            quotas: options.quotas
          })
        )
      )
    })
  ).pipe(
    Layer.provide(Layer.effect(DriftSamples, samplesIn(options.samples))),
    Layer.provide(renewedSession(options.session)),
    Layer.provide(NodeHttpClient.layerUndici)
  )

/** What is the same everywhere, over a market, a store, a ledger of requests, a session, an HttpClient and a set of strategies. */
const engineOver = <E, R, E2, R2>(
  options: Pick<Common, "market" | "quotas">,
  strategies: Layer.Layer<Strategies, E, R>,
  market: Layer.Layer<Market, E2, R2>
) =>
  Layer.mergeAll(strategies, controlLayer).pipe(
    Layer.provideMerge(journalLayer),
    Layer.provideMerge(market),
    Layer.provideMerge(Layer.mergeAll(activityLayer, limiterLayer(options.quotas))),
    Layer.provide(Layer.succeed(MarketConfig, options.market))
  )

/** The engine over the market itself. */
export const engine = <E, R>(
  options: Pick<Common, "market" | "quotas">,
  strategies: Layer.Layer<Strategies, E, R>
) => engineOver(options, strategies, marketLayer)

/** The engine as the options want it: over the market itself, or in a dry-run over an account on paper. */
export const wanted = (options: Common) => engineOver(options, strategiesOf(options), marketOf(options.paper))

/** The market itself, or an account on paper over its reads. */
const marketOf = (paper: PaperOptions | undefined) =>
  paper === undefined ? marketLayer : paperLayer(paper).pipe(Layer.provide(marketLayer))

/** The strategies are compiled for the wallet's currency, so the wallet is asked first. */
const strategiesOf = (options: Common) =>
  options.set === undefined ? folderOf(options) : layerOf(options.set)

const folderOf = (options: Common) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const market = yield* Market
      const { currency } = yield* patiently(market.wallet)
      return strategiesLayer({ directory: options.strategies, target: { currency }, watch: options.watch })
    })
  )
