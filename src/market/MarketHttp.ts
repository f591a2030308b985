/**
 * The Market port over HTTP: any HttpClient, a socket or a router in this process, a session, a limiter and a configuration.
 * Invariant: wholly empty own lists are believed only when an answer after them proves that the session lives.
 */
import { Effect, Layer } from "effect"
import { type HttpClient } from "effect/http"

import * as Ask from "./Ask.ts"
import * as DriftCount from "./DriftCount.ts"
import * as Http from "./Http.ts"
import { Market, type MarketError } from "./Market.ts"
import { type MarketConfig } from "./MarketConfig.ts"
import { makeConfirmations } from "./MarketConfirmations.ts"
import { makeMutations } from "./MarketMutations.ts"
import { makeOffers } from "./MarketOffers.ts"
import { makePurchase } from "./MarketPurchase.ts"
import { makeReads } from "./MarketReads.ts"
import { makeOwnHistory } from "./OwnHistory.ts"
import { makeOwnOpen } from "./OwnOpen.ts"
import { type RateLimiter } from "./RateLimiter.ts"
import { Session } from "./Session.ts"
import * as Signer from "./Signer.ts"

const make = Effect.gen(function* () {
  const { account, ...reads } = yield* makeReads
  // A proof from before the empty answer proves nothing: the session may have died in between.
  const confirmSession: Effect.Effect<void, MarketError> = Effect.asVoid(reads.wallet)
  const session = yield* Session
  return Market.of({
    ...reads,
    session: sessionPort(session, reads.wallet),
    drift: yield* DriftCount.DriftCount,
    ...(yield* makeOwnOpen(confirmSession)),
    ownHistory: yield* makeOwnHistory(confirmSession),
    offers: yield* makeOffers(account),
    purchase: yield* makePurchase(account),
    ...(yield* makeMutations(account)),
    ...(yield* makeConfirmations)
  })
})

/** The canary is the billing read: a market answers it to the account alone. */
const sessionPort = (
  session: Session["Service"],
  canary: Effect.Effect<unknown, MarketError>
): Market["Service"]["session"] => ({
  state: session.state,
  news: session.news,
  renewable: session.renewable,
  check: canary.pipe(
    Effect.catchTag("MarketError", ({ reason }) =>
      reason._tag === "SessionExpired" ? session.lost(reason.signal) : Effect.void
    ),
    Effect.andThen(session.state)
  ),
  doubt: session.doubt
})

/** The parts below the port, shared with Call. */
export const layerTransport: Layer.Layer<
  Ask.Ask | DriftCount.DriftCount | Http.Http | Signer.Signer,
  never,
  HttpClient.HttpClient | MarketConfig | RateLimiter | Session
> = Ask.layer.pipe(
  Layer.provideMerge(DriftCount.layer),
  Layer.provideMerge(Http.layer),
  Layer.provideMerge(Signer.layer)
)

/** The port over a transport that others use as well. */
export const layerOver: Layer.Layer<
  Market,
  never,
  Layer.Success<typeof layerTransport> | Layer.Services<typeof layerTransport>
> = Layer.effect(Market, make)

/** The port with its own transport. */
export const layer: Layer.Layer<Market, never, HttpClient.HttpClient | MarketConfig | RateLimiter | Session> =
  layerOver.pipe(Layer.provide(layerTransport))
