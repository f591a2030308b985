/** The real market for a single command: the configured address and session, budgets of its own, nothing of the daemon's. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer } from "effect"

import { MarketConfig } from "../market/MarketConfig.ts"
import { layerOver, layerTransport } from "../market/MarketHttp.ts"
import { layer as limiterLayer } from "../market/RateLimiter.ts"
import { makeSession, Session, type SessionValue } from "../market/Session.ts"
import { badConfig, cliError } from "./Exit.ts"
import { marketOptions, quotas } from "./Options.ts"
import type { Settings } from "./Settings.ts"

/** The address that is configured, or what to do about it. */
export const marketUrl = ({ market }: Settings) =>
  market.url === null
    ? cliError(
        badConfig,
        "no market to ask: market.url is not set",
        "set market.url in config/haggle.yaml, or HAGGLE_MARKET_URL"
      )
    : Effect.succeed(market.url)

export const layerLive = (settings: Settings, url: string, session: SessionValue) =>
  layerOver.pipe(
    Layer.provideMerge(layerTransport),
    Layer.provideMerge(Layer.effect(Session, makeSession(session))),
    Layer.provide(Layer.succeed(MarketConfig, marketOptions(settings, url))),
    Layer.provide([limiterLayer(quotas(settings)), NodeHttpClient.layerUndici])
  )
