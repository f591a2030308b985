/**
 * The engine over the embedded market in its virtual time, as a run and a backtest have it.
 * Invariant: the two differ in where the world is kept and how fast its time goes, and in nothing that is traded.
 */
import { Effect, Layer, Path } from "effect"

import { layer as virtualClock, VirtualClock } from "../../clock/VirtualClock.ts"
import { Exchange, type ExchangeOptions, layer as exchangeLayer } from "../../exchange/Exchange.ts"
import type { Recording } from "../../exchange/History.ts"
import type { CompiledStrategy } from "../../rules/Strategies.ts"
import { embedded } from "../../WiringEmbedded.ts"
import { keepMillis, marketOptions, paperOptions, quotas } from "../config/Options.ts"
import type { Settings } from "../config/Settings.ts"

/** Milliseconds that a request travels on the embedded market, each way: what happens in between is the point of it. */
const latencyMillis = 60
/** When the embedded market's clock starts, unless the configuration says otherwise: 2026-01-05T00:00:00Z, a Monday. */
const defaultStartAt = 1_767_571_200_000

export interface WorldOptions {
  readonly settings: Settings
  /** Which of the embedded worlds: part of the database's stamp. */
  readonly world: string
  readonly database: string
  readonly ledger: string
  /** Folder of the exchange's journal; without it the exchange is forgotten with the process. */
  readonly exchange: string | undefined
  /** Market time of the last entry of a run that goes on. */
  readonly lastAt: number | undefined
  readonly recordings: ReadonlyMap<string, Recording>
  /** Market seconds per second; as fast as it can when undefined. */
  readonly speed: number | undefined
  /** Strategies instead of those of the configured folder, which is watched. */
  readonly set: ReadonlyArray<CompiledStrategy> | undefined
}

export const embeddedWorld = (options: WorldOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const path = yield* Path.Path
      const { database, exchange, lastAt, ledger, recordings, set, settings, speed, world } = options
      const { balance, currency, seed, startAt } = settings.exchange
      const market: ExchangeOptions = {
        seed,
        startAtMillis: startAt ?? defaultStartAt,
        ...(exchange === undefined ? {} : { journalDirectory: exchange }),
        platformName: settings.market.platformName,
        currency,
        balance,
        recordings
      }
      const engine = Layer.unwrap(
        Effect.map(VirtualClock, ({ held }) =>
          embedded({
            world,
            latencyMillis,
            market: marketOptions(settings, "http://embedded.invalid"),
            quotas: quotas(settings),
            strategies: path.resolve(settings.strategies),
            set,
            watch: set === undefined,
            database,
            keepMillis: keepMillis(settings),
            ledger,
            paper:
              settings.mode === "dry-run" ? paperOptions(settings, path.dirname(database), held) : undefined
          })
        )
      )
      // The clock goes on where the later of the two journals ended.
      const clock = Layer.unwrap(
        Effect.map(Exchange, ({ lastTime }) =>
          virtualClock({
            startAtMillis: Math.max(lastTime, lastAt ?? lastTime),
            ...(speed === undefined ? {} : { speed })
          })
        )
      )
      return engine.pipe(Layer.provideMerge(clock), Layer.provideMerge(exchangeLayer(market)))
    })
  )
