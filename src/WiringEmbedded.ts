/**
 * The engine over an exchange in the same process, in virtual time. Invariant: time stands still while a request is answered and moves on
 * while it travels.
 */
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"

import { VirtualClock } from "./clock/VirtualClock.ts"
import { Exchange } from "./exchange/Exchange.ts"
import { Hold } from "./exchange/Hold.ts"
import { layerInProcess } from "./exchange/Server.ts"
import type { MarketError } from "./market/Market.ts"
import { layer as ledgerSqlite, type LedgerError } from "./market/RateLedgerSqlite.ts"
import { layerOf as sessionOf } from "./market/Session.ts"
import type { PaperError } from "./paper/PaperAccount.ts"
import type { StrategiesError } from "./rules/StrategiesYaml.ts"
import type { StoreError } from "./store/Store.ts"
import { layerSqlite } from "./store/StoreSqlite.ts"
import { type Common, type Engine, type Platform, wanted } from "./Wiring.ts"

export interface EmbeddedOptions extends Common {
  /** Which of the embedded worlds: part of the database's stamp. */
  readonly world: string
  /** Market milliseconds that a request travels, there and back each: what happens in between is the point of it. */
  readonly latencyMillis: number
}

/** The engine over an exchange in the same process; the account is the exchange's first. */
export const embedded = (
  options: EmbeddedOptions
): Layer.Layer<
  Engine,
  StoreError | StrategiesError | MarketError | LedgerError | PaperError,
  Exchange | VirtualClock | Platform
> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const exchange = yield* Exchange
      const [account] = exchange.accounts
      if (account === undefined) return yield* Effect.die(new Error("the embedded market has no account"))
      const session = sessionOf({
        accountId: account.accountId,
        cookies: account.cookies,
        sessionid: account.sessionid,
        identitySecret: account.identitySecret,
        deviceId: account.deviceId
      })
      const mode = options.paper === undefined ? "embedded" : "dry-run"
      const stamp = { account: account.accountId, mode, market: options.world } as const
      return wanted(options).pipe(
        Layer.provideMerge(layerSqlite({ file: options.database, stamp, keepMillis: options.keepMillis })),
        Layer.provide(
          ledgerSqlite({
            file: options.ledger,
            market: options.world,
            account: account.accountId,
            quotas: options.quotas
          })
        ),
        Layer.provide(session),
        Layer.provide(inProcess(options.latencyMillis))
      )
    })
  )

/**
 * The in-process client in virtual time: time stands still while a request is answered and moves on while it travels, or while a fault
 * keeps it waiting.
 */
export const inProcess = (
  latencyMillis: number
): Layer.Layer<HttpClient.HttpClient, never, Exchange | VirtualClock> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const travel = Effect.sleep(latencyMillis)
      return HttpClient.transformResponse(client, (answer) =>
        Effect.andThen(
          travel,
          Effect.tap(answer, () => travel)
        )
      )
    })
  ).pipe(Layer.provide(layerInProcess), Layer.provide(holdingTime))

const holdingTime = Layer.effect(
  Hold,
  Effect.map(VirtualClock, ({ held }) => held)
)
