/** The real market for a single command: the configured address and session, and the budgets that everybody on this machine shares. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Redacted } from "effect"

import { MarketConfig } from "../../market/MarketConfig.ts"
import { layerOver, layerTransport } from "../../market/MarketHttp.ts"
import { layer as ledgerSqlite } from "../../market/RateLedgerSqlite.ts"
import { layer as limiterLayer, layerAlone as limiterAlone } from "../../market/RateLimiter.ts"
import { makeSession, Session, type SessionValue } from "../../market/Session.ts"
import { marketOptions, quotas } from "../config/Options.ts"
import type { Settings } from "../config/Settings.ts"
import { badConfig, cliError } from "../Exit.ts"
import { isLoopback, ledgerFile } from "./LedgerFile.ts"

/** The address that is configured, or what to do about it. */
export const marketUrl = ({ market }: Settings) =>
  market.url === null
    ? cliError(
        badConfig,
        "there is no market to ask: market.url is not set",
        "give its address with --url, or set market.url in config/haggle.yaml"
      )
    : Effect.succeed(market.url)

/** A market on the loopback is there to be tried out, by commands in any number, unless a shared ledger is named. */
export const limiterFor = Effect.fn("LiveMarket.limiterFor")(function* (settings: Settings, url: string) {
  const budgets = quotas(settings)
  if (isLoopback(url) && settings.market.ledger === null) return limiterAlone(budgets)
  const file = yield* ledgerFile(settings, url)
  return limiterLayer(budgets).pipe(
    Layer.provide(
      Layer.unwrap(
        Effect.map(Session, ({ accountId }) =>
          ledgerSqlite({
            file,
            market: new URL(url).origin,
            account: Redacted.value(accountId),
            quotas: budgets
          })
        )
      )
    )
  )
})

/** The port and its parts for a session that was read already. */
export const layerLive = (settings: Settings, url: string, session: SessionValue) =>
  layerOver.pipe(
    Layer.provideMerge(layerTransport),
    Layer.provide(Layer.succeed(MarketConfig, marketOptions(settings, url))),
    Layer.provide([Layer.unwrap(limiterFor(settings, url)), NodeHttpClient.layerUndici]),
    Layer.provideMerge(Layer.effect(Session, makeSession(session)))
  )
